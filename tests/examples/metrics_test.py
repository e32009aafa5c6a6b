#!/usr/bin/env python3
"""The lesson of daily metrics: its printed output, but for what the clock says, and its picture (a line for each form of documents). --accept rewrites the expected output."""
import re

import printed


def normal(text):
    text = re.sub(r" *\d+\.\d{3} \| ( *\d+)$", r" N | \1", text, flags=re.M)
    text = re.sub(r" +ms +\|", " ms |", re.sub(r"-{3,}", "---", text)) # the column is as wide as its figures
    return re.sub(r"[▁▂▃▄▅▆▇█]{24} +\d+ writes/s", "N writes/s", text)


printed.run("metrics", normal, plot=lambda svg: svg.count("<polyline") == 3 and svg.count(",") >= 72 and svg.endswith("</svg>\n"))
