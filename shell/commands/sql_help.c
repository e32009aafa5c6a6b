/* The statements that \h explains. To add a statement, add a row here, in alphabetical order. */
#include "shell/commands/command_int.h"

const MtSqlHelp mt_sql_help[] = {
   {"ABORT", "end a transaction and undo it", "ABORT [WORK | TRANSACTION] [AND [NO] CHAIN]"},
   {"ALTER MATERIALIZED VIEW", "rename a materialized view",
    "ALTER MATERIALIZED VIEW [IF EXISTS] name RENAME TO name"},
   {"ALTER TABLE", "add or drop layouts and columns, or rename",
    "ALTER TABLE name ADD LAYOUT layout USING preset [WITH (option = value, …)]\n"
    "ALTER TABLE name DROP LAYOUT layout\n"
    "ALTER TABLE name ADD [COLUMN] [IF NOT EXISTS] column type [DIMENSION | MEASURE [COUNTER]]\n"
    "   [FIELD 'stored name'] [NOT NULL] [DEFAULT expr]\n"
    "ALTER TABLE name DROP [COLUMN] [IF EXISTS] column\n"
    "ALTER TABLE name ALTER [COLUMN] column {[SET DATA] TYPE type [USING expr]\n"
    "   | SET DEFAULT expr | DROP DEFAULT | {SET | DROP} NOT NULL}\n"
    "ALTER TABLE name RENAME [COLUMN] column TO name\n"
    "ALTER TABLE name RENAME TO name\n"
    "ALTER TABLE name SET (expire_after = 'interval')\n"
    "ALTER TABLE name RESET (expire_after)\n"
    "ALTER TABLE name LAYOUT layout {SET (expire_after = 'interval') | RESET (expire_after)}\n"
    "\n"
    "Rows older than expire_after are no longer visible, and are removed later. A layout can\n"
    "have a shorter interval than its table."},
   {"ANALYZE", "collect statistics, which the choice of a layout uses", "ANALYZE [table]"},
   {"BEGIN", "begin a transaction",
    "BEGIN [WORK | TRANSACTION] [mode, …]\n"
    "\n"
    "where mode is one of:\n"
    "   ISOLATION LEVEL {SERIALIZABLE | REPEATABLE READ | READ COMMITTED | READ UNCOMMITTED}\n"
    "   READ WRITE | READ ONLY\n"
    "   [NOT] DEFERRABLE"},
   {"CALL", "remove expired or old rows, by whole partitions and documents",
    "CALL drop_chunks ('table' [, older_than => {interval | time}])\n"
    "SELECT drop_chunks ('table' [, older_than => {interval | time}])\n"
    "\n"
    "The result has a row for each dropped partition, and for each collection with deleted\n"
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
    "   FORMAT {text | csv | jsonl | arcanum}  default: by the name of the file, else text\n"
    "   EPOCH {'s' | 'ms' | 'us'}              times are numbers\n"
    "   HEADER [boolean | MATCH], DELIMITER 'c', NULL 'text', ENCODING 'name'\n"
    " of csv:\n"
    "   QUOTE 'c', ESCAPE 'c'\n"
    "   FORCE_NULL (column, …), FORCE_NOT_NULL (column, …), FORCE_QUOTE {(column, …) | *}\n"
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
   {"CREATE FUNCTION", "define a function",
    "CREATE [OR REPLACE] FUNCTION name ([[arg] type [{DEFAULT | =} value], …]) RETURNS type\n"
    "   LANGUAGE {sql | mql | c} [IMMUTABLE | STABLE | VOLATILE] [STRICT]\n"
    "   AS 'definition' [, 'symbol']"},
   {"CREATE INDEX", "define an index on fields of a table's documents",
    "CREATE INDEX [[IF NOT EXISTS] name] ON table (column, …)"},
   {"CREATE LAYOUT", "define how tables are stored in documents", mt_layout_grammar},
   {"CREATE MATERIALIZED VIEW", "define a table from a query",
    "CREATE MATERIALIZED VIEW [IF NOT EXISTS] name [(column, …)]\n"
    "   [USING {preset | layout} [WITH (option = value, …)]]\n"
    "   AS query [WITH [NO] DATA]"},
   {"CREATE TABLE", "define a table, or attach one to existing collections",
    "CREATE [TEMPORARY] TABLE [IF NOT EXISTS] name (\n"
    "   column type [TIME [PERIOD 'interval'] | DIMENSION | MEASURE [COUNTER]]\n"
    "      [FIELD 'stored name'] [NOT NULL | PRIMARY KEY] [DEFAULT expr], …\n"
    "   [, {PRIMARY KEY | KEY} (column, …)]\n"
    ") [USING {preset | layout} [WITH (option = value, …)]]\n"
    "   [ON COMMIT {PRESERVE ROWS | DELETE ROWS | DROP}]\n"
    "\n"
    "A TEMPORARY table belongs to the session. It hides other tables of its name, and it is\n"
    "removed when the session ends."},
   {"CREATE TABLE AS", "define a table from a query, and fill it",
    "CREATE [TEMPORARY] TABLE [IF NOT EXISTS] name [(column, …)]\n"
    "   [USING {preset | layout} [WITH (option = value, …)]]\n"
    "   [ON COMMIT {PRESERVE ROWS | DELETE ROWS | DROP}]\n"
    "   AS {query | EXECUTE name [(value, …)]} [WITH [NO] DATA]"},
   {"CREATE VIEW", "define a view: a query with a name",
    "CREATE [OR REPLACE] VIEW name [(column, …)] AS query"},
   {"DEALLOCATE", "remove prepared statements", "DEALLOCATE [PREPARE] {name | ALL}"},
   {"DECLARE", "define a cursor, which fetches the rows of a query in parts",
    "DECLARE name [INSENSITIVE] [[NO] SCROLL] CURSOR [{WITH | WITHOUT} HOLD] FOR query"},
   {"DELETE", "remove rows",
    "[WITH …] DELETE FROM table [[AS] alias] [USING table, …] [WHERE condition]\n"
    "   [RETURNING expr [[AS] name], … | *]"},
   {"DISCARD", "remove the state of the session", "DISCARD {ALL | PLANS | SEQUENCES | TEMP}"},
   {"DROP FUNCTION", "remove a function",
    "DROP FUNCTION [IF EXISTS] name [(type, …)], … [CASCADE | RESTRICT]"},
   {"DROP INDEX", "remove an index", "DROP INDEX [IF EXISTS] name, …"},
   {"DROP LAYOUT", "remove a layout of CREATE LAYOUT", "DROP LAYOUT [IF EXISTS] name"},
   {"DROP MATERIALIZED VIEW", "remove a materialized view",
    "DROP MATERIALIZED VIEW [IF EXISTS] name, …"},
   {"DROP TABLE", "remove a table; keep the documents of an attached one",
    "DROP TABLE [IF EXISTS] name"},
   {"DROP VIEW", "remove a view", "DROP VIEW [IF EXISTS] name, …"},
   {"END", "end a transaction and keep its changes", "END [WORK | TRANSACTION] [AND [NO] CHAIN]"},
   {"EXECUTE", "run a prepared statement", "EXECUTE name [(expr, …)]"},
   {"EXPLAIN", "show the layout, the cut and the pipeline of a statement",
    "EXPLAIN [ANALYZE] [VERBOSE] statement\n"
    "EXPLAIN ({ANALYZE | VERBOSE | COSTS | TIMING | SUMMARY} [boolean], FORMAT {text | json}, …)\n"
    "   statement\n"
    "\n"
    "where statement is a query, INSERT, UPDATE, DELETE, CREATE TABLE AS, EXECUTE or DECLARE.\n"
    "ANALYZE runs the statement. VERBOSE prints long lists of values and of similar partitions\n"
    "in full. A change shows the documents that it changes. Joins, set operations and windows\n"
    "are a tree of steps with their numbers of rows."},
   {"FETCH", "get rows from a cursor",
    "FETCH [direction] [FROM | IN] name\n"
    "\n"
    "where direction is one of:\n"
    "   NEXT | PRIOR | FIRST | LAST | ABSOLUTE count | RELATIVE count | count | ALL\n"
    "   FORWARD [count | ALL] | BACKWARD [count | ALL]"},
   {"INSERT", "add rows",
    "[WITH …] INSERT INTO table [AS alias] [(column, …)]\n"
    "   {VALUES ({expr | DEFAULT}, …), … | query | DEFAULT VALUES}\n"
    "   [ON CONFLICT [(column, …) | ON CONSTRAINT name]\n"
    "      {DO NOTHING | DO UPDATE SET … [WHERE condition]}]   -- EXCLUDED is the new row\n"
    "   [RETURNING expr [[AS] name], … | *]"},
   {"LOAD", "load a shared library with functions", "LOAD 'file'"},
   {"MOVE", "move a cursor without getting rows",
    "MOVE [direction] [FROM | IN] name   -- \\h FETCH lists the directions"},
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
    "SELECT [DISTINCT [ON (expr, …)]] expr [[AS] name], … | *\n"
    "[FROM item, …]\n"
    "[WHERE condition]\n"
    "[GROUP BY [DISTINCT]\n"
    "   {expr | ROLLUP (expr, …) | CUBE (expr, …) | GROUPING SETS (…)}, …]\n"
    "[HAVING condition]\n"
    "[WINDOW name AS ([PARTITION BY expr, …] [ORDER BY …]\n"
    "   [{ROWS | RANGE | GROUPS} BETWEEN … AND … [EXCLUDE …]]), …]\n"
    "[{UNION | INTERSECT | EXCEPT} [ALL] query]\n"
    "[ORDER BY expr [ASC | DESC] [NULLS {FIRST | LAST}], …]\n"
    "[LIMIT count | FETCH FIRST [count] ROWS {ONLY | WITH TIES}] [OFFSET start]\n"
    "\n"
    "where item is one of:\n"
    "   table [[AS] alias] [TABLESAMPLE {BERNOULLI | SYSTEM} (percent) [REPEATABLE (seed)]]\n"
    "   [LATERAL] {(query) | function (…) [WITH ORDINALITY]\n"
    "      | ROWS FROM (function (…), …) [WITH ORDINALITY]} [[AS] alias [(column, …)]]\n"
    "   item {[INNER] | {LEFT | RIGHT | FULL} [OUTER]} JOIN item\n"
    "      {ON condition | USING (column, …)}\n"
    "   item NATURAL [LEFT | RIGHT | FULL] JOIN item\n"
    "   item CROSS JOIN item\n"
    "   item ASOF [LEFT] JOIN item {ON condition | USING (column, …)}   -- the nearest row"},
   {"SET", "change a setting of the session or the transaction",
    "SET [SESSION | LOCAL] name {= | TO} {value | DEFAULT}"},
   {"SET TRANSACTION", "set the mode of a transaction",
    "SET TRANSACTION mode, …\n"
    "SET SESSION CHARACTERISTICS AS TRANSACTION mode, …   -- \\h BEGIN lists the modes"},
   {"SHOW", "show a setting of the session", "SHOW {name | ALL}"},
   {"START TRANSACTION", "begin a transaction",
    "START TRANSACTION [mode, …]   -- \\h BEGIN lists the modes"},
   {"TRUNCATE", "remove all rows of tables", "TRUNCATE [TABLE] name, …"},
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
