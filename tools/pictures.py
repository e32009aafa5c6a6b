#!/usr/bin/env python3
"""Draws the pictures of the documentation.

    pictures.py [--check] [FOLDER]

Writes the SVG files into FOLDER (default docs/pictures). With --check it writes nothing and fails
if a file differs from the drawing.
"""
import os
import sys
from xml.sax.saxutils import escape

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SANS = "'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif"
MONO = "Menlo, Consolas, 'DejaVu Sans Mono', monospace"
INK, MUTED, LINE, PAPER = "#1f2933", "#5b6b7b", "#c3ced9", "#ffffff"
# A strong colour for lines and names, and a light one for areas.
BLUE, GREEN, ORANGE, GREY = ("#1d5fa8", "#e4effa"), ("#23794a", "#e2f4e9"), ("#ad5a12", "#fcecdc"), ("#5b6b7b", "#eef2f6")


class Picture:
    """An SVG text that grows. Coordinates are pixels from the upper left corner."""

    def __init__(self, width, height, title):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{escape(title)}">',
            f"<title>{escape(title)}</title>",
            "<defs>"]
        for name, (colour, _) in {"blue": BLUE, "green": GREEN, "orange": ORANGE, "grey": GREY}.items():
            self.parts.append(f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
                              f'<path d="M 0 0 L 10 5 L 0 10 z" fill="{colour}"/></marker>')
        self.parts.append("</defs>")
        self.box(0.5, 0.5, width - 1, height - 1, PAPER, "#dde4ea", 10)

    def box(self, x, y, width, height, fill, stroke="none", radius=6):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="{fill}" stroke="{stroke}"/>')

    def text(self, x, y, text, size=14, colour=INK, mono=False, bold=False, italic=False, anchor="start"):
        style = (' font-weight="bold"' if bold else "") + (' font-style="italic"' if italic else "")
        self.parts.append(f'<text x="{x}" y="{y}" font-family="{MONO if mono else SANS}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{style} '
                          f'xml:space="preserve">{escape(text)}</text>')

    def arrow(self, points, colour="grey", dashed=False):
        stroke = {"blue": BLUE, "green": GREEN, "orange": ORANGE, "grey": GREY}[colour][0]
        path = " L ".join(f"{x} {y}" for x, y in points)
        dashes = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<path d="M {path}" fill="none" stroke="{stroke}" stroke-width="1.8"{dashes} marker-end="url(#{colour})"/>')

    def done(self):
        return "\n".join(self.parts + ["</svg>"]) + "\n"


def packed():
    """A packed document, and three queries that stop at three of its levels."""
    p = Picture(1040, 520, "A packed document, and three queries that stop at three of its levels")
    p.text(28, 38, "Records", 17, bold=True)
    p.text(28, 58, "302,400 lines", 13, MUTED)
    rooms = (("attic", 88), ("bath", 97), ("cellar", 106), ("kitchen", 88), ("office", 34))
    lines = [f"00:0{m} {room} {watts + m}" for m in range(3) for room, watts in rooms]
    p.box(24, 74, 166, 420, GREY[1], LINE)
    p.text(38, 98, "north", 13, MUTED, mono=True)
    for i, line in enumerate(lines):
        p.text(38, 124 + i * 23, line, 13, mono=True)
    p.text(38, 124 + len(lines) * 23, "…", 13, mono=True)
    p.arrow([(194, 284), (236, 284)])
    p.text(215, 272, "INSERT", 11, MUTED, anchor="middle")

    p.text(244, 38, "One packed document", 17, bold=True)
    p.text(244, 58, "9 of them hold all records", 13, MUTED)
    p.box(240, 74, 416, 420, PAPER, BLUE[0])
    p.box(241, 75, 414, 44, BLUE[1], radius=5)
    p.text(256, 102, "house north", 14, BLUE[0], bold=True)
    p.text(640, 102, "count 41670   sum 5736587", 13, mono=True, anchor="end")
    for m in range(3):
        y = 130 + m * 108
        p.box(256, y, 384, 98, PAPER, GREEN[0])
        p.box(257, y + 1, 382, 34, GREEN[1], radius=5)
        p.text(270, y + 23, f"minute 00:0{m}", 14, GREEN[0], bold=True)
        p.text(626, y + 23, f"count 5   sum {sum(w for _, w in rooms) + 5 * m}", 13, mono=True, anchor="end")
        for i, (room, watts) in enumerate(rooms):
            x = 266 + i * 74
            p.box(x, y + 44, 68, 44, ORANGE[1], ORANGE[0], 5)
            p.text(x + 34, y + 62, room, 12, ORANGE[0], anchor="middle")
            p.text(x + 34, y + 80, str(watts + m), 13, mono=True, anchor="middle")
    p.text(448, 474, "… 8,331 more minutes …", 13, MUTED, anchor="middle")

    p.text(720, 38, "Queries", 17, bold=True)
    p.text(720, 58, "each stops at the level that answers it", 13, MUTED)
    cards = ((74, "blue", BLUE, ("SELECT house, sum(watts)", "FROM power GROUP BY house"), ("reads the sum of each document:", "0.9 kB")),
             (216, "green", GREEN, ("SELECT time, sum(watts)", "FROM power GROUP BY time"), ("reads the sum of each minute:", "2.3 MB")),
             (358, "orange", ORANGE, ("SELECT room, max(watts)", "FROM power GROUP BY room"), ("reads the records:", "16.6 MB")))
    for y, _, (strong, light), query, (what, size) in cards:
        p.box(716, y, 300, 124, light, strong)
        p.text(732, y + 30, query[0], 14, mono=True)
        p.text(732, y + 51, query[1], 14, mono=True)
        p.text(732, y + 82, what, 14, strong)
        p.text(732, y + 106, size, 17, strong, bold=True)
    p.arrow([(716, 97), (660, 97)], "blue")
    p.arrow([(716, 256), (644, 256)], "green")
    p.arrow([(716, 413), (636, 413)], "orange")
    return p.done()


def way():
    """The way of a query from text to rows, and of a record from CSV to a packed document."""
    p = Picture(1040, 836, "The way of a query from text to rows, and of a record from CSV to a packed document")
    left, right, width, height, step = 40, 600, 400, 46, 76

    def room(x, y, name, what, colour=BLUE):
        p.box(x, y, width, height, colour[1], colour[0])
        p.text(x + 14, y + 29, name, 14, colour[0], mono=True, bold=True)
        p.text(x + width - 14, y + 28, what, 13, anchor="end")

    def passes(x, y, what, colour="blue"):
        """What goes from the room above y to the room below."""
        p.arrow([(x + 70, y), (x + 70, y + step - height - 2)], colour)
        p.text(x + 84, y + 20, what, 12, MUTED, italic=True)

    p.text(left, 40, "A query: from text to rows", 18, BLUE[0], bold=True)
    p.text(right, 40, "A record: from CSV to a document", 18, GREEN[0], bold=True)
    ways = (("shell", "reads the line, prints the rows", "text"),
            ("session", "runs the statement", "text"),
            ("parser", "finds the grammar's parts", "syntax tree"),
            ("analyze", "finds tables, columns, functions", "typed tree"),
            ("planner/rewrite", "moves conditions, orders joins", "typed tree"),
            ("planner/cut", "chooses layout and level", "a cut for each table"),
            ("planner/plan", "makes the stages", "stages"),
            ("planner/emit", "writes expressions as BSON", "pipeline"))
    y = 60
    for name, what, result in ways:
        room(left, y, name, what)
        passes(left, y + height, result)
        y += step
    engine = y
    y = 60
    for name, what, result in (("shell", "reads the file of \\copy", "COPY, CSV lines"), ("session", "runs the statement", "options, CSV lines"), ("copy", "reads the file's format", "records of text"),
                               ("types", "text to values", "records of values")):
        room(right, y, name, what, GREEN)
        passes(right, y + height, result, "green")
        y += step
    room(right, y, "layouts", "packs records, adds sums", GREEN)
    p.arrow([(right + 70, y + height), (right + 70, engine - 2)], "green")
    p.text(right + 84, y + height + 20, "packed documents, a set for each layout", 12, MUTED, italic=True)

    middle, narrow = 470, 100
    for top, bottom, name, lines in ((288, 486, "catalog", ("tables", "views", "layouts")), (592, 638, "functions", ("rows",))):
        p.box(middle, top, narrow, bottom - top, GREY[1], GREY[0])
        centre = (top + bottom) / 2 - 4 * len(lines)
        p.text(middle + narrow / 2, centre, name, 14, GREY[0], mono=True, bold=True, anchor="middle")
        for i, line in enumerate(lines):
            p.text(middle + narrow / 2, centre + 18 + 16 * i, line, 12, MUTED, anchor="middle")
    for row in (311, 463, 615):
        p.arrow([(middle, row), (left + width + 3, row)], "grey", True)
    p.arrow([(middle + narrow, 387), (right - 3, 387)], "grey", True)

    p.box(left, engine, right + width - left, height, ORANGE[1], ORANGE[0])
    p.text(left + 14, engine + 29, "engine", 14, ORANGE[0], mono=True, bold=True)
    p.text(520, engine + 28, "one interface: run this pipeline, write these documents in one step", 13, anchor="middle")
    below = engine + step
    for x, name, what in ((left, "engine/local", "runs it in this process, on a store"), (right, "engine/mongo", "sends it to a MongoDB server")):
        p.arrow([(x + 70, engine + height), (x + 70, below - 2)], "orange")
        p.arrow([(x + 110, below), (x + 110, engine + height + 2)], "orange")
        p.text(x + 124, engine + height + 20, "rows, as they are computed", 12, MUTED, italic=True)
        room(x, below, name, what, ORANGE)
    p.text(left, below + height + 30, "Rows go back up through the same rooms: the engine's documents become values in session, and text in shell.", 13, MUTED)
    return p.done()


PICTURES = {"packed.svg": packed, "way.svg": way}


def main(arguments):
    check = "--check" in arguments
    folder = next((a for a in arguments if a != "--check"), os.path.join(ROOT, "docs", "pictures"))
    stale = []
    for name, draw in PICTURES.items():
        path, wanted = os.path.join(folder, name), draw()
        if not check:
            os.makedirs(folder, exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(wanted)
        elif not os.path.exists(path) or open(path, encoding="utf-8").read() != wanted:
            stale.append(path)
    for path in stale:
        print(f"{path} is stale: run tools/pictures.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
