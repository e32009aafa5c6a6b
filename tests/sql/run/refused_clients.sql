-- what PostgreSQL's clients, mappers and dumps send, and mtsql refuses with a hint
\set VERBOSITY verbose
SELECT '10:00+01'::timetz;
SELECT '10:00'::time with time zone;
CREATE TABLE a (t timetz);
DO $$ BEGIN PERFORM 1; END $$;
LISTEN a;
NOTIFY a, 'x';
CREATE TRIGGER t AFTER INSERT ON a EXECUTE FUNCTION f();
DROP TRIGGER t ON a;
CREATE RULE r AS ON INSERT TO a DO NOTHING;
GRANT SELECT ON a TO b;
REVOKE ALL ON a FROM b;
CREATE ROLE r;
CREATE USER u;
CREATE POLICY p ON a;
CREATE TABLE a (b integer REFERENCES c);
CREATE TABLE a (b integer, FOREIGN KEY (b) REFERENCES c);
CREATE TABLE a (b integer);
ALTER TABLE a ADD CONSTRAINT f FOREIGN KEY (b) REFERENCES c (d);
SELECT int4range(1, 2);
SELECT '[1,2)'::tstzrange;
CREATE TABLE b (r daterange);
LOCK TABLE a;
-- settings of PostgreSQL's planner
\set VERBOSITY default
SET enable_seqscan = off;
SHOW enable_seqscan;
SET random_page_cost = 1.1;
SHOW random_page_cost;
SET jit TO off;
SHOW jit;
RESET jit;
SHOW jit;
SET effective_cache_size = '4GB';
SHOW effective_cache_size;
SELECT set_config('enable_hashjoin', 'off', false), current_setting('enable_hashjoin');
