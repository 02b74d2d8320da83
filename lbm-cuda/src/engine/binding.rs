//! What resources are bound to, and how a kernel's arguments are found: by going through its parameters.

use lbm_core::Error;

use crate::assemble::{Handed, Kernel, Parameter, Resource, Type};
use crate::machine::Arguments;

/// What a resource is bound to.
#[derive(Clone, Debug)]
enum Bound {
    /// The address of an array.
    Address(u64),
    /// A whole number, of whatever width a kernel takes it.
    Number(u64),
    /// A value as it lies in memory.
    Bytes(Vec<u8>),
}

/// Resources and what they are bound to; what is bound last counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings<'a> {
    own: Vec<(Resource, Bound)>,
    /// Those for which nothing else is bound here.
    beneath: Option<&'a Bindings<'a>>,
}

impl<'a> Bindings<'a> {
    /// No more than these, yet.
    pub(super) fn over(beneath: &'a Bindings<'a>) -> Bindings<'a> {
        Bindings { own: Vec::new(), beneath: Some(beneath) }
    }

    fn set(&mut self, resource: Resource, bound: Bound) -> &mut Self {
        match self.own.iter_mut().find(|(known, _)| *known == resource) {
            Some((_, old)) => *old = bound,
            None => self.own.push((resource, bound)),
        }
        self
    }

    /// Binds an array to its address.
    pub(super) fn array(&mut self, resource: Resource, address: u64) -> &mut Self {
        self.set(resource, Bound::Address(address))
    }

    /// Binds a number.
    pub(super) fn number(&mut self, resource: Resource, number: usize) -> &mut Self {
        self.set(resource, Bound::Number(number as u64))
    }

    /// Binds a value that is no whole number.
    pub(super) fn bytes(&mut self, resource: Resource, bytes: &[u8]) -> &mut Self {
        self.set(resource, Bound::Bytes(bytes.to_owned()))
    }

    /// Binds what a kernel beside the step does: a value of `count` nodes of the box from node `first` on.
    pub(super) fn portion(&mut self, value: usize, first: usize, count: usize) -> &mut Self {
        self.number(Resource::Direction, value).number(Resource::First, first).number(Resource::Count, count)
    }

    fn get(&self, resource: Resource) -> Option<&Bound> {
        let own = self.own.iter().find(|(known, _)| *known == resource);
        own.map(|(_, bound)| bound).or_else(|| self.beneath?.get(resource))
    }

    /// The number that a launch of this kernel goes over.
    pub(super) fn count(&self, kernel: &Kernel, resource: Resource) -> Result<u64, Error> {
        match self.get(resource) {
            Some(&Bound::Number(number)) => Ok(number),
            _ => Err(fault(kernel, format!("the number `{resource}`"), "is not bound")),
        }
    }

    /// The arguments of a kernel.
    ///
    /// # Errors
    /// [`Error::Conflict`] with the names of the kernel and of a parameter to which nothing is bound, or what it does not take.
    pub(super) fn arguments(&self, kernel: &Kernel) -> Result<Arguments, Error> {
        kernel.parameters.iter().try_fold(Arguments::new(), |all, parameter| {
            let Some(bound) = self.get(parameter.resource) else {
                return Err(fault(kernel, format!("`{parameter}`"), "is not bound"));
            };
            argument(all, parameter, bound)
                .ok_or_else(|| fault(kernel, format!("`{parameter}`"), &format!("is bound to {bound:?}")))
        })
    }
}

/// Adds what is bound as a parameter takes it, if it does.
fn argument(all: Arguments, parameter: &Parameter, bound: &Bound) -> Option<Arguments> {
    match (parameter.handed, parameter.of, bound) {
        (Handed::Value, Type::Narrow(_), &Bound::Number(number)) => {
            Some(all.bytes(&u32::try_from(number).ok()?.to_ne_bytes()))
        }
        (Handed::Value, Type::Wide(_), &Bound::Number(number)) => Some(all.word(number)),
        (Handed::Value, Type::Other(_), Bound::Bytes(bytes)) => Some(all.bytes(bytes)),
        (Handed::Value, ..) => None,
        (_, _, &Bound::Address(at)) => Some(all.word(at)),
        _ => None,
    }
}

/// An engine and a text that do not fit together.
fn fault(kernel: &Kernel, what: String, found: &str) -> Error {
    Error::conflict(
        format!("the kernel `{}` takes {what}, which {found}", kernel.name),
        "this is a fault of the library: report it, with the name of the variant",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::{Grid, Threads};

    /// A kernel of one parameter of each kind.
    fn kernel() -> Kernel {
        let parameters = vec![
            Resource::Source.read(),
            Resource::Count.value(),
            Resource::Length(0).value(),
            Resource::Nodes.index(false),
            Resource::Uniforms.value(),
        ];
        let threads = Threads::in_rows(128, None, Grid::Each(Resource::Count));
        Kernel::new("", "step_0", 0, threads, parameters)
    }

    fn complete() -> Bindings<'static> {
        let mut bindings = Bindings::default();
        bindings.array(Resource::Source, 1 << 40).number(Resource::Count, 7).number(Resource::Nodes, 8);
        bindings.number(Resource::Length(0), 1 << 33).bytes(Resource::Uniforms, &[1, 2, 3, 4]);
        bindings
    }

    fn refused(bindings: &Bindings<'_>) -> String {
        let error = bindings.arguments(&kernel()).expect_err("the kernel takes something else");
        assert!(matches!(error, Error::Conflict { .. }), "{error}");
        error.to_string()
    }

    #[test]
    fn arguments_come_in_the_order_of_parameters() {
        let bindings = complete();
        let arguments = bindings.arguments(&kernel()).unwrap();
        // SAFETY: each value is held in whole words of which the first is asked for.
        let words: Vec<u64> =
            arguments.pointers().into_iter().map(|at| unsafe { at.cast::<u64>().read() }).collect();
        assert_eq!(words, [1 << 40, 7, 1 << 33, 8, 0x0403_0201]);
        assert_eq!(bindings.count(&kernel(), Resource::Count).unwrap(), 7);
    }

    #[test]
    fn what_is_bound_last_counts() {
        let (below, kernel) = (complete(), kernel());
        let mut above = Bindings::over(&below);
        above.number(Resource::Count, 1).number(Resource::Count, 2);
        assert_eq!(above.count(&kernel, Resource::Count).unwrap(), 2);
        assert_eq!(below.count(&kernel, Resource::Count).unwrap(), 7);
        assert_eq!(above.arguments(&kernel).unwrap().pointers().len(), 5);
    }

    #[test]
    fn what_is_not_bound_is_named() {
        for parameter in kernel().parameters {
            let mut bindings = complete();
            bindings.own.retain(|(resource, _)| *resource != parameter.resource);
            let said = refused(&bindings);
            let named =
                said.contains("`step_0`") && said.contains(&format!("`{parameter}`, which is not bound"));
            assert!(named, "{said}");
        }
        assert!(Bindings::default().count(&kernel(), Resource::Count).is_err());
    }

    #[test]
    fn what_a_kernel_does_not_take_is_named() {
        let mut bindings = complete();
        bindings.number(Resource::Nodes, 1 << 32);
        assert!(refused(&bindings).contains("`const index nodes`, which is bound to Number(4294967296)"));
        let mut bindings = complete();
        bindings.number(Resource::Source, 5);
        assert!(refused(&bindings).contains("source`, which is bound to Number(5)"));
        let mut bindings = complete();
        bindings.array(Resource::Uniforms, 5);
        assert!(refused(&bindings).contains("uniforms`, which is bound to Address(5)"));
    }
}
