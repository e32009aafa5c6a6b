/* Functions that the files of the parser's driver share (parse.c, hint.c, refuse.c). */
#ifndef MT_PARSE_INT_H
#define MT_PARSE_INT_H

#include "parser/build_int.h"

/* The greatest number of entries on the parser's stack, of which each level of an expression needs
 * about ten. More fail with 54001. */
#define MT_MAX_PARSER_STACK (20 * MT_MAX_EXPR_DEPTH)

/* Returns a lexer at the beginning of p's text. It allocates in `a`, and reports errors in *err. */
MtLexer mt_lexer_of (const MtParser *p, MtArena *a, MtError *err);

/* Parses p's text. If lx.swap_at is not -1, the word at that offset is read as the keyword
 * lx.swap_code, to find a hint for a misspelt keyword. first_code: MT_TK_MODE_EXPR to parse an
 * expression, 0 for a statement. */
bool mt_parse_run (MtParser *p, MtLexer lx, int first_code);

/* Calls `each` with every token as the grammar gets it, and at the end with a token of code 0,
 * until `each` returns false. Returns false after an invalid token. */
bool mt_parse_each (MtLexer lx, bool (*each) (void *ctx, const MtToken *t), void *ctx);

/* Adds a hint to p's syntax error, if the parser gets further when one word near the error is
 * replaced by a keyword. */
void mt_parse_hint (const MtParser *p, int first_code);

/* Changes p's syntax error to 0A000 (feature not supported), if the text at the error is a clause
 * that PostgreSQL supports and mtsql does not. */
void mt_parse_lacking (const MtParser *p);

/* Returns false with 0A000 if the text is a kind of statement that PostgreSQL supports and mtsql
 * does not. */
bool mt_parse_supported (MtArena *a, const char *text, size_t len, MtError *err);

#endif
