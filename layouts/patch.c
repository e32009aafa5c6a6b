#include "layouts/patch.h"

#include "layouts/layout_int.h"

#include <string.h>

/* ---- what a document's root tells of the time ---- */

static const MtBinding *time_binding (const MtTable *t, const MtStoreDesc *s, MtUnit *unit)
{
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      *unit = b->kind == MT_BIND_TIME_TRUNC ? b->unit : MT_UNIT_MS;
      if ((b->kind == MT_BIND_TIME_TRUNC ||
           (b->kind == MT_BIND_COLUMN && b->column == t->time_column)))
         return b;
   }
   return NULL;
}

bool mt_documents_have_time (const MtTable *t, const MtStoreDesc *s, MtUnit *unit)
{
   return time_binding (t, s, unit) != NULL;
}

bool mt_document_time (MtArena *a, const MtTable *t, const MtStoreDesc *s, MtVal doc,
                       int64_t *start, MtUnit *unit)
{
   const MtBinding *b = time_binding (t, s, unit);
   MtVal v;
   if (!b || !mt_root_value (a, t, s, b, doc, &v) || v.type != MT_DATE)
      return false;
   *start = v.i;
   return true;
}

void mt_document_span (MtUnit unit, int64_t *first, int64_t *last)
{
   if (unit == MT_UNIT_MS)
      return;
   *first = mt_utc_floor (*first, unit);
   *last = mt_utc_next (mt_utc_floor (*last, unit), unit) - 1;
}

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

/* Where a column's value is in a record's document, and how it is written. */
static const char *place_of (const MtStoreDesc *s, int column, const MtEncoding **e)
{
   for (size_t i = 0; i < s->root->bind_count; i++)
      if (s->root->binds[i].kind == MT_BIND_COLUMN && s->root->binds[i].column == column) {
         *e = &s->root->binds[i].encoding;
         return s->root->binds[i].at;
      }
   for (size_t i = 0; i < s->root->raw.count; i++)
      if (s->root->raw.columns[i] == column) {
         *e = &s->root->raw.encodings[i];
         return s->root->raw.paths[i];
      }
   return NULL;
}

const char *mt_row_field (const MtStoreDesc *s, int column)
{
   const MtEncoding *e;
   const char *path = place_of (s, column, &e);
   return path && *path ? path : NULL;
}

/* An index of MongoDB's has each element of an array, and takes '1 day' and '24 hours' for two. */
static bool equal_as_stored (MtType type)
{
   return type.id != MT_T_INTERVAL && type.id != MT_T_JSONB && type.id != MT_T_DOCUMENT &&
          !mt_type_is_array (type.id);
}

bool mt_key_fields (const MtTable *t, const MtStoreDesc *s, const char **paths)
{
   bool ok = t->unique && t->key_count <= 32 && mt_store_is_rows (s);
   for (size_t i = 0; i < t->key_count && ok; i++) {
      paths[i] = mt_row_field (s, t->key[i]);
      ok = paths[i] && strncmp (paths[i], "_id", 3) != 0 &&
           equal_as_stored (t->columns[t->key[i]].type);
   }
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
      const char *path = place_of (s, columns[i], &e);
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

static double less_by (double from, double less) { return from > less ? from - less : 0; }

void mt_stats_take (const MtStoreDesc *s, MtStoreStats *from, const MtStoreStats *less)
{
   if (!from->present || !from->nodes || !less->nodes)
      return;
   from->documents = less_by (from->documents, less->documents);
   from->bytes = less_by (from->bytes, less->bytes);
   from->records = less_by (from->records, less->records);
   for (size_t i = 0; i < s->node_count; i++) {
      from->nodes[i].cells = less_by (from->nodes[i].cells, less->nodes[i].cells);
      from->nodes[i].bytes = less_by (from->nodes[i].bytes, less->nodes[i].bytes);
   }
}
