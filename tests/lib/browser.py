"""Pages in Chromium without a window: pictures of them, and the places of their parts."""
import json
import os
import re
import shutil
import subprocess
import tempfile

from cases import Skip
from PIL import Image

LIMIT_S = 120


def program():
    """Returns the path of Chromium. Skips the case if there is none."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        raise Skip("there is no Chromium")
    return found


def start(page, *options, dark=False):
    """Opens a file in a new profile. Returns what Chromium prints. Chromium has the lowest priority,
    because tests that run beside it may depend on time.
    """
    with tempfile.TemporaryDirectory(prefix="browser-") as profile:
        p = subprocess.run(["nice", "-n", "19", program(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", f"--user-data-dir={profile}", f"--blink-settings=preferredColorScheme={int(not dark)}", *options,
                            f"file://{os.path.abspath(page)}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=LIMIT_S, check=False)
    return p.stdout.decode("utf-8", "replace")


def screenshot(page, picture, width, height, dark=False):
    """Writes a PNG file of the page in a window of this size."""
    start(page, f"--window-size={width},{height}", f"--screenshot={os.path.abspath(picture)}", dark=dark)
    if not os.path.exists(picture):
        raise AssertionError(f"no picture of {page}")


def measure(page, script, width, height=1000):
    """Returns the value of a JavaScript expression in the page. The page forbids scripts, so the
    function runs a copy without this rule.
    """
    with open(page, encoding="utf-8") as f:
        text = re.sub(r"<meta http-equiv=.Content-Security-Policy.[^>]*>", "", f.read())
    with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as copy:
        copy.write(text.replace("</body>", f"<script>const found = {script}; document.title = JSON.stringify(found)</script></body>"))
        copy.flush()
        dom = start(copy.name, f"--window-size={width},{height}", "--dump-dom")
    title = re.search(r"<title>(.*?)</title>", dom, re.S)[1]
    for name, text in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("amp", "&")):
        title = title.replace(f"&{name};", text)
    return json.loads(title)


def picture(file):
    """Returns a PNG file as an image of RGB pixels."""
    with Image.open(file) as image:
        return image.convert("RGB")


def colours(image, box=None):
    """Returns {colour: number of pixels} of a picture, or of its part (left, top, right, bottom).
    """
    part = image.crop(box) if box else image
    return {colour: n for n, colour in part.getcolors(part.width * part.height)}
