//! How types are written in a declaration.

/// The name of a type, with its parameters, as it is written where all of these are in scope by their names: `Coded<F16, f32>`.
pub(crate) fn declared<T>() -> String {
    let mut written = String::new();
    for c in std::any::type_name::<T>().chars() {
        written.push(c);
        if written.ends_with("::") {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            written.truncate(written.trim_end_matches(is_part).len());
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Aosoa;
    use crate::precision::GradedIn32;

    #[test]
    fn paths_are_left_out_wherever_they_stand() {
        let names = [declared::<f32>(), declared::<Aosoa<64>>(), declared::<GradedIn32<4>>()];
        assert_eq!(names, ["f32", "Aosoa<64>", "Coded<Graded<4>, f32>"]);
    }
}
