"""Pages in Chromium without a window: pictures of them, and where their parts are."""
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
import zlib

from cases import Skip

LIMIT_S = 120


def program():
    """Chromium; a case that needs it is skipped where there is none."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        raise Skip("there is no Chromium")
    return found


def start(page, *options, dark=False):
    """Opens a file in a profile of its own. Returns what the program prints. Chromium waits for tests that run beside it, some of which depend on time."""
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
    """The value of an expression of JavaScript in the page. The page forbids scripts, so a copy without this rule runs it."""
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


def pixels(file):
    """The colours of an RGB or RGBA picture, row by row."""
    with open(file, "rb") as f:
        data = f.read()
    at, packed = 8, b""
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + n]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert (depth, interlace) == (8, 0) and colour in (2, 6)
        packed += body if kind == b"IDAT" else b""
        at += 12 + n
    each = 3 if colour == 2 else 4
    raw, stride, before = zlib.decompress(packed), width * each, bytearray(width * each)
    for y in range(height):
        line = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        how = raw[y * (stride + 1)]
        for i in range(stride):
            a, b, c = line[i - each] if i >= each else 0, before[i], before[i - each] if i >= each else 0
            if how == 1:
                line[i] = line[i] + a & 255
            elif how == 2:
                line[i] = line[i] + b & 255
            elif how == 3:
                line[i] = line[i] + (a + b) // 2 & 255
            elif how == 4:
                d = a + b - c
                line[i] = line[i] + min((abs(d - a), 0, a), (abs(d - b), 1, b), (abs(d - c), 2, c))[2] & 255
        yield [tuple(line[i:i + 3]) for i in range(0, stride, each)]
        before = line
