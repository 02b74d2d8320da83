//! One translation unit from several kernel texts: the shim, each text in a namespace, the table of entries.

use std::fmt::Write;

/// The texts of the shim with the names that the compiler's messages give them.
const SHIM: [(&str, &str); 4] = [
    ("shim/language.h", include_str!("shim/language.h")),
    ("shim/meeting.h", include_str!("shim/meeting.h")),
    ("shim/arithmetic.h", include_str!("shim/arithmetic.h")),
    ("shim/entry.h", include_str!("shim/entry.h")),
];

/// A kernel text to build: CUDA C++ as NVRTC gets it.
#[derive(Clone, Copy, Debug)]
pub struct HostText<'a> {
    /// How messages call it.
    pub name: &'a str,
    /// The text. Only its entries may be `extern "C"`.
    pub text: &'a str,
    /// The names of its `extern "C" __global__` functions, in the order of their later use.
    pub entries: &'a [&'a str],
}

impl HostText<'_> {
    /// Whether its threads may wait for each other, so that they need fibres.
    pub(super) fn meets(&self) -> bool {
        ["__sync", "_sync(", "__nanosleep"].iter().any(|name| self.text.contains(name))
    }

    /// The name as it may stand in a `#line`.
    pub(super) fn file_name(&self) -> String {
        self.name.replace(['"', '\\', '\n', '\r', ':'], "_")
    }
}

/// The source of one shared object with all the texts. Entries appear in its table text by text.
pub(super) fn assemble(texts: &[HostText<'_>]) -> String {
    let mut source = String::new();
    for (name, text) in SHIM {
        let _ = writeln!(source, "#line 1 \"{name}\"\n{text}");
    }
    let mut table = String::new();
    for (unit, text) in texts.iter().enumerate() {
        // Functions of the same name with C linkage are one function whatever their namespace, hence the renaming.
        for entry in text.entries {
            let _ = writeln!(source, "#define {entry} lbm_{unit}_{entry}");
            let _ = write!(table, "lbm_shim::entry<lbm_unit_{unit}::lbm_{unit}_{entry}>(),");
        }
        // The inner namespace makes everything local, so that what no entry uses costs nothing.
        let _ =
            writeln!(source, "namespace lbm_unit_{unit} {{ namespace {{\n#line 1 \"{}\"", text.file_name());
        let _ = writeln!(
            source,
            "{}\n}}}}\n#line 1 \"end of {}\"",
            place_dynamic_shared(text.text),
            text.file_name()
        );
        for entry in text.entries {
            let _ = writeln!(source, "#undef {entry}");
        }
    }
    let _ = writeln!(source, "#line 1 \"table of entries\"\nLBM_TABLE({table})");
    source
}

/// What a declaration of dynamic shared memory begins with.
const EXTERN: &str = "extern __shared__";

/// Turns `extern __shared__ T name[];` into a pointer to the block's dynamic shared memory; lines stay where they are.
fn place_dynamic_shared(text: &str) -> String {
    let mut parts = text.split(EXTERN);
    let first = parts.next().unwrap_or_default();
    let placed = parts.map(|part| {
        let pointer = part.split_once(';').and_then(|(of, rest)| Some(as_pointer(of)? + rest));
        pointer.unwrap_or_else(|| format!("{EXTERN}{part}"))
    });
    std::iter::once(first.to_owned()).chain(placed).collect()
}

/// `__align__(16) float s[]` as a pointer; `None` if it is not an array without a size.
fn as_pointer(declaration: &str) -> Option<String> {
    let (head, size) = declaration.trim().split_once('[')?;
    if size.trim() != "]" {
        return None;
    }
    let head = head.trim_end();
    let name_start = head.rfind(|c: char| !c.is_alphanumeric() && c != '_')? + 1;
    let (mut kind, name) = (head[..name_start].trim().to_owned(), &head[name_start..]);
    if let Some(start) = kind.find("__align__(") {
        let end = start + kind[start..].find(')')?;
        kind.replace_range(start..=end, "");
    }
    let kind = kind.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = "\n".repeat(declaration.matches('\n').count());
    Some(format!("{kind}* const {name} = ({kind}*)lbm_shim::dynamic_shared;{lines}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dynamic_shared_memory_becomes_a_pointer_and_lines_stay() {
        let text = "a;\nextern __shared__ __align__(16)\n  float tile[];\nb; extern __shared__ int fixed[4];";
        let placed = place_dynamic_shared(text);
        assert_eq!(placed.matches('\n').count(), text.matches('\n').count());
        assert!(placed.contains("float* const tile = (float*)lbm_shim::dynamic_shared;"), "{placed}");
        assert!(placed.contains("extern __shared__ int fixed[4];"), "{placed}");
    }

    #[test]
    fn only_texts_that_name_a_meeting_need_fibres() {
        let with = |text| HostText { name: "t", text, entries: &[] }.meets();
        assert!(!with("atomicAdd(p, 1); __threadfence();"));
        for text in [
            "__syncthreads();",
            "__shfl_up_sync(m, v, 1)",
            "__any_sync(m, p)",
            "__nanosleep(1)",
            "__syncwarp()",
        ] {
            assert!(with(text), "{text}");
        }
    }
}
