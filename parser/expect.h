/* What the grammar allows behind the beginning of a statement, and the pieces of a text. For
 * completion and colours while a statement is typed. */
#ifndef MT_EXPECT_H
#define MT_EXPECT_H

#include "base/arena.h"

#include <stdint.h>

/* What a name or a literal can mean where it stands. */
typedef enum MtSqlPlace {
   MT_PLACE_TABLE = 1 << 0, /* a table or view */
   MT_PLACE_NEW = 1 << 1,   /* the name of a new table */
   MT_PLACE_COLUMN = 1 << 2,
   MT_PLACE_FUNCTION = 1 << 3,
   MT_PLACE_TYPE = 1 << 4,
   MT_PLACE_SETTING = 1 << 5,
   MT_PLACE_SETTING_VALUE = 1 << 6,
   MT_PLACE_ZONE = 1 << 7,   /* a time zone */
   MT_PLACE_OPTION = 1 << 8, /* an option in parentheses behind WITH, SET, VACUUM … */
   MT_PLACE_OPTION_VALUE = 1 << 9,
   MT_PLACE_EXPLAIN_OPTION = 1 << 10,
   MT_PLACE_FILE = 1 << 11, /* the file of COPY */
   MT_PLACE_STEP = 1 << 12  /* behind a name: a '.' can follow */
} MtSqlPlace;

/* What can follow the beginning of a statement. */
typedef struct MtExpected {
   unsigned names;    /* the MtSqlPlace bits of a name */
   unsigned literals; /* the MtSqlPlace bits of a string literal */
   bool name;         /* any name can follow, also a new one */
   bool literal;      /* a string literal can follow */
   /* the keywords that can follow, except those that are only names there; in arena a */
   const char **keywords;
   size_t keyword_count;
} MtExpected;
/* Finds what the grammar allows behind the text, which is the beginning of one statement. Returns
 * false if the text is not the beginning of a statement. */
bool mt_parse_expect (MtArena *a, const char *text, size_t len, MtExpected *out);

/* A piece of SQL text, for colours and completion. */
typedef enum MtSqlPieceKind {
   MT_SQL_NAME,
   MT_SQL_KEYWORD, /* a keyword that the statement uses as such */
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
   bool open; /* the text ends within this string, quoted name or comment */
} MtSqlPiece;
/* Cuts a text of any statements into pieces, in arena a. White space is left out. Text that is not
 * SQL is cut as well as possible. */
void mt_parse_pieces (MtArena *a, const char *text, size_t len, MtSqlPiece **out, size_t *count);

#endif
