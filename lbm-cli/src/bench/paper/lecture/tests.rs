//! A small run, where it can run; the tunnel; what is left out.

use super::tunnel::{OPEN, POROUS};
use super::*;
use lbm_cuda::testing::cxx_or_skip;

fn request(backend: Backend) -> Request {
    Request { placement: backend.into(), turns: 1, copy_bytes: Some(1 << 16), ..Request::default() }
}

/// All choices have the bits of the whole box, and all that is not measured is said.
fn small_run(backend: Backend, size: [usize; 3]) -> (Vec<Chosen>, Vec<LeftOut>) {
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for part in PARTS {
        let (chosen, left) = part.measure(size, &request(backend)).unwrap();
        assert_eq!(chosen.len() + left.len(), part.choices.len(), "{}", part.name);
        rows.extend(chosen);
        left_out.extend(left);
    }
    for row in &rows {
        assert!(row.verified, "{}: {}", row.part, row.choice);
        let figures = [row.mlups, row.share_of_copy, row.over_first, row.bytes_per_node, row.copy_gb_s];
        assert!(figures.iter().all(|figure| figure.is_finite() && *figure > 0.0), "{row:?}");
    }
    (rows, left_out)
}

#[test]
fn what_the_cpu_has_is_measured_and_the_rest_is_said() {
    let (rows, left_out) = small_run(Backend::Cpu, [40, 33, 1]);
    let parts = |name: &str| rows.iter().filter(|row| row.part == name).count();
    assert_eq!([parts("open_f32"), parts("precision"), parts("coalescing")], [3, 2, 2]);
    assert_eq!([parts("blocks"), parts("boundaries")], [0, 0]);
    assert_eq!(rows.iter().map(|row| row.over_first).filter(|&over| over == 1.0).count(), 6);
    let reason = |part: &str, choice: &str| {
        let mut all = left_out.iter().filter(|one| (one.part, one.choice) == (part, choice));
        all.next().expect("it is left out").left_out
    };
    assert!(reason("open_f32", "flag and branch").contains("no threads of a warp"));
    assert!(reason("blocks", "256").contains("no blocks of threads"));
    assert!(reason("boundaries", "generated, whole box").contains("nothing to compare it with"));
}

#[test]
fn texts_of_all_choices_compute_the_flow() {
    if cxx_or_skip("texts_of_all_choices_compute_the_flow").is_none() {
        return;
    }
    let (rows, left_out) = small_run(Backend::CudaOnHost, [40, 33, 1]);
    assert!(left_out.is_empty(), "{left_out:?}");
    let of = |part: &str, choice: &str| {
        rows.iter().find(|row| (row.part, row.choice) == (part, choice)).expect("it was measured")
    };
    let (flagged, listed) = (of("open_f32", "flag and branch"), of("open_f32", "list of fluid nodes"));
    assert_eq!((flagged.paper_over_first, flagged.over_first), (Some(1.0), 1.0));
    assert!((listed.paper_over_first.unwrap() - 42.22 / 42.79).abs() < 1e-15);
    // A flag is a word of every node, an entry of a list one of a fluid node.
    assert_eq!(listed.bytes_per_node, 76.0);
    assert!((flagged.bytes_per_node - (72.0 + 4.0 / flagged.share_of_fluid)).abs() < 1e-9);
    assert_eq!(of("boundaries", "a kernel and a stream each kind").paper_over_first, Some(1.01449));
}

#[test]
fn tunnels_have_as_much_fluid_as_they_say_and_solid_nodes_around() {
    for tunnel in [OPEN, POROUS] {
        let size = [512, 256, 1];
        let domain = tunnel.domain(size).unwrap();
        let share = domain.fluid_nodes() as f64 / domain.nodes() as f64;
        assert!((share - tunnel.fluid).abs() < 0.02, "{share} of {tunnel:?}");
        let of = |x: usize, y: usize| domain.solid_at(domain.index([x, y, 0]));
        assert!((0..256).all(|y| of(0, y) == Some(1) && of(511, y) == Some(2)));
        assert!((1..511).all(|x| of(x, 0) == Some(3) && of(x, 255) == Some(3)));
        let inner = (1..511).flat_map(|x| (1..255).map(move |y| (x, y)));
        assert!(inner.clone().all(|(x, y)| of(x, y).is_none_or(|solid| solid == 0)));
        assert!(inner.clone().any(|(x, y)| of(x, y) == Some(0)));
    }
    let said = OPEN.domain([2, 9, 1]).unwrap_err().to_string();
    assert!(said.contains("2 x 9") && said.contains("at least 3 x 3"), "{said}");
}

#[test]
fn a_choice_matters_that_differs_by_more_than_a_twentieth() {
    let part = PARTS.iter().find(|part| part.name == "precision").unwrap();
    let row = |choice, over_first| Chosen { choice, over_first, ..Chosen::default() };
    let verdict = |over: f64| part.verdict(&[row("f32", 1.0), row("f64", over)]);
    assert!(!verdict(0.97).matters && !verdict(1.04).matters);
    let twice = verdict(0.5);
    assert!(twice.matters && twice.fastest_over_slowest == 2.0);
    assert_eq!((twice.fastest, twice.slowest), ("f32", "f64"));
    // What is generated only stands beside the lecture's own.
    let lists = PARTS.iter().find(|part| part.name == "porous_f32").unwrap();
    let mut rows = vec![row("flag and branch", 1.0), row("generated, whole box", 3.0)];
    assert_eq!(lists.verdict(&rows).fastest, "generated, whole box");
    rows.push(row("list of fluid nodes", 1.5));
    let own = lists.verdict(&rows);
    assert_eq!((own.fastest, own.fastest_over_slowest), ("list of fluid nodes", 1.5));
}

#[test]
fn tables_and_pictures_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let (request, mut reported) = (Request { size: Some([20, 16, 1]), ..request(Backend::Cpu) }, 0);
    let mut listener = |record: &Record<'_>| {
        reported += 1;
        assert!(record.verified());
        Ok(())
    };
    let mut session = Session {
        key: "lecture",
        request: &request,
        folder: folder.path(),
        listener: &mut listener,
        wanted: &[],
        written: Vec::new(),
    };
    run(&mut session).unwrap();
    let written = session.written;
    assert!(written.iter().all(|path| path.exists()), "{written:?}");
    assert_eq!(reported, 14 + 19 + 6, "choices, what is left out, verdicts");
    let text = std::fs::read_to_string(folder.path().join("lecture_choices.csv")).unwrap();
    assert!(text.lines().next().unwrap().contains("share of copy,over the first,paper over the first"));
    assert_eq!(text.lines().filter(|line| line.contains("yes, to the bit")).count(), 14);
    assert!(folder.path().join("lecture_precision.png").exists());
    let verdicts = std::fs::read_to_string(folder.path().join("lecture_verdicts.csv")).unwrap();
    assert_eq!(verdicts.lines().count(), 7);
}
