/* Checking a parsed descriptor. Private to layouts/descriptor/check*.c. */
#ifndef MT_CHECK_INT_H
#define MT_CHECK_INT_H

#include "layouts/cell_state.h"
#include "layouts/descriptor/descriptor_int.h"

typedef struct MtCheck {
   const MtTable *t;
   const MtLayout *l;
   MtBlame *blame;
   size_t store;  /* index of the store that is checked */
   bool raw_way;  /* some way from the root to a leaf ends at records */
   bool time_way; /* some way from the root to a leaf stores the time */
} MtCheck;

/* Sets error 42P17 (invalid descriptor) at node n of the current store, and returns false. n NULL:
 * at the store itself. `tail` is appended to the node's path. */
bool mt_check_bad (MtCheck *c, const MtNode *n, const char *tail, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));
/* Returns ok. If !ok and a preset made the descriptor, adds a hint to name fields with FIELD. */
bool mt_check_other_field (MtCheck *c, bool ok);
static inline const char *mt_check_column (const MtCheck *c, int i)
{
   return c->t->columns[i].name;
}

/* Checks that the fields of a node's value do not clash (check_paths.c). */
bool mt_check_paths (MtCheck *c, const MtNode *n);
/* Checks that a binding's time format is fine enough for the binding's unit. n: the binding's node;
 * NULL: the id. */
bool mt_check_format (MtCheck *c, const MtNode *n, size_t i, const MtBinding *b);
/* Checks all levels of the current store. Each way from the root to a leaf that has records must
 * have all columns. A way that has only sums may lack columns that are no dimensions
 * (check_ways.c). Sets raw_way and time_way. */
bool mt_check_ways (MtCheck *c, const MtNode *root);

#endif
