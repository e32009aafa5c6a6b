-- also: mongo postgres
-- Functions that change the session, or wait.
SELECT set_config ('timezone', 'Europe/Berlin', false);
SHOW timezone;
SELECT timestamptz '2020-07-01 00:00+00';
SELECT set_config ('timezone', 'Asia/Tokyo', true);
SHOW timezone;
BEGIN;
SELECT set_config ('timezone', 'Asia/Tokyo', true);
SELECT current_setting ('timezone');
SHOW timezone;
COMMIT;
SHOW timezone;
BEGIN;
SELECT set_config ('timezone', 'UTC', false);
ROLLBACK;
SHOW timezone;
SELECT set_config ('timezone', 'Mars', false);
SELECT set_config (NULL, 'x', false);
RESET ALL;
-- the numbers that PostgreSQL gives, too
SELECT setseed (0.25) AS s, random () AS a, random () AS b;
SELECT setseed (0.5);
SELECT random () AS a, random () AS b;
SELECT round (random () * 100) AS r FROM generate_series (1, 5);
SELECT setseed (0.5), random () AS a;
SELECT setseed (-1);
SELECT random ();
SELECT setseed (1.5);
SELECT setseed (NULL) IS NULL AS n;
-- waiting, which can be cancelled
SELECT pg_sleep (0.01);
SELECT pg_sleep_for ('1 millisecond'), pg_sleep_until ('2020-01-01'), pg_sleep (-1);
SELECT pg_sleep (NULL) IS NULL AS n;
SET statement_timeout = 50;
SELECT pg_sleep (60);
RESET statement_timeout;
SELECT 1 AS alive;
