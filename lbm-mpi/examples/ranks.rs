//! What the tests start on several ranks: `mpirun -n 4 ranks TASK`. A rank that meets an error ends with status 3.

use std::env;
use std::io::Write;
use std::process;
use std::thread;
use std::time::{Duration, Instant};

use lbm_core::cut::Transport;
use lbm_core::error::Error;
use lbm_mpi::Mpi;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = Mpi::start().and_then(|mpi| task(&mpi, &arguments));
    if let Err(error) = done {
        // In one piece: all ranks write to one place.
        let line = format!("refused: {error}\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
        process::exit(3);
    }
}

fn task(mpi: &Mpi, arguments: &[String]) -> Result<(), Error> {
    let last = mpi.rank() + 1 == mpi.ranks();
    match arguments.first().map_or("", |task| &task[..]) {
        "bring" => bring(mpi)?,
        "misfit" => misfit(mpi)?,
        "nobody" => mpi.exchange(&[(mpi.ranks(), &[])], &mut [])?,
        // One rank aborts, panics or leaves while the others wait for it.
        "abort" if last => mpi.abort(7),
        "panic" if last => panic!("a rank that panics"),
        "leave" if last => {}
        "abort" | "panic" | "leave" => around(mpi, 8)?,
        // Messages until someone kills a rank; each says who it is.
        "on" => {
            println!("process {} is rank {}", process::id(), mpi.rank());
            loop {
                around(mpi, 1000)?;
            }
        }
        // One rank works for longer than others may be silent.
        "long" => {
            if last {
                thread::sleep(Duration::from_secs(5));
            }
            around(mpi, 8)?;
        }
        "large" => large(mpi)?,
        "time" => time(mpi)?,
        other => {
            return Err(Error::unknown("task", other, ["bring", "misfit"], "see this file"));
        }
    }
    println!("done: {}, local rank {}", mpi.description(), mpi.local_rank());
    Ok(())
}

/// The byte at a place of a message.
fn byte(from: usize, number: usize, place: usize) -> u8 {
    (from * 31 + number * 7 + place * 13 + place / 251) as u8
}

fn filled(from: usize, number: usize, length: usize) -> Vec<u8> {
    (0..length).map(|place| byte(from, number, place)).collect()
}

/// The next rank and the one before.
fn neighbours(mpi: &Mpi) -> (usize, usize) {
    let (rank, ranks) = (mpi.rank(), mpi.ranks());
    ((rank + 1) % ranks, (rank + ranks - 1) % ranks)
}

/// One message around the ring.
fn around(mpi: &Mpi, length: usize) -> Result<(), Error> {
    let (up, down) = neighbours(mpi);
    let (leaving, mut arriving) = (filled(mpi.rank(), 0, length), vec![0; length]);
    mpi.exchange(&[(up, &leaving)], &mut [(down, &mut arriving)])?;
    assert!(arriving == filled(down, 0, length), "the bytes of rank {down}");
    Ok(())
}

/// Messages around a ring, several between two ranks and to itself; then what each rank shares.
fn bring(mpi: &Mpi) -> Result<(), Error> {
    let (rank, ranks) = (mpi.rank(), mpi.ranks());
    let (up, down) = neighbours(mpi);
    let sizes = [0, 1, 1000, 1_000_000, 3];
    for round in 0..3 {
        let sent: Vec<Vec<u8>> =
            sizes.iter().enumerate().map(|(n, &size)| filled(rank, n + round, size)).collect();
        let mut came: Vec<Vec<u8>> = sizes.iter().chain(&sizes).map(|&size| vec![0; size]).collect();
        let to = |to: usize| sent.iter().map(move |bytes| (to, &bytes[..]));
        let leaving: Vec<(usize, &[u8])> = to(up).chain(to(rank)).collect();
        let from = [down; 5].into_iter().chain([rank; 5]);
        let mut arriving: Vec<(usize, &mut [u8])> =
            from.zip(came.iter_mut().map(|bytes| &mut bytes[..])).collect();
        mpi.exchange(&leaving, &mut arriving)?;
        for (n, bytes) in came.iter().enumerate() {
            let from = if n < 5 { down } else { rank };
            assert!(*bytes == filled(from, n % 5 + round, sizes[n % 5]), "message {n} of rank {from}");
        }
    }
    for from in 0..ranks {
        for size in [0, 1, 1_000_000] {
            let mut bytes = if rank == from { filled(from, 9, size) } else { vec![0; size] };
            mpi.share(from, &mut bytes)?;
            assert!(bytes == filled(from, 9, size), "what rank {from} shares");
        }
    }
    Ok(())
}

/// The last rank sends less than rank 0 waits for, then more. Rank 0 meets an error each time and says it; all meet again.
fn misfit(mpi: &Mpi) -> Result<(), Error> {
    let last = mpi.ranks() - 1;
    for sent in [5, 20] {
        let (leaving, mut arriving) = (filled(last, 0, sent), [0; 10]);
        let met = match mpi.rank() {
            0 => mpi.exchange(&[], &mut [(last, &mut arriving)]),
            rank if rank == last => mpi.exchange(&[(0, &leaving)], &mut []),
            _ => mpi.exchange(&[], &mut []),
        };
        match (mpi.rank(), met) {
            (0, Err(error)) => println!("{sent} for 10: {error}"),
            (0, Ok(())) => println!("{sent} for 10 passed"),
            (_, met) => met?,
        }
    }
    around(mpi, 100)
}

/// A message in more than one piece, of more bytes than 32 bits count.
fn large(mpi: &Mpi) -> Result<(), Error> {
    around(mpi, (1 << 31) + 5)
}

/// Prints how long small and large messages around the ring take.
fn time(mpi: &Mpi) -> Result<(), Error> {
    let (up, down) = neighbours(mpi);
    for (length, times) in [(8, 2000), (1_000_000, 200)] {
        let (leaving, mut arriving) = (vec![1; length], vec![0; length]);
        let since = Instant::now();
        for _ in 0..times {
            mpi.exchange(&[(up, &leaving)], &mut [(down, &mut arriving)])?;
        }
        if mpi.rank() == 0 {
            println!("{length} bytes: {:.1} us", since.elapsed().as_secs_f64() * 1e6 / f64::from(times));
        }
    }
    Ok(())
}
