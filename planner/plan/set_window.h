/* Translates $_mtWindow, the local executor's stage for window functions, to $setWindowFields,
 * which servers can run. */
#ifndef MT_SET_WINDOW_H
#define MT_SET_WINDOW_H

#include "engine/engine.h"
#include "query/window.h"

/* A stage $_mtWindow while it is translated. */
typedef struct MtSetWindow {
   MtArena *a;
   const MtCaps *caps;
   const MtWindows *w;
   const MtWindowDef *def; /* the window definition with the stage's partitions and order */
   const bson_t *order;    /* the fields of ORDER BY, for sortBy, with sort ranks for NULLs */
   bson_t *output;
   bool can; /* all calls so far give the same results on a server */
} MtSetWindow;

/* Begins the translation of a stage. NULL: the engine runs $_mtWindow itself, or has no
 * $setWindowFields. Calls are exact on a server if their frame is in rows, or a range up to the
 * row's peers with a single integer or time as the key. Sums of floats are not exact, because a
 * server may subtract values from a sum. */
MtSetWindow *mt_set_window_begin (MtArena *a, const MtCaps *caps, const MtWindows *w,
                                  const MtWindowDef *def, const bson_t *order);
/* Adds the calls of window number `def`. windows: the array `windows` of $_mtWindow, of which
 * elements before index `from` are skipped. */
void mt_set_window_add (MtSetWindow *s, int def, const bson_t *windows, uint32_t from);
/* Returns the body of $setWindowFields; NULL: the stage must run in process. partition: the array
 * `partitionBy` of $_mtWindow. */
const bson_t *mt_set_window_end (MtSetWindow *s, const bson_t *partition);

#endif
