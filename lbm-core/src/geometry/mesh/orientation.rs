//! Which side of a triangle is the outer one, made the same for all that share edges; and what closes a surface with holes.

use std::collections::BTreeMap;

use super::super::vector::{dot, minus, plus, times};
use super::Soup;
use super::tree::Tree;

/// An edge of a triangle: its vertices as one number, the lower one first, and whether the triangle runs from the lower to the higher.
#[derive(Clone, Copy)]
struct Edge {
    ends: u64,
    triangle: u32,
    up: bool,
}

impl Edge {
    fn vertices(&self) -> [u32; 2] {
        [(self.ends >> 32) as u32, self.ends as u32]
    }
}

/// What was found of the edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Triangles whose sides were exchanged.
    pub turned: usize,
    /// Parts that hang together by edges of two triangles.
    pub parts: usize,
    /// Edges with triangles on one side only, or more on one side than on the other.
    pub open_edges: usize,
    /// Edges of more than two triangles.
    pub branched_edges: usize,
    /// Edges at which the two triangles cannot have the same outer side, as in a Moebius strip.
    pub one_sided_edges: usize,
}

/// Exchanges the sides of triangles until neighbours agree, most triangles of a part keep theirs, and no part is inside out. Then appends
/// to `soup` the triangles that close it, and says what was found.
pub(super) fn orient_and_close(soup: &mut Soup) -> Found {
    let mut edges = edges_of(soup);
    let mut found = Found::default();
    let mut links = Parity::new(soup.triangles.len());
    for shared in edges.chunk_by(|a, b| a.ends == b.ends) {
        match shared {
            [a, b] if !links.join(a.triangle, b.triangle, a.up == b.up) => found.one_sided_edges += 1,
            [_, _, _, ..] => found.branched_edges += 1,
            _ => {}
        }
    }
    let mut turn = agreed(&mut links, &mut found);
    turn_around(soup, &turn);
    for (triangle, wrong) in inside_out(soup, &mut links).into_iter().enumerate() {
        if wrong {
            let [_, b, c] = &mut soup.triangles[triangle];
            std::mem::swap(b, c);
            turn[triangle] ^= true;
        }
    }
    found.turned = turn.iter().filter(|&&turned| turned).count();
    edges.iter_mut().for_each(|edge| edge.up ^= turn[edge.triangle as usize]);
    found.open_edges = close(soup, &edges);
    found
}

/// All edges, in the order of their ends. Triangles with a corner twice have none that count.
fn edges_of(soup: &Soup) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(3 * soup.triangles.len());
    for (triangle, &[a, b, c]) in (0u32..).zip(&soup.triangles) {
        if a != b && b != c && c != a {
            edges.extend([[a, b], [b, c], [c, a]].map(|[from, to]| {
                let (low, high) = (from.min(to), from.max(to));
                Edge { ends: u64::from(low) << 32 | u64::from(high), triangle, up: from < to }
            }));
        }
    }
    edges.sort_unstable_by_key(|edge| (edge.ends, edge.triangle));
    edges
}

fn turn_around(soup: &mut Soup, turn: &[bool]) {
    for ([_, b, c], _) in soup.triangles.iter_mut().zip(turn).filter(|(_, turn)| **turn) {
        std::mem::swap(b, c);
    }
}

/// Which triangles to turn so that neighbours agree: the fewer of each part.
fn agreed(links: &mut Parity, found: &mut Found) -> Vec<bool> {
    let count = links.parent.len();
    let mut votes = vec![[0u32; 2]; count];
    for triangle in 0..count as u32 {
        let (root, odd) = links.find(triangle);
        votes[root as usize][usize::from(odd)] += 1;
    }
    found.parts = votes.iter().filter(|[even, odd]| even + odd > 0).count();
    (0..count as u32)
        .map(|triangle| {
            let (root, odd) = links.find(triangle);
            let [even, others] = votes[root as usize];
            odd == (even >= others)
        })
        .collect()
}

/// Triangles that can enclose something.
const FEWEST: usize = 4;

/// The triangles of parts that are inside out: of a negative volume, and not the wall of a cavity. Where the whole mesh has a negative
/// volume all of it is meant. Parts of fewer than [`FEWEST`] triangles have no inside.
fn inside_out(soup: &Soup, links: &mut Parity) -> Vec<bool> {
    let count = soup.triangles.len();
    let mut all = vec![false; count];
    let Some(&origin) = soup.vertices.first() else { return all };
    let cone = |triangle: usize| dot(minus(soup.middle(triangle), origin), soup.area_vector(triangle));
    let (mut volumes, mut sizes, mut scale) = (vec![0.0f64; count], vec![0; count], 0.0);
    let roots: Vec<usize> = (0..count as u32).map(|triangle| links.find(triangle).0 as usize).collect();
    for triangle in 0..count {
        volumes[roots[triangle]] += cone(triangle);
        sizes[roots[triangle]] += 1;
        scale += cone(triangle).abs();
    }
    // What is flat, or too thin to have a volume beside rounding, has no inside.
    let least = 1e-12 * scale;
    if volumes.iter().sum::<f64>() < -least {
        all.fill(true);
        return all;
    }
    if volumes.iter().all(|&volume| volume >= -least) {
        return all;
    }
    let tree = Tree::of(soup, 0..count as u32);
    let mut wrong = vec![None; count];
    for triangle in 0..count {
        let root = roots[triangle];
        if volumes[root] < -least && sizes[root] >= FEWEST {
            // On the triangle itself the winding number is the mean of both sides: 1/2 at the wall of a cavity, -1/2 on a part that is
            // inside out.
            all[triangle] = *wrong[root].get_or_insert_with(|| {
                tree.winding(soup, soup.middle(triangle), Some(triangle as u32)) < 0.0
            });
        }
    }
    all
}

/// Closes a surface: from each edge at which it is open a triangle to the middle of all open edges that hang together with it. What the
/// edges bound is closed by these cones, whatever its form. Returns the number of open edges.
fn close(soup: &mut Soup, edges: &[Edge]) -> usize {
    let mut open = Vec::new();
    for shared in edges.chunk_by(|a, b| a.ends == b.ends) {
        let net: i64 = shared.iter().map(|edge| if edge.up { 1 } else { -1 }).sum();
        if net != 0 {
            open.push((shared[0].vertices(), net));
        }
    }
    if open.is_empty() {
        return 0;
    }
    let mut rims = Parity::new(soup.vertices.len());
    for &([low, high], _) in &open {
        rims.join(low, high, false);
    }
    let mut middles = BTreeMap::<u32, ([f64; 3], f64)>::new();
    for &(ends, _) in &open {
        let (sum, count) = middles.entry(rims.find(ends[0]).0).or_default();
        for end in ends {
            *sum = plus(*sum, soup.vertices[end as usize]);
            *count += 1.0;
        }
    }
    let mut tips = BTreeMap::new();
    for (rim, (sum, count)) in middles {
        tips.insert(rim, soup.vertices.len() as u32);
        soup.vertices.push(times(1.0 / count, sum));
    }
    for &([low, high], net) in &open {
        let tip = tips[&rims.find(low).0];
        let [from, to] = if net > 0 { [high, low] } else { [low, high] };
        soup.triangles.extend(std::iter::repeat_n([from, to, tip], net.unsigned_abs() as usize));
    }
    open.len()
}

/// Which items hang together, and whether each is of the same kind as the first of its set or of the other.
struct Parity {
    parent: Vec<u32>,
    odd: Vec<bool>,
}

impl Parity {
    fn new(items: usize) -> Parity {
        Parity { parent: (0..items as u32).collect(), odd: vec![false; items] }
    }

    /// The first of an item's set, and whether the item is of the other kind.
    fn find(&mut self, item: u32) -> (u32, bool) {
        let (mut at, mut odd) = (item, false);
        while self.parent[at as usize] != at {
            let above = self.parent[at as usize];
            let next = self.parent[above as usize];
            // The way is halved as it is gone.
            if next != above {
                self.odd[at as usize] ^= self.odd[above as usize];
                self.parent[at as usize] = next;
            }
            odd ^= self.odd[at as usize];
            at = self.parent[at as usize];
        }
        (at, odd)
    }

    /// Says that two items hang together, of different kinds or not; whether that agrees with what was said before.
    fn join(&mut self, a: u32, b: u32, different: bool) -> bool {
        let ((a, odd_a), (b, odd_b)) = (self.find(a), self.find(b));
        let odd = odd_a ^ odd_b ^ different;
        if a == b {
            return !odd;
        }
        let (root, below) = (a.min(b), a.max(b));
        self.parent[below as usize] = root;
        self.odd[below as usize] = odd;
        true
    }
}
