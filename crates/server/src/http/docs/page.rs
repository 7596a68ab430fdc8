//! The description as a page for people.

use std::fmt::Write;

use serde_json::Value;

use super::examples::schema_of;

/// A game against the computer in three languages: id, title and program. Tests run them as printed.
const QUICK_START: [(&str, &str, &str); 3] = [
    ("curl", "curl", include_str!("quick_start/curl.sh")),
    ("python", "Python", include_str!("quick_start/python.py")),
    ("javascript", "JavaScript", include_str!("quick_start/javascript.js")),
];

/// The documents as HTML.
pub(super) fn page(openapi: &Value, asyncapi: &Value) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Noughts API</title>\
         <meta name=viewport content=\"width=device-width\"><link rel=stylesheet href=docs.css>\
         <main><h1>Noughts API</h1>",
    );
    html.push_str(&paragraphs(&text(&openapi["info"]["description"])));
    html.push_str(
        "<p>For programs: <a href=openapi.json>openapi.json</a> (OpenAPI 3.1), and \
         <a href=asyncapi.json>asyncapi.json</a> (AsyncAPI 3.0) for WebSockets and streams.</p>",
    );
    contents(&mut html, openapi);
    quick_start(&mut html);
    for (tag, title) in tags(openapi) {
        let _ = write!(html, "<h2 id={0}>{1}</h2>", escaped(tag), escaped(title));
        for (path, method, operation) in operations(openapi, tag) {
            operation_section(&mut html, path, method, operation);
        }
    }
    messages(&mut html, asyncapi);
    html.push_str("<h2 id=schemas>Objects</h2>");
    for (name, schema) in openapi["components"]["schemas"].as_object().into_iter().flatten() {
        let id = format!(" id=\"{}\"", escaped(name));
        html.push_str(&details(&id, name, schema));
    }
    html.push_str("</main></html>");
    html
}

/// The ids and titles of the groups of operations.
fn tags(openapi: &Value) -> impl Iterator<Item = (&str, &str)> {
    let tags = openapi["tags"].as_array().into_iter().flatten();
    tags.filter_map(|tag| Some((tag["name"].as_str()?, tag["description"].as_str()?)))
}

/// The operations with a tag: path, method and description.
fn operations<'a>(
    openapi: &'a Value,
    tag: &'a str,
) -> impl Iterator<Item = (&'a str, &'a str, &'a Value)> {
    let paths = openapi["paths"].as_object().into_iter().flatten();
    let all = paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(|(method, operation)| (path.as_str(), method.as_str(), operation))
    });
    all.filter(move |(_, _, operation)| operation["tags"][0] == tag)
}

/// The table of contents.
fn contents(html: &mut String, openapi: &Value) {
    html.push_str("<nav><ul><li><a href=\"#quick-start\">Quick start</a>");
    for (tag, title) in tags(openapi) {
        let _ = write!(html, "<li><a href=\"#{}\">{}</a><ul>", escaped(tag), escaped(title));
        for (path, method, operation) in operations(openapi, tag) {
            let (anchor, summary) = (anchor(path, method), escaped(&text(&operation["summary"])));
            let _ = write!(html, "<li><a href=\"#{anchor}\">{summary}</a>");
        }
        html.push_str("</ul>");
    }
    html.push_str(
        "<li><a href=\"#messages\">Messages</a><li><a href=\"#schemas\">Objects</a></ul></nav>",
    );
}

/// The id of an operation's section.
fn anchor(path: &str, method: &str) -> String {
    escaped(&format!("{method}-{path}"))
}

fn quick_start(html: &mut String) {
    html.push_str(
        "<h2 id=quick-start>Quick start</h2><p>A guest, a game against the computer, and moves. The \
         streams are lines of JSON; a WebSocket also takes commands.</p>",
    );
    for (id, title, program) in QUICK_START {
        let program = escaped(program);
        let _ = write!(html, "<h3>{title}</h3><pre id=\"quick-start-{id}\">{program}</pre>");
    }
}

fn operation_section(html: &mut String, path: &str, method: &str, operation: &Value) {
    let _ = write!(
        html,
        "<section id=\"{}\"><h3><code>{} {}</code> {}</h3>{}",
        anchor(path, method),
        method.to_uppercase(),
        escaped(path),
        escaped(&text(&operation["summary"])),
        paragraphs(&text(&operation["description"])),
    );
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let rows: String = parameters
        .map(|parameter| {
            let (name, description) = (text(&parameter["name"]), text(&parameter["description"]));
            format!("<dt><code>{}</code><dd>{}", escaped(&name), escaped(&description))
        })
        .collect();
    if !rows.is_empty() {
        let _ = write!(html, "<dl>{rows}</dl>");
    }
    let content = &operation["requestBody"]["content"];
    if let Some(body) = schema_link(content) {
        let _ = write!(html, "<p>Body: {body}</p>{}", body_examples(content));
    }
    let responses = || operation["responses"].as_object().into_iter().flatten();
    let links: Vec<String> = responses()
        .map(|(status, response)| {
            let body = schema_link(&response["content"]).unwrap_or_default();
            format!("{} {body}", escaped(status))
        })
        .collect();
    let _ = write!(html, "<p>Responses: {}</p>", links.join(", "));
    for (_, response) in responses().filter(|(status, _)| status.starts_with('2')) {
        html.push_str(&body_examples(&response["content"]));
    }
    html.push_str("</section>");
}

/// A link to the schema of a body.
fn schema_link(content: &Value) -> Option<String> {
    let mut media_types = content.as_object()?.values();
    let (name, _) = media_types.find_map(schema_of)?;
    Some(format!("<a href=\"#{0}\">{0}</a>", escaped(name)))
}

/// The examples of a body.
fn body_examples(content: &Value) -> String {
    let media_types = content.as_object().into_iter().flatten();
    let examples = media_types.filter_map(|(_, media_type)| media_type["examples"].as_object());
    let example = |(name, example): (&String, &Value)| {
        details("", &format!("Example: {}", name.replace('_', " ")), &example["value"])
    };
    examples.flatten().map(example).collect()
}

/// The messages of WebSockets and streams.
fn messages(html: &mut String, asyncapi: &Value) {
    html.push_str(
        "<h2 id=messages>Messages</h2><p>What goes over WebSockets and streams. \
         <a href=asyncapi.json>asyncapi.json</a> has their schemas for programs.</p>",
    );
    for (channel, content) in asyncapi["channels"].as_object().into_iter().flatten() {
        let address = text(&content["address"]);
        let _ = write!(
            html,
            "<section id=\"{}\"><h3><code>{}</code> <a href=\"#{}\">{}</a></h3>",
            escaped(channel),
            escaped(&address),
            anchor(&address, "get"),
            escaped(&text(&content["title"])),
        );
        for (action, who) in [("receive", "You send"), ("send", "The server sends")] {
            let operation = &asyncapi["operations"][format!("{action}.{channel}")];
            let references = operation["messages"].as_array().into_iter().flatten();
            let rows: String = references
                .filter_map(|reference| reference["$ref"].as_str()?.rsplit('/').next())
                .map(|name| message(&asyncapi["components"]["messages"][name], name))
                .collect();
            if !rows.is_empty() {
                let _ = write!(html, "<p>{who}:</p><dl>{rows}</dl>");
            }
        }
        html.push_str("</section>");
    }
}

/// A message with its examples.
fn message(message: &Value, name: &str) -> String {
    let examples = message["examples"].as_array().into_iter().flatten();
    let examples: String =
        examples.map(|example| details("", "Example", &example["payload"])).collect();
    let (name, summary) = (escaped(name), paragraphs(&text(&message["summary"])));
    format!("<dt><a href=\"#{name}\">{name}</a><dd>{summary}{examples}")
}

/// JSON to unfold. The attributes are HTML.
fn details(attributes: &str, summary: &str, value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let (summary, text) = (escaped(summary), escaped(&text));
    format!("<details{attributes}><summary>{summary}</summary><pre>{text}</pre></details>")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// Markdown paragraphs, lists and `code` as HTML.
fn paragraphs(text: &str) -> String {
    let mut html = String::new();
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let mut code = false;
        html.push_str("<p>");
        for (i, part) in escaped(paragraph).split('`').enumerate() {
            if i > 0 {
                html.push_str(if code { "</code>" } else { "<code>" });
                code = !code;
            }
            html.push_str(&part.replace("\n- ", "<br>• ").replace('\n', " "));
        }
        html.push_str(if code { "</code></p>" } else { "</p>" });
    }
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
