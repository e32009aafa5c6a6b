#include "engine/local/exec/foreign.h"
#include "engine/local/expr/shape.h"

#include <stdlib.h>

MtVal mt_no_stages (void)
{
   static const uint8_t empty[5] = {5, 0, 0, 0, 0};
   return (MtVal) {.type = MT_ARRAY, .len = 5, .p = empty};
}

static void add_entry (MtForeign *f, uint32_t doc, MtVal key)
{
   MT_GROW ("pipeline", f->entries, f->entry_count, f->entry_cap, 256);
   f->entries[f->entry_count++] = (struct MtForeignEntry) {doc, 0, key};
}

/* Adds a document to the hash table under the value at `path`, and under each element if this value
 * is an array. A missing value counts as null. doc: the number of the document. */
static bool add_keys (MtWork *w, MtForeign *f, uint32_t doc, const MtPath *path)
{
   MtVal key, e;
   if (!mt_x_walk (w, f->docs[doc], path, 0, &key))
      return false;
   if (key.type == MT_MISSING)
      key = mt_v_null ();
   key = mt_v_copy (f->arena, key);
   add_entry (f, doc, key);
   MtDocIter it = mt_doc_iter (key);
   MtStr name;
   while (key.type == MT_ARRAY && mt_doc_next (&it, &name, &e))
      add_entry (f, doc, e);
   return true;
}

static void index_entries (MtForeign *f)
{
   f->mask = 255;
   while (f->mask < f->entry_count * 2)
      f->mask = f->mask * 2 + 1;
   f->first = MT_NEW_N (f->arena, uint32_t, (size_t) f->mask + 1);
   for (uint32_t i = f->entry_count; i-- > 0;) {
      uint32_t at = (uint32_t) mt_x_hash (f->entries[i].key, 7) & f->mask;
      f->entries[i].next = f->first[at];
      f->first[at] = i + 1;
   }
}

bool mt_foreign_load (MtForeign *f, MtWork *w, const char *collection, MtVal pipeline,
                      const MtPath *path)
{
   MtSubArgs args = {.collection = collection, .pipeline = pipeline};
   MtCursor *cursor;
   const bson_t *doc;
   f->arena = mt_arena_new ("lookup", NULL);
   if (!mt_sub_open (w->exec, &args, &cursor, &w->err))
      return false;
   bool ok;
   while ((ok = mt_tick (w) && mt_cursor_next (cursor, &doc, &w->err)) && doc) {
      MT_GROW ("pipeline", f->docs, f->n, f->cap, 256);
      f->docs[f->n++] = mt_v_copy (f->arena, mt_v_doc (doc));
      if (mt_arena_bytes (f->arena) > w->exec->args.work_mem)
         ok = mt_x_beyond_memory (&w->err, "the documents of a joined collection",
                                  w->exec->args.work_mem);
      if (!ok || (path->count && !(ok = add_keys (w, f, f->n - 1, path))))
         break;
   }
   mt_cursor_free (cursor);
   if (ok && path->count)
      index_entries (f);
   return ok;
}

void mt_foreign_free (MtForeign *f)
{
   mt_arena_free (f->arena);
   free (f->docs);
   free (f->entries);
}

void mt_foreign_find (const MtForeign *f, MtVal v, void (*found) (void *ctx, uint32_t i), void *ctx)
{
   uint32_t at = (uint32_t) mt_x_hash (v, 7) & f->mask;
   for (uint32_t i = f->first[at]; i; i = f->entries[i - 1].next)
      if (mt_x_compare (f->entries[i - 1].key, v) == 0)
         found (ctx, f->entries[i - 1].doc);
}
