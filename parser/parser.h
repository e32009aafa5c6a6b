/* The parser turns SQL text into a syntax tree. It does not use BSON. */
#ifndef MT_PARSER_H
#define MT_PARSER_H

#include "parser/ast.h"

/* Parses exactly one statement, which may end with ';'. Nothing may follow the ';'. The tree is
 * allocated in `a`, and the text is only borrowed during the call. *out is NULL for an empty
 * statement (white space and comments). Fails with 42601 and the position for a syntax error, in
 * PostgreSQL's words; a misspelt keyword gets a hint. Fails with 22021 for invalid UTF-8 and NUL
 * bytes, and with 54000 or 54001 beyond the limits of size and nesting in base/limits.h. */
bool mt_parse (MtArena *a, const char *text, size_t len, MtStmt **out, MtError *err);

/* Parses a single expression, such as the body of an SQL function. Errors are those of mt_parse. */
bool mt_parse_expr (MtArena *a, const char *text, size_t len, MtExpr **out, MtError *err);

/* The state at the end of an incomplete statement, which a shell shows in its prompt for the next
 * line. */
typedef enum MtScanState {
   MT_SCAN_READY,    /* the text has only white space and comments */
   MT_SCAN_CONTINUE, /* the text ends within a statement */
   MT_SCAN_SINGLE_QUOTE,
   MT_SCAN_DOUBLE_QUOTE,
   MT_SCAN_DOLLAR_QUOTE,
   MT_SCAN_COMMENT,
   MT_SCAN_PAREN
} MtScanState;

/* Finds the end of the first statement in the text. Returns true and sets *end to the offset after
 * the statement's ';'. As in psql, a ';' in quotes, comments or parentheses does not end a
 * statement. If the statement is incomplete, returns false and sets *state. */
bool mt_scan_statement (const char *text, size_t len, size_t *end, MtScanState *state);
/* Finds the next non-empty statement from offset *end on, and sets *at and *end to its start and
 * end. The last statement may be incomplete. Returns false if only white space and comments are
 * left. */
bool mt_scan_next (const char *text, size_t len, size_t *at, size_t *end);

/* Gives the columns of an expression over one table the table's name, in place. False: the
 * expression has a part that this can't follow, such as a sub-select. */
bool mt_qualify_expr (MtArena *a, MtExpr *e, const char *table);
/* Appends an expression as SQL text, which parses to the same tree again. EXPLAIN and default
 * column names use this text. */
void mt_print_expr (const MtExpr *e, MtBuf *out);
/* Returns an expression as SQL, in arena a. */
const char *mt_expr_text (MtArena *a, const MtExpr *e);
/* Appends a query as SQL text, for example to keep it as a view. It parses to the same tree again,
 * except for statements in WITH that change rows: only their names are printed. */
void mt_print_select (const MtSelect *s, MtBuf *out);

/* Keyword number i of the sorted list. *where is U, C, T or R, as in pg_get_keywords(); *bare is
 * whether it may be a label without AS. False: there are fewer. */
bool mt_keyword_at (size_t i, const char **word, char *where, bool *bare);

/* Returns true if the keyword `word` must be quoted as a column's name. */
bool mt_keyword_reserved (const char *word, size_t n);
/* Returns true if `word` is a keyword that must be quoted in some position of a name, so that
 * quote_ident quotes it. */
bool mt_keyword_restricted (const char *word, size_t n);

#endif
