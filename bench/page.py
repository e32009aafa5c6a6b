"""A page of figures. It has a section for each target, so that one can be measured without another.

    page = Page(path, intro, last)  path: the page, or None. intro: the text above the sections.
                                    last: headings of the sections at the end of the page.
    page.section("On documentdb")   begins a section. page.say(line) adds a line to it.
    page.save()                     writes the page. Sections that the run did not begin stay.
"""
import argparse
import os
import re
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools")]

from prose import wrapped  # noqa: E402


def load():
    """Returns a sentence about the machine's load."""
    return f"{os.cpu_count()} processors, shared by client, server and what else ran: a load average of {os.getloadavg()[0]:.1f} when this began."


def targets(*known):
    """Returns the parser of --on, which takes these words, or URIs."""
    def read(text):
        for name in text.split():
            if name not in known and "://" not in name:
                raise argparse.ArgumentTypeError(f'no target is called "{name}": {", ".join(known)}, or a URI')
        return text.split()
    return read


def split(text):
    """Returns {heading: text}, in order."""
    return {part.partition("\n")[0]: part.partition("\n")[2].strip("\n") for part in re.split(r"^## ", text, flags=re.M)[1:]}


class Page:
    def __init__(self, path, intro, *last):
        self.path, self.intro, self.last, self.made, self.now = path, wrapped(intro), last, {}, None
        print(self.intro + "\n")

    def section(self, heading):
        self.now = self.made.setdefault(heading, [])
        print(f"\n## {heading}\n", flush=True)

    def say(self, line=""):
        print(wrapped(line), flush=True)
        self.now.append(wrapped(line))

    def cannot(self, heading, why):
        """Writes that a section can't be measured here. If the page has it from another run, that
        section stays.
        """
        if heading in self.kept():
            self.made.pop(heading, None)
            print(f"\n## {heading}\n\nCould not be measured here ({why}); the page keeps what it has.", flush=True)
        else:
            self.made[heading] = []
            self.section(heading)
            self.say(f"Could not be measured here ({why}).")

    def kept(self):
        if not self.path or not os.path.exists(self.path):
            return {}
        with open(self.path, encoding="utf-8") as f:
            return split(f.read())

    def save(self):
        sections = self.kept()
        sections.update({heading: "\n".join(lines).strip("\n") for heading, lines in self.made.items()})
        sections = dict(sorted(sections.items(), key=lambda item: item[0] in self.last))
        if self.path:
            with open(self.path, "w", encoding="utf-8") as f:
                f.write(self.intro.strip("\n") + "\n" + "".join(f"\n## {heading}\n\n{text}\n" for heading, text in sections.items()))
