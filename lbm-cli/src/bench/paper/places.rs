//! The geometries of the tiles paper's experiments.

use lbm_core::engine::Setup;
use lbm_core::geometry::{Cuboid, Geometry, Shape, Spheres, TILE_EDGE, Tiling, Vessel, VesselKind};
use lbm_core::{Domain, Error, FaceRule};

use crate::bench::{flow, walled};
use crate::variants::Entry;

/// A geometry with its faces, and its place along a series.
pub(super) struct Place {
    pub(super) label: String,
    pub(super) at: f64,
    pub(super) geometry: Geometry,
    pub(super) faces: [FaceRule; 6],
    /// The axis along which fluid enters at the lower end, with a velocity by Zou & He, and leaves at the other, with their pressure.
    pub(super) through: Option<usize>,
}

/// The speed with which fluid enters, lattice units.
const ENTERS: f64 = 0.02;

impl Place {
    /// What a variant runs with in the place's box.
    pub(super) fn setup(&self, entry: &Entry, domain: &Domain) -> Result<Setup, Error> {
        let (known, mut domain) = (entry.rules(), domain.clone());
        if let Some(axis) = self.through {
            let mut velocity = [0.0; 3];
            velocity[axis] = ENTERS;
            for (end, rule) in ["zou-he-velocity", "zou-he-pressure"].into_iter().enumerate() {
                let rule = walled::find(&known, rule)?;
                walled::stand(&mut domain, rule, entry.facts.lattice.dimension, 2 * axis + end, &|_| {
                    velocity
                });
            }
        }
        Ok(Setup::new(domain, flow::parameters(entry)).with_rules(known))
    }
}

/// A series of geometries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Series {
    /// Cubes of fluid under a sliding lid, by their edge.
    Cubes,
    /// Overlapping random spheres, by porosity.
    Spheres,
    /// Straight channels of rectangular sections, of about as many nodes each, by their common faces a tile.
    Channels,
    /// A branching vessel and a tree of vessels, each closed, and with an inlet and an outlet.
    Vessels,
}

/// Sides of sections that are whole tiles, of channels along z, by one side: narrow, flat, thick, so that common faces and edges vary
/// independently. Small ones, and those of channels with a million nodes.
const SECTIONS: [&[(usize, &[usize])]; 2] = [
    &[(4, &[4, 8, 16, 32]), (8, &[8, 16, 32]), (16, &[16, 32]), (32, &[32])],
    &[
        (4, &[4, 8, 16, 100]),
        (8, &[8, 16, 100]),
        (12, &[12]),
        (16, &[16, 64]),
        (24, &[24]),
        (32, &[100]),
        (40, &[40]),
        (64, &[64]),
        (80, &[80]),
        (100, &[100]),
    ],
];

/// Sides of sections that are run along x and along y, too.
const TURNED: [&[[usize; 2]]; 2] = [&[[4, 4], [8, 16]], &[[4, 4], [16, 64]]];

/// Sections that whole tiles do not cover, and where a tile begins in them: the paper's 8 x 8 in its three utilisations (the best one is
/// above), and the worst kind of side, 4 k + 2.
const PARTIAL: [([usize; 2], [usize; 2]); 4] =
    [([8, 8], [2, 0]), ([8, 8], [2, 2]), ([10, 10], [0, 0]), ([30, 30], [0, 0])];

/// How far along the series of vessels one stands from the same that is closed.
const OPEN: f64 = 0.1;

/// Nodes of a channel.
const CHANNEL_NODES: [usize; 2] = [32_768, 1_000_000];

impl Series {
    /// All of them: small ones, or those of the paper on a GPU.
    pub(super) fn all(self, on_gpu: bool) -> Result<Vec<Place>, Error> {
        match self {
            Series::Cubes => {
                let edges: &[usize] = if on_gpu { &[32, 64, 100, 148, 200, 252] } else { &[16, 32, 48, 64] };
                let cube = |&edge: &usize| {
                    Ok(Place {
                        label: format!("cube of {edge}"),
                        at: edge as f64,
                        geometry: Geometry::empty([edge; 3])?,
                        faces: [WALL, WALL, WALL, WALL, WALL, FaceRule::Wall { velocity: [0.1, 0.0, 0.0] }],
                        through: None,
                    })
                };
                edges.iter().map(cube).collect()
            }
            Series::Spheres => {
                let (edge, diameter) = if on_gpu { (192, 40.0) } else { (64, 40.0 / 3.0) };
                let packing = |tenths: usize| {
                    let porosity = tenths as f64 / 10.0;
                    let spheres = Spheres { diameter, porosity, ..Spheres::default() };
                    let geometry = spheres.pack([edge; 3])?.geometry;
                    let label = format!("porosity {porosity}");
                    Ok(Place { label, at: porosity, geometry, faces: [FaceRule::Periodic; 6], through: None })
                };
                (1..=9).rev().map(packing).collect()
            }
            Series::Channels => channels(usize::from(on_gpu)),
            Series::Vessels => {
                let scale = if on_gpu { 1.0 } else { 0.25 };
                let vessels =
                    [(VesselKind::Aorta, "branching vessel"), (VesselKind::Tree, "tree of vessels")];
                let mut places = Vec::new();
                for (n, (kind, label)) in vessels.into_iter().enumerate() {
                    let vessel = Vessel { kind, scale };
                    let (geometry, at) = (vessel.geometry()?, n as f64 + 1.0);
                    let open = format!("{label}, inlet and outlet");
                    let (faces, through) = ([WALL; 6], Some(vessel.axis()));
                    places.extend([
                        Place {
                            label: label.to_owned(),
                            at,
                            geometry: geometry.clone(),
                            faces,
                            through: None,
                        },
                        Place { label: open, at: at + OPEN, geometry, faces, through },
                    ]);
                }
                Ok(places)
            }
        }
    }
}

/// Small channels (0), or large ones (1).
fn channels(set: usize) -> Result<Vec<Place>, Error> {
    let sections =
        SECTIONS[set].iter().flat_map(|&(side, others)| others.iter().map(move |&other| [side, other]));
    let along_z = sections.map(|sides| (sides, [0, 0], 2));
    let turned = TURNED[set].iter().flat_map(|&sides| [0, 1].map(|axis| (sides, [0, 0], axis)));
    let partial = PARTIAL.iter().map(|&(sides, lead)| (sides, lead, 2));
    along_z
        .chain(turned)
        .chain(partial)
        .map(|(sides, lead, axis)| channel(sides, lead, axis, CHANNEL_NODES[set]))
        .collect()
}

/// A channel along an axis between walls, periodic along it; `lead` layers of solid nodes lie before its sides, so that tiles begin there.
fn channel(sides: [usize; 2], lead: [usize; 2], axis: usize, nodes: usize) -> Result<Place, Error> {
    let long = (nodes / (sides[0] * sides[1])).next_multiple_of(TILE_EDGE).max(TILE_EDGE);
    let across = [0, 1, 2].into_iter().filter(|&other| other != axis);
    let (mut fluid, mut low) = ([long; 3], [0; 3]);
    for (n, other) in across.enumerate() {
        (fluid[other], low[other]) = (sides[n], lead[n]);
    }
    let size = [0, 1, 2].map(|a| low[a] + fluid[a]);
    let fluid_box = Cuboid { low: low.map(|n| n as f64), high: size.map(|n| n as f64) };
    let geometry = Geometry::of(size, &fluid_box.complement())?;
    let tiles = Tiling::new([TILE_EDGE; 3], [0; 3])?.statistics(&geometry)?;
    let mut faces = [WALL; 6];
    faces[2 * axis..][..2].fill(FaceRule::Periodic);
    let mut label = format!("{} x {} x {}", fluid[0], fluid[1], fluid[2]);
    if lead != [0, 0] {
        label += &format!(", tiles begin {}, {} nodes before it", lead[0], lead[1]);
    }
    Ok(Place { label, at: tiles.faces_per_tile(), geometry, faces, through: None })
}

const WALL: FaceRule = FaceRule::WALL;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fluid_enters_and_leaves_every_open_vessel() {
        let entry = crate::variants::find("d3q19-bgk-f32-aosoa64-tiled4-two-lattice-pull").unwrap();
        let places = Series::Vessels.all(false).unwrap();
        let open: Vec<_> = places.iter().filter_map(|place| Some((place, place.through?))).collect();
        assert_eq!((places.len(), open.len()), (4, 2));
        for (place, axis) in open {
            let setup =
                place.setup(entry, &place.geometry.clone().into_domain(place.faces).unwrap()).unwrap();
            let names = setup.domain().faces[2 * axis..][..2].iter().map(|face| match face {
                FaceRule::Rule(n) => setup.domain().rules[*n].rule.as_str(),
                _ => "",
            });
            assert_eq!(names.collect::<Vec<_>>(), ["zou-he-velocity", "zou-he-pressure"]);
            let last = place.geometry.size()[axis] - 1;
            for end in [0, last] {
                assert!(place.geometry.fluid_positions().any(|at| at[axis] == end), "{}: {end}", place.label);
            }
        }
    }

    #[test]
    fn channels_have_the_papers_utilisations_and_tell_the_terms_of_its_formula_apart() {
        use lbm_core::geometry::{PropagationModel, PropagationPoint};
        for on_gpu in [false, true] {
            let places = Series::Channels.all(on_gpu).unwrap();
            let of =
                |place: &Place| Tiling::new([4; 3], [0; 3]).unwrap().statistics(&place.geometry).unwrap();
            let utilisation = |label: &str| {
                let found = places.iter().find(|place| place.label.starts_with(label));
                (of(found.unwrap()).utilisation() * 1e4).round()
            };
            let long = if on_gpu { 15_628 } else { 512 };
            // 1, 0.67 and 0.44.
            assert_eq!(utilisation(&format!("8 x 8 x {long}")), 1e4);
            assert_eq!(utilisation(&format!("8 x 8 x {long}, tiles begin 2, 0")), 6667.0);
            assert_eq!(utilisation(&format!("8 x 8 x {long}, tiles begin 2, 2")), 4444.0);
            let whole: Vec<PropagationPoint> = places
                .iter()
                .map(of)
                .filter(|tiles| tiles.utilisation() == 1.0)
                .map(|tiles| PropagationPoint {
                    faces: tiles.faces_per_tile(),
                    edges: tiles.edges_per_tile(),
                    share: tiles.propagation_share(&PropagationModel::PAPER),
                })
                .collect();
            let model = PropagationModel::fit(&whole).unwrap();
            for (found, expected) in model.coefficients.iter().zip(PropagationModel::PAPER.coefficients) {
                assert!((found - expected).abs() < 1e-9, "{model:?}");
            }
            let nodes = CHANNEL_NODES[usize::from(on_gpu)] as f64;
            for place in &places {
                let off = place.geometry.fluid_nodes() as f64 / nodes - 1.0;
                assert!(off.abs() < 0.02, "{}: {off}", place.label);
                // Periodic along the channel, in whole tiles.
                let along = place.faces.iter().position(|face| *face == FaceRule::Periodic).unwrap() / 2;
                let size = place.geometry.size();
                assert!(
                    size[along] % 4 == 0 && size[along] == *size.iter().max().unwrap(),
                    "{}",
                    place.label
                );
            }
        }
    }
}
