/* Writes to the store within an open step, and finds single documents. */
#include "base/bson.h"
#include "base/memory.h"
#include "engine/local/store/events.h"
#include "engine/local/store/coll_int.h"
#include "engine/local/store/manifest_int.h"
#include "engine/local/store/patch.h"
#include "engine/local/store/record_int.h"

/* If an increment creates a document of more than this many bytes, the document is written at
 * once. */
#define EVENT_BYTES 4096u
/* If the amounts of one increment take more than this many bytes, its document is rewritten at
 * once. */
#define EVENT_MOST (256u << 10)

/* Makes the commit of the open step (an uncommitted batch) fail later with the error err (NULL: an
 * error set before). Returns false. */
static bool step_failed (MtStore *s, const MtError *err)
{
   s->failed = true;
   if (err)
      s->failure = *err;
   return false;
}

static bool need_step (const MtStore *s, MtError *err)
{
   return s->in_step || mt_error (err, MT_E_INTERNAL, "writing to a store needs an open step");
}

static MtColl *create (MtStore *s, const char *name)
{
   MtColl *c = mt_coll_new (s, s->next_id++, name, strlen (name));
   c->created = true;
   mt_store_keep (s, c);
   mt_record_create (s, c);
   return c;
}

bool mt_store_create (MtStore *s, const char *collection, MtError *err)
{
   if (!need_step (s, err))
      return false;
   if (mt_store_coll (s, collection))
      return mt_error (err, MT_E_DUPLICATE_TABLE, "collection \"%s\" already exists", collection);
   create (s, collection);
   return true;
}

bool mt_store_drop (MtStore *s, const char *collection, MtError *err)
{
   if (!need_step (s, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   if (c) {
      mt_record_drop (s, c);
      c->dropped = true;
      s->last = NULL;
   }
   return true;
}

static bool check_doc (const uint8_t *doc, size_t len, MtError *err)
{
   size_t at;
   if (len > MT_MAX_DOC_BYTES)
      return mt_error (err, MT_E_LIMIT, "document of %zu bytes is larger than the limit of %u", len,
                       MT_MAX_DOC_BYTES);
   switch (mt_bson_check (doc, len, &at)) {
   case MT_BSON_OK: return true;
   case MT_BSON_DEEP:
      return mt_error (err, MT_E_LIMIT, "document is nested deeper than %d levels",
                       MT_MAX_BSON_DEPTH);
   case MT_BSON_NO_UTF8:
   case MT_BSON_BAD: break;
   }
   return mt_error (err, MT_E_TEXT_REPRESENTATION, "document is not valid BSON at offset %zu", at);
}

static bool append (MtStore *s, MtColl *c, const uint8_t *doc, size_t len,
                    const MtIdEntry *replaced, MtError *err)
{
   if (!mt_coll_append (c, doc, len, err))
      return step_failed (s, err);
   if (c->index) {
      uint32_t at = (uint32_t) (c->builder.n - len), ordinal = c->builder.documents - 1;
      if (replaced)
         mt_index_moved (c, replaced, c->serial_count, at, ordinal);
      else
         mt_index_added (c, mt_bson_field (doc, len, "_id"), c->serial_count, at, ordinal);
   }
   return true;
}

/* Sets *has to whether a document with this _id exists, be it stored or created by increments. */
static bool has_document (MtColl *c, MtVal id, bool *has, MtError *err)
{
   MtFoundDoc old;
   if (!mt_events_catch_up (c, err) || !mt_index_find (c, id, &old, err))
      return false;
   *has = old.doc || mt_events_have (c, id);
   return true;
}

bool mt_store_insert (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                      bool check_id, MtError *err)
{
   if (!need_step (s, err) || !check_doc (doc, len, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   if (!c)
      c = create (s, collection);
   if (check_id) {
      bool there;
      MtVal id = mt_bson_field (doc, len, "_id");
      if (!has_document (c, id, &there, err))
         return false;
      if (there) {
         mt_error (err, MT_E_UNIQUE,
                   "duplicate key value violates unique constraint \"_id_\" of collection \"%s\"",
                   collection);
         MtBuf text = {0};
         mt_v_to_json (id, false, &text);
         mt_error_detail (err, "Key (_id)=(%s) already exists.", text.p ? text.p : "");
         mt_buf_free (&text);
         return false;
      }
   }
   return append (s, c, doc, len, NULL, err);
}

/* Marks the document as deleted in the open step (an uncommitted batch). */
static void take_out (MtColl *c, const MtFoundDoc *found)
{
   const MtIdEntry *e = &found->at;
   bool building = e->serial == c->serial_count;
   uint8_t **bits = building ? &c->builder.pending : &c->serials[e->serial]->pending;
   size_t documents = building ? c->builder.cap / 5 : c->serials[e->serial]->documents;
   if (!*bits)
      *bits = mt_calloc ("store", 1, documents / 8 + 1);
   MT_GROW ("store", c->gone, c->gone_count, c->gone_cap, 64);
   (*bits)[e->ordinal / 8] |= (uint8_t) (1u << e->ordinal % 8);
   c->gone[c->gone_count++] = (MtGone) {e->serial, e->ordinal, (uint32_t) found->len};
}

/* Replaces the stored document that has the _id of `doc`, or adds `doc` if there is none. `doc`
 * must be valid. */
static bool store_put (MtColl *c, const uint8_t *doc, size_t len, MtError *err)
{
   MtFoundDoc old;
   if (!mt_index_find (c, mt_bson_field (doc, len, "_id"), &old, err))
      return false;
   if (old.doc)
      take_out (c, &old);
   return append (c->store, c, doc, len, old.doc ? &old.at : NULL, err);
}

bool mt_store_replace (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                       MtError *err)
{
   if (!need_step (s, err) || !check_doc (doc, len, err))
      return false;
   if (mt_bson_field (doc, len, "_id").type == MT_MISSING)
      return mt_error (err, MT_E_PARAMETER, "a document that replaces another needs an _id");
   MtColl *c = mt_store_coll (s, collection);
   if (!c)
      c = create (s, collection);
   return mt_events_fold (c, err) ? store_put (c, doc, len, err) : step_failed (s, err);
}

/* ---- increments ---- */

/* Changes the document itself instead of keeping an increment (see writes_at_once). */
static bool increment_now (MtColl *c, const bson_t *id, const bson_t *amounts, const bson_t *first,
                           bool *made, MtError *err)
{
   MtFoundDoc old;
   MtPatch p = {0};
   MtVal key = mt_bson_field (bson_get_data (id), id->len, "_id");
   if (!mt_index_find (c, key, &old, err))
      return false;
   bool fresh = !old.doc && !mt_events_have (c, key);
   if (!fresh && (!mt_events_fold (c, err) || !mt_index_find (c, key, &old, err)))
      return step_failed (c->store, err);
   *made = !old.doc;
   if (old.doc) {
      mt_buf_add (&p.doc, old.doc, old.len);
   } else {
      mt_buf_add (&p.doc, bson_get_data (id), id->len);
      mt_patch_set_all (&p, bson_get_data (first));
   }
   bool ok = mt_patch_add_all (&p, bson_get_data (amounts), c->name, err) &&
             check_doc ((const uint8_t *) p.doc.p, p.doc.n, err) &&
             store_put (c, (const uint8_t *) p.doc.p, p.doc.n, err);
   mt_buf_free (&p.doc);
   return ok;
}

/* Sets *now to whether an increment must change the document itself at once, instead of being kept.
 * That is the case if the step has written the document or folds all increments anyway, if the
 * document is new and large, or if there are many amounts. */
static bool writes_at_once (MtColl *c, MtVal id, const bson_t *amounts, const bson_t *first,
                            bool *now, MtError *err)
{
   MtFoundDoc old;
   *now = true;
   if (!mt_events_catch_up (c, err))
      return false;
   if (c->created || c->folded || amounts->len > EVENT_MOST ||
       mt_events_bytes (c->events) > 2 * MT_EVENTS_MEMORY)
      return true;
   *now = false;
   if (mt_events_have (c, id))
      return true;
   if (!mt_index_find (c, id, &old, err))
      return false;
   *now = old.doc ? old.at.serial >= c->committed_serials : amounts->len + first->len > EVENT_BYTES;
   return true;
}

bool mt_store_increment (MtStore *s, const char *collection, MtVal id, const bson_t *amounts,
                         const bson_t *first, MtError *err)
{
   bson_t key = BSON_INITIALIZER;
   bool made = false;
   if (!need_step (s, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   if (!c)
      c = create (s, collection);
   mt_doc_add (&key, "_id", id);
   bool now, ok = writes_at_once (c, id, amounts, first, &now, err) &&
                  (now ? increment_now (c, &key, amounts, first, &made, err)
                       : mt_events_add (c, &key, amounts, first, &made, err));
   s->made += ok && made;
   bson_destroy (&key);
   return ok;
}

uint64_t mt_store_made (const MtStore *s) { return s->made; }

bool mt_store_only_increments (const MtStore *s)
{
   if (!s->in_step || s->record.n > 0)
      return false;
   for (size_t i = 0; i < s->coll_count; i++)
      if (s->colls[i]->folded || s->colls[i]->dropped || s->colls[i]->created ||
          s->colls[i]->builder.documents)
         return false;
   return true;
}

bool mt_store_find (MtStore *s, const char *collection, MtVal id, MtArena *a, MtVal *doc,
                    MtError *err)
{
   MtFoundDoc found;
   if (!mt_manifest_refresh (s, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   *doc = mt_v_missing ();
   if (!c)
      return true;
   if (!mt_index_find (c, id, &found, err))
      return false;
   const uint8_t *p = found.doc;
   size_t n = found.len;
   if (p)
      p = (const uint8_t *) mt_strndup (a, (const char *) p, n);
   if (!mt_events_find (c, id, a, &p, &n, err))
      return false;
   if (p)
      *doc = (MtVal) {.type = MT_DOC, .p = p, .len = (uint32_t) n};
   return true;
}

bool mt_store_delete (MtStore *s, const char *collection, MtVal id, bool *deleted, MtError *err)
{
   MtFoundDoc found;
   *deleted = false;
   if (!need_step (s, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   if (!c)
      return true;
   if (!mt_events_fold (c, err))
      return step_failed (s, err);
   if (!mt_index_find (c, id, &found, err))
      return false;
   *deleted = found.doc != NULL;
   if (found.doc)
      take_out (c, &found);
   return true;
}

/* ---- folding increments ---- */

static bool fold_doc (MtColl *c, const MtEvents *o, uint32_t doc, MtBuf *buf, MtError *err)
{
   const uint8_t *base;
   if (!mt_events_stored (c, &o->docs[doc], &base, err))
      return false;
   mt_events_build (o, doc, base, buf);
   return store_put (c, (const uint8_t *) buf->p, buf->n, err);
}

bool mt_events_fold (MtColl *c, MtError *err)
{
   if (c->folded)
      return true;
   if (!mt_events_catch_up (c, err))
      return false;
   c->folded = true;
   MtEvents *o = c->events;
   if (!o || o->doc_count == 0)
      return true;
   MtBuf buf = {0};
   bool ok = true;
   mt_events_sort (o);
   for (uint32_t i = 0; ok && i < o->doc_count; i++)
      ok = ((i & 255) || mt_cancel_check (c->store->cancel, err)) &&
           fold_doc (c, o, o->order[i], &buf, err);
   mt_buf_free (&buf);
   if (ok)
      mt_record_folded (c->store, c);
   return ok;
}

/* ---- ranges of further fields ---- */

static bool range_block (MtColl *c, MtStoreBlock *b, uint32_t first, MtError *err)
{
   MtBlockWalk walk;
   const uint8_t *doc;
   size_t len;
   MtBlockRange ranges[MT_STORE_RANGES];
   bool any[MT_STORE_RANGES] = {false};
   if (!mt_block_walk (&walk, c->name, b, mt_coll_data (c, b), &c->rebuilt, err))
      return false;
   for (;;) {
      if (!mt_block_next (&walk, &doc, &len, err))
         return false;
      if (!doc)
         break;
      for (uint32_t i = first; i < c->field_count; i++)
         mt_range_widen (&ranges[i], &any[i], mt_bson_field (doc, len, c->fields[i]));
   }
   MtBlockRange *all = MT_NEW_N (c->arena, MtBlockRange, c->field_count);
   if (first)
      memcpy (all, b->ranges, first * sizeof *all);
   for (uint32_t i = first; i < c->field_count; i++)
      all[i] = mt_range_keep (c->arena, ranges[i]);
   b->ranges = all;
   b->range_count = c->field_count;
   mt_record_ranges (c->store, c, b, first);
   return true;
}

static bool has_field (const MtColl *c, const char *name)
{
   for (uint32_t i = 0; i < c->field_count; i++)
      if (strcmp (c->fields[i], name) == 0)
         return true;
   return false;
}

bool mt_store_index (MtStore *s, const char *collection, const char *const *fields, size_t count,
                     MtError *err)
{
   if (!need_step (s, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   if (!c)
      c = create (s, collection);
   if (!mt_events_fold (c, err) || !mt_coll_flush (c, err))
      return step_failed (s, err);
   uint32_t before = c->field_count;
   for (size_t i = 0; i < count; i++) {
      if (has_field (c, fields[i]))
         continue;
      if (c->field_count == MT_STORE_RANGES) {
         c->field_count = before;
         return mt_error (err, MT_E_LIMIT,
                          "collection \"%s\" can't keep ranges of more than %u fields", collection,
                          MT_STORE_RANGES);
      }
      c->fields[c->field_count++] = mt_strdup (c->arena, fields[i]);
   }
   if (c->field_count == before)
      return true;
   mt_record_fields (s, c);
   if (c->block_count > 0 && !mt_coll_map (c, c->length, err))
      return step_failed (s, err);
   for (size_t i = 0; i < c->block_count; i++)
      if (!mt_cancel_check (s->cancel, err) ||
          !range_block (c, c->blocks[i], c->blocks[i]->range_count, err))
         return step_failed (s, err);
   return true;
}
