/* Reading a cut: from a way to the stages that yield its cells, and where everything is found in
 * them. */
#ifndef MT_SCAN_H
#define MT_SCAN_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"
#include "planner/cut/way.h"

typedef struct MtScan {
   MtArena *a;
   const MtWay *way;
   MtPipe *pipe;
   MtPlace *columns; /* by column of the table; meaningless where the way doesn't have it */
   /* By column: of columns[i].path when it is a one-to-one image of the value; else NULL. */
   const MtEncoding **encodings;
   const char *cell; /* path of the cell's value ("": the document) */
   bool local_only;
} MtScan;

/* Emits the stages that yield the way's cells (or records) whose time is in `ranges`, filtered by
 * the need's filters. prune = false leaves out what only saves work. */
bool mt_scan_emit (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges,
                   MtDocMode docs, bool prune, MtScan *out, MtError *err);

/* Number of records of the cell, as an expression. */
const bson_t *mt_scan_n (const MtScan *s);

/* The stored pre-aggregate paths of a measure in the cell; NULL when there is none (records). */
const MtMeasureAgg *mt_scan_stored (const MtScan *s, int column);
const char *mt_scan_path (const MtScan *s, const char *relative);

/* Text by the format sorts as its times do: coarse before fine. */
bool mt_format_sorts (const char *format);

/* Seconds that may have fractions, of milliseconds or finer: several stored forms have one
 * value. */
bool mt_has_fractions (const MtEncoding *e, const MtColumn *c);

/* Whole milliseconds of a time stored as the number of seconds v: the earlier ones. */
const bson_t *mt_ms_of_seconds (MtArena *a, const MtEncoding *e, const MtColumn *c,
                                const bson_t *v);

/* The value whose stored form is at `path`, as an expression; NULL when the stored form is the
 * value. */
const bson_t *mt_decoded (MtArena *a, const MtEncoding *e, const MtColumn *c, const char *path);

/* A flat level's cells (table.h) as a list of documents, below the value at path parent; null where
 * it isn't there. */
const bson_t *mt_flat_cells (MtArena *a, const MtNode *n, const char *parent);

#endif
