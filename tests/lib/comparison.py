"""The page that \\compare writes, parsed."""
import html.parser

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Page(html.parser.HTMLParser):
    """A parsed page. `lines` has the lines of the documents for each layout: path, classes, and
    whether lines are below it.
    """

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.lines, self.costs, self.text, self.codes, self.marks = [], set(), set(), {}, [], "", {}, {}
        self.layout, self.stack = None, []
        self.feed(text)
        self.close()
        if self.open:
            raise AssertionError(f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.add(tag)
        self.attributes |= set(attrs)
        if tag not in VOID:
            self.open.append(tag)
        classes = (attrs.get("class") or "").split()
        if tag == "section" and "document" in classes:
            self.layout = attrs["data-layout"]
            self.lines[self.layout], self.codes[self.layout], self.marks[self.layout] = [], [], 0
        if tag == "section" and "pipe" in classes:
            self.layout = None
        if tag == "li":
            if self.stack:
                self.stack[-1]["leaf"] = False
            self.stack.append({"path": attrs["data-path"], "classes": classes, "leaf": True})
            self.lines[self.layout].append(self.stack[-1])
        if tag == "mark" and self.layout:
            self.marks[self.layout] += 1
        if tag == "tr":
            self.costs.append([])
        if tag == "td" and "data-value" in attrs:
            self.costs[-1].append((classes[0], float(attrs["data-value"])))

    def handle_endtag(self, tag):
        wanted = self.open.pop()
        if tag != wanted:
            raise AssertionError(f"</{tag}> where </{wanted}> is open")
        if tag == "li":
            self.stack.pop()

    def handle_data(self, data):
        self.text += data
        if self.layout and self.open and self.open[-1] == "code":
            self.codes[self.layout].append(data)
