//! A generated kernel as text to read: what it is and costs, what its inputs mean, its functions, and what each stage made.

use super::derive::Derived;
use super::digits::Digits;
use super::emit_rust;
use super::generate::Generated;
use super::language::{Equilibrium, Forcing};
use lbm_base::written::Written;
use proc_macro2::TokenStream;
use quote::quote;

/// All that can be read of a kernel, which loses these digits.
///
/// # Panics
/// If the emitter printed something that is no Rust, which would be a bug of it.
pub fn written(generated: &Generated, digits: &Digits) -> Written {
    let digits = digits.lost;
    let stages = generated.stages.0.iter();
    Written {
        about: about(generated, digits).into(),
        directions: directions(generated).into(),
        fields: {
            let set = generated.fields.iter().map(|field| &field.name);
            set.chain(&generated.derived.names).map(|name| name.clone().into()).collect()
        },
        functions: functions(generated).into(),
        stages: stages.map(|(name, text)| (*name, text.clone().into())).collect(),
        live_values: generated.collide.live_values(),
        digits,
    }
}

/// The same as an expression of a constant.
pub(super) fn constant(written: &Written) -> TokenStream {
    let Written { about, directions, fields, functions, stages, live_values, digits } = written;
    let fields = fields.iter().map(|name| quote!(Cow::Borrowed(#name)));
    let stages = stages.iter().map(|(name, text)| quote!((#name, Cow::Borrowed(#text))));
    // A literal is finite.
    let digits = match (digits.is_nan(), digits.is_infinite()) {
        (true, _) => quote!(f64::NAN),
        (_, true) => quote!(f64::INFINITY),
        _ => quote!(#digits),
    };
    quote! {{
        use ::std::borrow::Cow;
        ::lbm::core::written::Written {
            about: Cow::Borrowed(#about),
            directions: Cow::Borrowed(#directions),
            fields: Cow::Borrowed(const { &[#(#fields),*] }),
            functions: Cow::Borrowed(#functions),
            stages: Cow::Borrowed(const { &[#(#stages),*] }),
            live_values: #live_values,
            digits: #digits,
        }
    }}
}

/// The kernel's functions as formatted Rust, below a line on their coefficients.
fn functions(generated: &Generated) -> String {
    let mut functions = vec![
        emit_rust::uniforms(generated),
        emit_rust::collide(generated),
        emit_rust::macroscopic(generated),
        emit_rust::equilibrium(generated),
    ];
    functions.extend(emit_rust::derived(generated).map(|tokens| quote!(impl Body { #tokens })));
    functions.extend(emit_rust::viscosity(generated));
    functions.extend(emit_rust::force(generated));
    let formatted = functions.into_iter().map(|tokens| {
        let file = syn::parse2(tokens).expect("the emitter prints Rust");
        prettyplease::unparse(&file)
    });
    let uniforms = match generated.collide.uniforms.is_empty() {
        true => "",
        false => "// k[..] are the same for all nodes; `uniforms` computes them once a run.\n",
    };
    format!("{uniforms}\n{}", formatted.collect::<Vec<_>>().join("\n"))
}

/// What the kernel is, and what it costs.
fn about(generated: &Generated, digits: f64) -> String {
    let Generated { lattice, collision, choices, collide, .. } = generated;
    let equilibrium = match choices.equilibrium {
        Equilibrium::QuasiCompressible => "quasi-compressible",
        Equilibrium::Incompressible => "incompressible",
    };
    let forcing = match choices.forcing {
        Forcing::None if generated.force.is_some() => "a force of its own after Guo",
        Forcing::None => "no force",
        Forcing::Guo => "force after Guo",
        Forcing::GuoField => "force of each node after Guo",
    };
    let count = collide.count();
    format!(
        "// {collision} on {}, {equilibrium} equilibrium, {forcing}.\n\
         // Operations a node: adds {}, muls {}, divs {}, others {}; {} adds and muls are fused in fmas.\n\
         // At most {} values live at once.\n{}{}",
        lattice.name,
        count.adds,
        count.muls,
        count.divs,
        count.others,
        count.fmas,
        collide.live_values(),
        passes(&generated.derived),
        kept(digits),
    )
}

/// What is computed for all nodes before they collide.
fn passes(derived: &Derived) -> String {
    let (mut text, mut first) = (String::new(), 0);
    for (n, pass) in derived.passes.iter().enumerate() {
        let count = pass.program().outputs.len();
        let names = derived.names[first..first + count].join(", ");
        let far = pass.reads.iter().flat_map(|(_, offset)| offset.map(i32::unsigned_abs)).max();
        let from = match far.filter(|_| n > 0) {
            None => "from what comes to a node".to_owned(),
            Some(far) => format!("from {} values of fields, up to {far} nodes away", pass.reads.len()),
        };
        text += &format!("// Pass {} before it: {names}, {from}.\n", n + 1);
        first += count;
    }
    text
}

/// The digits that it keeps.
fn kept(digits: f64) -> String {
    if digits.is_nan() {
        return String::new();
    }
    format!(
        "// Digits: a step in single precision is off by {digits:.1} times what the last digits of its populations decide, at most.\n"
    )
}

/// Velocity and weight of each direction.
fn directions(generated: &Generated) -> String {
    let lattice = &generated.lattice;
    let mut text = String::new();
    for (i, (velocity, weight)) in lattice.velocities.iter().zip(&lattice.weights).enumerate() {
        let velocity =
            velocity[..lattice.dimension].iter().map(|c| format!("{c:2}")).collect::<Vec<_>>().join(", ");
        text += &format!("//   h[{i}]: c = [{velocity}], w = {weight}\n");
    }
    text
}
