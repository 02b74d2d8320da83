//! A generated kernel as a page of Rust to read: what it is and costs, what its inputs mean, and its functions.

use super::emit_rust;
use super::generate::Generated;
use super::language::{Equilibrium, Forcing};

/// What the page says of a kernel that the generator does not know.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// The variant's name, or as much of it as is fixed.
    pub variant: &'a str,
    /// Bytes that one update of a node must move, where the precision is known.
    pub bytes_per_node: Option<usize>,
}

/// The kernel's functions as formatted Rust, below a comment with names, operation counts and directions.
///
/// # Panics
/// If the emitter printed something that is no Rust, which would be a bug of it.
pub fn rust_source(generated: &Generated, header: &Header<'_>) -> String {
    let mut functions = vec![
        emit_rust::uniforms(generated),
        emit_rust::collide(generated),
        emit_rust::macroscopic(generated),
        emit_rust::equilibrium(generated),
    ];
    functions.extend(emit_rust::viscosity(generated));
    let formatted = functions.into_iter().map(|tokens| {
        let file = syn::parse2(tokens).expect("the emitter prints Rust");
        prettyplease::unparse(&file)
    });
    let formatted: Vec<String> = formatted.collect();
    let mut text = cost(generated, header);
    text += "// h[i] = f_i - w_i is the shifted population that moves with c_i; `site.read(i)` gives it:\n";
    text += &directions(generated);
    text += &fields(generated, |n| format!("site.field({n})"));
    if !generated.collide.uniforms.is_empty() {
        text += "// k[..] are the same for all nodes; `uniforms` computes them once a run.\n";
    }
    format!("{text}\n{}", formatted.join("\n"))
}

/// The comment above a page of CUDA C++; every line starts with `//`. `more` are lines of the backend's own, between
/// what the kernel costs and what its inputs mean.
pub fn cuda_comment(generated: &Generated, header: &Header<'_>, more: &[String]) -> String {
    let mut text = cost(generated, header);
    more.iter().for_each(|line| text += &format!("// {line}\n"));
    text += "// h[i] = f_i - w_i is the shifted population that moves with c_i, post[i] the same after the collision:\n";
    text + &directions(generated) + &fields(generated, |n| format!("field[{n}]"))
}

/// What the kernel is, and what it costs.
fn cost(generated: &Generated, header: &Header<'_>) -> String {
    let Generated { lattice, collision, choices, collide, .. } = generated;
    let equilibrium = match choices.equilibrium {
        Equilibrium::QuasiCompressible => "quasi-compressible",
        Equilibrium::Incompressible => "incompressible",
    };
    let forcing = match choices.forcing {
        Forcing::None => "no force",
        Forcing::Guo => "force after Guo",
        Forcing::GuoField => "force of each node after Guo",
    };
    let count = collide.count();
    let mut text = format!(
        "// {}\n// {collision} on {}, {equilibrium} equilibrium, {forcing}.\n\
         // Operations a node: adds {}, muls {}, divs {}, others {}; {} adds and muls are fused in fmas.\n\
         // At most {} values live at once.\n",
        header.variant,
        lattice.name,
        count.adds,
        count.muls,
        count.divs,
        count.others,
        count.fmas,
        collide.live_values(),
    );
    if let Some(bytes) = header.bytes_per_node {
        text += &format!("// Memory: {bytes} bytes a node and step.\n");
    }
    text
}

/// What the collision reads of each node beside its populations, by the names that `shown` gives.
fn fields(generated: &Generated, shown: impl Fn(usize) -> String) -> String {
    let fields = generated.fields.iter().enumerate();
    fields.map(|(n, field)| format!("// {} is the node's `{}`.\n", shown(n), field.name)).collect()
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
