/* Translates the stage $_mtWindow to $setWindowFields, which servers can run. */
#ifndef MT_SET_WINDOW_H
#define MT_SET_WINDOW_H

#include "engine/engine.h"
#include "query/window.h"

/* A stage $_mtWindow as it is translated. */
typedef struct MtSetWindow {
   MtArena *a;
   const MtCaps *caps;
   const MtWindows *w;
   const MtWindowDef *def; /* whose partitions and order the stage has */
   const bson_t *order;    /* the fields of ORDER BY, as sortBy has them, with ranks for NULLs */
   bson_t *output;
   bool can; /* everything so far has the same meaning on a server */
} MtSetWindow;

/* Begins a stage. NULL: the engine has no need of it, or lacks the stage. Window calls are exact on
 * a server if their frames are rows, or a range up to the row's peers by one key of integers or
 * times. Sums of floats are not, because a server may take values out of a sum. */
MtSetWindow *mt_set_window_begin (MtArena *a, const MtCaps *caps, const MtWindows *w,
                                  const MtWindowDef *def, const bson_t *order);
/* Adds the calls of window number `def`. `windows` has elements of the list `windows` of
 * $_mtWindow; those before number `from` are left out. */
void mt_set_window_add (MtSetWindow *s, int def, const bson_t *windows, uint32_t from);
/* Returns the specification of $setWindowFields. NULL: the stage has to run in process.
 * partition: the list partitionBy of $_mtWindow. */
const bson_t *mt_set_window_end (MtSetWindow *s, const bson_t *partition);

#endif
