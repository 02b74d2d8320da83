//! What collisions share, and what rules of nodes do, said in the language itself.

use super::value::{Closure, Names, Value};
use std::rc::Rc;
use syn::{ExprClosure, parse_quote};

/// The populations of a node with this density and velocity. Missing ones come back as non-equilibrium, corrected along axes that no
/// half-way wall holds so that the momentum is that of the velocity (Hecht & Harting, J. Stat. Mech. (2010) P01018); buried ones take their
/// equilibrium.
fn bounced() -> ExprClosure {
    parse_quote! {
        |rho, u| {
            let axes = dimensions.filter(|a| a < faces || a >= faces + walls);
            let back = |i, push| if is_buried[i] {
                equilibrium(rho, u)[i]
            } else {
                f[opposite[i]]
                    + 2 * w[i] / cs2 * dimensions.sum(|a| c[i][a] * momentum(rho, u)[a])
                    + axes.zip(push).sum(|[a, x]| c[i][a] * x)
            };
            let flux = |a, push| known.sum(|i| c[i][a] * f[i]) + missing.sum(|i| c[i][a] * back(i, push));
            let push = solve(axes.map(|a| 0), |x| axes.map(|a| flux(a, x) - momentum(rho, u)[a]));
            directions.map(|i| if is_missing[i] { back(i, push) } else { f[i] })
        }
    }
}

/// Populations whose sum is a density: what it lacks goes to buried directions, by their weights, and so leaves the momentum as it is (Zou & He, Phys.
/// Fluids 9 (1997) 1591, at corners). Where none are buried they stay as they are.
fn completed() -> ExprClosure {
    parse_quote! {
        |rho, list| {
            let share = |i| if is_buried[i] { w[i] / buried.sum(|k| w[k]) * (rho - sum(list)) } else { 0 };
            directions.map(|i| list[i] + share(i))
        }
    }
}

/// All populations anew: the equilibrium, and of the non-equilibrium the part that carries stress, of which that of missing directions is
/// bounced back and that of buried ones left out (Latt, Chopard, Malaspinas, Deville & Michler, Phys. Rev. E 77 (2008) 056703, BC1). The
/// momentum is less by half of the body force.
fn regularized() -> ExprClosure {
    parse_quote! {
        |rho, u| {
            let eq = equilibrium(rho, u);
            let off = |i| if is_buried[i] {
                0
            } else if is_missing[i] {
                f[opposite[i]] - eq[opposite[i]]
            } else {
                f[i] - eq[i]
            };
            let stress = dimensions.map(|a| dimensions.map(|b| directions.sum(|i| c[i][a] * c[i][b] * off(i))));
            let hermite = |i, a, b| c[i][a] * c[i][b] - delta(a, b) * cs2;
            directions.map(|i| eq[i] - w[i] / (2 * cs2) * dimensions.sum(|a| c[i][a] * force[a])
                + w[i] / (2 * cs2 * cs2) * dimensions.sum(|a| dimensions.sum(|b| hermite(i, a, b) * stress[a][b])))
        }
    }
}

/// The rate of shear, the root of 2 S:S, of a node whose stress relaxes with the time tau. The strain S is -1 / (2 rho cs2 tau) times the second
/// moments of what the populations are off their equilibrium by, half of the force's source among it (Guo, Zheng & Shi, Phys. Rev. E 65 (2002)
/// 046308, Eq. 18).
fn shear() -> ExprClosure {
    parse_quote! {
        |tau| {
            let off = |i| f[i] - equilibrium[i] + source[i] / 2;
            let stress = dimensions.map(|a| dimensions.map(|b| directions.sum(|i| c[i][a] * c[i][b] * off(i))));
            let squares = dimensions.sum(|a| dimensions.sum(|b| stress[a][b] * stress[a][b]));
            sqrt(squares / 2) / ((if is_incompressible { 1 } else { rho }) * cs2 * tau)
        }
    }
}

/// What a Hermite coefficient s adds to the moment e, where each even power along an axis has two orders less with this factor: a Hermite
/// polynomial is a product along the axes, 1, x, x^2 - cs2.
fn lowered() -> ExprClosure {
    parse_quote! {
        |e, s, factor| e.zip(s).product(|[p, q]| if p < q { 0 } else { [1, 0, factor][p - q] })
    }
}

/// The moments by exponents of populations with these Hermite coefficients (Grad 1949).
fn from_hermite() -> ExprClosure {
    parse_quote! {
        |coefficients| exponents.map(|e| exponents.zip(coefficients).sum(|[s, a]| lowered(e, s, cs2) * a))
    }
}

/// The Hermite coefficients of populations with these moments by exponents.
fn to_hermite() -> ExprClosure {
    parse_quote! {
        |moments| exponents.map(|s| exponents.zip(moments).sum(|[e, m]| lowered(s, e, -cs2) * m))
    }
}

/// The equilibrium whose moments by exponents are those of the Maxwell distribution up to this order in the velocity (Grad 1949; Shan, Yuan & Chen,
/// J. Fluid Mech. 550 (2006) 413): an expansion in Hermite polynomials.
fn maxwell() -> ExprClosure {
    parse_quote! {
        |order| {
            let density = |s| if is_incompressible && sum(s) > 0 { 1 } else { rho };
            let coefficient = |s| density(s) * s.zip(u).product(|[p, x]| [1, x, x * x][p]);
            from_raw(from_hermite(exponents.map(|s| if sum(s) <= order { coefficient(s) } else { 0 })))
        }
    }
}

/// The equilibrium of greatest entropy, a product along the axes on the lattices that are one (Ansumali, Karlin & Oettinger, Europhys. Lett. 63 (2003) 798).
fn entropic() -> ExprClosure {
    parse_quote! {
        |rho, u| {
            let curved = dimensions.map(|a| 3 * u[a] * u[a] / (1 + sqrt(1 + 3 * u[a] * u[a])));
            let with_flow = dimensions.map(|a| [-1, 1].map(|c| (3 * c * u[a] + curved[a]) / (1 - c * u[a])));
            let still = curved.map(|x| 1 - x);
            let along = dimensions.map(|a| [still[a] * (1 + with_flow[a][0]), still[a], still[a] * (1 + with_flow[a][1])]);
            directions.map(|i| w[i] * rho * dimensions.product(|a| along[a][c[i][a] + 1]))
        }
    }
}

/// The names of a collision, and of what collisions share.
pub(super) fn of_collisions(names: &Names) -> Names {
    let all = [
        ("shear", shear()),
        ("lowered", lowered()),
        ("from_hermite", from_hermite()),
        ("to_hermite", to_hermite()),
        ("maxwell", maxwell()),
        ("entropic", entropic()),
    ];
    with(names, all)
}

/// The names of a rule of nodes, and of what such rules share.
pub(super) fn with_shared(names: &Names) -> Names {
    with(names, [("bounced", bounced()), ("completed", completed()), ("regularized", regularized())])
}

/// The names with closures, of which each sees those before.
fn with<const N: usize>(names: &Names, closures: [(&str, ExprClosure); N]) -> Names {
    closures.into_iter().fold(names.clone(), |all, (name, written)| {
        let closure = Closure {
            arguments: written.inputs.into_iter().collect(),
            body: *written.body,
            names: all.clone(),
            is_built_in: true,
        };
        all.with(name, Value::Closure(Rc::new(closure)))
    })
}
