//! Nine nodes around a node, with what stands in which slot of which of them.

use lbm_core::{Access, Facts};

/// Nodes around the node at hand, each with a place for every slot.
struct Figure {
    title: String,
    /// Rows from above, three for each node.
    places: [[char; 9]; 9],
}

impl Figure {
    fn new(title: String, facts: &Facts, marks: impl IntoIterator<Item = (Access, char)>) -> Figure {
        let mut places = [['.'; 9]; 9];
        for (Access { shift, slot }, mark) in marks {
            // Slots of moments may stand behind those of populations.
            let velocity = facts.lattice.velocities[slot % facts.lattice.q()];
            let [column, row] = [0, 1].map(|axis| (3 * (shift[axis] + 1) + velocity[axis] + 1) as usize);
            places[8 - row][column] = mark;
        }
        Figure { title, places }
    }

    fn lines(&self) -> Vec<String> {
        let row = |row: &[char; 9]| {
            let nodes = row.chunks(3).map(|node| format!("{} {} {}", node[0], node[1], node[2]));
            nodes.collect::<Vec<_>>().join(" | ")
        };
        let mut lines = vec![self.title.clone()];
        for (n, places) in self.places.iter().enumerate() {
            if n == 3 || n == 6 {
                lines.push("------+-------+------".to_owned());
            }
            lines.push(row(places));
        }
        lines
    }
}

/// Two steps, or one where all steps are alike, as a block of Markdown.
pub(super) fn of_two_steps(facts: &Facts) -> String {
    let alike = facts.period == 1 && facts.copies == 1;
    if alike {
        return side_by_side(&of_step(facts, 0, "each step"));
    }
    let first = of_step(facts, 0, "step 0");
    side_by_side(&first.into_iter().chain(of_step(facts, 1, "step 1")).collect::<Vec<_>>())
}

fn side_by_side(figures: &[Figure]) -> String {
    let all: Vec<Vec<String>> = figures.iter().map(Figure::lines).collect();
    let mut text = "```text\n".to_owned();
    for n in 0..all[0].len() {
        let line: String = all.iter().map(|lines| format!("{:<25}", lines[n])).collect();
        text += line.trim_end();
        text.push('\n');
    }
    text + "```\n"
}

/// What is drawn of a step: the passes over nodes and links, one after the other.
fn of_step(facts: &Facts, step: usize, when: &str) -> Vec<Figure> {
    let (pattern, phase) = (&facts.pattern, step % facts.period);
    let directions = || 0..facts.lattice.q();
    let arrow = |i: usize| arrow(facts.lattice.velocities[i]);
    let [from, to] = match facts.copies {
        1 => ["", ""],
        _ if step.is_multiple_of(2) => [" A", " B"],
        _ => [" B", " A"],
    };
    let titled = |what: &str| format!("{when}: {what}");
    let mut figures = Vec::new();
    if pattern.swaps() {
        let links = directions().filter(|&i| facts.lattice.opposites[i] != i).zip('a'..);
        let ends = links.flat_map(|(i, letter)| facts.ends(i, phase).map(|end| (end, letter)));
        figures.push(Figure::new(titled("exchanges"), facts, ends));
    }
    if pattern.sends() {
        let before = (phase + facts.period - 1) % facts.period;
        let sent = directions().map(|i| (facts.write(i, before), arrow(i)));
        figures.push(Figure::new(titled("sends"), facts, sent));
    }
    let read = directions().map(|i| (facts.read(i, phase), arrow(i)));
    let reads = if pattern.rebuilds() { "rebuilds" } else { "reads" };
    figures.push(Figure::new(titled(&format!("{reads}{from}")), facts, read));
    let written: Vec<(Access, char)> = match pattern.stores_moments() {
        true => (0..facts.state_values()).map(|n| (facts.moment(n), 'M')).collect(),
        false => directions().map(|i| (facts.write(i, phase), arrow(i))).collect(),
    };
    figures.push(Figure::new(titled(&format!("writes{to}")), facts, written));
    if facts.rings.turning != 0 {
        let turned = |i: usize| Access { shift: facts.lattice.velocities[i], slot: i };
        let rings = directions().filter(|i| facts.rings.turns(*i)).map(|i| (turned(i), arrow(i)));
        figures.push(Figure::new("then rings turn".to_owned(), facts, rings));
    }
    figures
}

/// A direction in the plane.
fn arrow(velocity: [i32; 3]) -> char {
    match velocity {
        [1, 0, _] => '→',
        [-1, 0, _] => '←',
        [0, 1, _] => '↑',
        [0, -1, _] => '↓',
        [1, 1, _] => '↗',
        [-1, 1, _] => '↖',
        [-1, -1, _] => '↙',
        [1, -1, _] => '↘',
        _ => 'o',
    }
}
