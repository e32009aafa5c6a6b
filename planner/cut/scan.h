/* Writes the stages that yield the cells of a cut, and the places of the columns in a cell. */
#ifndef MT_SCAN_H
#define MT_SCAN_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"
#include "planner/cut/way.h"

typedef struct MtScan {
   MtArena *a;
   const MtWay *way;
   MtPipe *pipe;
   MtPlace *columns; /* by column of the table; undefined for columns that the way does not have */
   /* By column: the encoding of columns[i].path, when the stored form is a one-to-one image of
    * the value. Otherwise NULL. */
   const MtEncoding **encodings;
   const char *cell; /* path of the cell's value; "": the document */
   bool local_only;
} MtScan;

/* Writes the stages that yield the piece's cells (or records) for which the need's filters are
 * true. prune is false: stages that only save work are left out. */
bool mt_scan_emit (MtArena *a, const MtPiece *piece, const MtNeed *need, bool prune, MtScan *out,
                   MtError *err);

/* The number of records in the cell, as an expression. */
const bson_t *mt_scan_n (const MtScan *s);

/* The paths of a measure's stored pre-aggregates in the cell. NULL: nothing is stored, as for
 * records. */
const MtMeasureAgg *mt_scan_stored (const MtScan *s, int column);
/* The path in the documents of a path that is relative to the cell. In the arena of s. */
const char *mt_scan_path (const MtScan *s, const char *relative);

/* Whether text in the format sorts as its times do: coarse units come before fine ones. */
bool mt_format_sorts (const char *format);

/* Whether a time is stored in seconds with fractions. A millisecond then has several stored
 * forms. */
bool mt_has_fractions (const MtEncoding *e, const MtColumn *c);

/* The whole milliseconds of a time that is stored as the number of seconds v, rounded down. */
const bson_t *mt_ms_of_seconds (MtArena *a, const MtEncoding *e, const MtColumn *c,
                                const bson_t *v);

/* The value whose stored form is at `path`, as an expression. NULL: the stored form is the
 * value. */
const bson_t *mt_decoded (MtArena *a, const MtEncoding *e, const MtColumn *c, const char *path);

/* A flat level's cells (table.h) as a list of documents, below the value at path `parent`. The
 * list is null when the arrays are missing. */
const bson_t *mt_flat_cells (MtArena *a, const MtNode *n, const char *parent);

#endif
