/* Writes the pipeline stages that read a table at a cut (the level at which a plan stops reading).
 * Each resulting document is one cell (an entry of that level), or one record. */
#ifndef MT_SCAN_H
#define MT_SCAN_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"
#include "planner/cut/way.h"

typedef struct MtScan {
   MtArena *a;
   const MtWay *way;
   MtPipe *pipe;
   /* Where each column of the table is read. Unset if the level has no such column. */
   MtPlace *columns;
   /* By column: the encoding of the stored value, if different column values always have different
    * stored values. Otherwise NULL. */
   const MtEncoding **encodings;
   const char *cell; /* path of the value that is read for each cell; "": the whole document */
   bool local_only;
} MtScan;

/* Appends the stages that read one piece of a plan: its cells (entries of a level) or records that
 * satisfy WHERE. prune false: stages that only save work are omitted. */
bool mt_scan_emit (MtArena *a, const MtPiece *piece, const MtNeed *need, bool prune, MtScan *out,
                   MtError *err);

/* Returns an expression for the number of records below the current cell (entry of the level). */
const bson_t *mt_scan_n (const MtScan *s);

/* Returns where the current cell (entry of the level) stores the sum, min … of a column. NULL: no
 * pre-aggregates are stored. */
const MtMeasureAgg *mt_scan_stored (const MtScan *s, int column);
/* Returns the full path in the document of a path relative to the current cell. In s->a. */
const char *mt_scan_path (const MtScan *s, const char *relative);

/* Returns whether times written in this strftime format sort as text in the order of time. */
bool mt_format_sorts (const char *format);

/* Returns an expression that converts stored seconds v to whole milliseconds, rounded down. */
const bson_t *mt_ms_of_seconds (MtArena *a, const MtEncoding *e, const MtColumn *c,
                                const bson_t *v);

/* Returns an expression that decodes the stored value at `path`. NULL: no decoding is needed. */
const bson_t *mt_decoded (MtArena *a, const MtEncoding *e, const MtColumn *c, const char *path);

/* Returns an expression for the entries of a flat level (one stored as parallel arrays, see
 * table.h) as a list of documents. parent: path of the enclosing value. Null if the arrays are
 * missing. */
const bson_t *mt_flat_cells (MtArena *a, const MtNode *n, const char *parent);

#endif
