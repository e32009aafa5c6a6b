/* The driver's own parts. */
#ifndef MT_PARSE_INT_H
#define MT_PARSE_INT_H

#include "parser/build_int.h"

/* Entries of the grammar's stack; an expression level takes at most some ten. 54001. */
#define MT_MAX_PARSER_STACK (20 * MT_MAX_EXPR_DEPTH)

/* Runs the grammar over p's text once, with lx's changed word if any. first_code: MT_TK_MODE_EXPR
 * or 0. */
bool mt_parse_run (MtParser *p, MtLexer lx, int first_code);

/* After a syntax error: adds a hint when changing one word near the place into a keyword lets the
 * parse go on. */
void mt_parse_hint (const MtParser *p, int first_code);

/* After a syntax error: makes it 0A000 where the place is a clause that PostgreSQL has and this
 * program doesn't. */
void mt_parse_lacking (const MtParser *p);

/* Statements that PostgreSQL has and this program doesn't: 0A000. True when the text isn't one of
 * them. */
bool mt_parse_supported (MtArena *a, const char *text, size_t len, MtError *err);

#endif
