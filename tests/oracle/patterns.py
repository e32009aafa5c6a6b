#!/usr/bin/env python3
"""Random jsonpaths and regular expressions on PostgreSQL 15 and on mtsql.

    patterns.py [--statements N] [--seed S]

It compares answers, and the SQLSTATEs of errors. A pattern that repeats a part in parentheses has
no groups here, because mtsql's groups then may take another part of the match than PostgreSQL's
(docs/semantics.md).
"""
import random
import re
import shutil
import sys
import tempfile

import oracle
import randoms
from oracle import mtsql
from postgres import Postgres

BATCH = 1000
VERBOSE = "\\set VERBOSITY verbose"
DOCUMENTS = ['1', '"a"', 'null', 'true', '[]', '{}', '0', '-3.70', '"12.50"', '[1,2,"x"]', '["1",2,0,3]', '[[1],[2,3]]',
             '[[],[3]]', '{"a":1,"b":[1,2]}', '{"a":[2,3,4]}', '{"a":{"c":{"b":1}}}', '[{"a":1},{"a":2},{}]', '[{"a":1},3]',
             '{"g":[{"x":2},{"y":3}]}', '[1.5,-2.7,1e3,"4.5",null,true,[5],{"a":6}]', '{"a":"abc","b":"abd","c":null}',
             '["","a","abc","ABC","a\\nb"]', '{"a":[{"b":[1,[2]]},{"b":{"a":[]}}]}', '[[[1]],[[[2]],"x"]]']
VARIABLES = ['{"v":1,"w":"a","z":[1,2]}', '{"v":"a","w":null,"z":{"a":1}}', '{"v":1}', '[1]']
ACCESSORS = ['.a', '.b', '.c', '.g', '."a"', '.*', '[*]', '[*]', '[0]', '[last]', '[0 to 1]', '[1 to last]', '[0,1]', '[-1]',
             '[1.7]', '[5]', '.**', '.**{1}', '.**{0}', '.**{last}', '.**{1 to 2}', '.**{last to 3}', '.type()', '.size()',
             '.double()', '.abs()', '.floor()', '.ceiling()']
SUBJECTS = ['', 'a', 'ab', 'aab\nb', '\n', 'a\n', '\na\n\nb', 'abcabc', 'a b c', 'A1_b', 'é\né', 'aaa\nbbb\nccc\n', '  a', 'a#b',
            '-_-', '1 22\n333', 'AbCaBc', 'a\r\nb\r\n', 'cab abc bca', 'abab', 'aabbc', 'cabab']
ATOMS = ['a', 'b', 'c', 'ab', 'bc', '.', '[ab]', '[^a]', '[^b\\n]', '[a-c]', '[]a]', '[^]a]', '[a-]', '[[:alpha:]]', '[\\w]', '[^\\d]',
         '\\w', '\\W', '\\d', '\\D', '\\s', '\\S', '\\n', 'A', ' ', '1', 'é', '_', '\\.', '#']
ANCHORS = ['^', '$', '\\A', '\\Z', '\\m', '\\M', '\\y', '\\Y', '[[:<:]]', '[[:>:]]']
QUANTIFIERS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{1,}', '{2}?', '{1,2}?', '{0}']
FLAGS = ['', 'g', 'i', 'n', 'gn', 'p', 'gp', 'w', 'gw', 'x', 'q', 'gq', 'gin', 's', 'nx', 'gwi']


def quoted(text):
    return "E'" + text.replace("\\", "\\\\").replace("'", "''").replace("\n", "\\n").replace("\r", "\\r") + "'"


class Paths:
    """Random jsonpaths, most of which find something."""

    def __init__(self, rng):
        self.rng, self.filters = rng, 0

    def accessor(self, depth):
        kind = self.rng.random()
        if depth < 1 or kind < 0.7:
            return self.rng.choice(ACCESSORS)
        if kind < 0.8:
            return f"[{self.expression(depth - 1)}]"
        self.filters += 1
        predicate = self.predicate(depth - 1)
        self.filters -= 1
        return f" ? ({predicate})"

    def path(self, depth):
        start = self.rng.choice(["$"] * 4 + ["@"] * 8 * (self.filters > 0) + ["1", "0", '"a"', '"1"', "1.5", "null", "true", "$v", "$w", "$z"])
        if start[0] in "01":
            return start
        if depth > 0 and self.rng.random() < 0.1:
            start = f"({self.rng.choice([self.expression, self.predicate])(depth - 1)})"
        return start + "".join(self.accessor(depth) for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3])))

    def expression(self, depth):
        kind = self.rng.random()
        if depth < 1 or kind < 0.65:
            return self.path(depth)
        if kind < 0.8:
            return self.rng.choice("+-") + self.expression(depth - 1)
        return f"{self.expression(depth - 1)} {self.rng.choice('+-*/%')} {self.expression(depth - 1)}"

    def predicate(self, depth):
        kind, one = self.rng.random(), lambda: self.expression(depth - 1)
        if depth < 1 or kind < 0.5:
            return f"{one()} {self.rng.choice(['==', '!=', '<', '<=', '>', '>=', '<>'])} {one()}"
        if kind < 0.6:
            return f"exists({one()})"
        if kind < 0.74:
            return self.rng.choice(["({}) is unknown", "!({})"]).format(self.predicate(depth - 1))
        if kind < 0.84:
            return one() + self.rng.choice([' starts with "a"', " starts with $v", ' like_regex "^a"', ' like_regex "b$" flag "m"', ' like_regex "A" flag "i"'])
        return f"{self.predicate(depth - 1)} {self.rng.choice(['&&', '||'])} {self.predicate(depth - 1)}"

    def statement(self):
        path = self.rng.choice(["", "", "strict ", "lax "]) + self.rng.choice([self.expression, self.expression, self.predicate])(3)
        document, path = quoted(self.rng.choice(DOCUMENTS)), quoted(path)
        if self.rng.random() < 0.25:
            return f"SELECT {document}::jsonb {self.rng.choice(['@?', '@@'])} {path}"
        name = self.rng.choice(["exists", "match", "query_array", "query_array", "query_first", "query"])
        return f"SELECT jsonb_path_{name}({document}, {path}, {quoted(self.rng.choice(VARIABLES))}, silent => {self.rng.choice(['true', 'false'])})"


class Regexes:
    def __init__(self, rng):
        self.rng = rng

    def piece(self, depth, captures):
        kind, rng = self.rng.random(), self.rng
        if kind < 0.15:
            return rng.choice(ANCHORS)
        if depth > 0 and kind < 0.3:
            return f"({'' if captures else '?:'}{self.alternatives(depth - 1, captures)})"
        if depth > 0 and kind < 0.38 and not captures:
            return f"(?:{self.alternatives(depth - 1, False)}){rng.choice(QUANTIFIERS)}"
        if depth > 0 and kind < 0.42:
            return f"{rng.choice(['(?=', '(?!'])}{self.alternatives(depth - 1, captures)})"
        if kind < 0.45:
            return f"{rng.choice(['(?<=', '(?<!'])}{rng.choice(ATOMS + ANCHORS)})"
        return rng.choice(ATOMS) + (rng.choice(QUANTIFIERS) if rng.random() < 0.3 else "")

    def alternatives(self, depth, captures):
        branch = lambda: "".join(self.piece(depth, captures) for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3])))
        return "|".join(branch() for _ in range(self.rng.choice([1, 1, 1, 1, 2, 2, 3])))

    def statement(self):
        rng = self.rng
        pattern = rng.choice([""] * 20 + ["(?n)", "(?i)", "(?p)", "(?wi)", "***=", "***:"]) + self.alternatives(2, rng.random() < 0.5)
        given = f"{quoted(rng.choice(SUBJECTS))}, {quoted(pattern)}"
        flags = rng.choice(FLAGS)
        if re.search(r"\)\s+[*+?{]", pattern):
            flags = flags.replace("x", "")  # it would repeat the part in parentheses
        one = flags.replace("g", "")
        return "SELECT " + rng.choice([
            f"regexp_like({given}, '{one}')", f"regexp_replace({given}, '<\\&>', '{flags}')", f"regexp_count({given}, 1, '{one}')",
            f"regexp_matches({given}, '{flags}')", f"regexp_match({given}, '{one}')", f"regexp_split_to_array({given}, '{one}')",
            f"regexp_substr({given}, {rng.randint(1, 3)}, {rng.randint(1, 2)}, '{one}', {rng.randint(0, 2)})",
            f"regexp_instr({given}, {rng.randint(1, 3)}, {rng.randint(1, 2)}, {rng.randint(0, 1)}, '{one}', {rng.randint(0, 2)})",
            f"regexp_replace({given}, '[\\1]', {rng.randint(1, 3)}, {rng.randint(0, 2)}, '{one}')"])


def outcome(answer):
    """Returns the rows, or the error's SQLSTATE."""
    if answer.error is None:
        return answer.rows
    state = re.search(r"ERROR:  (\w{5}):", answer.error)
    return state.group(1) if state else answer.error


def main():
    parser = randoms.options("statements", 20000, "PATTERNS")
    args = parser.parse_args()
    rng = random.Random(f"patterns {args.seed}")
    kinds = [Paths(rng), Regexes(rng)]
    statements = [kinds[i % 2].statement() for i in range(args.statements)]
    folder, wrong, refused = tempfile.mkdtemp(prefix="patterns-"), 0, 0
    pg = Postgres(folder)
    pg.start()
    try:
        for at in range(0, len(statements), BATCH):
            batch = [VERBOSE] + statements[at:at + BATCH]
            for sql, expected, got in list(zip(batch, pg.run(batch), mtsql.run(batch)))[1:]:
                expected, got = outcome(expected), outcome(got)
                refused += got == "0A000"
                if got not in (expected, "0A000"):
                    wrong += 1
                    print(f"FAIL {sql}\n     PostgreSQL: {expected}\n     mtsql:      {got}")
    finally:
        pg.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return randoms.closing(args.seed, len(statements), wrong, f"{refused} refused")


if __name__ == "__main__":
    sys.exit(main())
