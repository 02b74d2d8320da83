//! What is drawn, seen and saved of a flow.

mod hostile;
mod planes;

use lbm_core::Error;
use lbm_live::{Event, Flow, Recorded, Shape, View, What, replay};

use super::LiveFlow;
use super::drawn::Through;
use super::plane::Samples;
use crate::cases::{Settings, find};
use crate::simulation::Backend;

fn flow(backend: Backend, pairs: &str) -> LiveFlow {
    let case = find("windtunnel2d").unwrap();
    let settings = Settings::with(case, &format!("size=32 obstacle=none re=50 {pairs}")).unwrap();
    let first = Shape::Circle { centre: [14.0, 16.0], radius: 4.0 };
    LiveFlow::new(case, settings.on(backend.into()), Some(first), false).unwrap()
}

fn draw(shape: Shape, solid: bool) -> Event {
    Event::Draw { shape, solid, axis: 2, slice: 0 }
}

/// What a person may do in a minute.
fn recorded() -> Vec<Recorded> {
    let aerofoil = Shape::Aerofoil { nose: [30.0, 17.0], chord: 20.0, angle: 12.0 };
    let brush = Shape::Brush { points: vec![[12.0, 10.0], [16.0, 20.0]], radius: 1.5 };
    let set = |name: &str, value: f64| Event::Set { name: name.to_owned(), value };
    let events = [
        (3, draw(aerofoil, true)),
        (9, set("speed", 0.09)),
        (11, draw(brush, false)),
        (11, draw(Shape::Line { from: [0.0, 1.0], to: [63.0, 1.0], width: 2.0 }, true)),
        (20, Event::Undo {}),
        (22, set("viscosity", 0.02)),
        (30, Event::Undo {}),
    ];
    events.into_iter().map(|(step, event)| Recorded { step, what: What::Event(event) }).collect()
}

fn again(backend: Backend, pairs: &str) -> Vec<f64> {
    let mut flow = flow(backend, pairs);
    replay(&mut flow, &recorded(), 37).unwrap();
    assert_eq!(flow.steps_done(), 37);
    flow.simulation().populations().unwrap()
}

/// The same events in the same steps give the same bits: under every scheme, on the CPU and on the host in a GPU's place.
#[test]
fn what_is_done_again_has_the_same_bits_everywhere() {
    let expected = again(Backend::Cpu, "");
    assert!(expected.iter().all(|h| h.is_finite()));
    let other = again(Backend::Cpu, "streaming=esoteric-pull layout=aosoa64 threads=1");
    assert!(expected == other);
    assert!(expected == again(Backend::Cpu, "addressing=connectivity-matrix streaming=aa"));
    if lbm_cuda::testing::cxx_or_skip("a steered tunnel").is_some() {
        assert!(expected == again(Backend::CudaOnHost, ""));
    }
}

/// A saved flow goes on with its bits, what was drawn and what was set, in a flow that knew nothing of these.
#[test]
fn a_saved_flow_goes_on_with_the_same_bits() {
    let mut one = flow(Backend::Cpu, "");
    replay(&mut one, &recorded(), 25).unwrap();
    let saved = one.save().unwrap();
    one.run(12).unwrap();
    let mut other = flow(Backend::Cpu, "streaming=aa");
    other.run(5).unwrap();
    other.load(&saved).unwrap();
    assert_eq!(other.steps_done(), 25);
    let (now, then) = (other.status(), one.status());
    assert_eq!((now.values, now.reynolds), (then.values, then.reynolds));
    other.run(12).unwrap();
    assert!(one.simulation().populations().unwrap() == other.simulation().populations().unwrap());
    assert_eq!(one.status().drag, other.status().drag);

    // What is none changes nothing.
    let before = other.simulation().populations().unwrap();
    let header = |text: &str| format!("{text}\n").into_bytes();
    for (wrong, said) in [
        (Vec::new(), "no saved flow"),
        (header("{}"), "no saved flow"),
        (header(r#"{"live":"cavity2d","size":[64,32,1],"viscosity":null,"drawn":[]}"#), "a flow of cavity2d"),
        (
            header(r#"{"live":"windtunnel2d","size":[64,32,1],"viscosity":null,"drawn":[[2040,9,1]]}"#),
            "2048 nodes in order",
        ),
        (header(r#"{"live":"windtunnel2d","size":[64,32,1],"viscosity":null,"drawn":[[4,9,7]]}"#), "redrawn"),
        (header(r#"{"live":"windtunnel2d","size":[64,32,1],"viscosity":-1.0,"drawn":[]}"#), "viscosity"),
        (saved[..saved.len() - 9].to_vec(), "checkpoint"),
    ] {
        let refused = other.load(&wrong).unwrap_err().to_string();
        assert!(refused.contains(said), "{said}: {refused}");
    }
    assert!(before == other.simulation().populations().unwrap());
}

/// A circle that is drawn slows what is behind it, and the mask shows it; a reset brings back the beginning.
#[test]
fn pictures_show_what_is_drawn() {
    let mut flow = flow(Backend::Cpu, "");
    let about = flow.about();
    let view = View { width: 64, height: 32, range: Some([0.0, 0.12]), ..View::whole(&about) };
    let value = |flow: &mut LiveFlow, x: usize, y: usize| {
        let picture = std::iter::repeat_with(|| flow.picture(&view).unwrap()).flatten().next().unwrap();
        let place = x + 64 * (31 - y);
        let mask = picture.mask.unwrap();
        (picture.values[place], mask.bits[place / 8] >> (7 - place % 8) & 1 == 1)
    };
    assert_eq!(value(&mut flow, 44, 16), (128, false));
    flow.apply(&draw(Shape::Circle { centre: [40.0, 16.0], radius: 4.0 }, true)).unwrap();
    flow.run(60).unwrap();
    assert_eq!(value(&mut flow, 40, 16), (0, true));
    assert!(value(&mut flow, 46, 16).0 < 60);
    assert!(flow.status().drag.unwrap() > 0.0);
    flow.apply(&Event::Undo {}).unwrap();
    assert!(!value(&mut flow, 40, 16).1);
    assert!(flow.apply(&Event::Undo {}).is_err(), "what stands there at the beginning is no draw");
    flow.apply(&Event::Reset {}).unwrap();
    assert_eq!((flow.steps_done(), value(&mut flow, 44, 16)), (0, (128, false)));
}

/// In a free stream each source lets go a straight line, the newest place at the source; a flow that stands lets go nothing more; a disc in the
/// way ends what comes upon it.
#[test]
fn streaklines_go_with_the_flow_from_their_sources() {
    let mut flow = flow(Backend::Cpu, "");
    flow.apply(&draw(Shape::Rectangle { low: [0.0, 0.0], high: [64.0, 32.0], angle: 0.0 }, false)).unwrap();
    let view = View { width: 64, height: 32, streaks: true, ..View::whole(&flow.about()) };
    let lines = |flow: &mut LiveFlow| {
        let picture = std::iter::repeat_with(|| flow.picture(&view).unwrap()).flatten().next().unwrap();
        picture.streaks.unwrap()
    };
    assert!(lines(&mut flow).is_empty(), "one place is no line");
    for count in 2..6 {
        flow.run(20).unwrap();
        let found = lines(&mut flow);
        assert_eq!(found.len(), 24);
        for (n, line) in found.iter().enumerate() {
            assert_eq!(line.len(), count);
            let height = (n as f64 + 0.5) / 24.0 * 65_535.0;
            assert!(line.iter().all(|place| (f64::from(place[1]) - height).abs() < 400.0), "{line:?}");
            assert!(line[0][0] == 327 && line.is_sorted_by(|one, next| one[0] < next[0]), "{line:?}");
            // 20 steps of 0.06 nodes.
            let moved = f64::from(line[1][0] - line[0][0]) / 65_535.0 * 64.0;
            assert!((moved - 1.2).abs() < 0.1, "{moved}");
        }
    }
    assert_eq!(lines(&mut flow), lines(&mut flow), "a flow that stands");
    flow.apply(&draw(Shape::Rectangle { low: [4.0, 14.0], high: [6.0, 18.0], angle: 0.0 }, true)).unwrap();
    let in_the_way = |lines: &[Vec<[u16; 2]>]| {
        let nodes = lines.iter().flatten().map(|place| place.map(f64::from));
        nodes
            .filter(|[x, y]| {
                (4.0..6.0).contains(&(x / 65_535.0 * 64.0)) && (14.0..18.0).contains(&(y / 65_535.0 * 32.0))
            })
            .count()
    };
    flow.run(20).unwrap();
    let found = lines(&mut flow);
    assert_eq!(in_the_way(&found), 0);
    assert!(!found.is_empty());
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_changes() {
    let mut flow = flow(Backend::Cpu, "");
    flow.run(3).unwrap();
    let before = flow.simulation().populations().unwrap();
    let set = |name: &str, value: f64| Event::Set { name: name.to_owned(), value };
    for event in [set("speed", 0.9), set("nothing", 0.1), set("viscosity", -1.0)] {
        assert!(flow.apply(&event).is_err(), "{event:?}");
    }
    // Near faces with rules all stays free; a shape that covers all leaves what rules need.
    let left_out = flow.apply(&draw(Shape::Circle { centre: [0.0, 0.0], radius: 2.0 }, true)).unwrap();
    let why = "nothing of this was drawn: 3 nodes before a face with a boundary rule stay free, since rules read so far; draw at x = 3 to 61, y = 3 to 29";
    assert_eq!(left_out.unwrap().to_string(), why);
    assert!(before == flow.simulation().populations().unwrap());
    let undo = flow.status().undo;
    let low = Shape::Rectangle { low: [20.0, 0.0], high: [30.0, 5.0], angle: 0.0 };
    let left_out = flow.apply(&draw(low.clone(), true)).unwrap().unwrap().to_string();
    assert!(left_out.starts_with("only a part of this was drawn: 3 nodes before"), "{left_out}");
    assert!(left_out.ends_with("; draw at y = 3 to 29"), "{left_out}");
    assert_eq!(flow.status().undo, undo + 1);
    // What is erased may lie anywhere, and what is clear of faces is whole.
    assert_eq!(flow.apply(&draw(low, false)), Ok(None));
    assert_eq!(flow.apply(&draw(Shape::Circle { centre: [40.0, 16.0], radius: 4.0 }, true)), Ok(None));
}

fn view(region: [f64; 4], width: u16, height: u16, axis: u8, slice: u32) -> View {
    let (field, slice) = ("speed".to_owned(), Some(slice));
    View { field, region, width, height, slice, axis, range: None, particles: false, streaks: false }
}

/// Regions, zoom and slices: each pixel shows the node under it, and no node is looked at beyond the box.
#[test]
fn samples_lie_in_the_box_and_under_their_pixels() {
    for (size, view, count, step) in [
        ([64, 32, 1], view([0.0, 0.0, 64.0, 32.0], 64, 32, 2, 0), [64, 32], [1, 1]),
        ([64, 32, 1], view([0.0, 0.0, 64.0, 32.0], 30, 8, 2, 0), [22, 8], [3, 4]),
        ([64, 32, 1], view([10.2, 3.0, 12.9, 4.0], 500, 200, 2, 0), [3, 1], [1, 1]),
        ([5, 3, 7], view([0.0, 0.0, 3.0, 7.0], 2, 2, 0, 4), [2, 2], [2, 4]),
        ([5, 3, 7], view([4.5, 6.5, 5.0, 7.0], 9, 9, 1, 2), [1, 1], [1, 1]),
    ] {
        let samples = Samples::of(&view, size);
        assert!(samples.grid.fits(), "{samples:?}");
        assert_eq!((samples.count, samples.step), (count, step), "{view:?}");
        for number in 0..samples.grid.nodes() {
            let node = samples.grid.position(number);
            let point = samples.axes.map(|axis| node[axis] as f64 + 0.5);
            assert_eq!(samples.at(point), number);
            assert_eq!(node[usize::from(view.axis)], view.slice() as usize);
        }
    }
}

#[test]
fn shapes_go_through_the_box_and_stay_clear_of_rules() -> Result<(), Error> {
    use lbm_core::geometry::Shape as _;
    use lbm_core::{Domain, FaceRule};
    let mut domain = Domain::periodic([20, 10, 8]);
    (domain.faces[0], domain.faces[1]) = (FaceRule::Rule(0), FaceRule::Rule(0));
    let nodes = |axis: usize, shape: &Shape, solid: bool| {
        let through = Through::new(&domain, &shape.region(), axis, solid);
        let all = (0..domain.nodes()).map(|node| domain.position(node));
        let contains = |node: &[usize; 3]| through.contains(node.map(|at| at as f64 + 0.5));
        let found: Vec<[usize; 3]> = all.filter(contains).collect();
        let bounds = through.bounds();
        assert!(found.iter().all(|node| bounds.contain(node.map(|at| at as f64 + 0.5))));
        found
    };
    let dot = Shape::Circle { centre: [5.5, 4.5], radius: 0.4 };
    assert_eq!(nodes(2, &dot, true), (0..8).map(|z| [5, 4, z]).collect::<Vec<_>>());
    assert_eq!(nodes(0, &dot, true), (3..17).map(|x| [x, 5, 4]).collect::<Vec<_>>());
    assert_eq!(nodes(0, &dot, false).len(), 20);
    let left_out = |axis: usize, shape: &Shape, solid: bool| {
        Through::new(&domain, &shape.region(), axis, solid).left_out()
    };
    assert_eq!((left_out(2, &dot, true), left_out(0, &dot, false)), (None, None));
    assert_eq!(left_out(0, &dot, true), None);
    let all = Shape::Rectangle { low: [-9.0, -9.0], high: [99.0, 99.0], angle: 0.0 };
    assert_eq!(nodes(2, &all, true).len(), 14 * 10 * 8);
    assert!(left_out(2, &all, true).unwrap().ends_with("; draw at x = 3 to 17"));
    let mut narrow = Domain::periodic([5, 4, 1]);
    (narrow.faces[0], narrow.faces[1]) = (FaceRule::Rule(0), FaceRule::Rule(0));
    let narrow = Through::new(&narrow, &all.region(), 2, true);
    assert_eq!(narrow.bounds(), lbm_core::geometry::Bounds::NOWHERE);
    let why = narrow.left_out().unwrap();
    assert!(
        why.starts_with("nothing of")
            && why.ends_with("no x of this box, but in one with 7 nodes or more along it"),
        "{why}"
    );
    Ok(())
}

/// What a picture shows as solid, renewed where nodes were drawn or erased, is what it is when it is looked up as a whole.
#[test]
fn masks_follow_what_is_drawn() {
    use lbm_core::Domain;
    use lbm_core::laws::SplitMix64;

    let size = [41, 29, 6];
    let mut random = SplitMix64::new(5);
    for view in [
        view([0.0, 0.0, 41.0, 29.0], 41, 29, 2, 3),
        view([0.0, 0.0, 41.0, 29.0], 9, 5, 2, 0),
        view([7.5, 3.0, 33.2, 28.0], 11, 3, 2, 5),
        view([0.0, 0.0, 41.0, 6.0], 13, 2, 1, 20),
        view([3.0, 1.0, 29.0, 6.0], 4, 4, 0, 40),
    ] {
        let samples = Samples::of(&view, size);
        let mut domain = Domain::periodic(size);
        let mut solid = samples.solid(&domain);
        for _ in 0..60 {
            let mut nodes: Vec<usize> = (0..20).map(|_| random.bits() as usize % domain.nodes()).collect();
            nodes.sort_unstable();
            nodes.dedup();
            let now: Vec<_> =
                nodes.iter().map(|&node| domain.solid_at(node).is_none().then_some(0)).collect();
            domain.redraw(&nodes, &now).unwrap();
            samples.renew(&domain, &nodes, &mut solid);
            assert_eq!(solid, samples.solid(&domain), "{view:?}");
        }
    }
}
