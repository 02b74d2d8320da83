//! A column of nodes that a thread goes through plane by plane, where those of a block send each other what they make of it.

use lbm_core::Expression;

use super::pieces::Pieces;
use super::scheme::{AXES, Scheme, position_at, put};

/// A column, along an axis.
pub(super) struct Column<'a> {
    pub(super) pieces: &'a Pieces<'a>,
    pub(super) scheme: &'a Scheme,
    pub(super) axis: usize,
}

/// What takes a coordinate so many nodes back, around the box: whole boxes on, less as many nodes.
fn back(size: &Expression, nodes: usize) -> String {
    match size {
        Expression::Number(n) => format!("{}u", (n - nodes % n) % n),
        _ => format!("({size} * {nodes}u - {nodes}u)"),
    }
}

impl Column<'_> {
    /// The plane with a number from the first one on that serves, so many planes below.
    pub(super) fn plane(&self, number: &str, below: usize) -> String {
        let size = &self.scheme.size[self.axis];
        let serving = self.pieces.plan.shape.serving() as usize;
        format!("(begin + {number} + {}) % {size}", back(size, serving + below))
    }

    /// Reads a plane's moments.
    pub(super) fn read(&self, text: &mut String, indent: &str, plane: &str, into: &str) {
        let (source, node) = (self.pieces.source(), format!("node_{into}"));
        let place = self.scheme.node(position_at(self.axis, Expression::name(plane)));
        put!(text, "{indent}const size_t {node} = {place};");
        for (n, at) in self.scheme.values(&node, self.pieces.facts.body.moments) {
            put!(text, "{indent}{into}[{n}] = decode({source}[{at}]);");
        }
    }

    /// Stores the moments of the plane that is complete after the last exchange.
    pub(super) fn leave(&self, after: &str, indent: &str) -> String {
        let (mut text, lag, along) = (String::new(), self.pieces.plan.shape.lag(), AXES[self.axis]);
        let target = self.pieces.target();
        put!(text, "{indent}if (stores && number >= {lag}u) {{");
        put!(text, "{indent}    const unsigned {along} = begin + number - {lag}u;");
        put!(text, "{indent}    const size_t node = {};", self.scheme.here());
        for (n, at) in self.scheme.values("node", self.pieces.facts.body.moments) {
            put!(text, "{indent}    {target}[{at}] = encode({after}[{n}]);");
        }
        put!(text, "{indent}}}");
        text
    }

    /// As many values in and out without any arithmetic.
    pub(super) fn read_and_write(&self) -> String {
        let (mut text, along) = (String::new(), AXES[self.axis]);
        let (source, target) = (self.pieces.source(), self.pieces.target());
        put!(text, "for (unsigned {along} = begin; stores && {along} < end; ++{along}) {{");
        put!(text, "    const size_t node = {};", self.scheme.here());
        for (_, at) in self.scheme.values("node", self.pieces.facts.body.moments) {
            put!(text, "    {target}[{at}] = {source}[{at}];");
        }
        put!(text, "}}");
        text
    }
}
