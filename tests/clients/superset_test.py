#!/usr/bin/env python3
"""Apache Superset over a packed table: its inspector, every time grain, SQL Lab, a chart, and a
dashboard in Chromium.

`make superset` installs Superset into build/superset. Debian's chromium-driver drives the browser.
SUPERSET_DB=FILE names a superset.db that was set up before, which saves minutes. PICTURE=FILE.png
keeps the picture.
"""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request

from listening import listening
from cases import Skip, check, run, same
from waiting import until

ROOT = pathlib.Path(os.environ["ROOT"])
PYTHON = pathlib.Path(os.environ.get("SUPERSET", ROOT / "build" / "superset")) / "bin" / "python"
TABLE = """CREATE TABLE power (time timestamptz TIME NOT NULL, house text DIMENSION NOT NULL, room text DIMENSION NOT NULL, watts bigint MEASURE NOT NULL)
   USING nested WITH (cluster_by = 'house', levels = 'time, room', presum = 'time')"""
FILL = """INSERT INTO power SELECT '2024-05-01'::timestamptz + i * interval '10 min', house, room, 100 + (i * 7 + ascii (room)) % 50 + i / 10 + (ascii (house) - 110) * 40
   FROM generate_series (0, 2000) i, unnest (ARRAY['north', 'south']) house, unnest (ARRAY['attic', 'bath', 'cellar']) room"""
GRAINS = ["PT1S", "PT5S", "PT30S", "PT1M", "PT5M", "PT10M", "PT15M", "PT30M", "PT1H", "P1D", "P1W", "P1M", "P3M", "P1Y"]
CONFIG = """import os
SECRET_KEY = "only for a test, on a loopback address"
SQLALCHEMY_DATABASE_URI = "sqlite:///" + os.path.join(os.path.dirname(os.path.abspath(__file__)), "superset.db")
WTF_CSRF_ENABLED = TALISMAN_ENABLED = RATELIMIT_ENABLED = AUTH_RATE_LIMITED = False
"""
SET_UP = [["db", "upgrade"], ["fab", "create-admin", "--username", "admin", "--firstname", "a", "--lastname", "b", "--email", "a@example.com", "--password", "admin"], ["init"]]
LOOK = """import sys, time
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
url, dashboard, picture = sys.argv[1:]
options = webdriver.ChromeOptions()
for o in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,800"):
    options.add_argument(o)
options.binary_location = "/usr/bin/chromium"
browser = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
try:
    waits = WebDriverWait(browser, 240)
    browser.get(url + "/login/")
    waits.until(lambda b: b.find_elements(By.CSS_SELECTOR, "input[type=password]"))
    browser.find_elements(By.CSS_SELECTOR, "input[type=text], input[name=username]")[0].send_keys("admin")
    browser.find_element(By.CSS_SELECTOR, "input[type=password]").send_keys("admin\\n")
    waits.until(lambda b: "/login" not in b.current_url)
    browser.get(url + dashboard)
    waits.until(lambda b: b.find_elements(By.CSS_SELECTOR, ".chart-container canvas, .dashboard-chart canvas, [data-test=chart-container] canvas"))
    # drawn: its canvas has many colours
    drawn = "const c = [...document.querySelectorAll('canvas')].sort((a, b) => b.width * b.height - a.width * a.height)[0], d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, s = new Set(); for (let i = 0; i < d.length; i += 4) if (d[i + 3]) s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return s.size"
    waits.until(lambda b: b.execute_script(drawn) > 20)
    time.sleep(2)  # its animation
    browser.save_screenshot(picture)
    print(browser.execute_script(drawn), browser.title)
finally:
    browser.quit()
"""


class Superset:
    """Superset with SQLite for its own tables, and the user admin."""

    def __init__(self, folder):
        self.folder, self.token = pathlib.Path(folder), None
        (self.folder / "superset_config.py").write_text(CONFIG)
        self.env = {**os.environ, "SUPERSET_CONFIG_PATH": f"{folder}/superset_config.py", "SUPERSET_HOME": str(folder), "FLASK_APP": "superset.app:create_app()", "HOME": str(folder)}
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{s.getsockname()[1]}"

    def __enter__(self):
        if "SUPERSET_DB" in os.environ:
            shutil.copy(os.environ["SUPERSET_DB"], self.folder / "superset.db")
        for words in SET_UP if not (self.folder / "superset.db").exists() else ():
            p = subprocess.run([PYTHON.parent / "superset", *words], env=self.env, capture_output=True, text=True, cwd=self.folder)
            if p.returncode:
                raise AssertionError(p.stderr[-3000:])
        with open(self.folder / "log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([PYTHON, "-m", "flask", "run", "-p", self.url.rsplit(":", 1)[1], "--with-threads"], env=self.env, stdout=log, stderr=log, cwd=self.folder)

        def answers():
            if self.process.poll() is not None:
                raise AssertionError((self.folder / "log").read_text()[-3000:])
            try:
                return urllib.request.urlopen(self.url + "/health", timeout=10).status == 200
            except OSError:
                return False
        until(answers)
        self.token = self("security/login", {"username": "admin", "password": "admin", "provider": "db", "refresh": True})["access_token"]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def __call__(self, path, body=None, method=None):
        """Returns an answer of the REST API."""
        request = urllib.request.Request(f"{self.url}/api/v1/{path}", None if body is None else json.dumps(body).encode(), ({"Content-Type": "application/json"} if body is not None else {}) | ({"Authorization": f"Bearer {self.token}"} if self.token else {}), method=method)
        try:
            return json.load(urllib.request.urlopen(request, timeout=300))
        except urllib.error.HTTPError as e:
            raise AssertionError(f"{path}: {e.code} {e.read()[:2000]}") from e


def query(grain, **more):
    axis = {"timeGrain": grain, "columnType": "BASE_AXIS", "sqlExpression": "time", "label": "time", "expressionType": "SQL"}
    total = {"expressionType": "SIMPLE", "column": {"column_name": "watts"}, "aggregate": "SUM", "label": "total"}
    return {"columns": [axis, "house"], "metrics": [total], "orderby": [], "row_limit": 10000, "time_range": "2024-05-02 : 2024-05-12", "granularity": "time", "extras": {"time_grain_sqla": grain}, "filters": [{"col": "time", "op": "TEMPORAL_RANGE", "val": "2024-05-02 : 2024-05-12"}], **more}


def data(superset, dataset, *queries):
    found = superset("chart/data", {"datasource": {"id": dataset, "type": "table"}, "force": True, "queries": list(queries), "result_format": "json", "result_type": "full"})
    return [(q["status"], q["error"], q["data"]) for q in found["result"]]


def test_superset(folder):
    if not PYTHON.exists():
        raise Skip("make superset installs it")
    with listening(f"{folder}/s") as s:
        import psycopg
        with psycopg.connect(s.dsn(), autocommit=True) as c:
            c.execute(TABLE)
            c.execute(FILL)
            wanted = dict(c.execute("SELECT house, sum(watts)::bigint FROM power WHERE time >= '2024-05-02' AND time < '2024-05-12' GROUP BY 1").fetchall())
        with Superset(folder) as superset:
            database = superset("database/", {"database_name": f"mtsql {s.port}", "sqlalchemy_uri": f"postgresql+psycopg2://tester@127.0.0.1:{s.port}/s", "expose_in_sqllab": True})["id"]
            check("schemas", "public" in superset(f"database/{database}/schemas/")["result"])
            same("tables", [t["value"] for t in superset(f"database/{database}/tables/?q=(schema_name:public)")["result"]], ["power"])
            columns = superset(f"database/{database}/table_metadata/?name=power&schema=public")["columns"]
            same("columns", [(c["name"], c["type"]) for c in columns], [("time", "TIMESTAMP"), ("house", "TEXT"), ("room", "TEXT"), ("watts", "BIGINT")])
            dataset = superset("dataset/", {"database": database, "schema": "public", "table_name": "power"})["id"]
            columns = superset(f"dataset/{dataset}")["result"]["columns"]
            same("the dataset's time", [c["column_name"] for c in columns if c["is_dttm"]], ["time"])
            for grain in GRAINS:
                status, error, found = data(superset, dataset, query(grain))[0]
                check(f"{grain}: {error}", status == "success")
                same(f"{grain}: totals", {h: sum(int(r["total"]) for r in found or [] if r["house"] == h) for h in wanted}, wanted)
            distinct = {"expressionType": "SIMPLE", "column": {"column_name": "room"}, "aggregate": "COUNT_DISTINCT", "label": "rooms"}
            status, error, found = data(superset, dataset, query("P1D", columns=["house"], metrics=[distinct], filters=[{"col": "room", "op": "IN", "val": ["attic", "bath"]}, {"col": "room", "op": "ILIKE", "val": "%A%"}]))[0]
            same("filters", (error, sorted((r["house"], r["rooms"]) for r in found or [])), (None, [("north", 2), ("south", 2)]))
            told = superset("sqllab/execute/", {"database_id": database, "sql": "SELECT house, time_bucket('1 week', time) AS week, avg(watts)::float8 FROM power GROUP BY 1, 2 ORDER BY 1, 2", "runAsync": False, "schema": "public"})
            same("SQL Lab", (told["status"], len(told["data"])), ("success", 6))
            params = {"datasource": f"{dataset}__table", "viz_type": "echarts_timeseries_line", "x_axis": "time", "time_grain_sqla": "PT1H", "metrics": query("PT1H")["metrics"], "groupby": ["house"], "adhoc_filters": [], "row_limit": 10000, "show_legend": True, "rich_tooltip": True}
            context = {"datasource": {"id": dataset, "type": "table"}, "force": False, "queries": [query("PT1H", series_columns=["house"])], "form_data": params, "result_format": "json", "result_type": "full"}
            chart = superset("chart/", {"slice_name": "Power of the houses", "viz_type": "echarts_timeseries_line", "datasource_id": dataset, "datasource_type": "table", "params": json.dumps(params), "query_context": json.dumps(context)})["id"]
            found = superset(f"chart/{chart}/data/")["result"][0]
            same("the chart's data", {h: sum(int(r["total"]) for r in found["data"] if r["house"] == h) for h in wanted}, wanted)
            cell = {"type": "CHART", "id": "CHART-1", "children": [], "parents": ["ROOT_ID", "GRID_ID", "ROW-1"], "meta": {"chartId": chart, "width": 12, "height": 60, "sliceName": "Power of the houses"}}
            position = {"DASHBOARD_VERSION_KEY": "v2", "ROOT_ID": {"type": "ROOT", "id": "ROOT_ID", "children": ["GRID_ID"]}, "GRID_ID": {"type": "GRID", "id": "GRID_ID", "children": ["ROW-1"], "parents": ["ROOT_ID"]},
                        "ROW-1": {"type": "ROW", "id": "ROW-1", "children": ["CHART-1"], "parents": ["ROOT_ID", "GRID_ID"], "meta": {"background": "BACKGROUND_TRANSPARENT"}}, "CHART-1": cell}
            dashboard = superset("dashboard/", {"dashboard_title": "Houses", "published": True, "position_json": json.dumps(position)})["id"]
            superset(f"chart/{chart}", {"dashboards": [dashboard]}, "PUT")
            if not os.path.exists("/usr/bin/chromedriver"):
                raise Skip("the dashboard: chromium-driver is not installed")
            picture = os.environ.get("PICTURE", f"{folder}/dashboard.png")
            p = subprocess.run([PYTHON, "-c", LOOK, superset.url, f"/superset/dashboard/{dashboard}/?standalone=1", picture], capture_output=True, text=True, env=superset.env)
            same("the dashboard's chart is drawn", p.returncode, 0) or print(p.stdout, p.stderr[-3000:])


sys.exit(run(globals()))
