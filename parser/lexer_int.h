/* The lexer splits SQL text into the tokens of PostgreSQL 15. A raw token (MtRawToken) is only a
 * kind and a range of the text; mt_scan_statement uses them. An MtToken also has the token's
 * decoded value, and its code in the grammar. */
#ifndef MT_LEXER_INT_H
#define MT_LEXER_INT_H

#include "parser/parser.h"

typedef enum MtRawKind {
   MT_RAW_END,
   MT_RAW_IDENT,
   MT_RAW_QUOTED,  /* "…" */
   MT_RAW_STRING,  /* '…' or N'…', with its continuations on the following lines */
   MT_RAW_ESTRING, /* E'…' */
   MT_RAW_BITS,    /* B'…' and X'…' */
   MT_RAW_UNICODE, /* U&'…' and U&"…" */
   MT_RAW_DOLLAR,  /* $tag$…$tag$ */
   MT_RAW_INTEGER,
   MT_RAW_DECIMAL,
   MT_RAW_PARAM,    /* $1 */
   MT_RAW_OPERATOR, /* a sequence of operator characters, split by PostgreSQL's rules */
   MT_RAW_PUNCT,    /* a single character of punctuation, or one of :: := .. */
   /* a number or parameter that is directly followed by letters, which is an error */
   MT_RAW_JUNK,
   MT_RAW_COMMENT /* a comment that is not closed; other comments are skipped */
} MtRawKind;

typedef struct MtRawToken {
   MtRawKind kind;
   bool open; /* the text ends within this token, such as in an unclosed string */
   uint32_t start, end;
   /* for MT_RAW_DOLLAR: length of $tag$; otherwise length of the prefix and the opening quote */
   uint32_t delimiter;
} MtRawToken;

/* Returns the first raw token at or after offset `pos`. Skips white space and comments. */
MtRawToken mt_lex_raw (const char *text, size_t len, size_t pos);

/* A token for the grammar. `text` is NUL-terminated, in the statement's arena, or static for
 * punctuation. */
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
   /* For finding a hint, the parser runs again with one word replaced: the word at offset swap_at
    * is read as the keyword swap_code. swap_at -1: no word is replaced. */
   int32_t swap_at;
   int swap_code;
   /* true: words of other databases are keywords: QUALIFY, SUMMARIZE, DESCRIBE, TOLERANCE, SAMPLE
    * BY and LATEST ON, and 5m is a width. false: as in PostgreSQL, these words are names, and 5m is
    * an error. */
   bool extended;
} MtLexer;

/* Reads the next token. *out has code 0 at the end of the text. Returns false with lx->err set
 * for an invalid token. */
bool mt_lex (MtLexer *lx, MtToken *out);

/* Where PostgreSQL allows a keyword as a name: everywhere; as a column's name; as a type's or
 * function's name; or nowhere. */
typedef enum MtKeywordClass { MT_KW_FREE, MT_KW_COLUMN, MT_KW_TYPE, MT_KW_RESERVED } MtKeywordClass;
typedef struct MtKeyword {
   const char *word;
   /* the token's code in the grammar; MT_TK_ID if no rule of the grammar contains the word */
   int code;
   MtKeywordClass where;
   bool bare; /* the word may be a column alias without AS */
} MtKeyword;
const MtKeyword *mt_keyword_find (const char *word, size_t n);
const MtKeyword *mt_keyword_table (size_t *n);

/* Sets the syntax error `what at or near "x"`, where x is the text at `span`. Returns false. */
bool mt_lex_error (const char *text, size_t len, MtSpan span, const char *what, MtError *err);

#endif
