/* mongosh's text: tokens, and what the reader's files share. */
#ifndef MT_MONGOSH_INT_H
#define MT_MONGOSH_INT_H

#include "types/mongosh.h"

typedef enum MtMongoshKind {
   MT_SH_END,
   MT_SH_SIGN,   /* one character */
   MT_SH_WORD,   /* with what follows its dots: Long.fromString */
   MT_SH_STRING, /* text: what it says */
   MT_SH_NUMBER,
   MT_SH_REGEX /* text: the pattern; flags */
} MtMongoshKind;

typedef struct MtMongoshToken {
   MtMongoshKind kind;
   MtStr raw; /* as it is written */
   MtStr text;
   MtStr flags;
} MtMongoshToken;

typedef struct MtMongosh {
   MtArena *a;
   const char *start, *p, *end;
   MtMongoshToken t; /* the next token; p is behind it */
   const char *last; /* the end of the token before it */
   int depth;        /* of the document */
   int nested;       /* the depth of nested values, brackets and signs */
   MtError *err;
} MtMongosh;

/* A value and its place in the text. */
typedef struct MtMongoshValue {
   MtVal v;
   MtSpan span;
   MtStr number; /* the text of a literal number, with its sign; else empty */
   bool plain;   /* a number that can be an operand */
} MtMongoshValue;

/* ---- tokens ---- */

/* Starts reading: scans the first token. */
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
/* Sets 42601 at the token, with a detail. */
bool mt_sh_unexpected (MtMongosh *m, const char *wanted);
/* Reads this character, or sets 42601. */
bool mt_sh_take (MtMongosh *m, char c, const char *wanted);
/* Converts a literal number to an int, long or double. `negative`: a minus sign precedes it. */
MtVal mt_sh_number (MtStr raw, bool negative);
MtVal mt_sh_whole (int64_t i);

/* ---- values ---- */

bool mt_sh_value (MtMongosh *m, MtMongoshValue *out);
/* Reads arguments behind the opening bracket, up to the closing one. */
bool mt_sh_arguments (MtMongosh *m, char close, MtMongoshValue **out, size_t *n);
/* The constructor that the token names, with its arguments; up to the token behind it. `is_new`:
 * `new` stands before it. */
bool mt_sh_construct (MtMongosh *m, bool is_new, MtMongoshValue *out);

typedef struct MtMongoshMember {
   MtStr key;
   MtSpan key_span;
   MtMongoshValue value;
} MtMongoshMember;

/* An object that is extended JSON: *done, and the value that it stands for. */
bool mt_sh_extended (MtMongosh *m, const MtMongoshMember *members, size_t n, bool *done,
                     MtVal *out);

/* Regular expressions of BSON from a pattern and flags. */
bool mt_sh_regex (MtMongosh *m, MtStr pattern, MtStr flags, MtSpan span, MtVal *out);
#endif
