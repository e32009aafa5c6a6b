"""Reads a dashboard's page: its panels, texts and tags."""
import html.parser


class Board(html.parser.HTMLParser):
    """A parsed page: title, variables {name: value}, and panels, which are dictionaries of classes,
    title and text.
    """

    def __init__(self, text):
        super().__init__()
        self.title, self.variables, self.panels, self.text, self.tags, self.attributes, self.labels = "", {}, [], "", set(), set(), []
        self.open, self.name = [], ""
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.add(tag)
        self.attributes |= set(given)
        if tag == "section":
            self.panels.append({"classes": given["class"].split(), "title": "", "text": "", "svg": 0})
        if tag == "svg":
            self.panels[-1]["svg"] += 1
            self.labels.append(given["aria-label"])
        if tag not in ("meta", "polyline", "rect", "circle", "polygon"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= set(dict(attrs))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if not self.open or "style" in self.open:
            return
        self.text += data
        tag = self.open[-1]
        if tag == "h1":
            self.title += data
        elif tag == "dt":
            self.name = data
        elif tag == "dd":
            self.variables[self.name] = data
        elif "section" in self.open:
            self.panels[-1]["title" if tag == "h2" else "text"] += data

    def panel(self, title):
        return next(p for p in self.panels if p["title"] == title)
