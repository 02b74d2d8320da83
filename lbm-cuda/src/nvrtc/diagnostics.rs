//! A compiler's log turned into the few lines that a reader needs: message, number of the line, the line, a caret.

use std::fmt::Write;

/// How many errors an excerpt shows; the later ones mostly follow from the first.
const MOST_SHOWN: usize = 4;

/// The errors of NVRTC's `log` about `source`, each with its line quoted. A log without an error in a known form is
/// returned as it is.
pub(super) fn excerpt(log: &str, source: &str) -> String {
    let errors = errors(log);
    if errors.is_empty() {
        return log.trim_end().to_owned();
    }
    let mut text = String::new();
    for error in errors.iter().take(MOST_SHOWN) {
        quote(&mut text, error, source);
    }
    if errors.len() > MOST_SHOWN {
        let _ = writeln!(text, "and {} more", errors.len() - MOST_SHOWN);
    }
    text.truncate(text.trim_end().len());
    text
}

/// One error of the log.
#[derive(Debug, PartialEq, Eq)]
struct Diagnostic<'a> {
    /// Counted from 1; none if the compiler names none.
    line: Option<usize>,
    message: &'a str,
    /// Blanks and `^`, to be written below the line; as the log has it, less its indent.
    caret: Option<&'a str>,
}

/// Lines such as `kernel.cu(2): error: identifier "foo" is undefined`, each followed by the quoted line and a caret;
/// `At end of source: error: ..`; `ptxas .., line 43; error   : ..`; `nvrtc: error: ..`.
fn errors(log: &str) -> Vec<Diagnostic<'_>> {
    let lines: Vec<&str> = log.lines().collect();
    let mut found = Vec::new();
    for (at, text) in lines.iter().enumerate() {
        if text.starts_with("ptxas") {
            // The line it names is one of the intermediate assembly, not of the source.
            if text.contains("error   :") || text.contains("fatal   :") {
                found.push(Diagnostic { line: None, message: text, caret: None });
            }
            continue;
        }
        let Some((place, message)) = split_error(text) else { continue };
        let line = place.rsplit_once('(').and_then(|(_, n)| n.strip_suffix(')')).and_then(|n| n.parse().ok());
        let caret = lines.get(at + 2).and_then(|l| l.strip_prefix("  ")).filter(|l| l.trim() == "^");
        found.push(Diagnostic { line, message, caret });
    }
    found
}

/// The place and the message of a line that says an error.
fn split_error(text: &str) -> Option<(&str, &str)> {
    [": error: ", ": catastrophic error: ", ": internal error: ", ": error #"].iter().find_map(|mark| {
        let at = text.find(mark)?;
        Some((&text[..at], &text[at + 2..]))
    })
}

fn quote(text: &mut String, error: &Diagnostic<'_>, source: &str) {
    let quoted = error.line.and_then(|n| Some((n, source.lines().nth(n.checked_sub(1)?)?)));
    // Writing to a string cannot fail.
    let _ = match (quoted, error.line) {
        (Some((n, line)), _) => {
            let width = n.to_string().len();
            let caret = error.caret.map(|c| format!("{:width$} | {c}\n", "")).unwrap_or_default();
            writeln!(text, "line {n}: {}\n{n} | {line}\n{caret}", error.message)
        }
        (None, Some(n)) => writeln!(text, "line {n}: {}", error.message),
        (None, None) => writeln!(text, "{}", error.message),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "kernel.cu(2): error: identifier \"foo\" is undefined
  \ty[0] = foo + 1;
  \t       ^

kernel.cu(3): warning #177-D: variable \"q\" was declared but never referenced
    int q;
        ^

1 error detected in the compilation of \"kernel.cu\".
";

    #[test]
    fn an_error_quotes_its_line_with_a_caret_and_a_warning_is_left_out() {
        let source = "__global__ void k(float* y) {\n\ty[0] = foo + 1;\n  int q;\n}\n";
        let expected =
            "line 2: error: identifier \"foo\" is undefined\n2 | \ty[0] = foo + 1;\n  | \t       ^";
        assert_eq!(excerpt(LOG, source), expected);
    }

    #[test]
    fn errors_without_a_line_of_the_source_are_shown_as_they_are() {
        let end = "At end of source: error: expected a \"}\"\n";
        assert_eq!(excerpt(end, "x"), "error: expected a \"}\"");
        let option = "nvrtc: error: unrecognized option --nonsense found\n";
        assert_eq!(excerpt(option, "x"), "error: unrecognized option --nonsense found");
        let ptxas =
            "ptxas application ptx input, line 43; error   : Not a name of any known instruction: 'bogus'\n";
        assert_eq!(excerpt(ptxas, "x"), ptxas.trim_end());
        assert_eq!(excerpt("something else\n", "x"), "something else");
    }

    #[test]
    fn many_errors_are_counted() {
        let log: String = (1..=9).map(|n| format!("kernel.cu({n}): error: no\n")).collect();
        let text = excerpt(&log, &"a;\n".repeat(9));
        assert!(text.contains("line 4: error: no") && !text.contains("line 5"), "{text}");
        assert!(text.ends_with("and 5 more"), "{text}");
    }
}
