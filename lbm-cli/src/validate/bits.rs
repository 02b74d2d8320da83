//! The same bits however a variant is run: threads, SIMD levels, kinds of store, and the plain reference.

use lbm_core::engine::Setup;
use lbm_core::laws::{SEEDS_OF_RULES, SplitMix64, boxes, random_setup, with_random_rules};
use lbm_core::reference::Reference;
use lbm_core::{Domain, Engine, Error, Face, FaceRule};
use lbm_cpu::{CpuOptions, SimdLevel, StoreKind};

use super::{Event, Options, Row};
use crate::simulation::{Backend, Placement, positions};
use crate::variants::{self, Entry};

const SOURCE: &str = "lbm_core::reference, one node at a time, 1 thread, scalar";

const STEPS: u64 = 20;
/// Random states between inlets and outlets need not stay bounded.
const STEPS_OF_RULES: u64 = 2;
pub(super) const VISCOSITY: f64 = 0.05;

/// The variants that were named, or those of the tier that run there. Levels that the machine has not cannot run and are named in the row.
pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let named = options.variants.iter().copied();
    let runs = |entry: &Entry| options.placement.backend != Backend::Cpu || entry.is_compiled();
    let tier = variants::all().iter().filter(|entry| options.variants.is_empty() && runs(entry));
    for entry in named.chain(tier) {
        heard(Event::Progress(format!("bits: {}", entry.name)));
        heard(Event::Row(row(entry, VISCOSITY, options.placement)?));
    }
    Ok(())
}

/// The row of engines that run with this viscosity, compared with a reference that runs with [`VISCOSITY`].
pub(super) fn row(entry: &Entry, viscosity: f64, placement: Placement) -> Result<Row, Error> {
    let (placements, ways) = match placement.backend {
        Backend::Cpu => every_way(entry)?,
        device => (vec![placement], format!("on {device}")),
    };
    let mut differing = 0;
    let (plain, with_rules) = (domains(entry), domains_with_rules(entry, placement.backend));
    let plain = plain.iter().map(|domain| (domain, STEPS, &placements[..]));
    // Rules do not know how chunks are stored.
    let two_ways = [&placements[..1], &placements[placements.len() - 1..]].concat();
    let ruled = with_rules.iter().map(|domain| (domain, STEPS_OF_RULES, &two_ways[..]));
    for (domain, steps, placements) in plain.chain(ruled) {
        let start = random_populations(entry, domain);
        let setup = |viscosity| {
            let setup = Setup::new(domain.clone(), parameters(entry, viscosity));
            if domain.rules.is_empty() { setup } else { setup.with_rules(entry.rules()) }
        };
        let run = |engine: &mut dyn Engine| bits(engine, entry, (domain, steps), &start);
        let expected = run(&mut Reference::new(&entry.facts, &setup(VISCOSITY))?)?;
        for placement in placements {
            let found = run(entry.engine_on(&setup(viscosity), placement)?.as_mut())?;
            differing += found.iter().zip(&expected).filter(|(a, b)| a != b).count();
        }
    }
    let name = format!("bits-{}", entry.name.trim_end_matches("-dense-two-lattice-pull"));
    let rules = match with_rules.len() {
        0 => String::new(),
        count => format!(
            "; after {STEPS_OF_RULES}, and one more, over {count} boxes with boundary rules, in the first and the last of these ways"
        ),
    };
    let words =
        format!("populations that differ after {STEPS} steps, and one more, over two boxes, {ways}{rules}");
    Ok(Row::error(name, &entry.name, differing as f64, 0.0).about(words, SOURCE))
}

/// Every way in which this machine's CPU can run a variant, and all of them in words.
fn every_way(entry: &Entry) -> Result<(Vec<Placement>, String), Error> {
    let levels = SimdLevel::detect_all();
    let kinds = possible_stores(entry)?;
    let mut placements = Vec::new();
    for &level in &levels {
        for threads in [1, 2] {
            for &kind in &kinds {
                let cpu = CpuOptions::default().with_threads(threads).with_simd(level).with_stores(kind);
                placements.push(Placement::default().with_cpu(cpu));
            }
        }
    }
    let missing: Vec<_> = SimdLevel::ALL.into_iter().filter(|level| !level.is_available()).collect();
    let missing = match missing.as_slice() {
        [] => String::new(),
        levels => format!(" (not on this machine: {})", named(levels, |level| level.name())),
    };
    let words = format!(
        "{}{missing}, 1 and 2 threads, {} stores",
        named(&levels, |level| level.name()),
        named(&kinds, |kind| kind.name()),
    );
    Ok((placements, words))
}

fn named<T: Copy>(items: &[T], name: impl Fn(T) -> &'static str) -> String {
    items.iter().map(|&item| name(item)).collect::<Vec<_>>().join(", ")
}

/// The kinds of store that the variant's layout allows.
fn possible_stores(entry: &Entry) -> Result<Vec<StoreKind>, Error> {
    let granule = entry.facts.addressing.granule;
    let size = [0, 1, 2].map(|axis| [16usize, 1, 1][axis].next_multiple_of(granule[axis]));
    let setup = Setup::new(Domain::periodic(size), parameters(entry, VISCOSITY));
    let mut kinds = vec![StoreKind::Ordinary];
    let options = CpuOptions::default().with_threads(1).with_stores(StoreKind::NonTemporal);
    match entry.engine(&setup, &options) {
        Ok(_) => kinds.push(StoreKind::NonTemporal),
        // How an engine says that it cannot store so.
        Err(Error::Conflict { .. }) => {}
        Err(other) => return Err(other),
    }
    Ok(kinds)
}

fn parameters(entry: &Entry, viscosity: f64) -> Vec<f64> {
    entry.parameters(&[("viscosity", viscosity), ("force_x", 1e-5), ("force_y", -2e-5)])
}

/// A box with walls, a lid, an obstacle at rest and a moving one, and a periodic box; their rows fill no whole vectors. The periodic
/// one is as long as the addressing needs it.
fn domains(entry: &Entry) -> [Domain; 2] {
    let dimension = entry.facts.lattice.dimension;
    let size = if dimension == 2 { [37, 19, 1] } else { [19, 9, 5] };
    let mut walled = Domain::periodic(size);
    for face in Face::ALL.into_iter().filter(|face| face.axis() < dimension) {
        walled.faces[face.index()] = FaceRule::WALL;
    }
    walled.faces[Face::North.index()] = FaceRule::Wall { velocity: [0.1, 0.0, 0.0] };
    walled.solids = vec![[0.0; 3], [0.02, -0.03, 0.0]];
    let flag = |[x, y, _]: [usize; 3]| match (x, y) {
        (4..7, 2..5) => 1,
        (12..14, 3..8) => 2,
        _ => 0,
    };
    walled.flags = positions(size).map(flag).collect();
    let whole = |axis: usize| match axis < dimension {
        true => size[axis].next_multiple_of(entry.facts.addressing.granule[axis]),
        false => size[axis],
    };
    [walled, Domain::periodic([0, 1, 2].map(whole))]
}

/// Boxes in which each boundary rule of the command stands somewhere, of random values, where the variant takes rules. A device compiles a text for each: `lbm crosscheck
/// --rules` has them there.
fn domains_with_rules(entry: &Entry, backend: Backend) -> Vec<Domain> {
    if backend != Backend::Cpu || entry.crosscheck_rules().is_none() {
        return Vec::new();
    }
    let (facts, rules) = (&entry.facts, entry.rules());
    let domain = |&seed: &u64| {
        let mut random = SplitMix64::new(seed);
        let setup = random_setup(facts, boxes(facts.lattice.dimension)[0], &mut random);
        with_random_rules(facts, &rules, setup, &mut random).domain().clone()
    };
    SEEDS_OF_RULES.iter().map(domain).collect()
}

/// Shifted populations about a fluid at rest.
fn random_populations(entry: &Entry, domain: &Domain) -> Vec<f64> {
    let mut random = SplitMix64::new(7);
    let nodes = domain.nodes();
    let value = |at: usize| {
        let value = random.between(-1e-3, 1e-3);
        if domain.flags.get(at % nodes).is_some_and(|&flag| flag != 0) { 0.0 } else { value }
    };
    (0..entry.facts.lattice.q() * nodes).map(value).collect()
}

/// The bits of all populations after the run, then after one step more.
fn bits(
    engine: &mut dyn Engine,
    entry: &Entry,
    (domain, steps): (&Domain, u64),
    start: &[f64],
) -> Result<Vec<u64>, Error> {
    engine.set_populations(start, 0)?;
    engine.run(steps)?;
    // NaN where nothing is written: it differs from every number, and equal NaNs are found below.
    let mut values = vec![f64::NAN; 2 * start.len()];
    let (last, next) = values.split_at_mut(start.len());
    engine.populations(last)?;
    engine.run(1)?;
    engine.populations(next)?;
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        return Err(Error::Diverged {
            what: format!("a population of {} is {}", entry.name, values[at]),
            node: domain.position(at % domain.nodes()),
            step: steps,
            advice: None,
            checkpoint: None,
        });
    }
    Ok(values.into_iter().map(f64::to_bits).collect())
}
