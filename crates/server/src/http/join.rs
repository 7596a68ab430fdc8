//! The page's modules joined into one file, and its styles into another, when the server starts.
//!
//! Thirty small files are thirty requests that a browser makes six at a time. They are written as
//! plain ES modules, which are read here line by line in a restricted form, and not as a language:
//! what does not fit is an error with its place. A module becomes a function that is called when
//! it is first needed, so that its names stay its own, and it is evaluated once.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

/// Files by their names in the page's folder.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Why files can't be joined.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{file}, line {line}: {reason}")]
pub(super) struct Unfit {
    file: String,
    line: usize,
    reason: String,
}

const IMPORTS: &str =
    "expected `import { name, other as another } from './file.js';` or `import * as name from …`";
const EXPORTS: &str =
    "expected `export` before const, function, async function or class, and a name";
const LATER: &str = "expected `import('./file.js')`";
const OWN_NAMES: &str = "names that begin with $ are those of the joined file";
const STYLES: &str = "expected `@import './file.css';`";

const PRELUDE: &str = "\
const $once = (make) => { let made; return () => (made ??= make()); };
const $later = async (part) => part();
";

/// Puts a module and all that it imports, at once or later, into one file with its name. A page
/// that does not have it is left as it is.
pub(super) fn modules(files: &mut Files, entry: &str) -> Result<(), Unfit> {
    if !files.contains_key(entry) {
        return Ok(());
    }
    let mut modules = BTreeMap::new();
    let mut wanted = vec![entry.to_string()];
    while let Some(file) = wanted.pop() {
        if modules.contains_key(&file) {
            continue;
        }
        let module = Module::read(&file, text(files, &file)?)?;
        for (line, other) in module.mentioned() {
            if !files.contains_key(other) {
                return Err(unfit(&file, *line, &format!("{other} does not exist")));
            }
            wanted.push(other.clone());
        }
        modules.insert(file, module);
    }
    check_names(&modules)?;
    check_circles(&modules)?;
    let parts: String = modules.iter().map(|(file, module)| module.part(file)).collect();
    files.retain(|file, _| !modules.contains_key(file));
    files.insert(entry.to_string(), format!("{PRELUDE}{parts}{}();\n", part_name(entry)).into());
    Ok(())
}

/// Puts the styles that a style sheet imports in their place. Those import no others.
pub(super) fn styles(files: &mut Files, entry: &str) -> Result<(), Unfit> {
    if !files.contains_key(entry) {
        return Ok(());
    }
    let (mut joined, mut parts) = (String::new(), BTreeSet::new());
    for (line, content) in (1..).zip(text(files, entry)?.lines()) {
        if content.starts_with("@import") {
            let file = content.strip_prefix("@import './").and_then(|rest| rest.strip_suffix("';"));
            let file = beside(entry, file.ok_or_else(|| unfit(entry, line, STYLES))?);
            if !files.contains_key(&file) || !parts.insert(file.clone()) {
                return Err(unfit(entry, line, &format!("{file} does not exist, or came before")));
            }
            let style = text(files, &file)?;
            if style.contains("@import") {
                return Err(unfit(&file, 1, "only the first style sheet may import others"));
            }
            joined += style;
        } else {
            joined += content;
        }
        joined.push('\n');
    }
    files.retain(|file, _| !parts.contains(file));
    files.insert(entry.to_string(), joined.into());
    Ok(())
}

/// What a module says of others, and the rest of it.
struct Module {
    imports: Vec<Import>,
    /// Files that are imported when the program comes to it, and their lines.
    later: Vec<(usize, String)>,
    exports: BTreeSet<String>,
    body: String,
}

/// `import { a, b as c } from './file.js';`
struct Import {
    from: (usize, String),
    /// How JavaScript takes them from an object: `{ a, b: c }`.
    pattern: String,
    names: Vec<String>,
}

impl Module {
    fn read(file: &str, text: &str) -> Result<Module, Unfit> {
        let mut module = Module {
            imports: Vec::new(),
            later: Vec::new(),
            exports: BTreeSet::new(),
            body: String::new(),
        };
        for (line, content) in (1..).zip(text.lines()) {
            let unfit = |reason| unfit(file, line, reason);
            if has_own_name(content) {
                return Err(unfit(OWN_NAMES));
            }
            // Only what stands at the very beginning of a line is the module's own and not a part
            // of something in it.
            let rest = match word(content) {
                "import" if !content.starts_with("import(") => {
                    let import = Import::read(file, line, content).ok_or_else(|| unfit(IMPORTS))?;
                    module.imports.push(import);
                    continue;
                }
                "export" => {
                    let (rest, name) = exported(content).ok_or_else(|| unfit(EXPORTS))?;
                    module.exports.insert(name.to_string());
                    rest
                }
                _ => content,
            };
            let is_own = !rest.starts_with([' ', '\t', '/']);
            if is_own && (rest.starts_with("await ") || rest.contains("= await ")) {
                return Err(unfit("a module can't wait while it is loaded"));
            }
            module.add_line(file, line, rest).ok_or_else(|| unfit(LATER))?;
        }
        Ok(module)
    }

    /// Adds a line to the body. An `import()` in it becomes a call of the part.
    fn add_line(&mut self, file: &str, line: usize, mut rest: &str) -> Option<()> {
        while let Some(at) = rest.find("import") {
            let (before, after) = rest.split_at(at);
            let after = &after["import".len()..];
            let is_word = !before.ends_with(is_part_of_name);
            self.body += before;
            if is_word && after.trim_start().starts_with(['(', '.']) {
                let (name, after) = after.strip_prefix("('./")?.split_once("')")?;
                let other = beside(file, name);
                self.body += &format!("$later({})", part_name(&other));
                self.later.push((line, other));
                rest = after;
            } else {
                self.body += "import";
                rest = after;
            }
        }
        self.body += rest;
        self.body.push('\n');
        Some(())
    }

    fn mentioned(&self) -> impl Iterator<Item = &(usize, String)> {
        self.imports.iter().map(|import| &import.from).chain(&self.later)
    }

    /// The module as a constant of the joined file. What it imports are the function's arguments.
    fn part(&self, file: &str) -> String {
        let patterns: Vec<_> = self.imports.iter().map(|import| import.pattern.as_str()).collect();
        let others: Vec<_> =
            self.imports.iter().map(|import| part_name(&import.from.1) + "()").collect();
        let exports: Vec<_> = self.exports.iter().map(String::as_str).collect();
        format!(
            "// {file}\nconst {} = $once(() => (({}) => {{\n{}return {{ {} }};\n}})({}));\n",
            part_name(file),
            patterns.join(", "),
            self.body,
            exports.join(", "),
            others.join(", "),
        )
    }
}

impl Import {
    fn read(file: &str, line: usize, content: &str) -> Option<Import> {
        let (what, from) = content.strip_prefix("import ")?.split_once(" from './")?;
        let from = (line, beside(file, from.strip_suffix("';")?));
        if let Some(all) = what.strip_prefix("* as ") {
            return is_name(all).then(|| Import { from, pattern: all.into(), names: Vec::new() });
        }
        let (mut names, mut taken) = (Vec::new(), Vec::new());
        for item in what.strip_prefix("{ ")?.strip_suffix(" }")?.split(", ") {
            let (name, here) = item.split_once(" as ").unwrap_or((item, item));
            if !is_name(name) || !is_name(here) {
                return None;
            }
            names.push(name.to_string());
            taken.push(if name == here { name.into() } else { format!("{name}: {here}") });
        }
        Some(Import { from, pattern: format!("{{ {} }}", taken.join(", ")), names })
    }
}

/// What follows `export`, and the name that is exported.
fn exported(content: &str) -> Option<(&str, &str)> {
    let rest = content.strip_prefix("export ")?;
    let kinds = ["const ", "function ", "async function ", "class "];
    let declared = kinds.into_iter().find_map(|kind| rest.strip_prefix(kind))?;
    let name = word(declared);
    is_name(name).then_some((rest, name))
}

/// An object lacks a name without a word, where a browser refuses to import it.
fn check_names(modules: &BTreeMap<String, Module>) -> Result<(), Unfit> {
    for (file, module) in modules {
        for Import { from: (line, other), names, .. } in &module.imports {
            let exports = &modules[other].exports;
            if let Some(name) = names.iter().find(|name| !exports.contains(*name)) {
                return Err(unfit(file, *line, &format!("{other} does not export {name}")));
            }
        }
    }
    let mut parts = BTreeMap::new();
    for file in modules.keys() {
        if let Some(other) = parts.insert(part_name(file), file) {
            return Err(unfit(file, 1, &format!("its name is too much like that of {other}")));
        }
    }
    Ok(())
}

/// Functions that need each other's result before they return would never return.
fn check_circles(modules: &BTreeMap<String, Module>) -> Result<(), Unfit> {
    let mut ready = BTreeSet::new();
    let is_ready = |module: &Module, ready: &BTreeSet<&String>| {
        module.imports.iter().all(|import| ready.contains(&import.from.1))
    };
    loop {
        let waiting = || modules.iter().filter(|(file, _)| !ready.contains(file));
        let next: Vec<_> = waiting()
            .filter(|(_, module)| is_ready(module, &ready))
            .map(|(file, _)| file)
            .collect();
        if next.is_empty() {
            let stuck = waiting().next();
            let reason = "what it imports imports it, or goes round in a circle itself";
            return stuck.map_or(Ok(()), |(file, _)| Err(unfit(file, 1, reason)));
        }
        ready.extend(next);
    }
}

fn unfit(file: &str, line: usize, reason: &str) -> Unfit {
    Unfit { file: file.into(), line, reason: reason.into() }
}

fn text<'a>(files: &'a Files, file: &str) -> Result<&'a str, Unfit> {
    std::str::from_utf8(&files[file]).map_err(|_| unfit(file, 1, "expected UTF-8"))
}

/// A file in the same folder as another.
fn beside(file: &str, name: &str) -> String {
    let folder = file.rfind('/').map_or("", |end| &file[..=end]);
    format!("{folder}{name}")
}

/// What the part is called that a file becomes: `$js_home_js`.
fn part_name(file: &str) -> String {
    format!("${}", file.replace(|c| !is_part_of_name(c), "_"))
}

fn has_own_name(content: &str) -> bool {
    content.split('$').skip(1).any(|after| after.starts_with(is_part_of_name))
}

/// The name that a text begins with, or nothing.
fn word(text: &str) -> &str {
    text.split(|c| !is_part_of_name(c)).next().unwrap_or_default()
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(is_part_of_name)
        && !text.starts_with(|c: char| c.is_ascii_digit())
}

fn is_part_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files<const N: usize>(files: [(&str, &str); N]) -> Files {
        files.map(|(name, text)| (name.to_string(), text.as_bytes().to_vec())).into()
    }

    fn said(result: Result<(), Unfit>) -> String {
        result.expect_err("it was joined").to_string()
    }

    const APP: &str = "\
// The frame.
import * as home from './home.js';
import { put as add, say } from './dom.js';

export const show = () => import('./game-over.js').then(({ end }) => end(home, add));
show(say);
";
    const HOME: &str = "\
import { say } from './dom.js';
let important = say;
exporter?.();
export async function title() {
  await say(`${important}$`);
}
export class Home {}
";
    const DOM: &str = "export function put() {}\nexport const say = (text) => text;\n";
    const OVER: &str = "import { say } from './dom.js';\nexport const end = say;\n";
    const JOINED: &str = "\
const $once = (make) => { let made; return () => (made ??= make()); };
const $later = async (part) => part();
// js/app.js
const $js_app_js = $once(() => ((home, { put: add, say }) => {
// The frame.

const show = () => $later($js_game_over_js).then(({ end }) => end(home, add));
show(say);
return { show };
})($js_home_js(), $js_dom_js()));
// js/dom.js
const $js_dom_js = $once(() => (() => {
function put() {}
const say = (text) => text;
return { put, say };
})());
// js/game-over.js
const $js_game_over_js = $once(() => (({ say }) => {
const end = say;
return { end };
})($js_dom_js()));
// js/home.js
const $js_home_js = $once(() => (({ say }) => {
let important = say;
exporter?.();
async function title() {
  await say(`${important}$`);
}
class Home {}
return { Home, title };
})($js_dom_js()));
$js_app_js();
";

    #[test]
    fn a_module_and_all_that_it_imports_become_one_file() {
        let mut page = files([
            ("js/app.js", APP),
            ("js/dom.js", DOM),
            ("js/early.js", "alone();"),
            ("js/game-over.js", OVER),
            ("js/home.js", HOME),
        ]);
        modules(&mut page, "js/app.js").unwrap();
        assert_eq!(page, files([("js/app.js", JOINED), ("js/early.js", "alone();")]));
    }

    #[test]
    fn what_is_written_in_another_way_is_refused_with_its_place() {
        for (line, reason) in [
            ("import './dom.js';", IMPORTS),
            ("import'./dom.js';", IMPORTS),
            ("import say from './dom.js';", IMPORTS),
            ("import { say } from '../dom';", IMPORTS),
            ("import {", IMPORTS),
            ("import { say } from './dom.js'; // why", IMPORTS),
            ("import { say-so } from './dom.js';", IMPORTS),
            ("import { shout } from './dom.js';", "js/dom.js does not export shout"),
            ("import { say } from './door.js';", "js/door.js does not exist"),
            ("const later = () => import('./door.js');", "js/door.js does not exist"),
            ("const later = () => import(name);", LATER),
            ("const later = () => import ('./dom.js');", LATER),
            ("  fetch(import.meta.url);", LATER),
            ("export default 1;", EXPORTS),
            ("export let count = 1;", EXPORTS),
            ("export { say };", EXPORTS),
            ("export * from './dom.js';", EXPORTS),
            ("export const { a, b } = {};", EXPORTS),
            ("const $later = 1;", OWN_NAMES),
            ("const me = await say();", "a module can't wait while it is loaded"),
        ] {
            let app = format!("// The frame.\n{line}\n");
            let mut page = files([("js/app.js", app.as_str()), ("js/dom.js", DOM)]);
            let said = said(modules(&mut page, "js/app.js"));
            assert_eq!(said, format!("js/app.js, line 2: {reason}"), "{line}");
        }
    }

    #[test]
    fn modules_that_wait_for_each_other_are_refused() {
        let import = |file: &str| format!("import * as other from './{file}.js';\n");
        let (a, b, c) = (import("b"), import("c"), import("b"));
        let mut page = files([("a.js", a.as_str()), ("b.js", b.as_str()), ("c.js", c.as_str())]);
        assert!(said(modules(&mut page, "a.js")).contains("circle"));
        // Later is early enough.
        let c = "export const open = () => import('./b.js');\n";
        let mut page = files([("a.js", a.as_str()), ("b.js", b.as_str()), ("c.js", c)]);
        modules(&mut page, "a.js").unwrap();
    }

    #[test]
    fn names_and_bytes_that_can_not_be_joined_are_refused() {
        let app = "import * as one from './a-b.js';\nimport * as two from './a_b.js';\n";
        let mut page = files([("a.js", app), ("a-b.js", ""), ("a_b.js", "")]);
        assert_eq!(
            said(modules(&mut page, "a.js")),
            "a_b.js, line 1: its name is too much like that of a-b.js"
        );
        let mut page = Files::from([("a.js".into(), vec![0xff])]);
        assert_eq!(said(modules(&mut page, "a.js")), "a.js, line 1: expected UTF-8");
        assert_eq!(modules(&mut page, "other.js"), Ok(()));
    }

    #[test]
    fn style_sheets_are_put_where_they_are_imported() {
        let all = "@import './base.css';\n@import './board.css';\np { }\n";
        let parts = [("style/base.css", "a { }\n"), ("style/board.css", "b { }\n")];
        let mut page = files([("style/page.css", all), parts[0], parts[1]]);
        styles(&mut page, "style/page.css").unwrap();
        assert_eq!(page, files([("style/page.css", "a { }\n\nb { }\n\np { }\n")]));
        for (sheet, reason) in [
            ("@import url(base.css);", STYLES),
            ("@import './door.css';", "style/door.css does not exist, or came before"),
        ] {
            let mut page = files([("style/page.css", sheet), parts[0]]);
            let said = said(styles(&mut page, "style/page.css"));
            assert_eq!(said, format!("style/page.css, line 1: {reason}"));
        }
    }
}
