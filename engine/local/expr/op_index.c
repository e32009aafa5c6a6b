#include "engine/local/expr/op.h"

#include <string.h>
#include <xxhash.h>

struct MtOpIndex {
   size_t mask;
   /* hash table with open addressing: if a bucket has another name, the next bucket is tried */
   const MtOpRow *at[];
};

static size_t place_of (const MtOpIndex *x, const char *name)
{
   size_t i = XXH3_64bits (name, strlen (name)) & x->mask;
   while (x->at[i] && strcmp (x->at[i]->name, name) != 0)
      i = (i + 1) & x->mask;
   return i;
}

MtOpIndex *mt_op_index_sized (MtArena *a, size_t rows)
{
   size_t size = 16;
   while (size < 2 * rows)
      size *= 2;
   MtOpIndex *x = mt_alloc (a, sizeof *x + size * sizeof *x->at);
   x->mask = size - 1;
   return x;
}

const MtOpRow *mt_op_index_add (MtOpIndex *x, const MtOpRow *row)
{
   size_t i = place_of (x, row->name);
   if (!x->at[i])
      x->at[i] = row;
   return x->at[i];
}

const MtOpIndex *mt_op_index_new (MtArena *a, const MtOpRow *const *tables, size_t count)
{
   size_t rows = 0;
   for (size_t t = 0; t < count; t++)
      for (const MtOpRow *r = tables[t]; r->name; r++)
         rows++;
   MtOpIndex *x = mt_op_index_sized (a, rows);
   for (size_t t = 0; t < count; t++)
      for (const MtOpRow *r = tables[t]; r->name; r++)
         mt_op_index_add (x, r);
   return x;
}

const MtOpRow *mt_op_row (const MtOpRow *table, const char *name)
{
   while (strcmp (table->name, name) != 0)
      table++;
   return table;
}

bool mt_op_arith (MtEval *ev, const char *name, MtVal a, MtVal b, MtVal *out)
{
   const MtOpRow *row = mt_op_row (mt_ops_arithmetic, name);
   MtVal args[2] = {a, b};
   ev->user = row->user;
   return row->fn (ev, args, 2, out);
}

const MtOpRow *mt_op_index_find (const MtOpIndex *x, const char *name)
{
   return x ? x->at[place_of (x, name)] : NULL;
}
