//! Connected regions of fluid.
//!
//! Nodes side by side along x are one run, so that regions are found among runs, of which there are far fewer than nodes.

use std::ops::Range;

use super::Geometry;
use crate::error::Error;
use crate::parallel::each_chunk;

/// The six neighbours that share a face with a node: links for [`Geometry::components`] that every lattice of three dimensions
/// has at least.
pub const FACE_NEIGHBOURS: [[i32; 3]; 6] =
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/// The connected regions of fluid of a [`Geometry`], the largest first.
#[derive(Clone, Debug)]
pub struct Components {
    size: [usize; 3],
    /// Where each row's runs begin in `runs`, and where the last row's end.
    rows: Vec<usize>,
    runs: Vec<Range<usize>>,
    /// The region of each run.
    regions: Vec<usize>,
    sizes: Vec<usize>,
}

impl Components {
    /// The fluid nodes of each region, the largest first.
    #[must_use]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The fluid nodes that do not belong to the largest region.
    #[must_use]
    pub fn unconnected(&self) -> usize {
        self.sizes.iter().skip(1).sum()
    }

    /// The region of a node, an index into [`sizes`](Components::sizes); none for a solid node or one outside of the box.
    #[must_use]
    pub fn region(&self, [x, y, z]: [usize; 3]) -> Option<usize> {
        if y >= self.size[1] || z >= self.size[2] {
            return None;
        }
        let row = y + self.size[1] * z;
        let runs = self.rows[row]..self.rows[row + 1];
        let after = self.runs[runs.clone()].partition_point(|run| run.end <= x);
        let run = runs.start + after;
        (run < runs.end && self.runs[run].start <= x).then(|| self.regions[run])
    }
}

impl Geometry {
    /// The connected regions of fluid. Two fluid nodes are connected where `links` (a lattice's velocities, or
    /// [`FACE_NEIGHBOURS`]) lead from one to the other in either sense; along `periodic` axes also around the box.
    #[must_use]
    pub fn components(&self, links: &[[i32; 3]], periodic: [bool; 3]) -> Components {
        // Along x nodes are one run only where links join them.
        let whole = links.iter().any(|link| matches!(link, [1 | -1, 0, 0]));
        let (rows, runs) = self.runs(if whole { usize::MAX } else { 1 });
        let mut sets = Sets { parents: (0..runs.len()).collect() };
        let [_, ny, nz] = self.size;
        for link in half(links) {
            for z in 0..nz {
                let Some(to_z) = step(z, link[2], nz, periodic[2]) else { continue };
                for y in 0..ny {
                    let Some(to_y) = step(y, link[1], ny, periodic[1]) else { continue };
                    let (from, to) = (y + ny * z, to_y + ny * to_z);
                    let (from, to) = (rows[from]..rows[from + 1], rows[to]..rows[to + 1]);
                    self.connect(&mut sets, &runs, from, to, i64::from(link[0]), periodic[0]);
                }
            }
        }
        let (regions, sizes) = sets.regions(&runs);
        Components { size: self.size, rows, runs, regions, sizes }
    }

    /// That all fluid is one region.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if all nodes are solid, [`Error::Conflict`] with the number and the sizes of the regions if there are
    /// several.
    pub fn require_connected(&self, links: &[[i32; 3]], periodic: [bool; 3]) -> Result<(), Error> {
        self.require_fluid()?;
        let components = self.components(links, periodic);
        let sizes = components.sizes();
        if sizes.len() == 1 {
            return Ok(());
        }
        Err(Error::conflict(
            format!(
                "the fluid is {} regions that are not connected: the largest has {} nodes, the others {} ({:.2e} of all fluid), \
                 the smallest of them {}",
                sizes.len(),
                sizes[0],
                components.unconnected(),
                components.unconnected() as f64 / sizes.iter().sum::<usize>() as f64,
                sizes[sizes.len() - 1]
            ),
            "make the others solid with `fill_unconnected`, or change the geometry",
        ))
    }

    /// Makes all fluid solid but the largest region (the first of several as large), and says how many nodes that were.
    pub fn fill_unconnected(&mut self, links: &[[i32; 3]], periodic: [bool; 3]) -> usize {
        let components = self.components(links, periodic);
        let nx = self.size[0];
        for row in 0..components.rows.len() - 1 {
            for run in components.rows[row]..components.rows[row + 1] {
                if components.regions[run] != 0 {
                    let Range { start, end } = components.runs[run].clone();
                    self.solid[row * nx + start..row * nx + end].fill(1);
                }
            }
        }
        components.unconnected()
    }

    /// The runs of fluid nodes of each row, of at most `longest` nodes, and where each row's begin.
    fn runs(&self, longest: usize) -> (Vec<usize>, Vec<Range<usize>>) {
        let [nx, ny, nz] = self.size;
        let mut planes: Vec<(Vec<usize>, Vec<Range<usize>>)> = vec![Default::default(); nz];
        each_chunk(&mut planes, 1, |z, plane| {
            let (ends, runs) = &mut plane[0];
            for row in self.solid[z * nx * ny..][..nx * ny].chunks(nx) {
                runs_of_row(row, longest, runs);
                ends.push(runs.len());
            }
        });
        let mut rows = Vec::with_capacity(ny * nz + 1);
        rows.push(0);
        let mut runs = Vec::with_capacity(planes.iter().map(|plane| plane.1.len()).sum());
        for (ends, of_plane) in planes {
            rows.extend(ends.iter().map(|end| runs.len() + end));
            runs.extend(of_plane);
        }
        (rows, runs)
    }

    /// Joins the runs of one row with those of another that lie `shift` further along x.
    fn connect(
        &self,
        sets: &mut Sets,
        runs: &[Range<usize>],
        from: Range<usize>,
        to: Range<usize>,
        shift: i64,
        periodic: bool,
    ) {
        if from.is_empty() || to.is_empty() {
            return;
        }
        if !periodic {
            return overlap(sets, runs, from, to, shift);
        }
        let nx = self.size[0] as i64;
        let shift = shift.rem_euclid(nx);
        overlap(sets, runs, from.clone(), to.clone(), shift);
        // What leaves the box at one end comes in at the other, if there is anything.
        if runs[from.end - 1].end as i64 + shift > nx {
            overlap(sets, runs, from, to, shift - nx);
        }
    }
}

/// Of each pair of opposite links one, and none that leads nowhere.
fn half(links: &[[i32; 3]]) -> Vec<[i32; 3]> {
    let mut kept: Vec<[i32; 3]> = Vec::new();
    for &link in links {
        let opposite = link.map(i32::wrapping_neg);
        if link != [0; 3] && !kept.contains(&link) && !kept.contains(&opposite) {
            kept.push(link);
        }
    }
    kept
}

/// Where a step along an axis of n nodes leads.
fn step(at: usize, by: i32, n: usize, periodic: bool) -> Option<usize> {
    let to = at as i64 + i64::from(by);
    if periodic {
        return Some(to.rem_euclid(n as i64) as usize);
    }
    usize::try_from(to).ok().filter(|&to| to < n)
}

/// The runs of zeros of a row, added to `runs`.
fn runs_of_row(row: &[u8], longest: usize, runs: &mut Vec<Range<usize>>) {
    let mut at = 0;
    loop {
        let Some(start) = find(row, at, 0) else { return };
        let end = find(row, start, 1).unwrap_or(row.len());
        at = end.min(start.saturating_add(longest));
        runs.push(start..at);
    }
}

/// The next place from `at` on where a row of zeros and ones has `value`; eight at once where none of them has it.
fn find(row: &[u8], at: usize, value: u8) -> Option<usize> {
    let other = [1 - value; 8];
    let mut from = at;
    while row.get(from..from + 8).is_some_and(|eight| eight == other) {
        from += 8;
    }
    row[from..].iter().position(|&flag| flag == value).map(|further| from + further)
}

/// Joins every run of `from`, shifted by `shift`, with every run of `to` that it overlaps.
fn overlap(sets: &mut Sets, runs: &[Range<usize>], from: Range<usize>, to: Range<usize>, shift: i64) {
    let (mut a, mut b) = (from.start, to.start);
    while a < from.end && b < to.end {
        let (start, end) = (runs[a].start as i64 + shift, runs[a].end as i64 + shift);
        let (other_start, other_end) = (runs[b].start as i64, runs[b].end as i64);
        if start < other_end && other_start < end {
            sets.join(a, b);
        }
        if end < other_end {
            a += 1;
        } else {
            b += 1;
        }
    }
}

/// Disjoint sets of runs.
struct Sets {
    parents: Vec<usize>,
}

impl Sets {
    fn root(&mut self, mut of: usize) -> usize {
        while self.parents[of] != of {
            // Each step of the way is halved for the next search.
            let next = self.parents[self.parents[of]];
            self.parents[of] = next;
            of = next;
        }
        of
    }

    /// The root with the lower number stays one.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
    }

    /// The region of each run and the nodes of each region, the largest first, equal ones in the order of their first nodes.
    fn regions(mut self, runs: &[Range<usize>]) -> (Vec<usize>, Vec<usize>) {
        let mut nodes = vec![0; runs.len()];
        let mut roots = Vec::with_capacity(runs.len());
        for (n, run) in runs.iter().enumerate() {
            let root = self.root(n);
            nodes[root] += run.len();
            roots.push(root);
        }
        let mut order: Vec<usize> = (0..runs.len()).filter(|&root| nodes[root] > 0).collect();
        order.sort_by_key(|&root| (std::cmp::Reverse(nodes[root]), root));
        let sizes = order.iter().map(|&root| nodes[root]).collect();
        let mut names = self.parents;
        order.iter().enumerate().for_each(|(region, &root)| names[root] = region);
        (roots.into_iter().map(|root| names[root]).collect(), sizes)
    }
}
