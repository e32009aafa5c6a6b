/* What a session holds from statement to statement: cursors and prepared statements. */
#ifndef MT_HELD_H
#define MT_HELD_H

#include "session/state/session.h"

/* A cursor that was declared. */
struct MtPortal {
   MtArena *arena;
   MtSession *session;
   const char *name, *sql; /* sql: the DECLARE statement */
   int64_t declared_ms;
   MtResult *source; /* the query's rows; NULL: all were read */
   MtPlan columns;   /* the query's columns, and nothing else of a plan */
   bool no_scroll, hold;
   bool kept;      /* rows that were read go to the file */
   bool committed; /* its transaction is over */
   size_t depth;   /* of savepoints around it */
   FILE *file; /* of the rows that were read: document and length (int32), each; NULL: none yet, or
                  they aren't kept */
   off_t *places; /* where row 1, 1 + ROWS_A_PLACE … begin */
   size_t place_count, place_cap;
   off_t end;     /* of the file */
   int64_t read;  /* rows that the source gave */
   int64_t at;    /* the current row: 0 before the first, read + 1 behind the last */
   int64_t near;  /* a row whose place is known, 0: none … */
   off_t near_at; /* … and that place */
   MtBuf doc;     /* a row from the file, and */
   bson_t *view;  /* the document that it is */
   struct MtPortal *next;
};

/* A statement that PREPARE gave a name. */
typedef struct MtPrepared {
   MtArena *arena; /* of all that is here */
   const char *name;
   const char *sql; /* of the whole PREPARE */
   size_t sql_len;
   const MtStmt *stmt; /* what was prepared; nothing changes it */
   MtType *types;
   int count;
   MtLook look;
   struct MtPrepared *next;
} MtPrepared;

#endif
