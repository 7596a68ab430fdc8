//! The web page: static files in the program, hashed and compressed once at the start.
//!
//! Everything but `index.html` and a few files at the root lives below a folder named by the hash of
//! all files and is cached for a year, so versions never mix. The modules import each other by relative paths.

mod files;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};

use super::error::ApiError;
use crate::app::App;
use crate::config::Config;
use files::{
    ASSETS_PLACEHOLDER, Files, content_type, embedded_files, imports, is_code, join_styles,
    read_folder, without_comments,
};

/// Files that browsers and crawlers look for at the root, and what links to the page show.
const ROOT_FILES: [&str; 5] =
    ["apple-touch-icon.png", "favicon.ico", "manifest.webmanifest", "robots.txt", "share.png"];

/// Where the title and the description of a screen stand in `index.html`.
const HEAD: (&str, &str) = ("<!-- head -->", "<!-- /head -->");

/// Where the modules of a screen are named in `index.html`.
const MODULES: &str = "<!-- modules -->";

/// The module that every screen starts with.
const ENTRY: &str = "js/app.js";

/// The screen that needs nothing else: the first frame waits for it, and is complete.
const FIRST_SCREEN: &str = "js/home.js";

const CACHE_FOREVER: &str = "public, max-age=31536000, immutable";
const CACHE_FOR_A_DAY: &str = "public, max-age=86400";

/// The files of the page as they are sent.
pub(super) struct Page {
    hash: String,
    index: String,
    assets: BTreeMap<String, Asset>,
    /// The modules that each module imports, directly or through others.
    imports: BTreeMap<String, BTreeSet<String>>,
}

struct Asset {
    content_type: &'static str,
    plain: Bytes,
    /// Compressed, if that is smaller.
    gzip: Option<Bytes>,
}

impl Page {
    /// The page in the program, or in the configured folder.
    pub(super) fn load(config: &Config) -> io::Result<Arc<Page>> {
        let files = match &config.page {
            Some(folder) => read_folder(folder).map_err(|error| {
                let reason = format!("can't read the page in {}: {error}", folder.display());
                io::Error::new(error.kind(), reason)
            })?,
            None => embedded_files(),
        };
        Ok(Arc::new(Page::new(files)?))
    }

    /// The routes of all files but the document itself.
    pub(super) fn router(self: Arc<Page>) -> Router<Arc<App>> {
        let files = ROOT_FILES.into_iter().fold(Router::new(), |router, file| {
            let page = self.clone();
            let response = move |headers: HeaderMap| async move { page.root_file(file, &headers) };
            router.route(&format!("/{file}"), get(response))
        });
        let asset = move |Path((hash, file)): Path<(String, String)>, headers: HeaderMap| async move {
            self.asset(&hash, &file, &headers)
        };
        files.route("/assets/{hash}/{*file}", get(asset))
    }

    fn new(mut files: Files) -> io::Result<Page> {
        // Declarations are for the type checker alone, and comments for people.
        files.retain(|name, _| !name.ends_with(".d.ts"));
        for (name, data) in &mut files {
            if let (true, Ok(text)) = (is_code(name), std::str::from_utf8(data)) {
                *data = without_comments(text).into_bytes();
            }
        }
        let mut hasher = Sha256::new();
        for (name, data) in &files {
            hasher.update((name.len() as u64).to_le_bytes());
            hasher.update(name);
            hasher.update((data.len() as u64).to_le_bytes());
            hasher.update(data);
        }
        let hash = hex::encode(&hasher.finalize()[..8]);
        let missing = || io::Error::new(io::ErrorKind::NotFound, "the page has no index.html");
        let index = files.remove("index.html").ok_or_else(missing)?;
        let index = String::from_utf8(index).map_err(io::Error::other)?;
        let index = join_styles(&index, &mut files);
        let index = index.replace(ASSETS_PLACEHOLDER, &format!("/assets/{hash}/"));
        let imports = imports(&files);
        // The icons that it names.
        if let Some(manifest) = files.get_mut("manifest.webmanifest") {
            let text = String::from_utf8_lossy(manifest);
            *manifest = text.replace(ASSETS_PLACEHOLDER, &format!("/assets/{hash}/")).into_bytes();
        }
        let assets = files.into_iter().map(|(name, data)| {
            let asset = Asset::new(&name, data)?;
            Ok((name, asset))
        });
        Ok(Page { index, assets: assets.collect::<io::Result<_>>()?, imports, hash })
    }

    /// The document of the screen in this module, with these tags in its head. Browsers revalidate it
    /// on each visit.
    pub(super) fn document(&self, headers: &HeaderMap, screen: &str, head: &str) -> Response {
        let html = self.html(headers, screen, Some(head));
        let tag = format!("\"{}\"", hex::encode(&Sha256::digest(&html)[..8]));
        let cached = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
        let is_current =
            cached.is_some_and(|tags| tags.split(',').any(|cached| cached.trim().ends_with(&tag)));
        let mut response = if is_current {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            html_response(html, headers)
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding, accept-language"));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert(header::ETAG, tag);
        }
        response
    }

    /// `index.html` for the screen in this module.
    fn html(&self, headers: &HeaderMap, screen: &str, head: Option<&str>) -> String {
        let index = self.index.replacen(MODULES, &self.module_tags(headers, screen), 1);
        match (head, index.find(HEAD.0), index.find(HEAD.1)) {
            (Some(head), Some(start), Some(end)) => {
                format!("{}{head}{}", &index[..start], &index[end + HEAD.1.len()..])
            }
            _ => index,
        }
    }

    /// The tags that let a browser ask for all modules of a screen at once, where each would otherwise
    /// be found by reading another.
    fn module_tags(&self, headers: &HeaderMap, screen: &str) -> String {
        let folder = format!("/assets/{}", self.hash);
        let imported = [ENTRY, screen].into_iter().filter_map(|name| self.imports.get(name));
        let mut names: BTreeSet<&str> = imported.flatten().map(String::as_str).collect();
        names.remove(ENTRY);
        let mut tags = String::new();
        if screen == FIRST_SCREEN {
            names.remove(screen);
            let _ = writeln!(
                tags,
                "<script type=\"module\" blocking=\"render\" src=\"{folder}/{screen}\"></script>"
            );
        } else if screen != ENTRY {
            names.insert(screen);
        }
        let words = self.words(headers);
        for name in words.as_deref().into_iter().chain(names) {
            let _ = writeln!(tags, "<link rel=\"modulepreload\" href=\"{folder}/{name}\">");
        }
        tags
    }

    /// The messages in the first language of the browser that the page speaks. If another was chosen in
    /// the settings, the page asks for that one itself.
    fn words(&self, headers: &HeaderMap) -> Option<String> {
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let languages = accepted.unwrap_or("").split(',').chain(["en"]);
        let mut files = languages.map(|tag| {
            let language = tag.split(['-', ';']).next().unwrap_or("").trim();
            format!("js/messages/{}.js", language.to_ascii_lowercase())
        });
        files.find(|file| self.assets.contains_key(file))
    }

    /// The response at an unknown address: browsers get the page, which links to the first screen,
    /// and programs an error.
    pub(super) fn not_found(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Response {
        let is_browser = method.is_safe()
            && !uri.path().starts_with("/api/")
            && accepts(headers, header::ACCEPT, "text/html");
        let mut response = if is_browser {
            (StatusCode::NOT_FOUND, html_response(self.html(headers, ENTRY, None), headers))
                .into_response()
        } else {
            ApiError::NoRoute.into_response()
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(
            header::VARY,
            HeaderValue::from_static("accept, accept-encoding, accept-language"),
        );
        response
    }

    fn root_file(&self, file: &str, headers: &HeaderMap) -> Response {
        let Some(asset) = self.assets.get(file) else { return ApiError::NoRoute.into_response() };
        let mut response = asset.response(headers);
        let for_a_day = HeaderValue::from_static(CACHE_FOR_A_DAY);
        response.headers_mut().insert(header::CACHE_CONTROL, for_a_day);
        response
    }

    fn asset(&self, hash: &str, file: &str, headers: &HeaderMap) -> Response {
        // A page of another version must not get the files of this one.
        let Some(asset) = self.assets.get(file).filter(|_| hash == self.hash) else {
            return ApiError::NoRoute.into_response();
        };
        let mut response = asset.response(headers);
        let forever = HeaderValue::from_static(CACHE_FOREVER);
        response.headers_mut().insert(header::CACHE_CONTROL, forever);
        response
    }
}

impl Asset {
    fn new(name: &str, data: Vec<u8>) -> io::Result<Asset> {
        Asset::compressed(name, data, Compression::best())
    }

    fn compressed(name: &str, data: Vec<u8>, level: Compression) -> io::Result<Asset> {
        let mut encoder = GzEncoder::new(Vec::new(), level);
        encoder.write_all(&data)?;
        let gzip = Some(encoder.finish()?).filter(|gzip| gzip.len() < data.len());
        let content_type = content_type(name);
        Ok(Asset { content_type, plain: data.into(), gzip: gzip.map(Bytes::from) })
    }

    fn response(&self, headers: &HeaderMap) -> Response {
        let common = [(header::CONTENT_TYPE, self.content_type), (header::VARY, "accept-encoding")];
        match &self.gzip {
            Some(gzip) if accepts(headers, header::ACCEPT_ENCODING, "gzip") => {
                (common, [(header::CONTENT_ENCODING, "gzip")], gzip.clone()).into_response()
            }
            _ => (common, self.plain.clone()).into_response(),
        }
    }
}

/// Whether a header such as `Accept` lists a value without ruling it out by `q=0`.
fn accepts(headers: &HeaderMap, name: HeaderName, wanted: &str) -> bool {
    let is_wanted = |item: &str| {
        let mut parts = item.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted));
        is_named && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    };
    let lists = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(is_wanted)
}

fn html_response(html: String, headers: &HeaderMap) -> Response {
    match Asset::compressed("index.html", html.into_bytes(), Compression::fast()) {
        Ok(document) => document.response(headers),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::files::STYLES;
    use super::*;

    fn page(style: &str) -> Page {
        let index = "<!-- head --><title>A</title><!-- /head -->".to_string()
            + "\n<!-- modules -->\n<link rel=\"stylesheet\" href=\"/assets/HASH/css/a.css\">\n"
            + "<link rel=\"stylesheet\" href=\"/assets/HASH/css/b.css\">\n"
            + &"<link href=/assets/HASH/icon.svg>".repeat(20);
        let files = [
            ("index.html", index.as_str()),
            ("css/a.css", "a { }\n"),
            ("css/b.css", style),
            ("js/a.js", "import { b } from './b.js';\nimport {\n  c,\n} from './c.js';\n"),
            ("js/app.js", "import { c } from './c.js';\nimport('./a.js');\n"),
            ("js/b.js", "export { c } from './c.js';\n"),
            ("js/c.js", "export const c = 1;\n"),
            ("js/messages/de.js", "export default {};\n"),
            ("js/messages/en.js", "export default {};\n"),
        ];
        let files = files.map(|(name, text)| (name.to_string(), text.as_bytes().to_vec()));
        Page::new(files.into()).unwrap()
    }

    fn headers(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn assets_are_cached_and_the_index_revalidated() {
        let page = page("p { }");
        let (hash, none) = (page.hash.clone(), HeaderMap::new());
        let file = page.asset(&hash, "js/a.js", &none);
        assert_eq!(file.headers()[header::CACHE_CONTROL], CACHE_FOREVER);
        assert_eq!(file.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
        let index = page.document(&none, "js/a.js", "<title>B</title>");
        assert_eq!(index.headers()[header::CACHE_CONTROL], "no-cache");
        let tag = index.headers()[header::ETAG].to_str().unwrap().to_string();
        let seen = headers(header::IF_NONE_MATCH, &format!("W/{tag}"));
        let again = page.document(&seen, "js/a.js", "<title>B</title>");
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        // A game that has gone on has another title.
        assert_eq!(page.document(&seen, "js/a.js", "<title>C</title>").status(), StatusCode::OK);
        assert!(page.index.contains(&format!("/assets/{hash}/icon.svg")), "{}", page.index);
    }

    #[test]
    fn changed_files_get_new_addresses() {
        let (first, second) = (page("p { }"), page("p { color: red }"));
        assert_ne!(first.hash, second.hash);
        let old = second.asset(&first.hash, "css/page.css", &HeaderMap::new());
        assert_eq!(old.status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn documents_name_all_modules_of_their_screen() {
        let page = page("b { }");
        let modules = |html: String| -> String {
            let parts: Vec<_> = html.split(&format!("/assets/{}/js/", page.hash)).collect();
            parts[1..].iter().map(|part| part.split('"').next().unwrap()).collect()
        };
        let german = headers(header::ACCEPT_LANGUAGE, "nl, de-CH;q=0.9, en;q=0.8");
        let html = |screen| modules(page.html(&german, screen, None));
        assert_eq!(html("js/a.js"), "messages/de.jsa.jsb.jsc.js");
        assert_eq!(html(ENTRY), "messages/de.jsc.js");
        assert_eq!(modules(page.html(&HeaderMap::new(), ENTRY, None)), "messages/en.jsc.js");
    }

    #[test]
    fn style_sheets_are_joined_in_their_order() {
        let page = page("b { }");
        assert_eq!(page.index.matches("stylesheet").count(), 1, "{}", page.index);
        assert_eq!(page.assets[STYLES].plain, "a { }\nb { }\n");
        assert!(!page.assets.contains_key("css/a.css"));
    }

    #[test]
    fn gzip_is_negotiated() {
        let page = page("p { }");
        for (accepted, is_zipped) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("identity", false),
        ] {
            let answer = page.document(&headers(header::ACCEPT_ENCODING, accepted), "js/a.js", "");
            let is = answer.headers().get(header::CONTENT_ENCODING).is_some();
            assert_eq!(is, is_zipped, "{accepted}");
        }
    }

    #[test]
    fn unknown_addresses_show_the_page_to_browsers() {
        let page = page("p { }");
        let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        let (html, json) = ("text/html; charset=utf-8", "application/json");
        for (method, path, accept, kind) in [
            (Method::GET, "/foo", browser, html),
            (Method::HEAD, "/lobby/", browser, html),
            (Method::GET, "/foo", "*/*", json),
            (Method::GET, "/foo", "application/json, text/html;q=0", json),
            (Method::GET, "/api/v1/foo", browser, json),
            (Method::POST, "/foo", browser, json),
        ] {
            let answer =
                page.not_found(&method, &Uri::from_static(path), &headers(header::ACCEPT, accept));
            assert_eq!(answer.status(), StatusCode::NOT_FOUND);
            assert_eq!(answer.headers()[header::CONTENT_TYPE], kind, "{method} {path} {accept}");
        }
    }

    #[test]
    fn root_has_icons_and_rules_for_robots() {
        let page = Page::new(embedded_files()).unwrap();
        for (file, kind) in [
            ("favicon.ico", "image/x-icon"),
            ("apple-touch-icon.png", "image/png"),
            ("robots.txt", "text/plain; charset=utf-8"),
            ("manifest.webmanifest", "application/manifest+json"),
            ("share.png", "image/png"),
        ] {
            let answer = page.root_file(file, &HeaderMap::new());
            assert_eq!(answer.status(), StatusCode::OK, "{file}");
            assert_eq!(answer.headers()[header::CONTENT_TYPE], kind);
            assert_eq!(answer.headers()[header::CACHE_CONTROL], CACHE_FOR_A_DAY);
        }
    }

    #[test]
    fn embedded_page_is_complete_and_small() {
        let page = Page::new(embedded_files()).unwrap();
        let text = |asset: &Asset| String::from_utf8(asset.plain.to_vec()).unwrap();
        let index = page.html(&HeaderMap::new(), FIRST_SCREEN, None);
        let folder = format!("/assets/{}/", page.hash);
        let links: Vec<_> =
            index.split('"').filter_map(|part| part.strip_prefix(&folder)).collect();
        assert!(links.contains(&"js/app.js") && links.contains(&STYLES), "{links:?}");
        for link in &links {
            assert!(page.assets.contains_key(*link), "{link} is missing");
        }
        // A module that is needed at once but not preloaded would cost a round trip.
        for module in links.iter().filter(|link| link.ends_with(".js")) {
            for line in text(&page.assets[*module]).lines().filter(|l| l.starts_with("import ")) {
                let imported = line.split("'./").nth(1).and_then(|rest| rest.strip_suffix("';"));
                let imported = format!("js/{}", imported.unwrap_or(line));
                assert!(links.contains(&imported.as_str()), "{imported} is not preloaded");
            }
        }
        // The first screen: the document and all that it names, in the largest language.
        let size = |asset: &Asset| asset.gzip.as_ref().unwrap_or(&asset.plain).len();
        let words = page.assets.iter().filter(|(name, _)| name.starts_with("js/messages/"));
        let words = words.map(|(_, asset)| size(asset)).max().unwrap();
        let first = links.iter().map(|link| size(&page.assets[*link])).sum::<usize>()
            - size(&page.assets["js/messages/en.js"])
            + words;
        assert!(first + index.len() < 100_000, "{first} bytes");
    }
}
