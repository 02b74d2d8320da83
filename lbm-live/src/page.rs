//! The page: all of its files, embedded.

/// A file of the page.
pub(crate) struct File {
    /// Its path on the server, without the slash.
    pub(crate) name: &'static str,
    /// Its text.
    pub(crate) text: &'static str,
}

macro_rules! files {
    ($($name:literal)*) => {
        [$(File { name: $name, text: include_str!(concat!("page/", $name)) }),*]
    };
}

/// Its files; the first is what is opened.
pub(crate) static FILES: &[File] = &files![
    "index.html"
    "colours.js"
    "controls.js"
    "draw.js"
    "field.js"
    "files.js"
    "keys.js"
    "live.css"
    "main.js"
    "panels.css"
    "particles.js"
    "picture.js"
    "plots.js"
    "pointer.js"
    "readings.js"
    "shapes.js"
    "streaks.js"
    "view.js"
    "wire.js"
];

impl File {
    /// What a browser takes it for.
    pub(crate) fn kind(&self) -> &'static str {
        match self.name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "text/plain; charset=utf-8",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_is_embedded() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/page")).unwrap();
        let there: BTreeSet<String> =
            folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        let embedded: BTreeSet<String> = FILES.iter().map(|file| file.name.to_owned()).collect();
        assert_eq!(there, embedded);
        assert_eq!(FILES[0].kind(), "text/html; charset=utf-8");
    }

    #[test]
    fn nothing_comes_from_another_host() {
        for File { name, text, .. } in FILES {
            for scheme in ["https://", "http://", "src=\"//"] {
                // The name of a drawing's elements is no address.
                let text = text.replace("http://www.w3.org/2000/svg", "");
                assert!(!text.contains(scheme), "{name} names another host with {scheme}");
            }
        }
    }
}
