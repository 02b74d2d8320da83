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
    /// crosses, and nothing holds it back along the face. At edges and corners it reflects along all of their axes. It is a rule of flat faces; a
    /// staircase mirrors where [`StaircaseSlip`] is asked for.
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
    /// faces; a staircase mirrors where [`StaircaseSlip`] is asked for.
    pub HalfWaySlip half_way {
        use Mirrored;
        let from = |i| dimensions.map(|a| if crosses(i, a) { 0 } else { -c[i][a] });
        for i in missing {
            f[i] = w[i] + select(is_fluid_at(from(i)), sent_at(from(i), image(i)) - w[i], sent[opposite[i]] - w[i]);
        }
    }
}

functions! {
    /// The staircase of nodes about a link from beyond a wall: its cell has the ends of the link as corners.
    Staircase {
        /// Whether something holds at all corners of the cell, which lie so many steps upstream along each axis, 0 or 1.
        let ends = |a| if a >= dimensions.len() {
            [0]
        } else if c[back][a] == 0 {
            [0]
        } else {
            [0, 1]
        };
        let everywhere = |holds| ends(0).fold(true, |all, x| all && ends(1).fold(true, |all, y|
            all && ends(2).fold(true, |all, z| all && holds([x, y, z]))));
        let is_fluid = |steps| is_fluid_at(dimensions.map(|a| -steps[a] * c[back][a]));
        let alike = |x, y| x && y || !x && !y;
        let next = |steps, a| (0..3).map(|b| steps[b] + delta(a, b));
        /// Whether the staircase is flat along an axis: the cell goes on as it is.
        let is_flat = |a| everywhere(|steps| if steps[a] == 0 { alike(is_fluid(steps), is_fluid(next(steps, a))) } else { true });
    }
}

boundary! {
    /// A body along whose surface the fluid slips, where it is asked for: each face of the staircase of nodes that the body is mirrors, half-way, as [`HalfWaySlip`] does at a face of the box (specular reflection, Cornubert,
    /// d'Humieres & Levermore 1991, Physica D 47, 241). What comes along a link goes on along the axes along which the staircase is flat there, and turns around along the others: at convex and concave edges of a step along both, as from a
    /// half-way wall at rest. What was sent is all that comes, each population once, so the mass is kept, but beside links of other rules.
    ///
    /// What one gets: a flat wall along the axes is an exact plane of symmetry. Anything else is a staircase, of first order in its place at best: the steps of an oblique or a round wall hold the fluid back and let no plug
    /// flow pass, on any grid, so that it is no smooth wall that slips. The surface is taken half-way wherever it cuts links. At a face of the box it does what [`HalfWaySlip`] does.
    pub StaircaseSlip on_link {
        use Staircase;
        let flat = dimensions.map(|a| if c[back][a] == 0 { 0 } else { select(is_flat(a), 1, 0) });
        let goes_on = |k, a| if c[back][a] == 0 { 0 } else { delta(c[k][a], c[back][a]) };
        let count = |along| dimensions.sum(|a| [1, 2, 4][a] * along(a));
        let images = directions.filter(|k| k != back && k != toward
            && dimensions.product(|a| delta(c[k][a] * c[k][a], c[back][a] * c[back][a])) == 1);
        f[back] = w[back] + images.fold(sent[toward] - w[back], |comes, k| select(count(|a| flat[a]) == count(|a| goes_on(k, a)),
            sent_at(dimensions.map(|a| -(c[back][a] + c[k][a]) / 2), k) - w[back], comes));
    }
}
