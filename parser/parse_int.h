/* Functions that the files of the parser's driver share (parse.c, hint.c, refuse.c). */
#ifndef MT_PARSE_INT_H
#define MT_PARSE_INT_H

#include "parser/build_int.h"

/* The most entries on the grammar's stack. Each level of an expression needs about ten entries.
 * A longer stack fails with 54001. */
#define MT_MAX_PARSER_STACK (20 * MT_MAX_EXPR_DEPTH)

/* Returns a lexer at the begin of p's text, which allocates in `a` and reports errors in *err. */
MtLexer mt_lexer_of (const MtParser *p, MtArena *a, MtError *err);

/* Parses p's text once. If lx names a word to replace, that word is read as another keyword.
 * first_code: MT_TK_MODE_EXPR to parse an expression, or 0 for a statement. */
bool mt_parse_run (MtParser *p, MtLexer lx, int first_code);

/* Calls `each` for every token as the grammar gets it, and at the end of the text with code 0, until
 * it returns false. Returns false after an invalid token. */
bool mt_parse_each (MtLexer lx, bool (*each) (void *ctx, const MtToken *t), void *ctx);

/* Adds a hint to a syntax error, if the parse gets further when one word near the error is
 * replaced by a keyword. */
void mt_parse_hint (const MtParser *p, int first_code);

/* Changes a syntax error into 0A000 (feature not supported), if the text at its position is a
 * clause that PostgreSQL supports and this program does not. */
void mt_parse_lacking (const MtParser *p);

/* Returns true if this program supports this kind of statement. Fails with 0A000 for a statement
 * that only PostgreSQL supports. */
bool mt_parse_supported (MtArena *a, const char *text, size_t len, MtError *err);

#endif
