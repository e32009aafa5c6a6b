/* Private to layouts/descriptor/check*.c. */
#ifndef MT_CHECK_INT_H
#define MT_CHECK_INT_H

#include "layouts/descriptor/descriptor_int.h"

typedef struct MtCheck {
   const MtTable *t;
   const MtLayout *l;
   MtBlame *blame;
   size_t store;  /* index of the store that is checked */
   bool raw_way;  /* the store has a way down to records */
   bool time_way; /* the store has a way that binds the time */
} MtCheck;

/* 42P17 at a node of the current store (NULL: at the store itself), with `tail` appended to its
 * path; false. */
bool mt_check_bad (MtCheck *c, const MtNode *n, const char *tail, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));
/* Returns ok. If a preset made the descriptor, adds the hint to use FIELD and returns false. */
bool mt_check_other_field (MtCheck *c, bool ok);
static inline const char *mt_check_column (const MtCheck *c, int i)
{
   return c->t->columns[i].name;
}

/* Checks that the fields of a node's value do not clash (check_paths.c). */
bool mt_check_paths (MtCheck *c, const MtNode *n);
/* Checks that the format of a binding (of n, or of the id if n is NULL) distinguishes its unit. */
bool mt_check_format (MtCheck *c, const MtNode *n, size_t i, const MtBinding *b);
/* Checks all levels of the current store, and that each way binds or keeps all columns
 * (check_ways.c). Sets raw_way and time_way. */
bool mt_check_ways (MtCheck *c, const MtNode *root);

#endif
