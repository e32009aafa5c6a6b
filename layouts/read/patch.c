#include "layouts/read/patch.h"

#include "base/bson.h"
#include "layouts/stored.h"

#include <string.h>

bool mt_can_patch (const MtTable *t, const MtStoreDesc *s, const int *columns, size_t count)
{
   if (s->id_count || s->root->agg.present || s->root->range.present || s->root->sub_count ||
       (s->parts && mt_in_key (columns, count, t->time_column)))
      return false;
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      bool in_id = mt_path_in_id (b->at);
      if (mt_in_key (columns, count, b->column) && (b->kind != MT_BIND_COLUMN || in_id))
         return false;
   }
   return true;
}

static void set_path (MtBson *b, MtVal doc, const char *path, MtVal v);

/* Appends the field `name` to b: with value v, or, if `rest` is not empty, with a copy of the
 * sub-document `old` in which the value at path `rest` is v. */
static void set_field (MtBson *b, MtStr name, MtVal old, const char *rest, MtVal v)
{
   if (!rest || !*rest) {
      mt_bson_put_named (b, name.p, name.n, v);
      return;
   }
   size_t at = mt_bson_doc_named (b, name.p, name.n);
   set_path (b, old.type == MT_DOC ? old : mt_v_missing (), rest, v);
   mt_bson_end (b, at);
}

/* Appends the fields of `doc` (MT_MISSING: none) with value v at `path`. If a value on the path is
 * not a document, it is replaced by one. */
static void set_path (MtBson *b, MtVal doc, const char *path, MtVal v)
{
   MtStr name, key;
   const char *rest = path;
   MtDocIter it = mt_doc_iter (doc);
   MtVal x;
   bool found = false;
   mt_path_next (&rest, &name);
   while (mt_doc_next (&it, &key, &x)) {
      bool here = !found && key.n == name.n && memcmp (key.p, name.p, name.n) == 0;
      if (here)
         set_field (b, name, x, rest, v);
      else
         mt_bson_put_named (b, key.p, key.n, x);
      found = found || here;
   }
   if (!found)
      set_field (b, name, mt_v_missing (), rest, v);
}

bool mt_patch (const MtTable *t, const MtStoreDesc *s, const MtRowPatch *patch, const bson_t *doc,
               bson_t *out, MtError *err)
{
   /* two buffers used alternately: each step copies the document and sets one column */
   MtBson made[2] = {{0}, {0}};
   bson_t view;
   MtBuf text = {0};
   bool ok = true;
   for (size_t i = 0; i < patch->count && ok; i++) {
      int c = patch->columns[i];
      const MtEncoding *e = NULL;
      const char *path = mt_row_place (s, c, &e);
      MtVal v;
      if (!path || !*path)
         ok = mt_error (err, MT_E_INTERNAL, "column \"%s\" can't be changed in place",
                        t->columns[c].name);
      else if ((ok = mt_encode (e, t->columns[c].type, patch->row[c], &text, &v, err))) {
         mt_bson_start (&made[i & 1]);
         set_path (&made[i & 1], mt_v_doc (doc), path, v);
         ok = mt_bson_finish (&made[i & 1], &view) ||
              mt_error (err, MT_E_LIMIT, "a document would be too large");
         doc = &view;
      }
      mt_buf_clear (&text);
   }
   ok = ok && bson_concat (out, doc);
   mt_buf_free (&text);
   mt_bson_free (&made[0]);
   mt_bson_free (&made[1]);
   return ok;
}
