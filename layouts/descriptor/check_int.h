/* Checks a parsed descriptor. Private to layouts/descriptor/check*.c. */
#ifndef MT_CHECK_INT_H
#define MT_CHECK_INT_H

#include "layouts/cell_state.h"
#include "layouts/descriptor/descriptor_int.h"

typedef struct MtCheck {
   const MtTable *t;
   const MtLayout *l;
   MtBlame *blame;
   size_t store;  /* index of the store being checked */
   bool raw_way;  /* some path from the root level to a leaf level ends at records */
   bool time_way; /* some path from the root level to a leaf level stores the time */
} MtCheck;

/* Sets error 42P17 (invalid descriptor) with the path of node n in the current store, followed by
 * `tail`, and returns false. If n is NULL, the path is the store's. */
bool mt_check_bad (MtCheck *c, const MtNode *n, const char *tail, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));
/* Returns ok. If !ok and a preset made the descriptor, adds a hint to choose other field names with
 * the option FIELD. */
bool mt_check_other_field (MtCheck *c, bool ok);
static inline const char *mt_check_column (const MtCheck *c, int i)
{
   return c->t->columns[i].name;
}

/* Checks that no two values of node n are stored in the same field, or in a field and its sub-field
 * (check_paths.c). */
bool mt_check_paths (MtCheck *c, const MtNode *n);
/* Checks that the time format of binding b stores its unit: a binding of minutes needs a format
 * with minutes. i is the binding's index in node n, or, if n is NULL, in the store's id. */
bool mt_check_format (MtCheck *c, const MtNode *n, size_t i, const MtBinding *b);
/* Checks all levels (node types of the nested documents) of the current store. Each path from the
 * root to a level with records must store all columns. A path that ends at sums may lack columns
 * that are not dimensions. Sets raw_way and time_way (check_ways.c). */
bool mt_check_ways (MtCheck *c, const MtNode *root);

#endif
