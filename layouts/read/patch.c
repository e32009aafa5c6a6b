#include "layouts/read/patch.h"
#include "layouts/stored.h"

#include <string.h>

/* ---- what a document's root tells of the time ---- */

/* ---- a record that is a document ---- */

static bool among (const int *columns, size_t count, int c)
{
   for (size_t i = 0; i < count; i++)
      if (columns[i] == c)
         return true;
   return false;
}

bool mt_can_patch (const MtTable *t, const MtStoreDesc *s, const int *columns, size_t count)
{
   if (s->id_count || s->root->agg.present || s->root->range.present || s->root->sub_count ||
       (s->parts && among (columns, count, t->time_column)))
      return false;
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      bool in_id = !strcmp (b->at, "_id") || !strncmp (b->at, "_id.", 4);
      if (among (columns, count, b->column) && (b->kind != MT_BIND_COLUMN || in_id))
         return false;
   }
   return true;
}

/* The document with the value at `path` set; what is on the way and no document is replaced by
 * one. */
static bool set_path (const bson_t *doc, const char *path, MtVal v, bson_t *out)
{
   MtStr name;
   const char *rest = path;
   bson_iter_t it;
   bool found = false, ok = true;
   mt_path_next (&rest, &name);
   bool last = !rest || !*rest;
   if (doc && bson_iter_init (&it, doc))
      while (ok && bson_iter_next (&it)) {
         const char *key = bson_iter_key (&it);
         bool here = !found && strlen (key) == name.n && memcmp (key, name.p, name.n) == 0;
         bool inner = here && !last && BSON_ITER_HOLDS_DOCUMENT (&it);
         bson_t sub = BSON_INITIALIZER, old;
         if (inner) {
            MtVal d = mt_v_from_iter (&it);
            ok = bson_init_static (&old, d.p, d.len) && set_path (&old, rest, v, &sub) &&
                 bson_append_document (out, key, -1, &sub);
         } else if (here && !last)
            ok = set_path (NULL, rest, v, &sub) && bson_append_document (out, key, -1, &sub);
         else
            ok = here ? mt_v_append (out, key, -1, v) : bson_append_iter (out, key, -1, &it);
         found |= here;
         bson_destroy (&sub);
      }
   if (!ok || found)
      return ok;
   if (last)
      return mt_v_append (out, name.p, (int) name.n, v);
   bson_t sub = BSON_INITIALIZER;
   ok = set_path (NULL, rest, v, &sub) && bson_append_document (out, name.p, (int) name.n, &sub);
   bson_destroy (&sub);
   return ok;
}

bool mt_patch (const MtTable *t, const MtStoreDesc *s, const int *columns, size_t count,
               const MtVal *row, const bson_t *doc, bson_t *out, MtError *err)
{
   bson_t old = BSON_INITIALIZER;
   MtBuf text = {0};
   bool ok = bson_concat (&old, doc);
   for (size_t i = 0; i < count && ok; i++) {
      const MtEncoding *e = NULL;
      const char *path = mt_row_place (s, columns[i], &e);
      MtVal v;
      bson_t next = BSON_INITIALIZER;
      if (!path || !*path)
         ok = mt_error (err, MT_E_INTERNAL, "column \"%s\" can't be changed in place",
                        t->columns[columns[i]].name);
      else if ((ok = mt_encode (e, t->columns[columns[i]].type, row[columns[i]], &text, &v, err)))
         ok = set_path (&old, path, v, &next) ||
              mt_error (err, MT_E_LIMIT, "a document would be too large");
      bson_destroy (&old);
      old = (bson_t) BSON_INITIALIZER;
      if (ok)
         ok = bson_concat (&old, &next);
      bson_destroy (&next);
      mt_buf_clear (&text);
   }
   ok = ok && bson_concat (out, &old);
   mt_buf_free (&text);
   bson_destroy (&old);
   return ok;
}

/* ---- statistics ---- */
