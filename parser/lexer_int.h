/* The lexer: PostgreSQL 15's tokens. Raw tokens are boundaries only (no memory; also used by
 * mt_scan_statement); cooked tokens carry their value and the grammar's token code. */
#ifndef MT_LEXER_INT_H
#define MT_LEXER_INT_H

#include "parser/parser.h"

typedef enum MtRawKind {
   MT_RAW_END,
   MT_RAW_IDENT,
   MT_RAW_QUOTED,  /* "…" */
   MT_RAW_STRING,  /* '…' and N'…', with its continuations on following lines */
   MT_RAW_ESTRING, /* E'…' */
   MT_RAW_BITS,    /* B'…' and X'…' */
   MT_RAW_UNICODE, /* U&'…' and U&"…" */
   MT_RAW_DOLLAR,  /* $tag$…$tag$ */
   MT_RAW_INTEGER,
   MT_RAW_DECIMAL,
   MT_RAW_PARAM,    /* $1 */
   MT_RAW_OPERATOR, /* a run of operator characters, cut as PostgreSQL cuts it */
   MT_RAW_PUNCT,    /* one character, or :: := .. */
   MT_RAW_JUNK,     /* a number or parameter with letters behind it */
   MT_RAW_COMMENT   /* only when it isn't closed */
} MtRawKind;

typedef struct MtRawToken {
   MtRawKind kind;
   bool open; /* the text ends inside it */
   uint32_t start, end;
   uint32_t delimiter; /* MT_RAW_DOLLAR: bytes of $tag$; otherwise bytes before the text (quote and
                          prefix) */
} MtRawToken;

/* The first token at or after `pos`; white space and comments are skipped. */
MtRawToken mt_lex_raw (const char *text, size_t len, size_t pos);

/* A token for the grammar. text is NUL-terminated, in the statement's arena (for punctuation:
 * static). */
typedef struct MtToken {
   MtSpan span;
   const char *text;
   uint32_t n;
   int16_t code;
   bool quoted;
} MtToken;

#define MT_NO_TOKEN ((MtToken) {MT_NO_SPAN, NULL, 0, 0, false})

typedef struct MtLexer {
   MtArena *a;
   const char *text;
   size_t len;
   size_t pos;
   MtError *err;
   /* Hints try a statement with one word changed: at this offset (-1: nowhere) stands this
    * keyword. */
   int32_t swap_at;
   int swap_code;
} MtLexer;

/* The next token; code 0 at the end. False: *err is set. */
bool mt_lex (MtLexer *lx, MtToken *out);

/* keywords.c */
typedef enum MtKeywordClass { MT_KW_FREE, MT_KW_COLUMN, MT_KW_TYPE, MT_KW_RESERVED } MtKeywordClass;
typedef struct MtKeyword {
   const char *word;
   int code; /* the grammar's token; MT_TK_ID when no rule needs the word */
   MtKeywordClass where;
   bool bare; /* may be a label without AS */
} MtKeyword;
const MtKeyword *mt_keyword_find (const char *word, size_t n);
const MtKeyword *mt_keyword_table (size_t *n);

/* "… at or near \"x\"": the text of a span, with the message's own wording before it. */
bool mt_lex_error (const char *text, size_t len, MtSpan span, const char *what, MtError *err);

#endif
