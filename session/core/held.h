/* Objects of a session that outlive a statement: cursors and prepared statements. */
#ifndef MT_HELD_H
#define MT_HELD_H

#include "session/coordinate/coordinate.h"

/* A declared cursor. */
struct MtPortal {
   MtArena *arena;
   MtSession *session;
   const char *name, *sql; /* sql: the text of DECLARE */
   int64_t declared_ms;
   MtResult *source; /* the query; NULL: all its rows were read */
   MtPlan columns;   /* only the columns are set */
   bool no_scroll, hold;
   bool kept;      /* rows that were read are written to the file */
   bool committed; /* WITH HOLD, and its transaction has committed */
   size_t depth;   /* the number of savepoints around it */
   /* For each row that was read: the document, and its length (int32). NULL: there is no row
    * yet, or rows are not kept. */
   FILE *file;
   off_t *places; /* the offsets of the rows 1, 1 + ROWS_A_PLACE … */
   size_t place_count, place_cap;
   off_t end;     /* the size of the file */
   int64_t read;  /* rows read from the source so far */
   int64_t at;    /* the current row; 0: before the first; read + 1: after the last */
   int64_t near;  /* a row whose offset is near_at; 0: none */
   off_t near_at; /* the offset of row `near` */
   MtBuf doc;     /* a row read from the file */
   bson_t *view;  /* the same row as a document */
   struct MtPortal *next;
};

/* A prepared statement, of PREPARE or of mt_prepare. */
struct MtPrepared {
   MtArena *arena; /* owns this structure's data */
   MtSession *session;
   const char *name; /* NULL: of mt_prepare; the client owns it */
   const char *sql;  /* the text of PREPARE, or of the statement itself */
   size_t sql_len;
   const MtStmt *stmt; /* the prepared statement; NULL: an empty text */
   MtType *types;      /* of the parameters */
   int count;
   MtLook look;
   struct MtPrepared *next;
};

#endif
