/* \? and \h. */
#include "shell/commands/command_int.h"
#include "shell/format/width.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* To add a statement: a row here, in the order of the alphabet. */
const MtSqlHelp
   mt_sql_help
      [] =
         {
            {"ABORT", "end a transaction and undo it",
             "ABORT [WORK | TRANSACTION] [AND [NO] CHAIN]"},
            {"ALTER MATERIALIZED VIEW", "give a materialized view another name",
             "ALTER MATERIALIZED VIEW [IF EXISTS] name RENAME TO name"},
            {"ALTER TABLE", "add or drop a layout or a column, change names",
             "ALTER TABLE name ADD LAYOUT layout USING preset [WITH (option = value, …)]\nALTER TABLE name DROP LAYOUT layout\n"
             "ALTER TABLE name ADD [COLUMN] [IF NOT EXISTS] column type [DIMENSION | MEASURE [COUNTER]] [FIELD 'stored name'] [NOT NULL] [DEFAULT expr]\n"
             "ALTER TABLE name DROP [COLUMN] [IF EXISTS] column\nALTER TABLE name ALTER [COLUMN] column {[SET DATA] TYPE type [USING expr] | SET DEFAULT expr | DROP DEFAULT | {SET | DROP} NOT NULL}\nALTER TABLE name RENAME [COLUMN] column TO name\nALTER TABLE name SET (expire_after = 'interval')   -- rows that are older aren't seen any more, and go\nALTER TABLE name RESET (expire_after)\nALTER TABLE name LAYOUT layout {SET (expire_after = 'interval') | RESET (expire_after)}   -- those of a layout, earlier than the table's\nALTER TABLE name RENAME TO name"},
            {"ANALYZE", "collect the statistics that layouts are chosen by", "ANALYZE [table]"},
            {"BEGIN", "begin a transaction",
             "BEGIN [WORK | TRANSACTION] [mode, …]\n\nwhere mode is one of:\n   ISOLATION LEVEL {SERIALIZABLE | REPEATABLE READ | READ COMMITTED | READ UNCOMMITTED}\n   READ WRITE | READ ONLY\n   [NOT] DEFERRABLE"},
            {"CALL",
             "remove rows that have expired, or are older than said, by whole partitions and documents",
             "CALL drop_chunks ('table' [, older_than => {interval | time}])\nSELECT drop_chunks ('table' [, older_than => {interval | time}])\n\n"
             "A row for each partition that was dropped, and for each collection of which documents were deleted. Without older_than what has expired goes (ALTER TABLE … SET (expire_after = '90 days')),\n"
             "which VACUUM removes, too, and in process a session that writes, every sweep_interval. With it, a table needs no expire_after; the time is moved back to the start of the layouts' coarsest unit."},
            {"CHECK TABLE", "look for sums and layouts that don't agree with the records",
             "CHECK TABLE name\nCHECK LAYOUT layout OF table\n\n"
             "Each fault is a row: where it is, what is stored there, and what should be. When there are any the statement ends with an error (XX001)."},
            {"CLOSE", "forget a cursor", "CLOSE {name | ALL}"},
            {"COMMENT", "say what a table, view or column is",
             "COMMENT ON {TABLE name | [MATERIALIZED] VIEW name | COLUMN [schema.]table.column} IS {'text' | NULL}"},
            {"COMMIT", "end a transaction and keep what it did",
             "COMMIT [WORK | TRANSACTION] [AND [NO] CHAIN]"},
            {"COPY", "move rows between files and tables",
             "COPY table [(column, …)] FROM {'file' | STDIN} [WITH (option, …)] [WHERE condition]\n"
             "COPY {table [(column, …)] | (query)} TO {'file' | STDOUT} [WITH (option, …)]\n\n"
             "where option can be:\n"
             "   FORMAT {text | csv | jsonl | arcanum}  otherwise by the file's name, else text; arcanum (XML): FROM only\n"
             "                                          a file that ends in .gz or .zst is compressed\n"
             "   EPOCH {'s' | 'ms' | 'us'}              times are numbers\n"
             "   HEADER [boolean | MATCH], DELIMITER 'c', NULL 'text', ENCODING 'name'\n"
             "   QUOTE 'c', ESCAPE 'c'                  this and all below: of csv\n"
             "   FORCE_NULL (column, …), FORCE_NOT_NULL (column, …), FORCE_QUOTE {(column, …) | *}\n"
             "   PATHS 'column = a/b/@c, …'             of arcanum, and these: where in a record a column's value is\n"
             "   RECORD 'element', NAMESPACE 'URI'\n"
             "   ON_ERROR {stop | ignore}               FROM, as all below: records that are at fault are left out\n"
             "   REJECT_LIMIT n, LOG_VERBOSITY {default | verbose}\n"
             "   LOOKUP 'table'                         columns that are found in a table or view\n"
             "   LOOKUP_KEY 'column = its column, …', LOOKUP_COLUMNS 'column = its column, …'\n"
             "   LOOKUP_VALID 'from, to'                its rows are valid in that time, of which that of the record counts\n"
             "   LOOKUP_MISSING {null | error}          what becomes of a record whose key is not found"},
            {"CREATE FUNCTION", "define a function",
             "CREATE [OR REPLACE] FUNCTION name ([[arg] type [{DEFAULT | =} value], …]) RETURNS type\n"
             "    LANGUAGE {sql | mql | c} [IMMUTABLE | STABLE | VOLATILE] [STRICT] AS 'definition' [, 'symbol']"},
            {"CREATE INDEX", "define an index on fields of a table's documents",
             "CREATE INDEX [[IF NOT EXISTS] name] ON table (column, …)"},
            {"CREATE LAYOUT", "define a way in which tables can lie in documents",
             mt_layout_grammar},
            {"CREATE MATERIALIZED VIEW", "define a table that a query fills",
             "CREATE MATERIALIZED VIEW [IF NOT EXISTS] name [(column, …)] [USING {preset | layout} [WITH (option = value, …)]]\n   AS query [WITH [NO] DATA]"},
            {"CREATE TABLE",
             "define a table and its first layout, or attach to collections that exist",
             "CREATE [TEMPORARY] TABLE [IF NOT EXISTS] name (\n   column type [TIME [PERIOD 'interval'] | DIMENSION | MEASURE [COUNTER]] [FIELD 'stored name'] [NOT NULL | PRIMARY KEY] [DEFAULT expr], …\n"
             "   [, {PRIMARY KEY | KEY} (column, …)]\n) [USING {preset | layout} [WITH (option = value, …)]]\n   [ON COMMIT {PRESERVE ROWS | DELETE ROWS | DROP}]\n\n"
             "A TEMPORARY table is the session's own, hides others of its name, and ends with the session."},
            {"CREATE TABLE AS", "define a table by a query, and fill it",
             "CREATE [TEMPORARY] TABLE [IF NOT EXISTS] name [(column, …)] [USING {preset | layout} [WITH (option = value, …)]]\n   [ON COMMIT {PRESERVE ROWS | DELETE ROWS | DROP}] AS {query | EXECUTE name [(value, …)]} [WITH [NO] DATA]"},
            {"CREATE VIEW", "define a view: a query with a name",
             "CREATE [OR REPLACE] VIEW name [(column, …)] AS query"},
            {"DEALLOCATE", "forget prepared statements", "DEALLOCATE [PREPARE] {name | ALL}"},
            {"DECLARE", "name a query whose rows are fetched a few at a time",
             "DECLARE name [INSENSITIVE] [[NO] SCROLL] CURSOR [{WITH | WITHOUT} HOLD] FOR query"},
            {"DELETE", "remove rows",
             "[WITH …] DELETE FROM table [[AS] alias] [USING table, …] [WHERE condition]\n   [RETURNING expr [[AS] name], … | *]"},
            {"DISCARD", "forget what the session has", "DISCARD {ALL | PLANS | SEQUENCES | TEMP}"},
            {"DROP FUNCTION", "remove a function",
             "DROP FUNCTION [IF EXISTS] name [(type, …)], … [CASCADE | RESTRICT]"},
            {"DROP INDEX", "remove an index", "DROP INDEX [IF EXISTS] name, …"},
            {"DROP LAYOUT", "remove a layout that CREATE LAYOUT defined",
             "DROP LAYOUT [IF EXISTS] name"},
            {"DROP MATERIALIZED VIEW", "remove a materialized view",
             "DROP MATERIALIZED VIEW [IF EXISTS] name, …"},
            {"DROP TABLE", "remove a table; the documents of an attached one are kept",
             "DROP TABLE [IF EXISTS] name"},
            {"DROP VIEW", "remove a view", "DROP VIEW [IF EXISTS] name, …"},
            {"END", "end a transaction and keep what it did",
             "END [WORK | TRANSACTION] [AND [NO] CHAIN]"},
            {"EXECUTE", "run a prepared statement", "EXECUTE name [(expr, …)]"},
            {"EXPLAIN",
             "show the layout, the cut and the pipeline that a query gets, and which documents a statement changes",
             "EXPLAIN [ANALYZE] [VERBOSE] statement\nEXPLAIN ({ANALYZE | VERBOSE | COSTS | TIMING | SUMMARY} [boolean], FORMAT {text | json}, …) statement\n\n"
             "where statement is a query, INSERT, UPDATE, DELETE, CREATE TABLE AS, EXECUTE or DECLARE; ANALYZE runs it,\nVERBOSE shows long lists of values and many like partitions whole.\nJoins, set operations and windows are drawn as a tree of steps, with the rows that came from each"},
            {"FETCH", "rows of a cursor", "FETCH [direction] [FROM | IN] name\n\nwhere direction is one of:\n   NEXT | PRIOR | FIRST | LAST | ABSOLUTE count | RELATIVE count | count | ALL\n   FORWARD [count | ALL] | BACKWARD [count | ALL]"},
            {"INSERT", "add rows",
             "[WITH …] INSERT INTO table [AS alias] [(column, …)]\n   {VALUES ({expr | DEFAULT}, …), … | query | DEFAULT VALUES}\n   [ON CONFLICT [(column, …) | ON CONSTRAINT name] {DO NOTHING | DO UPDATE SET … [WHERE condition]}]   -- EXCLUDED is the new row\n   [RETURNING expr [[AS] name], … | *]"},
            {"LOAD", "load a shared library of functions", "LOAD 'file'"},
            {"MOVE", "place a cursor, as FETCH does, without its rows",
             "MOVE [direction] [FROM | IN] name"},
            {"PREALLOCATE", "make documents of counters for the time to come, every slot 0",
             "PREALLOCATE table FOR 'interval' [FROM 'time']\n\n"
             "Each series with a record in the period (a day, a month) of FROM, by default now, or in the one before, gets its documents from then until the interval is over, where they\n"
             "aren't there. A slot of 0 is no sample: no query's answer changes. WITH (preallocate = '1/2000') of a layout of counters lets INSERT do it bit by bit."},
            {"PREPARE",
             "name a statement with parameters, of which each has the type that its use needs",
             "PREPARE name [(type, …)] AS {query | INSERT … | UPDATE … | DELETE …}   -- $1, $2 … are its parameters"},
            {"REFRESH MATERIALIZED VIEW", "fill a materialized view anew",
             "REFRESH MATERIALIZED VIEW [CONCURRENTLY] name [WITH [NO] DATA]"},
            {"RELEASE SAVEPOINT", "forget a savepoint, and keep what was done since",
             "RELEASE [SAVEPOINT] name"},
            {"REPAIR TABLE", "mend what CHECK TABLE finds",
             "REPAIR TABLE name [FROM layout]\nREPAIR LAYOUT layout OF table [FROM layout]\n\n"
             "Sums come from what lies below them, other layouts from the one that is right: FROM, or the first that keeps records."},
            {"RESET", "change a setting of the session back", "RESET {name | ALL}"},
            {"ROLLBACK", "end a transaction and undo it",
             "ROLLBACK [WORK | TRANSACTION] [AND [NO] CHAIN]"},
            {"ROLLBACK TO SAVEPOINT", "undo what was done since a savepoint",
             "ROLLBACK [WORK | TRANSACTION] TO [SAVEPOINT] name"},
            {"SAVEPOINT", "name a place in a transaction, to go back to", "SAVEPOINT name"},
            {"SELECT", "ask for rows",
             "[WITH [RECURSIVE] name [(column, …)] AS (query), …]\nSELECT [DISTINCT [ON (expr, …)]] expr [[AS] name], … | *\n"
             "[FROM item, …]\n[WHERE condition]\n"
             "[GROUP BY [DISTINCT] {expr | ROLLUP (expr, …) | CUBE (expr, …) | GROUPING SETS (…)}, …]\n[HAVING condition]\n"
             "[WINDOW name AS ([PARTITION BY expr, …] [ORDER BY …] [{ROWS | RANGE | GROUPS} BETWEEN … AND … [EXCLUDE …]]), …]\n"
             "[{UNION | INTERSECT | EXCEPT} [ALL] query]\n[ORDER BY expr [ASC | DESC] [NULLS {FIRST | LAST}], …]\n"
             "[LIMIT count | FETCH FIRST [count] ROWS {ONLY | WITH TIES}] [OFFSET start]\n\n"
             "where item is one of:\n"
             "   table [[AS] alias] [TABLESAMPLE {BERNOULLI | SYSTEM} (percent) [REPEATABLE (seed)]]\n"
             "   [LATERAL] {(query) | function (…) [WITH ORDINALITY] | ROWS FROM (function (…), …) [WITH ORDINALITY]} [[AS] alias [(column, …)]]\n"
             "   item {[INNER] | {LEFT | RIGHT | FULL} [OUTER]} JOIN item {ON condition | USING (column, …)}\n"
             "   item NATURAL [LEFT | RIGHT | FULL] JOIN item\n"
             "   item CROSS JOIN item\n"
             "   item ASOF [LEFT] JOIN item {ON condition | USING (column, …)}   -- the nearest row"},
            {"SET", "change a setting of the session, or of the transaction",
             "SET [SESSION | LOCAL] name {= | TO} {value | DEFAULT}"},
            {"SET TRANSACTION", "say how a transaction is to be",
             "SET TRANSACTION mode, …\nSET SESSION CHARACTERISTICS AS TRANSACTION mode, …   -- \\h BEGIN has the modes"},
            {"SHOW", "show a setting of the session", "SHOW {name | ALL}"},
            {"START TRANSACTION", "begin a transaction",
             "START TRANSACTION [mode, …]   -- \\h BEGIN has the modes"},
            {"TRUNCATE", "remove all rows of tables", "TRUNCATE [TABLE] name, …"},
            {"UPDATE", "change rows",
             "[WITH …] UPDATE table [[AS] alias] SET {column = {expr | DEFAULT} | (column, …) = (expr, …)}, …\n   [FROM table, …] [WHERE condition] [RETURNING expr [[AS] name], … | *]"},
            {"VACUUM", "merge small packed documents, split large ones",
             "VACUUM [FULL] [ANALYZE] [table]\n\nFULL packs all documents anew, also where nothing is won."},
            {"VALUES", "rows that are written out", "VALUES (expr, …), …"},
            {"WITH", "name queries that the statement reads, also such that read themselves",
             "WITH [RECURSIVE] name [(column, …)] AS [[NOT] MATERIALIZED] (query), …\n{SELECT … | VALUES … | INSERT … | UPDATE … | DELETE …}\n\n"
             "a query of WITH RECURSIVE that reads itself is base UNION [ALL] step"},
            {0},
};

bool mt_cmd_help (MtCall *c)
{
   MtOut out;
   if (!mt_out_begin (c->sh, &out))
      return false;
   for (const MtCommand *k = mt_commands; k->name; k++) {
      char head[96];
      int wide;
      if (k->group)
         mt_out_printf (&out, "%s%s\n", k == mt_commands ? "" : "\n", k->group);
      snprintf (head, sizeof head, "\\%s%s %s", k->name, k->plus ? "[+]" : "", k->args);
      wide = mt_text_width (head, strlen (head));
      mt_out_printf (&out, "  %s%*s %s\n", head, wide < 26 ? 26 - wide : 0, "", k->summary);
   }
   mt_out_end (&out);
   return true;
}

static void statement (MtOut *out, const MtSqlHelp *h)
{
   mt_out_printf (out, "Command:     %s\nDescription: %s\nSyntax:\n%s\n\n", h->name, h->summary,
                  h->synopsis);
}

static size_t functions (MtOut *out, const MtFunctionInfo *f, size_t n, const char *name)
{
   size_t found = 0;
   for (size_t i = 0; i < n; i++) {
      if (strcasecmp (f[i].name, name) != 0)
         continue;
      found++;
      mt_out_printf (out, "%s:    %s\nSignature:   %s\nDescription: %s\n",
                     f[i].kind && strcmp (f[i].kind, "agg") == 0 ? "Aggregate" : "Function ",
                     f[i].name, f[i].signature ? f[i].signature : "",
                     f[i].summary ? f[i].summary : "");
      mt_out_printf (out, "Example:     %s\n\n", f[i].example ? f[i].example : "");
   }
   return found;
}

static size_t presets (MtOut *out, MtArena *a, const char *name)
{
   const MtPresetInfo *p;
   size_t n, found = 0;
   mt_presets (a, &p, &n);
   for (size_t i = 0; i < n; i++) {
      if (strcasecmp (p[i].name, name) != 0)
         continue;
      found++;
      mt_out_printf (out, "Preset:      %s\nDescription: %s\nExample:     %s\nOptions:\n",
                     p[i].name, p[i].summary, p[i].example);
      for (size_t k = 0; k < p[i].option_count; k++) {
         const MtPresetOptionInfo *o = &p[i].options[k];
         mt_out_printf (out, "   %s = %s\n      %s; otherwise: %s\n", o->name, o->type, o->summary,
                        o->otherwise);
      }
      mt_out_printf (out, "\n");
   }
   return found;
}

static size_t levels (MtOut *out, const char *name)
{
   size_t found = 0;
   for (const MtLevelHelp *l = mt_level_help; l->name; l++)
      if (strcasecmp (l->name, name) == 0) {
         found++;
         mt_out_printf (out, "Level:       %s\nDescription: %s\n\nExample: %s\n%s\n\n", l->name,
                        l->summary, l->document, l->example);
      }
   return found;
}

enum { LIST_WIDTH = sizeof "REFRESH MATERIALIZED VIEW" - 1 }; /* the longest name */

static void list (MtOut *out, MtArena *a)
{
   const MtPresetInfo *p;
   size_t n;
   mt_presets (a, &p, &n);
   mt_out_printf (out, "Available help:\n");
   for (const MtSqlHelp *h = mt_sql_help; h->name; h++)
      mt_out_printf (out, "  %-*s %s\n", LIST_WIDTH, h->name, h->summary);
   mt_out_printf (out, "Presets of layouts:\n");
   for (size_t i = 0; i < n; i++)
      mt_out_printf (out, "  %-*s %s\n", LIST_WIDTH, p[i].name, p[i].summary);
   mt_out_printf (out, "Levels of layouts:\n");
   for (const MtLevelHelp *l = mt_level_help; l->name; l++)
      mt_out_printf (out, "  %-*s %s\n", LIST_WIDTH, l->name, l->summary);
   mt_out_printf (out, "Functions are listed by \\df; \\h NAME explains one.\n");
}

bool mt_cmd_sql_help (MtCall *c)
{
   MtOut out;
   MtError err = {0};
   MtArena *a = mt_arena_new ("help", NULL);
   MtFunctionInfo *f = NULL;
   size_t n = 0, found = 0;
   char *name = c->argc ? c->argv[0] : (char[]) {""};
   size_t len = strlen (name);
   while (len && strchr ("; ()", name[len - 1]))
      name[--len] = 0;
   if (!mt_out_begin (c->sh, &out)) {
      mt_arena_free (a);
      return false;
   }
   if (!len)
      list (&out, a);
   for (const MtSqlHelp *h = mt_sql_help; len && h->name; h++) {
      if (strcmp (name, "*") == 0 || strncasecmp (h->name, name, len) == 0) {
         statement (&out, h);
         found++;
      }
   }
   if (len)
      found += presets (&out, a, name) + levels (&out, name);
   if (len && !found && mt_functions (c->sh->session, a, &f, &n, &err))
      found = functions (&out, f, n, name);
   if (len && !found)
      mt_out_printf (
         &out, "No help available for \"%s\".\nTry \\h with no arguments to see available help.\n",
         name);
   mt_out_end (&out);
   mt_arena_free (a);
   return true;
}
