//! What setting up takes of one rank among a hundred, beside a box of as many nodes as that rank has. For a look, one after the other, each in a process of its own:
//!
//! `cargo test --release -p lbm --test ranks -- --ignored --nocapture at_scale::alone` and `.. at_scale::of_a_hundred`.

use std::time::Instant;

use lbm::core::geometry::{Shape, Sphere};

use super::*;

solver! { Half { lattice: D3Q19, collision: Bgk, precision: F16In32, streaming: EsotericPull, boundaries: [Bouzidi] } }

/// A rank among so many along y and z, all of which do the same: what comes from one side is what leaves to the other.
struct Alike {
    rank: usize,
    along: [usize; 2],
}

impl Alike {
    /// The rank that lies as this one does to another.
    fn opposite(&self, other: usize) -> usize {
        let [ny, nz] = self.along;
        let back = |own: usize, other: usize, n: usize| (2 * own + n - other) % n;
        back(self.rank % ny, other % ny, ny) + ny * back(self.rank / ny, other / ny, nz)
    }
}

impl Transport for Alike {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.along[0] * self.along[1]
    }

    fn exchange(&self, leaving: &[(usize, &[u8])], arriving: &mut [(usize, &mut [u8])]) -> Result<(), Error> {
        for (from, bytes) in arriving {
            let (_, own) =
                leaving.iter().find(|(to, _)| *to == self.opposite(*from)).expect("all do the same");
            bytes.copy_from_slice(own);
        }
        Ok(())
    }

    fn share(&self, _from: usize, _bytes: &mut [u8]) -> Result<(), Error> {
        // What others have is what this one has.
        Ok(())
    }

    fn description(&self) -> String {
        "ranks that do the same".to_owned()
    }
}

/// Nodes of a part: a hundredth of a cube.
const PART: [usize; 3] = [2160, 216, 216];

/// Balls that lie alike in all parts of a box.
struct Balls(Sphere);

impl Shape for Balls {
    fn contains(&self, [x, y, z]: [f64; 3]) -> bool {
        self.0.contains([x % PART[1] as f64, y % PART[1] as f64, z % PART[2] as f64])
    }
}

/// Sets up a flow between walls in so many parts along y and z, and says what that took.
fn measured(along: [usize; 2], transport: Option<Arc<dyn Transport>>) {
    let start = Instant::now();
    let r = PART[1] as f64 / 3.0;
    let ball = Sphere { centre: [PART[1] as f64 / 2.0; 3], radius: r };
    let builder = Half::builder()
        .size([PART[0], PART[1] * along[0], PART[2] * along[1]])
        .viscosity(0.05)
        .face(Face::West, FaceRule::WALL)
        .face(Face::East, FaceRule::WALL)
        .solid(move |at| Balls(ball).contains(at.map(|at| at as f64 + 0.5)))
        .threads(2);
    let builder = match transport {
        Some(transport) => {
            builder.transport(transport).decomposition(Decomposition::Along([1, along[0], along[1]]))
        }
        None => builder,
    };
    let flow = builder.build().unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default().to_owned();
    let known = flow.known().portion().nodes();
    println!("{:.3e} of {:.3e} nodes known, {seconds:.2} s, {most}", known as f64, flow.nodes() as f64);
}

#[test]
#[ignore = "for a look"]
fn alone() {
    measured([1, 1], None);
}

#[test]
#[ignore = "for a look"]
fn of_a_hundred() {
    measured([10, 10], Some(Arc::new(Alike { rank: 44, along: [10, 10] })));
}
