/* Appends the pipeline stages that read a table at a cut, which is the level at which a plan stops
 * reading. Each resulting document is one cell (an entry of that level), or one record. */
#ifndef MT_SCAN_H
#define MT_SCAN_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"
#include "planner/cut/way.h"

typedef struct MtScan {
   MtArena *a;
   const MtWay *way;
   MtPipe *pipe;
   /* For each column of the table: where it is read. Unset if the level does not have the
    * column. */
   MtPlace *columns;
   /* For each column: its stored encoding, if different values always have different stored forms;
    * else NULL. */
   const MtEncoding **encodings;
   /* path of the current cell in each resulting document; "": the whole document */
   const char *cell;
   bool local_only;
} MtScan;

/* Appends the stages that read one piece of a plan: its cells (entries of a level) or records for
 * which WHERE is true. *out describes where their values are. prune false: stages that only save
 * work are omitted. */
bool mt_scan_emit (MtArena *a, const MtPiece *piece, const MtNeed *need, bool prune, MtScan *out,
                   MtError *err);

/* Returns an expression for the number of records in the current cell (entry of the level). */
const bson_t *mt_scan_n (const MtScan *s);

/* Returns the paths at which the current cell (entry of the level) stores the sum, minimum … of a
 * column. NULL: it stores no pre-aggregates of the column. */
const MtMeasureAgg *mt_scan_stored (const MtScan *s, int column);
/* Returns a path in the resulting document from a path in the current cell (array or map element),
 * in arena s->a. */
const char *mt_scan_path (const MtScan *s, const char *relative);

/* Returns whether texts in this time format sort like the times. */
bool mt_format_sorts (const char *format);

/* Returns an expression that converts stored seconds v to whole milliseconds, rounded down. */
const bson_t *mt_ms_of_seconds (MtArena *a, const MtEncoding *e, const MtColumn *c,
                                const bson_t *v);

/* Returns an expression that decodes the stored value at `path` to the column's type. NULL: it is
 * stored as it is. */
const bson_t *mt_decoded (MtArena *a, const MtEncoding *e, const MtColumn *c, const char *path);

/* Returns an expression for an array of documents, one for each entry of flat level n (tuples or
 * parallel arrays). parent: path of the enclosing value. The result is null if the arrays are
 * missing. */
const bson_t *mt_flat_cells (MtArena *a, const MtNode *n, const char *parent);

#endif
