#!/usr/bin/env python3
"""The first lesson's printed output, at 20,000 rows, but for what the clock says. --accept rewrites the expected output."""
import re

import printed


def normal(text):
    text = re.sub(r"\d+\.\d+ s, \d+ rows/s", "N s, N rows/s", text)
    text = re.sub(r" *█+", " ###", text)
    return re.sub(r" *\d+(\.\d+)? ms\b", " N ms", text)


printed.run("packed", normal, plot=lambda svg: svg.count("<rect") == 11 and svg.endswith("</svg>\n"), args=["--rows", "20000"], expected="lesson")
