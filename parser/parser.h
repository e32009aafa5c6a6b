/* Text in, syntax tree out. Knows SQL and no BSON. */
#ifndef MT_PARSER_H
#define MT_PARSER_H

#include "parser/ast.h"

/* Parses exactly one statement (a trailing ';' is allowed; nothing else may follow it). Everything
 * made is in arena `a`, which must outlive the tree; the text is borrowed during the call only. An
 * empty statement (white space, comments) gives *out = NULL. Errors: 42601 with the place ("syntax
 * error at or near \"x\"", "syntax error at end of input", "unterminated quoted string at or near
 * …" as PostgreSQL says it), 22021 for invalid UTF-8 and NUL bytes, 54000/54001 for size and
 * nesting beyond base/limits.h. A misspelt keyword gets a hint. */
bool mt_parse (MtArena *a, const char *text, size_t len, MtStmt **out, MtError *err);

/* An expression alone: bodies of SQL functions, tests. */
bool mt_parse_expr (MtArena *a, const char *text, size_t len, MtExpr **out, MtError *err);

/* Where a statement ends, for readers that collect lines: what state the lexer is in after the
 * text. */
typedef enum MtScanState {
   MT_SCAN_READY,    /* nothing but white space and comments yet */
   MT_SCAN_CONTINUE, /* inside a statement */
   MT_SCAN_SINGLE_QUOTE,
   MT_SCAN_DOUBLE_QUOTE,
   MT_SCAN_DOLLAR_QUOTE,
   MT_SCAN_COMMENT,
   MT_SCAN_PAREN
} MtScanState;

/* Scans text[0,len). Returns true and sets *end just past the ';' that ends the first statement
 * (outside quotes, comments and parentheses, as psql decides); false when there is none, with
 * *state saying in what the text ends. */
bool mt_scan_statement (const char *text, size_t len, size_t *end, MtScanState *state);

/* The text of a tree, as canonical SQL that parses to the same tree (EXPLAIN, default column names,
 * tests). */
void mt_print_expr (const MtExpr *e, MtBuf *out);
void mt_print_select (const MtSelect *s, MtBuf *out);
void mt_print_stmt (const MtStmt *s, MtBuf *out);

/* Keywords for completion and hints, sorted; count in *n. */
const char *const *mt_keywords (size_t *n);

/* True when `word` must be quoted to be a column's name. */
bool mt_keyword_reserved (const char *word, size_t n);
/* True when `word` is a keyword that isn't free to be any name: quote_ident quotes it. */
bool mt_keyword_restricted (const char *word, size_t n);

#endif
