//! Files that several processes write.

use super::*;
use crate::cut::Threads;

/// Has each of so many ranks write its share of a state, and gives what each gets. Rank n hands out the nodes of every so many-th run of three, the last ones
/// first.
fn write_on(
    ranks: usize,
    state: &Checkpoint,
    path: &(dyn Fn(usize) -> PathBuf + Sync),
    fails: Option<usize>,
) -> Vec<Result<(), Error>> {
    let header = Checkpoint { values: Vec::new(), ..state.clone() };
    let (header, nodes) = (&header, state.size.iter().product::<usize>());
    let write = |threads: Threads| {
        let rank = threads.rank();
        header.write_shared(&path(rank), 4, &threads, &|put| {
            if fails == Some(rank) {
                return Err(Error::conflict("a lost device", "none"));
            }
            let own: Vec<_> = crate::pieces::pieces(0..nodes, 3).skip(rank).step_by(ranks).collect();
            for runs in own.chunks(2).rev() {
                let line =
                    |line: usize| runs.iter().flat_map(move |run| &state.values[line * nodes..][run.clone()]);
                let all: Vec<f64> = (0..9).flat_map(line).copied().collect();
                put(0, runs, &all)?;
            }
            Ok(())
        })
    };
    std::thread::scope(|scope| {
        let write = &write;
        let started: Vec<_> =
            Threads::of(ranks).into_iter().map(|rank| scope.spawn(move || write(rank))).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// A state of several chunks.
fn large() -> Checkpoint {
    let values = (0..190 * 170 * 9).map(|n| f64::from(((f64::from(n) * 0.7).sin() * 1e-3) as f32));
    let memory = vec![0.25, -0.0, 3.0];
    Checkpoint { size: [190, 170, 1], values: values.collect(), memory, ..state("f32") }
}

#[test]
fn any_number_of_ranks_writes_the_same_bytes() {
    let state = large();
    let (folder, whole) = written(&state);
    let expected = fs::read(&whole).unwrap();
    assert!(expected.len() > 1 << 20);
    for ranks in [1, 2, 3, 4] {
        let path = folder.path().join(format!("{ranks}.lbm"));
        assert!(write_on(ranks, &state, &|_| path.clone(), None).iter().all(Result::is_ok));
        assert!(fs::read(&path).unwrap() == expected, "{ranks} ranks");
    }
    assert_eq!(Checkpoint::read(&whole).unwrap(), state);
}

#[test]
fn a_wider_value_of_one_rank_widens_those_of_all() {
    let mut state = large();
    let last = state.values.len() - 1;
    state.values[last] = 0.1;
    let (folder, whole) = written(&state);
    let path = folder.path().join("ranks.lbm");
    assert!(write_on(3, &state, &|_| path.clone(), None).iter().all(Result::is_ok));
    assert!(fs::read(&path).unwrap() == fs::read(&whole).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn what_one_rank_fails_at_leaves_the_last_file_whole() {
    let state = state("f32");
    let (folder, path) = written(&large());
    let before = fs::read(&path).unwrap();
    for error in write_on(4, &state, &|_| path.clone(), Some(2)) {
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("rank 2 failed: a lost device; none"), "{error}");
    }
    // A rank that does not see the folder of the others.
    let path_of = |rank| if rank == 1 { folder.path().join("elsewhere/state.lbm") } else { path.clone() };
    for error in write_on(3, &state, &path_of, None) {
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("rank 1 failed: cannot write ") && error.contains("elsewhere"), "{error}");
    }
    let path_of = |rank| if rank == 0 { folder.path().join("elsewhere/state.lbm") } else { path.clone() };
    for error in write_on(2, &state, &path_of, None) {
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("rank 0 failed: cannot write "), "{error}");
    }
    assert!(fs::read(&path).unwrap() == before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_damaged_chunk_is_named() {
    let (_folder, path) = written(&large());
    let good = fs::read(&path).unwrap();
    for (at, what) in
        [(1000, "chunk 0 "), ((1 << 20) + 1000, "chunk 1 "), (good.len() - 1, "its checksum is")]
    {
        let mut bad = good.clone();
        bad[at] ^= 4;
        assert!(refused_in_memory(&bad).contains(what), "{at}: {}", refused_in_memory(&bad));
    }
}

#[test]
fn ranks_that_find_other_files_are_named() {
    let (_folder, path) = written(&state("f32"));
    let (_other, another) = written(&large());
    let open = |threads: Threads| {
        let path = if threads.rank() == 1 { &another } else { &path };
        Stored::open_shared(path, &threads).map(drop)
    };
    let all = std::thread::scope(|scope| {
        let open = &open;
        let started: Vec<_> =
            Threads::of(3).into_iter().map(|rank| scope.spawn(move || open(rank))).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    for refused in all {
        let error = refused.unwrap_err().to_string();
        assert!(error.starts_with("rank 1 has another checkpoint than rank 0"), "{error}");
    }
}
