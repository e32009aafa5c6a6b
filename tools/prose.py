"""Markdown: which lines are prose, and lines of prose that end in time."""
import textwrap

WIDTH = 100


def prose(text):
    """The lines outside of code, tables and pictures, with their numbers."""
    code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            code = not code
        elif not code and not line.startswith(("|", "    ", "![", "<!--")):
            yield number, line


def wrapped(text):
    """The text with its lines of prose cut at WIDTH columns. Headings and other lines stay."""
    lines = text.split("\n")
    for number, line in prose(text):
        if len(line) > WIDTH and not line.startswith("#"):
            indent = "  " if line.startswith(("- ", "  ")) else ""
            lines[number - 1] = textwrap.fill(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)
