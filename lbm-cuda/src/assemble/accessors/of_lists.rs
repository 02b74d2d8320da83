//! Kernels that do the nodes of a list: populations that are asked for, all of a node or single ones, those that rules read of others, and those that went into walls.

use super::super::boundary::{keep, lists};
use super::super::kernel::{Kernel, LIST_BLOCK};
use super::super::masks::{MaskWord, two_variables};
use super::super::resource::Resource;
use super::super::scheme::{Scheme, position_of, put};
use super::{Accessors, Nodes};

impl Accessors<'_> {
    /// Declares the node that a list names.
    fn find(&self, text: &mut String, number: &str) {
        match &self.nodes {
            Nodes::Box(scheme) => {
                put!(text, "const unsigned at = {number};");
                put!(text, "{}", position_of("at", &scheme.size));
            }
            Nodes::List(..) => put!(text, "const index node = {number};"),
        }
    }

    /// The kernel that takes all populations of the nodes of a list.
    pub(super) fn gather(&self) -> Kernel {
        let [asked, values] = [Resource::Asked, Resource::Values];
        let mut parameters = self.parameters([Resource::Phase, Resource::First, Resource::Count]);
        parameters.extend([asked.read(), values.written()]);
        let about = "\n// All populations of `count` nodes of a list.\n";
        let mut kernel = Kernel::over_a_list(about, "gather", parameters);
        let text = &mut kernel.body;
        self.find(text, &format!("{asked}[first + number]"));
        if let Nodes::List(_, plan) = &self.nodes {
            *text += &self.idle(plan);
        }
        let q = self.pieces.q;
        put!(text, "double h[{q}];");
        put!(text, "{}", self.call_of_all("h"));
        put!(text, "for (unsigned i = 0; i < {q}u; ++i) {values}[number + (size_t)count * i] = h[i];");
        kernel
    }

    /// The kernel that sets what is stored of the nodes of a list, value after value.
    pub(super) fn scatter(&self) -> Kernel {
        let [asked, values] = [Resource::Asked, Resource::Portion];
        let mut parameters = self.parameters([Resource::Phase, Resource::First, Resource::Count]);
        parameters.extend([asked.read(), values.read()]);
        let about = "\n// Sets what is stored of `count` nodes of a list.\n";
        let mut kernel = Kernel::over_a_list(about, "scatter", parameters);
        let text = &mut kernel.body;
        self.find(text, &format!("{asked}[first + number]"));
        put!(
            text,
            "for (unsigned direction = 0; direction < {}u; ++direction)",
            self.pieces.facts.state_values()
        );
        put!(
            text,
            "    *{} = {values}[number + (size_t)count * direction];",
            self.call("place", "direction")
        );
        kernel
    }

    /// The kernel that takes single populations of the nodes of a list.
    pub(super) fn pick(&self) -> Kernel {
        let about = "\n// `count` populations of nodes, each along a direction of its own.\n";
        let [nodes, directions] = [Resource::Asked, Resource::AskedDirections];
        self.bring(about, "pick".to_owned(), [nodes, directions], None, Resource::Values)
    }

    /// The kernel that brings populations of other nodes to the values of the rules that read them, of nodes (0) or links (1).
    pub(super) fn observe(&self, of: usize) -> Kernel {
        let about = "\n// Brings `count` populations of other nodes to where rules read them.\n";
        let [nodes, directions] = [Resource::Observed(of), Resource::ObservedDirections(of)];
        let values = if of == 0 { Resource::RuleValues } else { Resource::LinkValues };
        let places = Resource::ObservedPlaces(of);
        let name = format!("observe_{of}");
        if !self.pieces.plan.rules.are_brought_from_places(of) {
            return self.bring(about, name, [nodes, directions], Some(places), values);
        }
        let stored = self.pieces.stored();
        let parameters =
            vec![stored.read(), Resource::Count.value(), nodes.read(), places.read(), values.written()];
        let mut kernel = Kernel::over_a_list(about, name, parameters);
        put!(kernel.body, "{values}[{places}[number]] = decode({stored}[{nodes}[number]]);");
        kernel
    }

    /// The kernels that copy stored values of nodes out, and set them: of the nodes of a list, and of such as follow each other in runs.
    pub(super) fn crossing(&self) -> Vec<Kernel> {
        [false, true]
            .into_iter()
            .flat_map(|in_runs| [true, false].map(|leaves| self.crosses(leaves, in_runs)))
            .collect()
    }

    /// One of them. A thread does [`AT_ONCE`] values, so that all of a warp's are asked for before the first comes.
    fn crosses(&self, leaves: bool, in_runs: bool) -> Kernel {
        let portion = Resource::Portion;
        let (about, name, handed) = match leaves {
            true => ("Takes", "leave", portion.written()),
            false => ("Sets", "arrive", portion.read()),
        };
        let named = match in_runs {
            true => [Resource::RunCount.value(), Resource::AskedRuns.read()],
            false => [Resource::Asked.read(), Resource::AskedDirections.read()],
        };
        let mut parameters = self.parameters([Resource::Phase, Resource::Count]);
        parameters.extend(named.into_iter().chain([handed]));
        let name = format!("{name}{}", if in_runs { "_in_runs" } else { "" });
        let mut kernel = Kernel::several(
            format!("\n// {about} `count` stored values of nodes.\n"),
            name,
            AT_ONCE,
            parameters,
        );
        let text = &mut kernel.body;
        if in_runs {
            first_run(text);
        }
        put!(text, "stored value[{AT_ONCE}];");
        let each = format!(
            "#pragma unroll\nfor (unsigned n = 0; n < {AT_ONCE}u; ++n) {{\nconst unsigned number = begin + n * {LIST_BLOCK}u;\nif (number >= count) break;"
        );
        let mut place = String::new();
        let node = if in_runs { in_run(&mut place) } else { in_list(&mut place) };
        self.find(&mut place, &node);
        let at = self.call("place", "direction");
        match leaves {
            true => {
                put!(text, "{each}\n{place}value[n] = *{at};\n}}");
                put!(text, "{each}\n{portion}[number] = value[n];\n}}");
            }
            false => {
                put!(text, "{each}\nvalue[n] = {portion}[number];\n}}");
                put!(text, "{each}\n{place}*{at} = value[n];\n}}");
            }
        }
        kernel
    }

    /// A kernel that brings populations of nodes to these places among values, or to one after the other.
    fn bring(
        &self,
        about: &str,
        name: String,
        [nodes, directions]: [Resource; 2],
        places: Option<Resource>,
        values: Resource,
    ) -> Kernel {
        let mut parameters = self.parameters([Resource::Phase, Resource::Count]);
        parameters.extend([nodes, directions].into_iter().chain(places).map(Resource::read));
        parameters.push(values.written());
        let mut kernel = Kernel::over_a_list(about, name, parameters);
        let text = &mut kernel.body;
        put!(text, "const unsigned direction = {directions}[number];");
        self.find(text, &format!("{nodes}[number]"));
        let place = places.map_or("number".to_owned(), |places| format!("{places}[number]"));
        put!(text, "{values}[{place}] = {};", self.call("population", "direction"));
        kernel
    }

    /// The kernel that keeps what the listed nodes at walls have sent into them, from the populations as they are.
    pub(super) fn keep_all(&self, scheme: &Scheme) -> Kernel {
        let mut parameters = self.parameters([Resource::Phase]);
        parameters.insert(1, Resource::Kept.written());
        // All lists but those of what walls add.
        parameters.extend(&lists(self.pieces)[..4]);
        let about = "\n// Keeps what `count` listed nodes have sent into walls.\n";
        let mut kernel = Kernel::over_a_list(about, "keep", parameters);
        let text = &mut kernel.body;
        let word = format!("const {}", MaskWord::of(self.pieces.facts));
        let [at, lost] = ["at = at_walls[number]", "lost = missing[number]"];
        put!(text, "{}", two_variables([("const unsigned", at), (&word, lost)]));
        put!(text, "{}", position_of("at", &scheme.size));
        put!(text, "unsigned link;");
        *text += &keep(self.pieces, |opposite| format!("*{}", self.call("place", &format!("{opposite}u"))));
        kernel
    }
}

/// Values that a thread brings across a cut.
const AT_ONCE: usize = 8;

/// Declares which value of a node is meant, by lists of both, and gives the node.
fn in_list(text: &mut String) -> String {
    put!(text, "const unsigned direction = {}[number];", Resource::AskedDirections);
    format!("{}[number]", Resource::Asked)
}

/// Declares the run of a thread's first value: the last one that begins there or before.
fn first_run(text: &mut String) {
    let [runs, count] = [Resource::AskedRuns, Resource::RunCount];
    put!(text, "unsigned run = 0, end = {count};");
    put!(text, "while (end - run > 1u) {{");
    put!(text, "const unsigned middle = run + (end - run) / 2u;");
    put!(text, "if ({runs}[middle] <= begin) run = middle; else end = middle;");
    put!(text, "}}");
}

/// The same as `in_list` by runs, from that of a value before on.
fn in_run(text: &mut String) -> String {
    let [runs, count] = [Resource::AskedRuns, Resource::RunCount];
    put!(text, "while (run + 1u < {count} && {runs}[run + 1u] <= number) ++run;");
    put!(text, "const unsigned direction = {runs}[run + 3u * {count}];");
    format!("{runs}[run + {count}] + {runs}[run + 2u * {count}] * (number - {runs}[run])")
}
