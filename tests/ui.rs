//! Wrong declarations: each is refused at the token that is wrong, with what to write instead.
//!
//! `TRYBUILD=overwrite cargo test -p lbm --test ui` writes the expected messages anew.

#[test]
fn wrong_declarations_are_refused_at_their_token() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
