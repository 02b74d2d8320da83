use super::*;

const LISTS: &str =
    "lattice: [D2Q9, my::Corners], collision: [Bgk, Trt { magic: 1/4 }], precision: [F32, F64],";

fn swept(rest: &str) -> Result<String, String> {
    let tokens = format!("{LISTS} {rest}").parse().unwrap();
    sweep(tokens)
        .map(|tokens| tokens.to_string())
        .map_err(|error| error.into_iter().map(|error| error.to_string()).collect::<Vec<_>>().join("; "))
}

fn solvers(text: &str) -> usize {
    text.matches("impl :: lbm :: core :: Variant for V").count()
}

fn refused(rest: &str, message: &str) {
    let error = swept(rest).expect_err(rest);
    assert!(error.contains(message), "{rest}: {error}");
}

#[test]
fn every_combination_is_a_solver_for_the_expression() {
    let text = swept("=> |V, lattice: L, collision: C| see::<V, L>(&mut out, C)").unwrap();
    assert_eq!(solvers(&text), 8);
    assert_eq!(text.matches(":: lbm :: solver !").count(), 4, "one body for each lattice and collision");
    assert_eq!(text.matches("see :: < V , my :: Corners > (& mut out , Trt)").count(), 2, "{text}");
    assert!(text.contains("collision : Trt { magic : 1 / 4 } ,"), "{text}");
    assert_eq!(text.matches("type Precision = F64 ;").count(), 4, "{text}");
}

#[test]
fn rules_leave_out_what_they_name() {
    let count = |rules: &str| {
        let text = swept(&format!("skip: [{rules}] => |V| see::<V>()")).unwrap();
        solvers(&text)
    };
    assert_eq!(count(""), 8);
    assert_eq!(count("{ collision: Trt }"), 4);
    assert_eq!(count("{ collision: Trt { magic: 1/4 }, lattice: D2Q9 }"), 6);
    assert_eq!(count("{ lattice: D2Q9, precision: [F32, F64] }, { precision: F32 }"), 2);
}

#[test]
fn a_pairwise_sweep_has_every_pair() {
    let lists = "layout: [Soa, Aos, Mine], streaming: [A, B, C, D],";
    let all = swept(&format!("{lists} => |V| see::<V>()")).unwrap();
    assert_eq!(solvers(&all), 8 * 12);
    let some = swept(&format!("{lists} pairwise: [precision, layout, streaming] => |V| see::<V>()")).unwrap();
    // Twelve pairs of a layout and a pattern for each lattice and collision, which are no part of it.
    assert_eq!(solvers(&some), 4 * 12);
    for precision in ["F32", "F64"] {
        for streaming in ["A", "B", "C", "D"] {
            let found = some.split("impl").filter(|solver| {
                solver.contains(&format!("type Precision = {precision} ;"))
                    && solver.contains(&format!("type Streaming = {streaming} ;"))
            });
            assert!(found.count() >= 4, "{precision} {streaming}");
        }
    }
    // What no combination has is not asked for.
    let skipped = swept(
        "layout: [Soa, Aos], skip: [{ precision: F32, layout: Aos }], pairwise: [precision, layout] => |V| see::<V>()",
    );
    assert_eq!(solvers(&skipped.unwrap()), 4 * 3);
}

#[test]
fn mistakes_are_named() {
    let end = "=> |V| see::<V>()";
    refused(&format!("colour: [Red] {end}"), "unknown axis `colour`; a sweep has lattice, collision");
    refused(&format!("layout: [] {end}"), "the list of `layout` is empty");
    refused(&format!("layout: [Soa, Soa] {end}"), "`Soa` is listed twice");
    refused(&format!("precision: [F32] {end}"), "`precision` is given twice");
    refused(
        &format!("forcing: [Gua] {end}"),
        "`Gua` is not a choice here; take `None` or `Guo` or `GuoField`",
    );
    refused(
        &format!("skip: [{{ layout: Aos }}] {end}"),
        "the axis `layout` is not listed here; listed are `lattice`",
    );
    refused(
        &format!("skip: [{{ lattice: D3Q7 }}] {end}"),
        "`D3Q7` is not in the list of `lattice`, which has `D2Q9`, `my :: Corners`",
    );
    refused(
        &format!("skip: [{{ precision: F32 }}, {{ precision: F32, lattice: D2Q9 }}] {end}"),
        "leaves out nothing",
    );
    refused(&format!("skip: [{{ precision: [F32, F64] }}] {end}"), "nothing is left");
    refused(&format!("skip: [{{}}] {end}"), "would leave out everything");
    refused(&format!("pairwise: [lattice] {end}"), "pairs need two axes");
    refused(&format!("pairwise: [lattice, layout] {end}"), "the axis `layout` is not listed here");
    refused(&format!("pairwise: [lattice, colour] {end}"), "unknown axis `colour`");
    refused("", "what to do with each solver is missing");
    refused("=> |V, layout: Y| see::<V, Y>()", "the axis `layout` is not listed here");
    let error = sweep("lattice: [D2Q9] => |V| see::<V>()".parse().unwrap()).unwrap_err();
    assert!(error.to_string().contains("the sweep has no `collision`"), "{error}");
}
