/* Private to the files mongosh*.c, which parse mongosh's syntax: tokens, and shared functions. */
#ifndef MT_MONGOSH_INT_H
#define MT_MONGOSH_INT_H

#include "types/mongosh.h"

typedef enum MtMongoshKind {
   MT_SH_END,
   MT_SH_SIGN,   /* a sign of one character, such as ',' or '{' */
   MT_SH_WORD,   /* a word, also one with dots: Long.fromString */
   MT_SH_STRING, /* a string; `text` is the string without quotes and escapes */
   MT_SH_NUMBER,
   MT_SH_REGEX /* a regular expression; `text` is the pattern, `flags` the flags */
} MtMongoshKind;

typedef struct MtMongoshToken {
   MtMongoshKind kind;
   MtStr raw; /* the token as it is written in the text */
   MtStr text;
   MtStr flags;
} MtMongoshToken;

typedef struct MtMongosh {
   MtArena *a;
   const char *start, *p, *end;
   MtMongoshToken t; /* the next token; p points behind this token */
   const char *last; /* the end of the token before t */
   int depth;        /* the depth of nested documents and arrays */
   int nested;       /* the depth of recursion: nested values, brackets and signs */
   MtError *err;
} MtMongosh;

/* A value and its span in the text. */
typedef struct MtMongoshValue {
   MtVal v;
   MtSpan span;
   MtStr number; /* the text of a literal number, with its sign; else empty */
   bool plain;   /* the value is a number that + - * / can use */
} MtMongoshValue;

/* ---- tokens ---- */

/* Starts parsing: scans the first token. */
bool mt_sh_begin (MtMongosh *m, MtArena *a, MtStr text, MtError *err);
bool mt_sh_next (MtMongosh *m);
MtSpan mt_sh_span (const MtMongosh *m, MtStr raw);
static inline bool mt_sh_is (const MtMongosh *m, char c)
{
   return m->t.kind == MT_SH_SIGN && *m->t.raw.p == c;
}
static inline bool mt_sh_is_word (const MtMongosh *m, const char *w)
{
   return m->t.kind == MT_SH_WORD && mt_str_is (m->t.raw, w);
}
/* Sets a syntax error (42601) at the next token. wanted: what was expected, for the detail. Returns
 * false. */
bool mt_sh_unexpected (MtMongosh *m, const char *wanted);
/* Reads the character c. If the next token is another one, sets a syntax error (42601) and returns
 * false. */
bool mt_sh_take (MtMongosh *m, char c, const char *wanted);
/* Converts the text of a number to an int, long or double. negative: a minus sign precedes it. */
MtVal mt_sh_number (MtStr raw, bool negative);
MtVal mt_sh_whole (int64_t i);

/* ---- values ---- */

/* Reads the arguments of a call after its opening bracket, up to the closing bracket `close`. Sets
 * *out and *n. */
bool mt_sh_arguments (MtMongosh *m, char close, MtMongoshValue **out, size_t *n);
/* Reads a constructor such as ObjectId (…), whose name is the next token, with its arguments.
 * is_new: the word `new` precedes it. */
bool mt_sh_construct (MtMongosh *m, bool is_new, MtMongoshValue *out);

typedef struct MtMongoshMember {
   MtStr key;
   MtSpan key_span;
   MtMongoshValue value;
} MtMongoshMember;

/* If the object with these members is extended JSON, such as {"$oid": "…"}, sets *out to the value
 * that it describes. *done is false if it is not. */
bool mt_sh_extended (MtMongosh *m, const MtMongoshMember *members, size_t n, bool *done,
                     MtVal *out);

/* Makes a BSON regular expression from a pattern and flags. */
bool mt_sh_regex (MtMongosh *m, MtStr pattern, MtStr flags, MtSpan span, MtVal *out);
#endif
