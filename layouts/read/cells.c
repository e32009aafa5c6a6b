#include "layouts/read/cells.h"

#include "base/bson.h"

MtVal mt_level_value (const MtNode *n, MtVal parent)
{
   MtVal v = mt_path_get (parent, n->at);
   bool any = n->kind != MT_NODE_ARRAYS;
   for (size_t i = 0; i < n->field_count && !any; i++)
      any = !mt_is_nullish (mt_path_get (parent, n->places[i]));
   return any ? v : mt_v_missing ();
}

static bool begin_arrays (MtCells *c, MtVal v, const char **why)
{
   const MtNode *n = c->n;
   c->arrays = MT_NEW_N (c->a, MtDocIter, n->field_count);
   for (size_t i = 0; i < n->field_count; i++) {
      MtVal array = mt_path_get (v, n->fields[i]);
      size_t count = array.type == MT_ARRAY ? mt_doc_count (array) : 0;
      if (array.type != MT_ARRAY) {
         *why = mt_is_nullish (array) ? mt_printf (c->a, "there is no array \"%s\"", n->fields[i])
                                      : mt_printf (c->a, "\"%s\" is of type %s, not an array",
                                                   n->fields[i], mt_v_type_name (array));
         return false;
      }
      if (i && count != c->count) {
         *why = mt_printf (c->a, "array \"%s\" has %zu elements, but \"%s\" has %zu", n->fields[0],
                           c->count, n->fields[i], count);
         return false;
      }
      c->count = count;
      c->arrays[i] = mt_doc_iter (array);
   }
   return true;
}

/* Checks that each element of array v is a tuple with as many values as the level has fields. More
 * values would be lost when the document is rewritten. If not, *why is the reason. */
static bool begin_pairs (MtCells *c, MtVal v, const char **why)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   while (mt_doc_next (&it, &key, &x)) {
      if (x.type == MT_ARRAY && mt_doc_count (x) == c->n->field_count)
         continue;
      *why = x.type == MT_ARRAY
                ? mt_printf (c->a, "element %.*s is an array of %zu, not of %zu", (int) key.n,
                             key.p, mt_doc_count (x), c->n->field_count)
                : mt_printf (c->a, "element %.*s is of type %s, not an array", (int) key.n, key.p,
                             mt_v_type_name (x));
      return false;
   }
   return true;
}

bool mt_cells_begin (MtArena *a, const MtNode *n, MtVal value, MtCells *out, const char **why)
{
   bool doc = n->kind == MT_NODE_MAP || n->kind == MT_NODE_ARRAYS;
   *out = (MtCells) {.n = n, .a = a};
   if (value.type != (doc ? MT_DOC : MT_ARRAY)) {
      *why = mt_printf (a, "it is of type %s, not %s", mt_v_type_name (value),
                        doc ? "a document" : "an array");
      return false;
   }
   if (n->kind == MT_NODE_ARRAYS)
      return begin_arrays (out, value, why);
   out->it = mt_doc_iter (value);
   return n->kind != MT_NODE_PAIRS || begin_pairs (out, value, why);
}

/* Sets *cell to a document of the next element of each parallel array, in the arena. */
static bool next_of_arrays (MtCells *c, MtStr *key, MtVal *cell)
{
   if (c->index == c->count)
      return false;
   MtBson b = {0};
   bson_t doc;
   MtVal x;
   mt_bson_start (&b);
   for (size_t i = 0; i < c->n->field_count; i++)
      if (mt_doc_next (&c->arrays[i], key, &x))
         mt_bson_put (&b, c->n->fields[i], x);
   bool ok = mt_bson_finish (&b, &doc);
   if (ok)
      *cell = mt_v_copy (c->a, mt_v_doc (&doc));
   mt_bson_free (&b);
   c->index++;
   return ok;
}

bool mt_cells_next (MtCells *c, MtStr *key, MtVal *cell)
{
   if (c->arrays)
      return next_of_arrays (c, key, cell);
   if (!mt_doc_next (&c->it, key, cell))
      return false;
   c->index++;
   if (c->n->kind == MT_NODE_PAIRS)
      /* in BSON, an array is stored like a document with the names "0", "1", … */
      cell->type = MT_DOC;
   return true;
}
