//! Bodies to test with, as meshes of any fineness.

use std::f64::consts::{PI, TAU};

use super::super::vector::plus;
use super::{Mesh, Weld};
use crate::error::Error;

/// A body that can be made as a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeshBody {
    /// A ball of diameter 1 about the origin.
    Sphere,
    /// Ahmed's car without its stilts, with a slant of 25 degrees, in metres: 1.044 long (x, front at 0), 0.389 wide (y, middle at 0),
    /// 0.288 high (z, from 0). Patches `front`, `sides`, `slant`, `base`.
    ///
    /// Source: Ahmed, Ramm & Faltin, SAE 840300 (1984).
    AhmedBody,
    /// A wing of the profile NACA 0012 with a closed trailing edge: chord 1 along x, span 1 along z.
    ///
    /// Source: Jacobs, Ward & Pinkerton, NACA report 460 (1933); the last coefficient is that of the closed edge.
    Naca0012,
    /// A pipe of diameter 1, bent by 180 degrees about the z axis at a radius of 2. Patches `wall`, `inlet`, `outlet`.
    TorusPipe,
    /// What a mesh should not be: a ball with a hole and some turned triangles, a second ball through the first one, and a triangle
    /// without area.
    Broken,
}

/// Lengths of Ahmed's body in metres, and the angle of its slant.
mod ahmed {
    pub const LENGTH: f64 = 1.044;
    pub const WIDTH: f64 = 0.389;
    pub const HEIGHT: f64 = 0.288;
    pub const EDGE: f64 = 0.1;
    pub const SLANT: f64 = 0.222;
    pub const DEGREES: f64 = 25.0;
}

impl MeshBody {
    /// All, with their names.
    pub const ALL: [(&str, MeshBody); 5] = [
        ("sphere", MeshBody::Sphere),
        ("ahmed-body", MeshBody::AhmedBody),
        ("naca0012", MeshBody::Naca0012),
        ("torus-pipe", MeshBody::TorusPipe),
        ("broken", MeshBody::Broken),
    ];

    /// The mesh, of about 4 `detail`^2 triangles (4 to 10,000; 500 makes about 10^6).
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for another detail.
    pub fn mesh(self, detail: usize) -> Result<Mesh, Error> {
        if !(4..=10_000).contains(&detail) {
            let remedy = "give e.g. 64; the mesh has about 4 detail^2 triangles";
            return Err(Error::out_of_range("detail", detail, "4 to 10000", remedy));
        }
        match self {
            MeshBody::Sphere => ball("sphere", [0.0; 3], detail),
            MeshBody::AhmedBody => ahmed_body(detail),
            MeshBody::Naca0012 => wing(detail),
            MeshBody::TorusPipe => torus_pipe(detail),
            MeshBody::Broken => broken(detail),
        }
    }
}

/// Sections of points, each joined to the next one; counter-clockwise as seen from where they go. Tips close the first and the last one.
struct Loft {
    sections: Vec<Vec<[f64; 3]>>,
    tips: [[f64; 3]; 2],
}

impl Loft {
    /// Adds the triangles. `patch` names those between section j and the next one behind point k; those of the tips are `ends`.
    fn add(
        &self,
        weld: &mut Weld,
        patch: impl Fn(usize, usize) -> &'static str,
        ends: [&str; 2],
    ) -> Result<(), Error> {
        for (j, pair) in self.sections.windows(2).enumerate() {
            let [section, next] = pair else { continue };
            for k in 0..section.len() {
                let (after, patch) = ((k + 1) % section.len(), weld.patch(patch(j, k))?);
                weld.push([section[k], section[after], next[after]], patch)?;
                weld.push([section[k], next[after], next[k]], patch)?;
            }
        }
        for (end, section) in [self.sections.first(), self.sections.last()].into_iter().enumerate() {
            let (Some(section), patch) = (section, weld.patch(ends[end])?) else { continue };
            for k in 0..section.len() {
                let (here, after) = (section[k], section[(k + 1) % section.len()]);
                let (from, to) = if end == 0 { (after, here) } else { (here, after) };
                weld.push([self.tips[end], from, to], patch)?;
            }
        }
        Ok(())
    }
}

/// A ball of diameter 1.
fn sphere(centre: [f64; 3], detail: usize) -> Loft {
    let section = |j: usize| {
        let polar = PI * j as f64 / detail as f64;
        let point = |k: usize| {
            let around = PI * k as f64 / detail as f64;
            let radial = 0.5 * polar.sin();
            plus(centre, [radial * around.cos(), radial * around.sin(), -0.5 * polar.cos()])
        };
        (0..2 * detail).map(point).collect()
    };
    let tips = [[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]].map(|tip| plus(centre, tip));
    Loft { sections: (1..detail).map(section).collect(), tips }
}

fn ball(name: &'static str, centre: [f64; 3], detail: usize) -> Result<Mesh, Error> {
    let mut weld = Weld::default();
    sphere(centre, detail).add(&mut weld, |_, _| name, [name; 2])?;
    Ok(weld.into_mesh())
}

fn ahmed_body(detail: usize) -> Result<Mesh, Error> {
    use ahmed::{DEGREES, EDGE, HEIGHT, LENGTH, SLANT, WIDTH};
    let (down, along) = DEGREES.to_radians().sin_cos();
    let (nose, middle) = (detail / 4, detail / 2);
    let back = detail - nose - middle;
    let slant = LENGTH - SLANT * along;
    // Stations along x: fine where the nose is round.
    let mut stations: Vec<f64> =
        (0..nose).map(|j| EDGE * (1.0 - (PI / 2.0 * j as f64 / nose as f64).cos())).collect();
    stations.extend((0..middle).map(|j| EDGE + (slant - EDGE) * j as f64 / middle as f64));
    stations.extend((0..=back).map(|j| slant + (LENGTH - slant) * j as f64 / back as f64));
    let side = detail.div_ceil(2);
    let section = |&x: &f64| -> Vec<[f64; 3]> {
        let inset = EDGE - (EDGE * EDGE - (EDGE - x).max(0.0).powi(2)).max(0.0).sqrt();
        let top = HEIGHT - inset - (x - slant).max(0.0) * down / along;
        let [half, low] = [WIDTH / 2.0 - inset, inset];
        // Seen from behind: right, up the side, back over the roof, down.
        let corners = [[-half, low], [half, low], [half, top], [-half, top]];
        let edge = |edge: usize| {
            let (from, to) = (corners[edge], corners[(edge + 1) % 4]);
            (0..side).map(move |k| {
                let share = k as f64 / side as f64;
                [x, from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
            })
        };
        (0..4).flat_map(edge).collect()
    };
    let sections: Vec<_> = stations.iter().map(section).collect();
    let centre = |section: &Vec<[f64; 3]>| [section[0][0], 0.0, (section[0][2] + section[2 * side][2]) / 2.0];
    let tips = [centre(&sections[0]), centre(&sections[sections.len() - 1])];
    let patch = |j: usize, k: usize| match (j, k / side) {
        (j, _) if j < nose => "front",
        (j, 2) if j >= nose + middle => "slant",
        _ => "sides",
    };
    let mut weld = Weld::default();
    Loft { sections, tips }.add(&mut weld, patch, ["front", "base"])?;
    Ok(weld.into_mesh())
}

fn wing(detail: usize) -> Result<Mesh, Error> {
    let half = |x: f64| {
        let terms =
            0.2969 * x.sqrt() - 0.1260 * x - 0.3516 * x.powi(2) + 0.2843 * x.powi(3) - 0.1036 * x.powi(4);
        5.0 * 0.12 * terms
    };
    let profile: Vec<[f64; 2]> = (0..2 * detail)
        .map(|k| {
            let around = PI * k as f64 / detail as f64;
            let x = 0.5 * (1.0 + around.cos());
            [x, if k == 0 || k == detail { 0.0 } else { half(x).copysign(around.sin()) }]
        })
        .collect();
    let at = |z: f64| profile.iter().map(|&[x, y]| [x, y, z]).collect();
    let sections = (0..=detail).map(|j| at(j as f64 / detail as f64)).collect();
    let mut weld = Weld::default();
    let tips = [[0.3, 0.0, 0.0], [0.3, 0.0, 1.0]];
    Loft { sections, tips }.add(&mut weld, |_, _| "wing", ["wing"; 2])?;
    Ok(weld.into_mesh())
}

fn torus_pipe(detail: usize) -> Result<Mesh, Error> {
    const BEND: f64 = 2.0;
    let along = |j: usize| PI * j as f64 / (2 * detail) as f64;
    let section = |j: usize| {
        let (sine, cosine) = along(j).sin_cos();
        let point = |k: usize| {
            let around = TAU * k as f64 / detail as f64;
            let out = BEND + 0.5 * around.cos();
            // Counter-clockwise as seen from where the pipe goes.
            [out * cosine, out * sine, -0.5 * around.sin()]
        };
        (0..detail).map(point).collect()
    };
    let tip = |j: usize| [BEND * along(j).cos(), BEND * along(j).sin(), 0.0];
    let (sections, tips) = ((0..=2 * detail).map(section).collect(), [tip(0), tip(2 * detail)]);
    let mut weld = Weld::default();
    Loft { sections, tips }.add(&mut weld, |_, _| "wall", ["inlet", "outlet"])?;
    Ok(weld.into_mesh())
}

fn broken(detail: usize) -> Result<Mesh, Error> {
    let whole = ball("ball", [0.0; 3], detail)?;
    let mut weld = Weld::default();
    let patch = weld.patch("ball")?;
    for (number, _) in whole.triangles().iter().enumerate() {
        let [a, b, c] = whole.corners(number);
        // A hole about the x axis, as wide as a fifth of the ball, and every 50th triangle turned.
        if [a, b, c].iter().all(|corner| corner[0] > 0.0 && corner[1].hypot(corner[2]) < 0.1) {
            continue;
        }
        weld.push(if number % 50 == 7 { [a, c, b] } else { [a, b, c] }, patch)?;
    }
    weld.push([[0.0; 3], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]], patch)?;
    sphere([-0.6, 0.0, 0.0], detail).add(&mut weld, |_, _| "other", ["other"; 2])?;
    Ok(weld.into_mesh())
}
