//! scratch
use lbm_core::codegen::language::*;
use lbm_core::codegen::*;
use std::collections::BTreeMap;
fn macros(file: &str) -> Vec<(String, proc_macro2::TokenStream)> {
    let text = std::fs::read_to_string(file).unwrap();
    let file = syn::parse_file(&text).unwrap();
    file.items.into_iter().filter_map(|item| match item {
        syn::Item::Macro(m) => {
            let t = m.mac.tokens;
            let name = t.clone().into_iter().skip_while(|x| x.to_string() != "pub").nth(1).unwrap().to_string();
            Some((name, t))
        }
        _ => None,
    }).collect()
}
fn main() {
    let lattices = macros("src/lattices.rs");
    let collisions = macros("src/collisions.rs");
    let show = std::env::args().nth(1);
    for (ln, lt) in &lattices {
        let l = lattice::analyse(lt.clone()).unwrap();
        if l.isotropy < 4 { continue }
        for (cn, ct) in &collisions {
            let c: CollisionDeclaration = syn::parse2(ct.clone()).unwrap();
            let mut bakes: Vec<(&str, BTreeMap<_, _>)> = vec![("", BTreeMap::new())];
            if cn == "Mrt" { bakes.push((" rates=1", [("rates".to_string(), rational::whole(1))].into())); }
            for eq in [Equilibrium::QuasiCompressible, Equilibrium::Incompressible] { for forcing in [Forcing::None, Forcing::Guo] { for (b, bake) in &bakes {
                let choices = Choices { equilibrium: eq, forcing, baked: bake.clone(), share_flux_trace: true };
                let t = std::time::Instant::now();
                let g = generate(&l, &c, &choices).unwrap_or_else(|e| panic!("{ln} {cn}: {e}"));
                let n = g.collide.count();
                let name = format!("{ln} {}{b}", solver::collision_label(cn, &choices));
                println!("{name:45} {}/{}/{} fma {} instr {} live {} uniforms {} share {} {:?}", n.adds, n.muls, n.divs, n.fmas, n.adds + n.muls - n.fmas, g.collide.live_values(), g.collide.uniforms.len(), g.choices.share_flux_trace, t.elapsed());
                if show.as_deref() == Some(&name) { for (s, t) in &g.stages.0 { println!("--- {s}\n{t}"); } }
            }}}
        }
    }
}
