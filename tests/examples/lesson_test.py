#!/usr/bin/env python3
"""The first lesson's printed output, at 20,000 rows, without times of the clock. --accept rewrites
the expected output.
"""
import re
import tempfile

import printed


def normal(text):
    text = re.sub(r"\d+\.\d+ s, \d+ rows/s", "N s, N rows/s", text)
    text = re.sub(r"│[█▒]* ?[\d.]+$", "│### N", text, flags=re.M)
    text = re.sub(r"^( \w+ +\| +\d+ \| +[\d.]+ \|)(.*)\| +[\d.]+ \|(.*)\| +[\d.]+$", r"\1\2| N |\3| N", text, flags=re.M)
    return re.sub(r" {2,}(Q\d ms)", r" \1", re.sub(r"-{3,}", "---", text)) # the column is as wide as its figures


def right(svg):
    return "<desc>layout: Q1, Q2</desc>" in svg and svg.endswith("</svg>\n")


with tempfile.TemporaryDirectory() as folder:
    printed.run("packed", normal, plot=right, args=["--rows", "20000", "--page", f"{folder}/page.html"], expected="lesson")
