/* Objects of a session that live longer than a statement: cursors and prepared statements. */
#ifndef MT_HELD_H
#define MT_HELD_H

#include "session/coordinate/coordinate.h"

/* A declared cursor. */
struct MtPortal {
   MtArena *arena;
   MtSession *session;
   const char *name, *sql; /* sql: the text of the DECLARE statement */
   int64_t declared_ms;
   MtResult *source; /* the running query; NULL: all its rows have been read */
   MtPlan columns;   /* the result columns; no other members are set */
   bool no_scroll, hold;
   bool kept;      /* rows that were read are kept in `file` */
   bool committed; /* the cursor is WITH HOLD, and its transaction has committed */
   size_t depth;   /* number of open savepoints when it was declared */
   /* For each row that was read: its length (int32) and its document. NULL: no row was read yet, or
    * rows are not kept. */
   FILE *file;
   off_t *places; /* offsets in the file of rows 1, 1 + ROWS_A_PLACE … */
   size_t place_count, place_cap;
   off_t end;     /* size of the file */
   int64_t read;  /* number of rows read from `source` so far */
   int64_t at;    /* number of the current row; 0: before the first; read + 1: after the last */
   int64_t near;  /* number of a row whose offset is near_at; 0: none */
   off_t near_at; /* offset in the file of row `near` */
   MtBuf doc;     /* a row read from the file */
   bson_t *view;  /* the same row as a document */
   struct MtPortal *next;
};

/* A prepared statement, made by PREPARE or by mt_prepare. */
struct MtPrepared {
   MtArena *arena; /* owns the data of this structure */
   MtSession *session;
   const char *name; /* NULL: made by mt_prepare, and not named */
   bool lent;        /* made by mt_prepare: owned by the client, even if it is named */
   const char *sql;  /* text of PREPARE, or, with mt_prepare, of the statement itself */
   size_t sql_len;
   const MtStmt *stmt; /* syntax tree of the prepared statement; NULL: the text is empty */
   MtType *types;      /* types of the statement's parameters */
   int count;
   MtLook look;
   struct MtPrepared *next;
};

#endif
