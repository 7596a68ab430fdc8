//! The files of the page before they are sent: where they come from, and what is made of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io;
use std::path::Path;

use rust_embed::RustEmbed;

/// All style sheets of the document in one.
pub(super) const STYLES: &str = "css/page.css";

/// The folder of the assets in `index.html`, where the hash is filled in.
pub(super) const ASSETS_PLACEHOLDER: &str = "/assets/HASH/";

#[derive(RustEmbed)]
#[folder = "web"]
struct Embedded;

/// Contents by file name, relative to the folder of the page.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

pub(super) fn embedded_files() -> Files {
    let file = |name: String| Some((name.clone(), Embedded::get(&name)?.data.into_owned()));
    Embedded::iter().filter_map(|name| file(name.into_owned())).collect()
}

/// The files of a folder and its subfolders.
pub(super) fn read_folder(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            let inner = read_folder(&entry.path())?;
            files.extend(inner.into_iter().map(|(file, data)| (format!("{name}/{file}"), data)));
        } else {
            files.insert(name, std::fs::read(entry.path())?);
        }
    }
    Ok(files)
}

/// Joins the style sheets that the document names, in their order: one request, and smaller.
pub(super) fn join_styles(index: &str, files: &mut Files) -> String {
    let mut styles = Vec::new();
    let mut joined = String::with_capacity(index.len());
    for line in index.lines() {
        let name = line
            .strip_prefix("<link rel=\"stylesheet\" href=\"/assets/HASH/")
            .and_then(|rest| rest.strip_suffix("\">"));
        match name.and_then(|name| files.remove(name)) {
            Some(style) => {
                if styles.is_empty() {
                    let _ = writeln!(
                        joined,
                        "<link rel=\"stylesheet\" href=\"/assets/HASH/{STYLES}\">"
                    );
                }
                styles.extend(style);
            }
            None => {
                joined.push_str(line);
                joined.push('\n');
            }
        }
    }
    if !styles.is_empty() {
        files.insert(STYLES.into(), styles);
    }
    joined
}

/// The static imports of all modules, direct and indirect. Modules name each other as `./name.js`.
pub(super) fn imports(files: &Files) -> BTreeMap<String, BTreeSet<String>> {
    let direct = |name: &str| -> Vec<String> {
        let code = files.get(name).and_then(|code| std::str::from_utf8(code).ok()).unwrap_or("");
        let after_from = code.split("from './").skip(1);
        after_from.filter_map(|rest| Some(format!("js/{}", rest.split_once('\'')?.0))).collect()
    };
    let all = |name: &String| {
        let mut found = BTreeSet::new();
        let mut waiting = direct(name);
        while let Some(next) = waiting.pop() {
            if !found.contains(&next) {
                waiting.extend(direct(&next));
                found.insert(next);
            }
        }
        found
    };
    let modules = files.keys().filter(|name| name.ends_with(".js"));
    modules.map(|name| (name.clone(), all(name))).collect()
}

pub(super) fn is_code(name: &str) -> bool {
    name.ends_with(".js") || name.ends_with(".css")
}

/// Leaves out lines that only hold a comment. The page has no text of several lines in which such a
/// line could stand.
pub(super) fn without_comments(code: &str) -> String {
    let mut in_comment = false;
    let mut kept = String::with_capacity(code.len());
    for line in code.lines() {
        let text = line.trim();
        let starts = !in_comment && text.starts_with("/*");
        let is_comment = in_comment || starts || text.starts_with("//");
        // A comment that ends within a line is left to itself.
        let ends = (in_comment || starts) && text.contains("*/");
        if starts && ends && !text.ends_with("*/") {
            kept.push_str(text);
            kept.push('\n');
            continue;
        }
        in_comment = (in_comment || starts) && !ends;
        if !is_comment && !text.is_empty() {
            kept.push_str(text);
            kept.push('\n');
        }
    }
    kept
}

pub(super) fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("txt") => "text/plain; charset=utf-8",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_left_out() {
        let code =
            "// One.\n/** Two\n * lines. */\nlet a = 1; // Kept.\n\n  /* Three. */ b();\n/* c */\n";
        assert_eq!(without_comments(code), "let a = 1; // Kept.\n/* Three. */ b();\n");
        let style = "/* A. */\np { color: red; }\n\n@media print { /* B. */\n}\n";
        assert_eq!(without_comments(style), "p { color: red; }\n@media print { /* B. */\n}\n");
    }
}
