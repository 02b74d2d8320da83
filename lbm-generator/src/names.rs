//! The author's names as a language can take them: not its own words, not those of the text around, never two alike.

use super::symbolic::unused;
use std::collections::HashSet;

/// Names as `spelled` writes them; one that would be the same as an earlier one gets a number.
pub(super) fn distinct<'a>(
    names: impl IntoIterator<Item = &'a str>,
    spelled: impl Fn(&str) -> String,
) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut distinct = Vec::new();
    for name in names {
        let mut name = spelled(name);
        if taken.contains(&name) {
            let again = format!("{}_again", name.trim_end_matches('_'));
            name = unused(&again, "", |name| taken.contains(name));
        }
        taken.insert(name.clone());
        distinct.push(name);
    }
    distinct
}

/// A local's name in Rust. Capitals may be constants where the text stands, which a `let` would compare with.
pub(super) fn rust(name: &str) -> String {
    let arguments = matches!(name, "h" | "k" | "input" | "site" | "parameters")
        || ["k_", "near_"].iter().any(|inputs| {
            name.strip_prefix(inputs).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
        });
    let taken = arguments || name.starts_with(char::is_uppercase) || !is_identifier(name);
    format!("{name}{}", if taken { "_" } else { "" })
}

/// Whether Rust takes a name as it is: it begins with a letter and is no keyword.
pub(super) fn is_identifier(name: &str) -> bool {
    syn::parse_str::<syn::Ident>(name).is_ok()
}

/// A local's name in CUDA C++: letters of ASCII only, nothing that the language keeps for itself or the text uses.
pub(super) fn cuda(name: &str) -> String {
    let mut spelled = String::new();
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_ascii() {
            // Two underscores are the compiler's own.
            if letter != '_' || !spelled.ends_with('_') {
                spelled.push(letter);
            }
            continue;
        }
        spelled += &in_ascii(letter);
        if letters.peek().is_some_and(|next| next.is_alphanumeric()) {
            spelled.push('_');
        }
    }
    if spelled.starts_with('_') {
        spelled.insert(0, 'v');
    }
    if is_taken(&spelled) {
        spelled += if spelled.ends_with('_') { "of" } else { "_" };
    }
    spelled
}

/// A letter's name if it is Greek, else its number.
fn in_ascii(letter: char) -> String {
    const SMALL: &str = "αβγδεζηθικλμνξοπρςστυφχψω";
    const NAMES: &str = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma \
                         sigma tau upsilon phi chi psi omega";
    let small: String = letter.to_lowercase().collect();
    let Some((_, name)) = SMALL.chars().zip(NAMES.split(' ')).find(|(greek, _)| small == greek.to_string())
    else {
        return format!("u{:x}", u32::from(letter));
    };
    let (first, rest) = name.split_at(1);
    if letter.is_uppercase() { first.to_uppercase() + rest } else { name.to_owned() }
}

fn is_taken(name: &str) -> bool {
    const TEXT: &str = "c h k m post population force field near derived fields real fma_rn div_rn rcp_rn sqrt_rn smaller larger fabs exp_of log_of pow_of bits bits_of real_of collide \
                        early late gather rebuild rebuild_all";
    const KEYWORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t \
         char32_t class compl concept const const_cast consteval constexpr constinit continue co_await co_return co_yield \
         decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if \
         inline int int8_t int16_t int32_t int64_t long mutable namespace new noexcept not not_eq nullptr operator or or_eq \
         private protected public register reinterpret_cast requires restrict return short signed sizeof static \
         static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof \
         uint8_t uint16_t uint32_t uint64_t union unsigned using virtual void volatile wchar_t while xor xor_eq size_t asm \
         linux unix main std threadIdx blockIdx blockDim gridDim warpSize dim3 min max errno assert";
    const VECTORS: [&str; 12] = [
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "longlong",
        "ulonglong",
        "float",
        "double",
    ];
    // Macros are written in capitals.
    let capitals =
        name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let vector = name.strip_suffix(['1', '2', '3', '4']).is_some_and(|rest| VECTORS.contains(&rest));
    capitals
        || vector
        || [TEXT, KEYWORDS].iter().any(|words| words.split_whitespace().any(|word| word == name))
}

/// A name in small letters, with a mark before each that was a capital within it.
pub(super) fn lowered(name: &str, mark: char) -> String {
    let mut lowered = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !lowered.is_empty() && !lowered.ends_with(mark) {
            lowered.push(mark);
        }
        lowered.extend(c.to_lowercase());
    }
    lowered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuda_takes_every_name() {
        let spelled = |names: &[&str]| distinct(names.iter().copied(), cuda);
        assert_eq!(
            spelled(&["ν_part_1", "δρ", "Ω", "ä", "delta_rho"]),
            ["nu_part_1", "delta_rho", "Omega", "ue4", "delta_rho_again"]
        );
        assert_eq!(
            spelled(&["new", "new_", "float2", "EOF", "h", "x__y", "__z", "u_x"]),
            ["new_", "new_again", "float2_", "EOF_", "h_", "x_y", "v_z", "u_x"]
        );
    }

    #[test]
    fn rust_takes_every_name() {
        let names = ["type", "type_", "h", "k_12", "k_x", "Body", "ν", "parameters"];
        let expected = ["type_", "type_again", "h_", "k_12_", "k_x", "Body_", "ν", "parameters_"];
        assert_eq!(distinct(names, rust), expected);
    }
}
