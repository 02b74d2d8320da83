//! Walls along which the fluid slips: planes of symmetry.

use lbm_macros::{boundary, functions};

functions! {
    /// A population and its image in a mirror at the rule's faces.
    Mirrored {
        /// Whether what comes along a direction crosses a face of the rule across this axis.
        let crosses = |i, a| normal[a] == 1 && c[i][a] > 0;
        /// The direction that the mirror turns into this one.
        let image = |i| directions.filter(|k| dimensions.product(|a|
            delta(c[k][a], if crosses(i, a) { -c[i][a] } else { c[i][a] })) == 1)[0];
    }
}

boundary! {
    /// A plane of symmetry through the nodes at the face: what is missing is the mirror image of what arrives, specular reflection (Cornubert,
    /// d'Humieres & Levermore 1991, Physica D 47, 241). Exact as a plane of symmetry, on any lattice that is its own mirror image; no fluid
    /// crosses, and nothing holds it back along the face. At edges and corners it reflects along all of their axes. It is a rule of flat faces, and not for staircases.
    pub FreeSlip on_node {
        use Mirrored;
        for i in missing {
            f[i] = f[image(i)];
        }
    }
}

boundary! {
    /// A plane of symmetry half a spacing beyond the nodes at the face, where a half-way wall would lie: what comes from beyond left the next node along the face and
    /// was reflected on its way, so that it has gone on along the face by as much as any other (Kruger, Kusumaatmaja, Kuzmin, Shardt, Silva & Viggen 2017, The Lattice
    /// Boltzmann Method, chapter 5). Exact as a plane of symmetry, on any lattice that is its own mirror image, with its own edges and corners. What was sent is all that comes, so the mass
    /// in a closed box is kept.
    ///
    /// Where there is no fluid node to come from, at an edge with a wall at rest or beside a solid, what the node sent comes back as from a half-way wall at rest; a wall that moves
    /// at such an edge is not seen there. Beside a patch with another rule at the same face it reads the next node all the same, and the mass is kept nearly. It is a rule of flat
    /// faces, and not for staircases.
    pub HalfWaySlip half_way {
        use Mirrored;
        let from = |i| dimensions.map(|a| if crosses(i, a) { 0 } else { -c[i][a] });
        for i in missing {
            f[i] = select(is_fluid_at(from(i)), sent_at(from(i), image(i)), sent[opposite[i]]);
        }
    }
}
