/* Private to completion. A "piece" is a token of the SQL text: a word, literal, sign or bracket
 * (MtSqlPiece). */
#ifndef MT_SHELL_COMPLETE_INT_H
#define MT_SHELL_COMPLETE_INT_H

#include "shell/complete.h"

#include "parser/expect.h"

/* The statement in which a word is completed, split into pieces (tokens). */
typedef struct MtCompletion {
   MtShell *sh;
   MtArena *a;
   MtChoices *out;
   const char *sql; /* the whole statement, with numbers in place of variables */
   size_t n;
   MtSqlPiece *v; /* the tokens of `sql` */
   size_t count;
   size_t before;      /* the number of tokens before the word that is completed */
   const char *prefix; /* the word up to the cursor, without quotes */
   bool quoted;        /* the word is a string literal that is still open */
} MtCompletion;

/* ---- complete.c: choices ---- */

/* Adds the string s, which must live as long as the choices. */
void mt_choice (MtChoices *c, const char *s);
/* Adds a copy of s if it begins with the prefix; upper and lower case are equal. */
void mt_choice_if (MtChoices *c, const char *s, const char *prefix);
/* Adds those words of a list, separated by blanks or '|', that begin with the prefix. */
void mt_choice_list (MtChoices *c, const char *words, const char *prefix);
/* Adds the names of files that complete the last word of `line`, the text up to the cursor. end: a
 * text that follows each file's name. */
void mt_choice_files (const MtShell *sh, MtChoices *c, const char *line, const char *end);
void mt_choice_tables (MtShell *sh, MtChoices *c, const char *prefix);
/* Adds the tables of a schema. Returns false if the schema has no tables. */
bool mt_choice_tables_of (MtShell *sh, MtChoices *c, const char *schema, const char *prefix);
/* Adds the names of functions, each followed by `suffix`. */
void mt_choice_functions (MtShell *sh, MtChoices *c, const char *prefix, const char *suffix);
void mt_choice_variables (MtShell *sh, MtChoices *c, const char *prefix);
/* Runs a query, and adds the values of its first column. Errors are ignored. */
void mt_choice_query (MtShell *sh, MtChoices *c, const char *sql, const char *prefix);

/* Returns whether the character can be in a name without quotes. */
bool mt_word_char (char c);

/* ---- complete_command.c ---- */

/* Completes a backslash command. line: the text up to the cursor; backslash: the command's
 * backslash in it. Sets out->start to the offset of the word being completed. */
void mt_complete_command (MtShell *sh, MtChoices *out, const char *line, const char *backslash);

/* ---- complete_sql.c ---- */

/* Queries that return names, for mt_choice_query. */
#define MT_QUERY_PREPARED "SELECT name FROM pg_catalog.pg_prepared_statements"
#define MT_QUERY_CURSORS "SELECT name FROM pg_catalog.pg_cursors"
#define MT_QUERY_EXTENSIONS "SELECT extname FROM pg_catalog.pg_extension"
#define MT_QUERY_ALERTS "SELECT alertname FROM pg_catalog.pg_alerts"
#define MT_QUERY_TYPES \
   "SELECT format_type (oid, NULL) FROM pg_catalog.pg_type WHERE typtype IN ('b', 'd') " \
   "AND typelem = 0"

/* Completes SQL at the byte offset `cursor` of the text. Sets out->start to the offset of the word
 * being completed. */
void mt_complete_sql (MtShell *sh, const char *text, size_t cursor, MtChoices *out);
/* Adds the result columns of the last statement in the text. If it can't be analyzed, adds the
 * columns of all tables that it names. */
void mt_complete_results (MtShell *sh, const char *text, const char *prefix, MtChoices *out);
/* Returns whether token i is `word`, without quotes; upper and lower case are equal. */
bool mt_piece_is (const MtCompletion *k, size_t i, const char *word);
/* Returns the name that token i is: in lower case, or as it is within quotes. In arena k->a. */
const char *mt_piece_name (const MtCompletion *k, size_t i);

/* ---- complete_scope.c: the tables and columns that the statement names ---- */

/* These functions add names that begin with k->prefix to the choices, k->out. The first adds the
 * columns that can be used at the cursor. qualifier: the table or alias before the '.'; NULL:
 * none. */
void mt_scope_columns (MtCompletion *k, const char *qualifier);
/* Adds the columns of the statement's result. */
void mt_scope_results (MtCompletion *k);
/* Adds the names that the SELECT list gives to its columns, for ORDER BY and GROUP BY. */
void mt_scope_result_names (MtCompletion *k);
/* Adds the window names that the WINDOW clause defines. */
void mt_scope_windows (MtCompletion *k);
/* Adds the columns that the statement, a CREATE TABLE, has defined so far. */
void mt_scope_new_columns (MtCompletion *k);
/* Adds the names and aliases of the relations in FROM. */
void mt_scope_relations (MtCompletion *k);
/* Adds the names that the WITH clause defines. */
void mt_scope_ctes (MtCompletion *k);
/* Adds values of the column with which the string literal at the cursor is compared. */
void mt_scope_values (MtCompletion *k);
/* Adds the columns (layouts: instead the layouts) of the table that the statement is about, such as
 * the table of ALTER TABLE. */
void mt_scope_parts (MtCompletion *k, bool layouts);

/* ---- complete_words.c ---- */

/* Adds the options that can be used in the parentheses around the cursor. */
void mt_complete_options (MtCompletion *k);
/* Adds the values of the option before the cursor. */
void mt_complete_option_values (MtCompletion *k);

#endif
