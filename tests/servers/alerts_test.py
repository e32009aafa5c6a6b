#!/usr/bin/env python3
"""--check-alerts on a server: the cases of a store (tests/cli/alerts_test.py), a claim that was
left behind, and no change of the catalog's version.
"""
import datetime
import sys
import tempfile

import pymongo

from checks import finish, same
from server import chosen, database

import alerts
from alerts import sql


def test_claim(uri, db):
    """The claim of a killed program ends by itself. A program that lost its claim does not go on.
    """
    catalog, name = db["_mtsql_catalog"], {"_id": {"kind": "alert_lease", "name": "check"}}
    sql(uri, "CREATE ALERT x AS SELECT 'x' AS x")
    now = datetime.datetime.now(datetime.timezone.utc)
    catalog.update_one(name, {"$set": {"holder": "other", "until": now + datetime.timedelta(seconds=60)}})
    same("claimed", alerts.alerts(uri)[0], 3)
    catalog.update_one(name, {"$set": {"until": now - datetime.timedelta(seconds=1)}})
    version = catalog.find_one({"kind": "version"})
    same("ended", alerts.brief(alerts.alerts(uri)), (4, [("x", "firing", {"x": "x"})], ""))
    same("the version", catalog.find_one({"kind": "version"}), version)
    same("given back", catalog.find_one(name)["until"], datetime.datetime(1970, 1, 1))
    sql(uri, "CREATE OR REPLACE ALERT x AS SELECT 'x' AS x NOTIFY $$sh -c 'kill -9 $PPID'$$")
    same("killed in its notice", alerts.alerts(uri)[0], -9)
    sql(uri, "ALTER ALERT x SET NOTIFY ''")
    same("its claim stays", alerts.alerts(uri)[0], 3)
    catalog.update_one(name, {"$set": {"until": now}})
    same("the notice comes again", alerts.brief(alerts.alerts(uri)), (4, [("x", "firing", {"x": "x"})], ""))
    sql(uri, "DROP ALERT x")
    same("no state is left", list(catalog.find({"kind": "alert_state"})), [])


def main():
    with database(chosen(), "alerts") as uri, tempfile.TemporaryDirectory() as folder:
        for case in (alerts.check_rows, alerts.check_lasting, alerts.check_missing, alerts.check_errors, alerts.check_together):
            case(uri)
        alerts.check_commands(uri, folder)
        alerts.check_failing_commands(uri, folder)
        test_claim(uri, pymongo.MongoClient(uri).get_default_database())
    return finish()


if __name__ == "__main__":
    sys.exit(main())
