//! `cross_check!`: tests that a solver gives the same bits on every backend.

use super::names::lowered;
use super::wrong::{entries, refuse, twice};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Path, Token};

struct Request {
    solver: Path,
    options: Vec<(Ident, Expr)>,
}

const OPTIONS: [&str; 3] = ["steps", "sizes", "seeds"];

impl Parse for Request {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let solver = input.parse()?;
        if input.parse::<Option<Token![,]>>()?.is_none() && !input.is_empty() {
            return Err(input.error("expected `,` and an option: steps, sizes, seeds"));
        }
        let mut options = Vec::new();
        entries(input, twice, |name| {
            if !OPTIONS.iter().any(|known| name == known) {
                let message = format!("unknown option `{name}`; a cross-check has steps, sizes, seeds");
                return refuse(name.span(), message);
            }
            input.parse::<Token![:]>()?;
            let value: Expr = input.parse()?;
            if matches!(&value, Expr::Array(array) if array.elems.is_empty()) {
                return refuse(
                    value.span(),
                    format!("`{name}` is empty; name at least one, or leave it out"),
                );
            }
            options.push((name.clone(), value));
            Ok(())
        })?;
        Ok(Request { solver, options })
    }
}

/// The tests of a solver. An option that is unknown, given twice or empty is an error at its token.
pub fn cross_check(tokens: TokenStream) -> syn::Result<TokenStream> {
    let Request { solver, options } = syn::parse2(tokens)?;
    let setters = options.iter().map(|(name, _)| format_ident!("with_{name}"));
    let values = options.iter().map(|(_, value)| value);
    let label = snake_case(&solver.to_token_stream().to_string());
    let options = quote! {
        let options = ::lbm::cross_check::Options::default()#(.#setters((#values).to_vec()))*;
    };
    let checks = ["cpu_equals_reference", "cuda_on_host_equals_cpu", "gpu_equals_cpu"];
    let tests = checks.iter().enumerate().map(|(n, check)| {
        let (test, check) = (format_ident!("{label}_{check}"), format_ident!("{check}"));
        // What is built for a device is kept under the test's name.
        let name = (n > 0).then(|| quote!(stringify!(#test),));
        quote! {
            #[test]
            fn #test() {
                #options
                ::lbm::cross_check::#check::<#solver>(#name &options);
            }
        }
    });
    Ok(tests.collect())
}

/// `crate :: flows :: MyCavity` as `crate_flows_my_cavity`.
fn snake_case(path: &str) -> String {
    let names = path.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty());
    names.map(|name| lowered(name, '_')).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_named_after_the_solver() {
        let text = cross_check(quote!(flows::MyCavity, steps: [1, 2], seeds: [7])).unwrap().to_string();
        for name in ["cpu_equals_reference", "cuda_on_host_equals_cpu", "gpu_equals_cpu"] {
            assert!(text.contains(&format!("fn flows_my_cavity_{name}")), "{text}");
        }
        assert!(
            text.contains("with_steps (([1 , 2]) . to_vec ()) . with_seeds (([7]) . to_vec ())"),
            "{text}"
        );
    }

    #[test]
    fn mistakes_are_named() {
        let refused = |tokens| cross_check(tokens).unwrap_err().to_string();
        assert!(refused(quote!(S, stops: [1])).contains("unknown option `stops`"));
        assert!(refused(quote!(S, steps: [1], steps: [2])).contains("`steps` is given twice"));
        assert!(refused(quote!(S, sizes: [])).contains("`sizes` is empty"));
        assert!(refused(quote!(S steps: [1])).contains("expected `,`"));
    }
}
