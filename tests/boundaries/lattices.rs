//! The built-in rules are made for every lattice of flow, at the midst of faces, edges and corners alike.

use lbm::boundaries::{
    AntiBounceBack, Bouzidi, BouzidiQuadratic, CharacteristicPressure, CharacteristicVelocity,
    ConvectiveOutflow, Equilibrium, FreeSlip, HalfWay, HalfWaySlip, NonEquilibriumExtrapolationPressure,
    NonEquilibriumExtrapolationVelocity, PressurePeriodic, RegularizedPressure, RegularizedVelocity,
    RegularizedVelocityNeighbour, SingleNode, Sponge, StaircaseSlip, Windkessel, ZeroGradient, ZouHePressure,
    ZouHeVelocity, ZouHeVelocityNeighbour,
};
use lbm::core::Lattice;
use lbm::core::rules::Boundary;
use lbm::lattices::{D2Q9, D3Q15, D3Q19, D3Q27};
use lbm_generator::boundary::Placement;
use lbm_generator::boundary::{BoundaryDeclaration, Class, evaluate};
use lbm_generator::language::Choices;
use lbm_generator::lattice::{LatticeSpec, analyse};
use lbm_generator::rational::whole;

fn lattice<L: Lattice>() -> LatticeSpec {
    analyse(L::DECLARATION.parse().unwrap()).unwrap()
}

/// The kinds of places where a rule can be made for a lattice.
fn places<R: Boundary>(lattice: &LatticeSpec) -> Vec<String> {
    let declaration: BoundaryDeclaration = syn::parse_str(R::DECLARATION).unwrap();
    let made =
        |class: &Class| evaluate(&declaration, lattice, (&Choices::default(), &whole(1)), *class).is_ok();
    let all = Class::all(declaration.placement, lattice);
    // Velocities that links have differ from lattice to lattice: of them all must do.
    if matches!(declaration.placement, Placement::Links) {
        return vec![format!("all links: {}", all.iter().all(made))];
    }
    all.into_iter().filter(made).map(|class| class.describe(lattice)).collect()
}

fn is_made<R: Boundary>() {
    let deep = lattice::<D3Q19>();
    let expected = places::<R>(&deep);
    let first = expected.first().map(String::as_str);
    assert!(
        matches!(first, Some("all links: true" | "the midst of a face" | "nodes in the fluid")),
        "{}",
        R::NAME
    );
    if R::LABEL.ends_with("velocity") && !R::LABEL.starts_with("characteristic") {
        let corner = expected.iter().any(|place| place == "a corner of three faces");
        assert!(corner && expected.len() == 6, "{}: {expected:?}", R::NAME);
    }
    for other in [lattice::<D3Q15>(), lattice::<D3Q27>()] {
        assert_eq!(places::<R>(&other), expected, "{} on {}", R::NAME, other.name);
    }
    // The flat one has neither corners nor places beside two walls.
    let of_flat = |place: &String| !place.contains("corner") && !place.contains("2 walls");
    let is_edge_beside = |place: &String| place.contains("edge") && place.contains("wall");
    let flat: Vec<String> =
        expected.into_iter().filter(|place| of_flat(place) && !is_edge_beside(place)).collect();
    assert_eq!(places::<R>(&lattice::<D2Q9>()), flat, "{} on D2Q9", R::NAME);
}

macro_rules! each_is_made {
    ($($name:ident: $($rule:ident)*;)*) => {$(
        #[test]
        fn $name() {
            $(is_made::<$rule>();)*
        }
    )*};
}

each_is_made! {
    rules_of_links_are_made_for_all_lattices_of_flow:
        HalfWay Bouzidi BouzidiQuadratic SingleNode AntiBounceBack Windkessel HalfWaySlip StaircaseSlip;
    velocities_on_nodes_are: ZouHeVelocity ZouHeVelocityNeighbour RegularizedVelocity RegularizedVelocityNeighbour
        NonEquilibriumExtrapolationVelocity Equilibrium FreeSlip;
    pressures_and_outlets_are: ZouHePressure RegularizedPressure NonEquilibriumExtrapolationPressure
        CharacteristicVelocity CharacteristicPressure ConvectiveOutflow ZeroGradient PressurePeriodic Sponge;
}
