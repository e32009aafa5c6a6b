"""What the benchmarks beside DuckDB share: their options, their page, and their folder."""
import argparse
import tempfile
import time

from page import Page


def measure(measurement, doc, intro, **options):
    """Runs measurement (args, folder, page).run () and saves the page. doc: the program's help.
    options: the options of the program and their defaults. A Boolean option is a switch.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--output")
    for name, default in {"rows": 8380000, **options}.items():
        how = {"action": "store_true"} if default is False else {"type": type(default), "default": default}
        parser.add_argument("--" + name.replace("_", "-"), **how)
    args = parser.parse_args()
    page = Page(args.output, intro)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mtsql-bench-", dir=args.build) as folder:
        measurement(args, folder, page).run()
    page.save()
    print(f"\n{time.monotonic() - start:.0f} s")
