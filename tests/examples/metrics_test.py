#!/usr/bin/env python3
"""The lesson of daily metrics: its printed output, without times of the clock, and its picture,
which has a line for each form of documents. --accept rewrites the expected output.
"""
import re

import printed


def normal(text):
    text = printed.without_times(text)
    return re.sub(r"[▁▂▃▄▅▆▇█]{24} \| +\d+ \|", "N | N |", text)


printed.run("metrics", normal, plot=lambda svg: "<desc>hour: flat, hierarchical, preallocated</desc>" in svg and svg.endswith("</svg>\n"))
