//! The combinations that no rule leaves out.

use super::super::lattice::Errors;
use super::{Axis, Rule, SweepDeclaration, Value, axis_named, cover};

/// All combinations that are left, one value an axis, in the order of the lists; the last axis runs fastest.
pub(super) fn combinations<'a>(
    declaration: &'a SweepDeclaration,
    errors: &mut Errors,
) -> Vec<Vec<&'a Value>> {
    let axes = &declaration.axes;
    let mut left: Vec<Vec<&Value>> = vec![Vec::new()];
    for axis in axes {
        left = left
            .into_iter()
            .flat_map(|values| {
                axis.values.iter().map(move |value| values.iter().copied().chain([value]).collect())
            })
            .collect();
    }
    for rule in &declaration.skip {
        if !is_about(rule, axes, errors) {
            continue;
        }
        let before = left.len();
        left.retain(|values| !matches(rule, axes, values));
        if left.len() == before {
            errors.push(
                rule.span,
                "this rule leaves out nothing that the rules before it have left; remove it",
            );
        }
    }
    if left.is_empty()
        && let Some(last) = declaration.skip.last()
    {
        errors.push(last.span, "nothing is left of the sweep after this rule; name fewer values in it");
    }
    if !declaration.pairwise.is_empty() {
        left = cover::pairs(&left, |axis| declaration.pairwise.contains(&axes[axis].name));
    }
    left
}

/// Whether a rule speaks of listed axes and values only.
fn is_about(rule: &Rule, axes: &[Axis], errors: &mut Errors) -> bool {
    let mut right = true;
    for condition in &rule.conditions {
        let name = &condition.name;
        let Some(axis) = axis_named(axes, name, errors) else {
            right = false;
            continue;
        };
        for value in &condition.values {
            if axis.values.iter().any(|known| known.is_meant_by(value)) {
                continue;
            }
            let known = axis.values.iter().map(|value| format!("`{}`", value.text())).collect::<Vec<_>>();
            let message =
                format!("`{}` is not in the list of `{name}`, which has {}", value.text(), known.join(", "));
            errors.add(syn::Error::new_spanned(&value.tokens, message));
            right = false;
        }
    }
    right
}

fn matches(rule: &Rule, axes: &[Axis], values: &[&Value]) -> bool {
    rule.conditions.iter().all(|condition| {
        let here = axes.iter().zip(values).find(|(axis, _)| axis.name == condition.name);
        here.is_some_and(|(_, here)| condition.values.iter().any(|value| here.is_meant_by(value)))
    })
}
