//! Random tokens.

use subtle::ConstantTimeEq;

use crate::error::Error;

/// 128 random bits as hexadecimal digits.
pub(super) struct Token(String);

impl Token {
    pub(super) fn random() -> Result<Token, Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|source| Error::Start(format!("the system gives no random numbers: {source}")))?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is this token, in a time that does not depend on how much of it is right.
    pub(super) fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_know_themselves() {
        let (a, b) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(a.text().len(), 32);
        assert!(a.text().bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert!(a.is(a.text()) && !a.is(b.text()));
        assert!(!a.is("") && !a.is(&a.text()[1..]) && !a.is(&format!("{}0", a.text())));
    }
}
