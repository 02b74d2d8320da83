//! What the tests start on several ranks: `mpirun -n 4 ranks TASK`.

use std::env;
use std::process;
use std::thread;
use std::time::Duration;

use lbm_core::cut::Transport;
use lbm_mpi::Mpi;

fn main() {
    let task = env::args().nth(1).unwrap_or_default();
    let mpi = match Mpi::start() {
        Ok(mpi) => mpi,
        Err(error) => {
            eprintln!("refused: {error}");
            process::exit(3);
        }
    };
    match &task[..] {
        "bring" => bring(&mpi),
        _ => {
            eprintln!("unknown task `{task}`");
            process::exit(2);
        }
    }
    println!("done: {} local {}", mpi.description(), mpi.local_rank());
    let _ = thread::sleep(Duration::ZERO);
}

/// The byte at a place of a message.
fn byte(from: usize, number: usize, place: usize) -> u8 {
    (from * 31 + number * 7 + place * 13 + place / 251) as u8
}

fn filled(from: usize, number: usize, length: usize) -> Vec<u8> {
    (0..length).map(|place| byte(from, number, place)).collect()
}

/// Messages around a ring, several between two ranks and to itself; then what each rank shares.
fn bring(mpi: &Mpi) {
    let (rank, ranks) = (mpi.rank(), mpi.ranks());
    let (up, down) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
    let sizes = [0, 1, 1000, 1_000_000, 3];
    for round in 0..3 {
        let leaving: Vec<Vec<u8>> =
            sizes.iter().enumerate().map(|(n, &size)| filled(rank, n + round, size)).collect();
        let mut arriving: Vec<Vec<u8>> = sizes.iter().chain(&sizes).map(|&size| vec![0; size]).collect();
        let sent: Vec<(usize, &[u8])> = leaving
            .iter()
            .map(|bytes| (up, &bytes[..]))
            .chain(leaving.iter().map(|bytes| (rank, &bytes[..])))
            .collect();
        let froms = [down; 5].into_iter().chain([rank; 5]);
        let mut received: Vec<(usize, &mut [u8])> =
            froms.zip(arriving.iter_mut().map(|bytes| &mut bytes[..])).collect();
        mpi.exchange(&sent, &mut received).unwrap();
        for (n, bytes) in arriving.iter().enumerate() {
            let from = if n < 5 { down } else { rank };
            assert_eq!(*bytes, filled(from, n % 5 + round, sizes[n % 5]), "message {n} of {from}");
        }
    }
    for from in 0..ranks {
        for size in [0, 1, 1_000_000] {
            let mut bytes = if rank == from { filled(from, 9, size) } else { vec![0; size] };
            mpi.share(from, &mut bytes).unwrap();
            assert_eq!(bytes, filled(from, 9, size), "what {from} shares");
        }
    }
}
