/* The statements that \h explains. To add a statement, add a row here, in alphabetical order. */
#include "shell/commands/command_int.h"

const MtSqlHelp mt_sql_help[] = {
   {"ABORT", "end a transaction and undo it", "ABORT [WORK | TRANSACTION] [AND [NO] CHAIN]"},
   {"ADVISE", "propose layouts that would serve queries best",
    "ADVISE [(option value, …)] {query | 'query; query; …'}\n"
    "\n"
    "where option is one of:\n"
    "   MAX_BYTES '100MB'    of all proposed layouts together; no limit by default\n"
    "   MAX_LAYOUTS 3        the most layouts that are proposed\n"
    "\n"
    "A comment with \"weight: 5\" before a query says that it counts five times. ADVISE reads each\n"
    "table once, and builds nothing."},
   {"ALTER ALERT", "change an alert, or switch it on and off",
    "ALTER ALERT [IF EXISTS] name SET [FOR 'interval'] [EVERY 'interval'] [NOTIFY 'command']\n"
    "ALTER ALERT [IF EXISTS] name RENAME TO name\n"
    "ALTER ALERT [IF EXISTS] name {ENABLE | DISABLE}\n"
    "\n"
    "NOTIFY '' removes the command."},
   {"ALTER DOMAIN", "change the constraints or the default of a domain",
    "ALTER DOMAIN name ADD [CONSTRAINT name] CHECK (condition)\n"
    "ALTER DOMAIN name DROP CONSTRAINT [IF EXISTS] name\n"
    "ALTER DOMAIN name {SET | DROP} NOT NULL\n"
    "ALTER DOMAIN name {SET DEFAULT expr | DROP DEFAULT}"},
   {"ALTER EXTENSION", "change the version of an extension",
    "ALTER EXTENSION name UPDATE [TO version]"},
   {"ALTER MATERIALIZED VIEW", "rename a materialized view, or change its options",
    "ALTER MATERIALIZED VIEW [IF EXISTS] name RENAME TO name\n"
    "ALTER MATERIALIZED VIEW [IF EXISTS] name SET (materialized_only [= boolean])\n"
    "\n"
    "The option belongs to continuous views."},
   {"ALTER INDEX", "rename an index", "ALTER INDEX [IF EXISTS] name RENAME TO name"},
   {"ALTER SCHEMA", "rename a schema that has no relations", "ALTER SCHEMA name RENAME TO name"},
   {"ALTER SEQUENCE", "change or rename a sequence",
    "ALTER SEQUENCE [IF EXISTS] name [option …] [RESTART [[WITH] value]]\n"
    "ALTER SEQUENCE [IF EXISTS] name RENAME TO name\n"
    "\n"
    "The options are those of CREATE SEQUENCE."},
   {"ALTER TABLE", "add or drop layouts and columns, or rename",
    "ALTER TABLE name ADD LAYOUT layout USING preset [WITH (option = value, …)]\n"
    "ALTER TABLE name SET SCHEMA schema\n"
    "ALTER TABLE name DROP LAYOUT layout\n"
    "ALTER TABLE name ADD [COLUMN] [IF NOT EXISTS] column type [DIMENSION | MEASURE [COUNTER]]\n"
    "   [FIELD 'stored name'] [NOT NULL] [DEFAULT expr]\n"
    "ALTER TABLE name DROP [COLUMN] [IF EXISTS] column [CASCADE | RESTRICT]\n"
    "ALTER TABLE name ALTER [COLUMN] column {[SET DATA] TYPE type [USING expr]\n"
    "   | SET DEFAULT expr | DROP DEFAULT | {SET | DROP} NOT NULL\n"
    "   | ADD GENERATED {ALWAYS | BY DEFAULT} AS IDENTITY [(option …)]\n"
    "   | SET GENERATED {ALWAYS | BY DEFAULT} | SET option | RESTART [[WITH] value]\n"
    "   | DROP IDENTITY [IF EXISTS]}\n"
    "ALTER TABLE name RENAME CONSTRAINT name TO name\n"
    "ALTER TABLE name ADD [CONSTRAINT name] {CHECK (condition)\n"
    "   | PRIMARY KEY (column, …) | UNIQUE [NULLS NOT DISTINCT] (column, …)}\n"
    "ALTER TABLE name ADD [CONSTRAINT name] CHECK (condition) NOT VALID\n"
    "ALTER TABLE name VALIDATE CONSTRAINT name\n"
    "ALTER TABLE name DROP CONSTRAINT [IF EXISTS] name\n"
    "ALTER TABLE name RENAME [COLUMN] column TO name\n"
    "ALTER TABLE name RENAME TO name\n"
    "ALTER TABLE name SET (expire_after = 'interval')\n"
    "ALTER TABLE name RESET (expire_after)\n"
    "ALTER TABLE name LAYOUT layout {SET (expire_after = 'interval') | RESET (expire_after)}\n"
    "\n"
    "Rows older than expire_after are no longer visible, and are removed later. A layout can\n"
    "have a shorter interval than its table."},
   {"ALTER TYPE", "add a label to an enumerated type, or rename",
    "ALTER TYPE name ADD VALUE [IF NOT EXISTS] 'label' [{BEFORE | AFTER} 'label']\n"
    "ALTER TYPE name RENAME VALUE 'label' TO 'label'\n"
    "ALTER TYPE name RENAME TO name"},
   {"ANALYZE", "collect statistics, which the choice of a layout uses", "ANALYZE [table]"},
   {"BEGIN", "begin a transaction",
    "BEGIN [WORK | TRANSACTION] [mode, …]\n"
    "\n"
    "where mode is one of:\n"
    "   ISOLATION LEVEL {SERIALIZABLE | REPEATABLE READ | READ COMMITTED | READ UNCOMMITTED}\n"
    "   READ WRITE | READ ONLY\n"
    "   [NOT] DEFERRABLE"},
   {"CALL", "refresh a continuous view, or remove expired or old rows",
    "CALL refresh_continuous_aggregate ('view', from, to [, force => boolean])\n"
    "CALL add_continuous_aggregate_policy ('view', start_offset => interval,\n"
    "   end_offset => interval, schedule_interval => interval [, if_not_exists => boolean])\n"
    "CALL remove_continuous_aggregate_policy ('view' [, if_exists => boolean])\n"
    "CALL drop_chunks ('table' [, older_than => {interval | time}])\n"
    "\n"
    "A refresh computes the stale buckets that lie within the window, and those behind the\n"
    "stored ones. A bound that is NULL is open. force computes all buckets of the window. A\n"
    "policy says when mtsql --maintain refreshes which window: from start_offset to end_offset\n"
    "before now. SELECT calls the procedures of policies, and drop_chunks, too.\n"
    "\n"
    "The result of drop_chunks has a row for each dropped partition, and for each collection with deleted\n"
    "documents. Without older_than, drop_chunks removes expired rows (see ALTER TABLE). VACUUM\n"
    "removes them, too, and so does a writing session on a local store, every sweep_interval.\n"
    "With older_than, the table needs no expire_after. The time is rounded down to the start of\n"
    "the coarsest unit of the layouts."},
   {"CHECK TABLE", "find sums and layouts that don't agree with the records",
    "CHECK TABLE name\n"
    "CHECK LAYOUT layout OF table\n"
    "\n"
    "Each fault is a row: its place, the stored value, and the right value. If there are any\n"
    "faults, the statement ends with an error (XX001)."},
   {"CLOSE", "close a cursor", "CLOSE {name | ALL}"},
   {"COMMENT", "describe a table, view or column",
    "COMMENT ON {TABLE name | [MATERIALIZED] VIEW name | COLUMN [schema.]table.column}\n"
    "   IS {'text' | NULL}"},
   {"COMMIT", "end a transaction and keep its changes",
    "COMMIT [WORK | TRANSACTION] [AND [NO] CHAIN]"},
   {"COPY", "move rows between files and tables",
    "COPY table [(column, …)] FROM {'file' | STDIN} [WITH (option, …)] [WHERE condition]\n"
    "COPY {table [(column, …)] | (query)} TO {'file' | STDOUT} [WITH (option, …)]\n"
    "\n"
    "where option can be:\n"
    "   FORMAT {text | csv | jsonl | arrow | arrows | arcanum}\n"
    "                                          default: by the name of the file, else text\n"
    "   EPOCH {'s' | 'ms' | 'us' | 'ns'}       times are numbers\n"
    "   DATESTYLE {'mdy' | 'dmy' | 'ymd'}      the order of the numbers in dates\n"
    "   HEADER [boolean | MATCH], DELIMITER 'c', ENCODING 'name'\n"
    "   NULL {'text' | ('text', …)}            FROM accepts several texts\n"
    " of csv:\n"
    "   QUOTE 'c', ESCAPE 'c', SKIP lines, DECIMAL_SEPARATOR {'.' | ','}\n"
    "   FORCE_NULL (column, …), FORCE_NOT_NULL (column, …), FORCE_QUOTE {(column, …) | *}\n"
    " arrow (a file) and arrows (a stream) of Apache Arrow have TO only, and no options\n"
    " of arcanum (XML), which has FROM only:\n"
    "   PATHS 'column = a/b/@c, …'             the place of a column's value in a record\n"
    "   RECORD 'element', NAMESPACE 'URI'      the element that is a record\n"
    " of FROM:\n"
    "   ON_ERROR {stop | ignore}               ignore: skip records with errors\n"
    "   REJECT_LIMIT n, LOG_VERBOSITY {default | verbose}\n"
    "   LOOKUP 'table'                         find columns in a table or view\n"
    "   LOOKUP_KEY 'column = its column, …', LOOKUP_COLUMNS 'column = its column, …'\n"
    "   LOOKUP_VALID 'from, to'                the columns with the time a row is valid in\n"
    "   LOOKUP_MISSING {null | error}          if the key of a record is not found\n"
    "\n"
    "A file whose name ends in .gz or .zst is compressed."},
   {"CREATE ALERT", "define a query whose rows are things to report",
    "CREATE [OR REPLACE] ALERT [IF NOT EXISTS] name AS query\n"
    "   [FOR 'interval'] [EVERY 'interval'] [NOTIFY 'command']\n"
    "\n"
    "mtsql --check-alerts runs the query. A row fires if it is there for the time FOR. EVERY is\n"
    "how often the query runs. NOTIFY is a command that gets the row in its environment. In a\n"
    "grouped query, the columns without an aggregate identify a row; in others, those that are\n"
    "no numbers. OR REPLACE forgets what fires."},
   {"CREATE DOMAIN", "define a type with constraints",
    "CREATE DOMAIN name [AS] type [NOT NULL] [DEFAULT expr]\n"
    "   [[CONSTRAINT name] CHECK (condition)] …\n"
    "\n"
    "VALUE stands for the value in a condition."},
   {"CREATE EXTENSION", "add an extension to the target",
    "CREATE EXTENSION [IF NOT EXISTS] name [WITH] [VERSION version] [CASCADE]\n"
    "\n"
    "The folders of extension_path have the file name.control. pg_available_extensions lists\n"
    "these extensions, and \\dx those that were added. CASCADE adds required extensions, too."},
   {"CREATE FUNCTION", "define a function",
    "CREATE [OR REPLACE] FUNCTION name ([[arg] type [{DEFAULT | =} value], …]) RETURNS type\n"
    "   LANGUAGE {sql | mql | c} [IMMUTABLE | STABLE | VOLATILE] [STRICT]\n"
    "   AS 'definition' [, 'symbol']"},
   {"CREATE INDEX", "define an index on fields of a table's documents",
    "CREATE INDEX [[IF NOT EXISTS] name] ON table (column, …)\n"
    "CREATE UNIQUE INDEX [[IF NOT EXISTS] name] ON table (column, …)\n"
    "   [NULLS NOT DISTINCT] [WHERE condition]\n"
    "\n"
    "A unique index keeps rows with equal values apart, with any layout of rows. Operator classes,\n"
    "INCLUDE, WITH, and WHERE of other indexes, are accepted with a notice, and have no effect."},
   {"CREATE LAYOUT", "define how tables are stored in documents", mt_layout_grammar},
   {"CREATE MATERIALIZED VIEW", "define a table from a query",
    "CREATE MATERIALIZED VIEW [IF NOT EXISTS] name [(column, …)]\n"
    "   [USING {preset | layout}] [WITH (option = value, …)]\n"
    "   AS query [WITH [NO] DATA]\n"
    "\n"
    "With the option continuous, the query is grouped by time_bucket (width, time) of a table's\n"
    "TIME column. A refresh computes only buckets whose rows have changed, and reads unite the\n"
    "stored buckets and the query. With materialized_only, reads return stored buckets only."},
   {"CREATE SCHEMA", "make a schema for tables, views, sequences and indexes",
    "CREATE SCHEMA [IF NOT EXISTS] name\n"
    "\n"
    "schema.name names a relation of it. SET search_path = schema, public makes the schema the one\n"
    "that is searched first, and in which relations are created."},
   {"CREATE SEQUENCE", "define a sequence of numbers",
    "CREATE SEQUENCE [IF NOT EXISTS] name [AS {smallint | integer | bigint}]\n"
    "   [INCREMENT [BY] number] [MINVALUE number | NO MINVALUE] [MAXVALUE number | NO MAXVALUE]\n"
    "   [START [WITH] number] [CACHE number] [[NO] CYCLE] [OWNED BY {table.column | NONE}]"},
   {"CREATE TABLE", "define a table, or attach one to existing collections",
    "CREATE [TEMPORARY] TABLE [IF NOT EXISTS] name (\n"
    "   column type [TIME [PERIOD 'interval'] | DIMENSION | MEASURE [COUNTER]]\n"
    "      [FIELD 'stored name'] [NOT NULL] [DEFAULT expr]\n"
    "      [[CONSTRAINT name] {PRIMARY KEY | UNIQUE [NULLS NOT DISTINCT]}]\n"
    "      [[CONSTRAINT name] CHECK (condition)]\n"
    "      [GENERATED {ALWAYS | BY DEFAULT} AS IDENTITY [(option of CREATE SEQUENCE …)]], …\n"
    "   [, [CONSTRAINT name] {PRIMARY KEY | UNIQUE [NULLS NOT DISTINCT]} (column, …)] …\n"
    "   [, KEY (column, …)] [, [CONSTRAINT name] CHECK (condition)] …\n"
    ") [USING {preset | layout} [WITH (option = value, …)]]\n"
    "   [ON COMMIT {PRESERVE ROWS | DELETE ROWS | DROP}]\n"
    "\n"
    "The types serial, bigserial and smallserial are integers with a sequence of their own.\n"
    "A TEMPORARY table belongs to the session. It hides other tables of its name, and it is\n"
    "removed when the session ends."},
   {"CREATE TABLE AS", "define a table from a query, and fill it",
    "CREATE [TEMPORARY] TABLE [IF NOT EXISTS] name [(column, …)]\n"
    "   [USING {preset | layout} [WITH (option = value, …)]]\n"
    "   [ON COMMIT {PRESERVE ROWS | DELETE ROWS | DROP}]\n"
    "   AS {query | EXECUTE name [(value, …)]} [WITH [NO] DATA]"},
   {"CREATE TYPE", "define an enumerated type",
    "CREATE TYPE name AS ENUM (['label', …])\n"
    "\n"
    "Values are compared and sorted in the order of the labels."},
   {"CREATE VIEW", "define a view: a query with a name",
    "CREATE [OR REPLACE] VIEW name [(column, …)] AS query"},
   {"DEALLOCATE", "remove prepared statements", "DEALLOCATE [PREPARE] {name | ALL}"},
   {"DECLARE", "define a cursor, which fetches the rows of a query in parts",
    "DECLARE name [INSENSITIVE] [[NO] SCROLL] CURSOR [{WITH | WITHOUT} HOLD] FOR query"},
   {"DELETE", "remove rows",
    "[WITH …] DELETE FROM table [[AS] alias] [USING table, …] [WHERE condition]\n"
    "   [RETURNING expr [[AS] name], … | *]"},
   {"DESCRIBE", "list the columns of a table or a query",
    "DESCRIBE {table | query | 'file' | function}"},
   {"DISCARD", "remove the state of the session", "DISCARD {ALL | PLANS | SEQUENCES | TEMP}"},
   {"DROP ALERT", "remove an alert", "DROP ALERT [IF EXISTS] name, …"},
   {"DROP DOMAIN", "remove domains", "DROP DOMAIN [IF EXISTS] name, … [RESTRICT]"},
   {"DROP EXTENSION", "remove an extension from the target",
    "DROP EXTENSION [IF EXISTS] name, … [CASCADE | RESTRICT]"},
   {"DROP FUNCTION", "remove a function",
    "DROP FUNCTION [IF EXISTS] name [(type, …)], … [CASCADE | RESTRICT]"},
   {"DROP INDEX", "remove an index", "DROP INDEX [IF EXISTS] name, …"},
   {"DROP LAYOUT", "remove a layout of CREATE LAYOUT", "DROP LAYOUT [IF EXISTS] name"},
   {"DROP MATERIALIZED VIEW", "remove a materialized view",
    "DROP MATERIALIZED VIEW [IF EXISTS] name, … [CASCADE | RESTRICT]"},
   {"DROP SCHEMA", "remove schemas; with CASCADE their relations, too",
    "DROP SCHEMA [IF EXISTS] name, … [CASCADE | RESTRICT]"},
   {"DROP SEQUENCE", "remove sequences", "DROP SEQUENCE [IF EXISTS] name, … [CASCADE]"},
   {"DROP TABLE", "remove a table; keep the documents of an attached one",
    "DROP TABLE [IF EXISTS] name, … [CASCADE | RESTRICT]"},
   {"DROP TYPE", "remove enumerated types", "DROP TYPE [IF EXISTS] name, … [RESTRICT]"},
   {"DROP VIEW", "remove a view", "DROP VIEW [IF EXISTS] name, … [CASCADE | RESTRICT]"},
   {"END", "end a transaction and keep its changes", "END [WORK | TRANSACTION] [AND [NO] CHAIN]"},
   {"EXECUTE", "run a prepared statement", "EXECUTE name [(expr, …)]"},
   {"EXPLAIN", "show the layout, the cut and the pipeline of a statement",
    "EXPLAIN [ANALYZE] [VERBOSE] statement\n"
    "EXPLAIN ({ANALYZE | VERBOSE | COSTS | TIMING | SUMMARY} [boolean], FORMAT {text | json},\n"
    "   HYPOTHETICAL 'ALTER TABLE … ADD LAYOUT …', …)\n"
    "   statement\n"
    "\n"
    "where statement is a query, INSERT, UPDATE, DELETE, CREATE TABLE AS, EXECUTE or DECLARE.\n"
    "ANALYZE runs the statement. VERBOSE prints long lists of values and of similar partitions\n"
    "in full, and the stored fields that are read. A change shows the documents that it changes.\n"
    "Joins, set operations and windows are a tree of steps with their numbers of rows."},
   {"FETCH", "get rows from a cursor",
    "FETCH [direction] [FROM | IN] name\n"
    "\n"
    "where direction is one of:\n"
    "   NEXT | PRIOR | FIRST | LAST | ABSOLUTE count | RELATIVE count | count | ALL\n"
    "   FORWARD [count | ALL] | BACKWARD [count | ALL]"},
   {"INSERT", "add rows",
    "[WITH …] INSERT INTO table [AS alias] [(column, …)] [OVERRIDING {SYSTEM | USER} VALUE]\n"
    "   {VALUES ({expr | DEFAULT}, …), … | query | DEFAULT VALUES}\n"
    "   [ON CONFLICT [(column, …) [WHERE condition of the index] | ON CONSTRAINT name]\n"
    "      {DO NOTHING | DO UPDATE SET … [WHERE condition]}]   -- EXCLUDED is the new row\n"
    "   [RETURNING expr [[AS] name], … | *]"},
   {"LOAD", "load an extension, or a shared library, for the session", "LOAD 'name or file'"},
   {"MERGE", "update, delete or insert rows, by those of a source",
    "[WITH …] MERGE INTO table [[AS] alias] USING item ON condition\n"
    "   {WHEN MATCHED [AND condition] THEN {UPDATE SET … | DELETE | DO NOTHING}\n"
    "    | WHEN NOT MATCHED [AND condition] THEN\n"
    "         {INSERT [(column, …)] [OVERRIDING {SYSTEM | USER} VALUE] VALUES ({expr | DEFAULT}, …)\n"
    "          | INSERT DEFAULT VALUES | DO NOTHING}} …"},
   {"MOVE", "move a cursor without getting rows",
    "MOVE [direction] [FROM | IN] name   -- \\h FETCH lists the directions"},
   {"LOCK", "accepted for dumps; it has no effect, and a notice says so",
    "LOCK [TABLE] name, … IN ACCESS SHARE MODE"},
   {"PREALLOCATE", "create documents of counters for the future, with every slot 0",
    "PREALLOCATE table FOR 'interval' [FROM 'time']\n"
    "\n"
    "Creates the missing documents from now, or from the time of FROM, until the interval ends.\n"
    "They are created for each series with a record in the current or the previous period (a day\n"
    "or a month). A slot of 0 is no sample: no result changes. With the layout option\n"
    "preallocate = '1/2000', INSERT creates the documents gradually."},
   {"PREPARE", "prepare a statement with parameters",
    "PREPARE name [(type, …)] AS {query | INSERT … | UPDATE … | DELETE …}\n"
    "\n"
    "$1, $2 … are its parameters. A parameter without a type gets the type that its use needs."},
   {"REFRESH MATERIALIZED VIEW", "run the query of a materialized view again",
    "REFRESH MATERIALIZED VIEW [CONCURRENTLY] name [WITH [NO] DATA]"},
   {"RELEASE SAVEPOINT", "remove a savepoint, and keep the changes since",
    "RELEASE [SAVEPOINT] name"},
   {"REPAIR TABLE", "repair the faults that CHECK TABLE finds",
    "REPAIR TABLE name [FROM layout]\n"
    "REPAIR LAYOUT layout OF table [FROM layout]\n"
    "\n"
    "Sums are computed from the level below. Other layouts are computed from the layout after\n"
    "FROM; by default that is the first one that keeps records."},
   {"RESET", "set a setting of the session to its default", "RESET {name | ALL}"},
   {"ROLLBACK", "end a transaction and undo it", "ROLLBACK [WORK | TRANSACTION] [AND [NO] CHAIN]"},
   {"ROLLBACK TO SAVEPOINT", "undo the changes since a savepoint",
    "ROLLBACK [WORK | TRANSACTION] TO [SAVEPOINT] name"},
   {"SAVEPOINT", "define a savepoint in a transaction", "SAVEPOINT name"},
   {"SELECT", "get rows",
    "[WITH [RECURSIVE] name [(column, …)] AS (query), …]\n"
    "SELECT [DISTINCT [ON (expr, …)]] {expr [[AS] name] | [table.]* [change …]}, …\n"
    "[FROM item, …]\n"
    "[WHERE condition]\n"
    "[SAMPLE BY width [FROM start] [TO end] [FILL (fill, …)] [ALIGN TO alignment]]\n"
    "[LATEST ON time PARTITION BY column, …]\n"
    "[GROUP BY {ALL | [DISTINCT]\n"
    "   {expr | ROLLUP (expr, …) | CUBE (expr, …) | GROUPING SETS (…)}, …}]\n"
    "[HAVING condition]\n"
    "[WINDOW name AS ([PARTITION BY expr, …] [ORDER BY …]\n"
    "   [{ROWS | RANGE | GROUPS} BETWEEN … AND … [EXCLUDE …]]), …]\n"
    "[QUALIFY condition]\n"
    "[{UNION | INTERSECT | EXCEPT} [ALL] query]\n"
    "[ORDER BY {ALL | expr} [ASC | DESC] [NULLS {FIRST | LAST}], …]\n"
    "[LIMIT count | FETCH FIRST [count] ROWS {ONLY | WITH TIES}] [OFFSET start]\n"
    "\n"
    "FROM item, … may stand first; SELECT * behind it may be left out.\n"
    "\n"
    "SAMPLE BY groups by periods of the TIME column, and by the other columns without aggregates.\n"
    "LATEST ON takes the newest row of each key. WHERE comes before both.\n"
    "\n"
    "where width is a number with a unit, or 'interval':\n"
    "   T (milliseconds), s, m (minutes), h, d, w, M (months), y\n"
    "and fill is what an aggregate is in a period without rows, one for all or one for each:\n"
    "   NONE (no row) | NULL | PREV (the last value) | LINEAR (interpolated) | constant | (expr)\n"
    "and alignment is one of:\n"
    "   CALENDAR [TIME ZONE 'zone'] [WITH OFFSET 'hh:mm']   -- the default\n"
    "   FIRST OBSERVATION\n"
    "and change is one of:\n"
    "   EXCLUDE (column, …)\n"
    "   REPLACE (expr AS column, …)\n"
    "   RENAME (column AS name, …)\n"
    "and item is one of:\n"
    "   table [[AS] alias] [TABLESAMPLE {BERNOULLI | SYSTEM} (percent) [REPEATABLE (seed)]]\n"
    "   [LATERAL] {(query) | function (…) [WITH ORDINALITY]\n"
    "      | ROWS FROM (function (…), …) [WITH ORDINALITY]} [[AS] alias [(column, …)]]\n"
    "   {'file' | read_csv ('file' [, option => value, …])} [[AS] alias [(column, …)]]\n"
    "   item {[INNER] | {LEFT | RIGHT | FULL} [OUTER]} JOIN item\n"
    "      {ON condition | USING (column, …)}\n"
    "   item NATURAL [LEFT | RIGHT | FULL] JOIN item\n"
    "   item CROSS JOIN item\n"
    "   item ASOF [NEAREST] [LEFT] JOIN item {ON condition | USING (column, …)}\n"
    "      [TOLERANCE {'interval' | 50s | number}]   -- the nearest row before, or after\n"
    "   item WINDOW JOIN item [ON condition | USING (column, …)]   -- the rows near in time\n"
    "      RANGE BETWEEN bound AND bound [{INCLUDE | EXCLUDE} PREVAILING]\n"
    "\n"
    "where bound is CURRENT ROW, or {'interval' | 50s | 1 minute} {PRECEDING | FOLLOWING}\n"
    "\n"
    "options of read_csv, whose form a sample gives otherwise:\n"
    "   delimiter => 'c', quote => 'c' ('': none), escape => 'c', header => boolean\n"
    "   skip => lines, encoding => 'name', nullstr => {'text' | ARRAY['text', …]}\n"
    "   names => ARRAY['column', …], types => 'column type, …', all_text => boolean,\n"
    "   counters => false   -- columns that only grow are no COUNTERs of a new table\n"
    "   epoch => {'s' | 'ms' | 'us' | 'ns'}, datestyle => {'mdy' | 'dmy' | 'ymd'}\n"
    "   decimal_separator => {'.' | ','}\n"
    "A file's name can be a pattern: 'logs/*.csv.gz'."},
   {"SET", "change a setting of the session or the transaction",
    "SET [SESSION | LOCAL] name {= | TO} {value | DEFAULT}"},
   {"SET TRANSACTION", "set the mode of a transaction",
    "SET TRANSACTION mode, …\n"
    "SET SESSION CHARACTERISTICS AS TRANSACTION mode, …   -- \\h BEGIN lists the modes"},
   {"SHOW", "show a setting of the session", "SHOW {name | ALL}"},
   {"SHOW TABLES", "list the tables and views", "SHOW [ALL] TABLES   -- ALL: also their columns"},
   {"START TRANSACTION", "begin a transaction",
    "START TRANSACTION [mode, …]   -- \\h BEGIN lists the modes"},
   {"SUMMARIZE", "describe the values of each column of a table or a query",
    "SUMMARIZE {table | query | 'file' | function}\n"
    "\n"
    "The result has a row for each column: type, minimum, maximum, number of different values,\n"
    "average, standard deviation, quartiles, number of rows, and percentage of NULLs. Beyond "
    "4,096\n"
    "different values, their number and the quartiles are approximate.\n"
    "\n"
    "SUMMARIZE, DESCRIBE and SHOW TABLES can be queries, too: SELECT … FROM (SUMMARIZE t) s."},
   {"TRUNCATE", "remove all rows of tables", "TRUNCATE [TABLE] name, … [RESTART IDENTITY]"},
   {"UNLISTEN", "do nothing: there are no channels to listen to", "UNLISTEN {channel | *}"},
   {"UPDATE", "change rows",
    "[WITH …] UPDATE table [[AS] alias]\n"
    "   SET {column = {expr | DEFAULT} | (column, …) = (expr, …)}, …\n"
    "   [FROM table, …] [WHERE condition] [RETURNING expr [[AS] name], … | *]"},
   {"VACUUM", "merge small packed documents, and split large ones",
    "VACUUM [FULL] [ANALYZE] [table]\n"
    "\n"
    "FULL packs all documents again, even if nothing is saved."},
   {"VALUES", "make rows from values", "VALUES (expr, …), …"},
   {"WITH", "name queries that a statement reads; a query can read itself",
    "WITH [RECURSIVE] name [(column, …)] AS [[NOT] MATERIALIZED] (query), …\n"
    "{SELECT … | VALUES … | INSERT … | UPDATE … | DELETE …}\n"
    "\n"
    "A query of WITH RECURSIVE that reads itself has the form: base UNION [ALL] step."},
   {0},
};
