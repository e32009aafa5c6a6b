#!/usr/bin/env python3
"""Renders the project's Markdown files as a web site, and checks it.

    build.py BUILD

Writes BUILD/site. BUILD/site-pages has the pages as MkDocs reads them. Fails if a link leads nowhere,
or if a page would load something from the network.
"""
import html.parser
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
from urllib.parse import unquote, urlsplit

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")

# The navigation: (title, pages), a page as its path or as (title, path).
PARTS = [
    ("Start", [("mtsql", "README.md"), ("Changes", "CHANGELOG.md")]),
    ("Tutorial", [("Your first hour", "docs/tutorial/README.md")]),
    ("How-to guides", [("Overview", "docs/how-to/README.md")] + [f"docs/how-to/{name}.md" for name in ("connect", "query", "short", "time-series", "chart", "dashboards", "attach", "files", "load", "layout", "retention", "backup", "scripts", "embed", "functions", "extend")]),
    ("Reference", [("Overview", "docs/reference/README.md")] + [f"docs/reference/{name}.md" for name in ("statements", "functions", "settings", "commands", "layouts", "errors", "compatibility", "arrow", "versions")]),
    ("Explanation", [("The idea", "docs/explanation/README.md"), "docs/explanation/way.md", ("Layouts and cuts", "docs/lemma.md"), ("What SQL means", "docs/semantics.md"), ("Servers", "docs/servers.md")]),
]
# Lessons with a picture: its file in BUILD.
PICTURES = {"packed": "lesson.svg", "metrics": "metrics.svg", "locality": "locality.svg"}
EXPECTED = {"packed": "lesson"}


def sources():
    """The project's pages and pictures, by their paths."""
    for folder, folders, files in os.walk(ROOT):
        relative = os.path.relpath(folder, ROOT)
        folders[:] = sorted(f for f in folders if not f.startswith(".") and not (relative == "." and f.startswith("build")) and f != "node_modules")
        for name in sorted(files):
            if name.endswith((".md", ".svg")):
                yield posixpath.normpath(posixpath.join(relative, name))


def relinked(page, text, pages, faults):
    """Links to folders lead to their READMEs; links to files that are no pages become text."""
    def link(match):
        image, label, to = match.groups()
        path, _, anchor = to.partition("#")
        if urlsplit(to).scheme or not path or image:
            return match.group()
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        if target not in pages and posixpath.join(target, "README.md") in pages:
            target = posixpath.join(target, "README.md")
        if target in pages:
            return f"[{label}]({posixpath.relpath(target, posixpath.dirname(page) or '.')}{'#' + anchor if anchor else ''})"
        if not os.path.exists(os.path.join(ROOT, target)):
            faults.append(f"{page}: {to} leads nowhere")
        return label

    # Code of several lines is left alone; a label may be code within a line.
    hidden = []
    hide = lambda m: hidden.append(m.group()) or f"\0{len(hidden) - 1}\0"
    text = re.sub(r"^```.*?^```$", hide, text, flags=re.M | re.S)
    text = LINK.sub(link, text)
    return re.sub("\0(\\d+)\0", lambda m: hidden[int(m.group(1))], text)


def title(text):
    return re.search(r"^# +(.*)$", text, re.M).group(1)


def lesson(name, folder):
    """A lesson as a page: what it says of itself, its statements, its picture, and what it prints."""
    with open(os.path.join(ROOT, "examples", name, "lesson.sh"), encoding="utf-8") as f:
        about = []
        for line in f.read().split("\n")[1:]:
            if not line.startswith("#"):
                break
            about.append(line[1:])
    page = [f"# Lesson: {name}\n", "\n".join(line.strip() for line in about if not line.startswith("    ")), "\n```sh", *(line.strip() for line in about if line.startswith("    ")), "```\n"]
    for part in sorted(os.listdir(os.path.join(ROOT, "examples", name))):
        if part.endswith(".sql"):
            with open(os.path.join(ROOT, "examples", name, part), encoding="utf-8") as f:
                page.append(f"## {part}\n\n```sql\n{f.read().rstrip()}\n```\n")
    picture = PICTURES.get(name)
    if picture and os.path.exists(os.path.join(folder, picture)):
        page.append(f"## The picture\n\n![What the lesson measured when this page was made]({picture})\n")
    out = os.path.join(ROOT, "tests", "examples", f"{EXPECTED.get(name, name)}.out")
    if os.path.exists(out):
        with open(out, encoding="utf-8") as f:
            page.append(f"## What it prints\n\n```text\n{f.read().strip()}\n```\n")
    return "\n".join(page)


def gather(build, into):
    """Copies all pages and makes those of the lessons. The navigation."""
    paths, faults = list(sources()), []
    texts = {path: open(os.path.join(ROOT, path), encoding="utf-8").read() for path in paths}
    lessons = [name for name in sorted(os.listdir(os.path.join(ROOT, "examples"))) if os.path.exists(os.path.join(ROOT, "examples", name, "lesson.sh"))]
    for name in lessons:
        texts[f"examples/{name}/README.md"] = lesson(name, build)
        if name in PICTURES and os.path.exists(os.path.join(build, PICTURES[name])):
            texts[f"examples/{name}/{PICTURES[name]}"] = open(os.path.join(build, PICTURES[name]), encoding="utf-8").read()
    for path, text in texts.items():
        os.makedirs(os.path.dirname(os.path.join(into, path)), exist_ok=True)
        with open(os.path.join(into, path), "w", encoding="utf-8") as f:
            f.write(relinked(path, text, texts, faults) if path.endswith(".md") else text)
    if faults:
        raise SystemExit("\n".join(faults))
    pages = [path for path in texts if path.endswith(".md")]
    parts = list(PARTS)
    parts.append(("Decisions", [("Overview", "docs/decisions/README.md")] + sorted(p for p in pages if p.startswith("docs/decisions/0"))))
    parts.append(("Lessons", [("Overview", "examples/README.md")] + [(name, f"examples/{name}/README.md") for name in lessons]))
    parts.append(("Measurements", [("Overview", "bench/README.md")] + [(os.path.basename(p)[:-3], p) for p in pages if p.startswith("bench/") and p != "bench/README.md"]))
    shown = {page if isinstance(page, str) else page[1] for _, part in parts for page in part}
    rest = sorted(set(pages) - shown, key=lambda p: (p != "CONTRIBUTING.md", p))
    parts.append(("The code", [("Contributing", p) if p == "CONTRIBUTING.md" else (p[:-10] if p.endswith("/README.md") else p[:-3], p) for p in rest]))
    return [{part: [{page[0]: page[1]} if isinstance(page, tuple) else {title(texts[page]): page} for page in listed]} for part, listed in parts]


def configuration(navigation, pages, site):
    return {
        "site_name": "mtsql", "site_url": "", "docs_dir": pages, "site_dir": site, "use_directory_urls": False, "nav": navigation,
        "theme": {"name": None, "custom_dir": os.path.join(HERE, "theme")},
        "plugins": [{"search": {"prebuild_index": False}}],
        "markdown_extensions": ["tables", "fenced_code", "sane_lists", {"codehilite": {"guess_lang": False}}, {"toc": {"permalink": "#", "permalink_title": "Link to this heading"}}],
        "validation": {"nav": {"omitted_files": "warn", "not_found": "warn", "absolute_links": "warn"}, "links": {"not_found": "warn", "anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"}},
    }


def searchable(site):
    """The search index as a script, since a page that is opened as a file can't fetch JSON."""
    with open(os.path.join(site, "search", "search_index.json"), encoding="utf-8") as f:
        docs = [d for d in json.load(f)["docs"] if "#" in d["location"]]  # sections, not whole pages
    with open(os.path.join(site, "search", "index.js"), "w", encoding="utf-8") as f:
        f.write("window.searchDocuments = " + json.dumps([[d["location"], d["title"], d["text"]] for d in docs], ensure_ascii=False, separators=(",", ":")) + ";\n")
    for unused in ("search_index.json", "main.js", "worker.js"):
        os.remove(os.path.join(site, "search", unused))


class Page(html.parser.HTMLParser):
    """The links of a page, what it loads, and its anchors."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[key] for key in ("id", "name") if values.get(key))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        elif tag in ("img", "script", "link", "source", "iframe"):
            self.loads += [values[key] for key in ("src", "href") if values.get(key)]


def check(site):
    """The faults of the site's links, and how many links there are."""
    found = {}
    for folder, _, files in os.walk(site):
        for name in files:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as f:
                    found[path] = Page(f.read())
    faults, count = [], 0
    for path, page in found.items():
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads:
                    faults.append(f"{path}: loads {link} from the network")
                continue
            count += 1
            target = os.path.normpath(os.path.join(os.path.dirname(path), unquote(parts.path))) if parts.path else path
            if not os.path.isfile(target):
                faults.append(f"{path}: {link} leads nowhere")
            elif parts.fragment and target in found and unquote(parts.fragment) not in found[target].anchors:
                faults.append(f"{path}: {link}: there is no such heading")
    return faults, count, len(found)


def main(build):
    pages, site = os.path.join(build, "site-pages"), os.path.join(build, "site")
    for folder in (pages, site):
        shutil.rmtree(folder, ignore_errors=True)
    settings = configuration(gather(build, pages), pages, site)
    path = os.path.join(build, "mkdocs.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(settings, f, indent=1)  # JSON is YAML
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", path], env=dict(os.environ, NO_MKDOCS_2_WARNING="1"))
    if done.returncode:
        return done.returncode
    searchable(site)
    faults, links, count = check(site)
    print("\n".join(faults) if faults else f"site: {count} pages in {os.path.relpath(site, ROOT)}, {links} links lead somewhere")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
