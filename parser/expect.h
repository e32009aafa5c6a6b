/* For completion and coloring of a statement while it is typed: which keywords and names the
 * grammar allows after an incomplete statement, and a splitting of SQL text into pieces. */
#ifndef MT_EXPECT_H
#define MT_EXPECT_H

#include "base/arena.h"

#include <stdint.h>

/* What a name or string literal can denote at a position in a statement. Bits, because several are
 * possible. */
typedef enum MtSqlPlace {
   MT_PLACE_TABLE = 1 << 0, /* a table or view */
   MT_PLACE_NEW = 1 << 1,   /* a new table's name */
   MT_PLACE_COLUMN = 1 << 2,
   MT_PLACE_FUNCTION = 1 << 3,
   MT_PLACE_TYPE = 1 << 4,
   MT_PLACE_SETTING = 1 << 5,
   MT_PLACE_SETTING_VALUE = 1 << 6,
   MT_PLACE_ZONE = 1 << 7,   /* a time zone */
   MT_PLACE_OPTION = 1 << 8, /* an option in parentheses, after WITH, SET, VACUUM … */
   MT_PLACE_OPTION_VALUE = 1 << 9,
   MT_PLACE_EXPLAIN_OPTION = 1 << 10,
   MT_PLACE_FILE = 1 << 11, /* a file's name in COPY */
   MT_PLACE_STEP = 1 << 12  /* a '.', because a name precedes */
} MtSqlPlace;

/* What the grammar allows after an incomplete statement. */
typedef struct MtExpected {
   unsigned names;    /* if a name may follow: what it can denote, as MtSqlPlace bits */
   unsigned literals; /* if a string literal may follow: what it can denote, as MtSqlPlace bits */
   bool name;         /* any name may follow, even an unknown one */
   bool literal;      /* a string literal may follow */
   /* the keywords that may follow as keywords (not only as names); in arena a */
   const char **keywords;
   size_t keyword_count;
} MtExpected;
/* Finds what the grammar allows after the text, which is the beginning of one statement. Returns
 * false if no statement begins so. */
bool mt_parse_expect (MtArena *a, const char *text, size_t len, MtExpected *out);

/* A kind of piece of SQL text, for coloring and completion. */
typedef enum MtSqlPieceKind {
   MT_SQL_NAME,
   MT_SQL_KEYWORD, /* a keyword that is used as a keyword, not as a name */
   MT_SQL_STRING,
   MT_SQL_NUMBER,
   MT_SQL_COMMENT,
   MT_SQL_OPEN,  /* ( or [ */
   MT_SQL_CLOSE, /* ) or ] */
   MT_SQL_SIGN   /* anything else */
} MtSqlPieceKind;
typedef struct MtSqlPiece {
   MtSqlPieceKind kind;
   size_t start, end;
   bool open; /* the string, quoted name or comment is not closed: the text ends in it */
} MtSqlPiece;
/* Splits a text of several statements into pieces, in arena a. White space is skipped. Text that is
 * not valid SQL is split as well as possible. */
void mt_parse_pieces (MtArena *a, const char *text, size_t len, MtSqlPiece **out, size_t *count);

#endif
