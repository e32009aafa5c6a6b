/* The parts of completion. */
#ifndef MT_SHELL_COMPLETE_INT_H
#define MT_SHELL_COMPLETE_INT_H

#include "shell/complete.h"

#include "parser/expect.h"

/* A statement in which a word is completed. */
typedef struct MtCompletion {
   MtShell *sh;
   MtArena *a;
   MtChoices *out;
   const char *sql; /* the statement, also behind the cursor, with numbers in place of variables */
   size_t n;
   MtSqlPiece *v; /* its pieces */
   size_t count;
   size_t before;      /* the pieces before the word that is typed */
   const char *prefix; /* the word up to the cursor, without quotes */
   bool quoted;        /* the word is a string literal that is still open */
} MtCompletion;

/* ---- complete.c: choices ---- */

/* Adds s, which lives as long as the choices. */
void mt_choice (MtChoices *c, const char *s);
/* Adds a copy of s if it begins with the prefix, whatever its case. */
void mt_choice_if (MtChoices *c, const char *s, const char *prefix);
/* Adds words that are separated by spaces or '|'. */
void mt_choice_list (MtChoices *c, const char *words, const char *prefix);
/* Adds the names of files. line: the text up to the cursor; end: the text to add behind a file's
 * name. */
void mt_choice_files (const MtShell *sh, MtChoices *c, const char *line, const char *end);
void mt_choice_tables (MtShell *sh, MtChoices *c, const char *prefix);
/* Adds the tables of a schema. False: no table is in it. */
bool mt_choice_tables_of (MtShell *sh, MtChoices *c, const char *schema, const char *prefix);
/* Adds the names of functions, with the suffix behind them. */
void mt_choice_functions (MtShell *sh, MtChoices *c, const char *prefix, const char *suffix);
void mt_choice_variables (MtShell *sh, MtChoices *c, const char *prefix);
/* Adds the first column of a query's rows. Errors are ignored. */
void mt_choice_query (MtShell *sh, MtChoices *c, const char *sql, const char *prefix);

/* Returns whether the character can be part of a name without quotes. */
bool mt_word_char (char c);

/* ---- complete_command.c ---- */

/* Completes a backslash command. line: the text up to the cursor; backslash: its place in the line;
 * out->start: where the word begins. */
void mt_complete_command (MtShell *sh, MtChoices *out, const char *line, const char *backslash);

/* ---- complete_sql.c ---- */

/* Queries for mt_choice_query. */
#define MT_QUERY_PREPARED "SELECT name FROM pg_catalog.pg_prepared_statements"
#define MT_QUERY_CURSORS "SELECT name FROM pg_catalog.pg_cursors"
#define MT_QUERY_EXTENSIONS "SELECT extname FROM pg_catalog.pg_extension"
#define MT_QUERY_ALERTS "SELECT alertname FROM pg_catalog.pg_alerts"
#define MT_QUERY_TYPES \
   "SELECT format_type (oid, NULL) FROM pg_catalog.pg_type WHERE typtype IN ('b', 'd') " \
   "AND typelem = 0"

/* Completes SQL at the place `cursor` of the text. out->start: a place in the text. */
void mt_complete_sql (MtShell *sh, const char *text, size_t cursor, MtChoices *out);
/* Adds the columns of the rows of the last statement in the text. If it can't be analyzed, adds the
 * columns of the tables that it names. */
void mt_complete_results (MtShell *sh, const char *text, const char *prefix, MtChoices *out);
/* Returns whether the piece is the word, whatever its case. */
bool mt_piece_is (const MtCompletion *k, size_t i, const char *word);
/* Returns the name in a piece: folded to lower case, or without its quotes. In arena k->a. */
const char *mt_piece_name (const MtCompletion *k, size_t i);

/* ---- complete_scope.c: tables and columns that the statement names ---- */

/* Adds the columns that can stand at the cursor. qualifier: the name before the '.'; NULL: none. */
void mt_scope_columns (MtCompletion *k, const char *qualifier);
/* Adds the columns of the statement's rows. */
void mt_scope_results (MtCompletion *k);
/* Behind ORDER BY or GROUP BY: adds the names that the select list gives to its results. */
void mt_scope_result_names (MtCompletion *k);
/* Adds the names that WINDOW defines. */
void mt_scope_windows (MtCompletion *k);
/* Adds the columns that CREATE TABLE defines. */
void mt_scope_new_columns (MtCompletion *k);
/* Adds the names and aliases of the relations in FROM. */
void mt_scope_relations (MtCompletion *k);
/* Adds the names that WITH defines. */
void mt_scope_ctes (MtCompletion *k);
/* Adds the values of the column that the literal at the cursor is compared with. */
void mt_scope_values (MtCompletion *k);
/* Adds the columns (layouts: the layouts) of the table that the statement is about. */
void mt_scope_parts (MtCompletion *k, bool layouts);

/* ---- complete_words.c ---- */

/* Adds the options that can stand in the parentheses behind the pieces. */
void mt_complete_options (MtCompletion *k);
/* Adds the values of the option before the word. */
void mt_complete_option_values (MtCompletion *k);

#endif
