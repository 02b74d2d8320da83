use super::*;
use crate::simulation::Placement;

fn request(words: &[&str], size: usize) -> Request {
    Request {
        filter: words.iter().map(|&word| word.to_owned()).collect(),
        size: Some([size; 3]),
        placement: Placement::default().with_parts(2),
        turns: 1,
        ..Request::default()
    }
}

fn scaled(request: &Request) -> Vec<Scaled> {
    let folder = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    let mut tell = |one: &Scaled| {
        all.push(one.clone());
        Ok(())
    };
    let written = scale(request, folder.path(), &mut tell).unwrap();
    assert_eq!(written, ["scaling.csv", "scaling.json"].map(|name| folder.path().join(name)));
    let table = std::fs::read_to_string(&written[0]).unwrap();
    assert_eq!(table.lines().count(), all.len() + 1);
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&written[1]).unwrap()).unwrap();
    assert_eq!(summary.as_array().map(Vec::len), Some(all.len()));
    all
}

#[test]
fn parts_on_the_cpu_are_measured_and_have_the_bits_of_the_whole() {
    let all = scaled(&request(&["esoteric-pull", "f32"], 12));
    assert_eq!(
        all.iter().map(|one| (one.kind, one.size[2])).collect::<Vec<_>>(),
        [("one", 12), ("weak", 24), ("strong", 12)]
    );
    for one in &all[1..] {
        assert_eq!((one.parts, one.verified, one.straight), (2, Some(true), Some(false)), "{one:?}");
        // Five populations of each node of two planes to either part.
        assert_eq!(one.crossing_bytes, 2 * 12 * 12 * 5 * 4);
        let figures = [one.mlups, one.one_mlups, one.share.unwrap(), one.exchange_us.unwrap()];
        assert!(figures.iter().all(|figure| figure.is_finite() && *figure > 0.0), "{one:?}");
    }
}

/// Two steps at once: ten moments of each node of two planes on either side of a part, once in two steps.
#[test]
fn parts_that_do_two_steps_at_once_are_measured() {
    let all = scaled(&request(&["two", "steps"], 12));
    assert_eq!(
        all.iter().map(|one| (one.kind, one.exchange_every)).collect::<Vec<_>>(),
        [("one", 2), ("weak", 2), ("strong", 2)]
    );
    for one in &all[1..] {
        assert_eq!((one.parts, one.verified, one.steps % 2), (2, Some(true), 0), "{one:?}");
        assert_eq!(one.crossing_bytes, 4 * 12 * 12 * 10 * 4 / 2);
    }
    // As often for another variant, if that is asked for.
    let mut request = request(&["esoteric-pull", "f32"], 12);
    request.placement = request.placement.with_exchange_every(3);
    let all = scaled(&request);
    assert!(all[1..].iter().all(|one| one.verified == Some(true) && one.exchange_every == 3), "{all:?}");
}

#[test]
fn what_cannot_be_scaled_is_refused_with_its_reason() {
    let all = scaled(&request(&["colour"], 12));
    assert!(all[0].refused.as_ref().is_some_and(|reason| reason.contains("not compiled in")), "{all:?}");
    let error = scale(&request(&["lattice-gas"], 12), Path::new("nowhere"), &mut |_| Ok(())).unwrap_err();
    assert!(error.to_string().contains("aa f32"), "{error}");
    let alone = Request { placement: Placement::default(), ..request(&[], 12) };
    let error = scale(&alone, Path::new("nowhere"), &mut |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("--parts 2"), "{error}");
}

#[test]
fn all_devices_come_first_and_then_powers_of_two_below() {
    assert_eq!(counts(2), [2]);
    assert_eq!(counts(4), [4, 2]);
    assert_eq!(counts(6), [6, 4, 2]);
}
