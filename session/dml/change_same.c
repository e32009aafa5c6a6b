/* Guarded documents: documents with sums that other clients may increment at the same time, on a
 * server that has no atomic step over several documents. A hash identifies the version that was
 * read, and the document is replaced only if it still is this version. If another client changed
 * it, the statement fails and runs again, so no increment is lost. */
#include "layouts/pack/writer.h"
#include "engine/pipe.h"
#include "session/coordinate/coordinate.h"
#include "session/dml/change.h"
#include "session/core/core.h"

#include <string.h>
#include <xxhash.h>

bool mt_change_is_guarded (const MtStoreChange *s)
{
   const MtCaps *caps = mt_engine_caps (s->c->st->session->engine);
   return s->l->keeps == MT_KEEPS_SUMS && !s->desc->repeats && !caps->atomic_write &&
          caps->unique_indexes;
}

int64_t mt_change_mark (const bson_t *doc)
{
   return (int64_t) XXH3_64bits (bson_get_data (doc), doc->len);
}

bool mt_change_is_next (MtChange *c, MtError *err)
{
   bool guarded = false;
   for (size_t i = 0; i < c->store_count; i++)
      guarded |= c->stores[i].guarded;
   if (!guarded || c->store_count < 2 || mt_adders_end (c->st, c->table, err))
      return true;
   if (mt_error_is (err, MT_E_IN_USE))
      mt_note_outrun (c->st->session);
   return false;
}

static bool outrun (const MtStoreChange *s, const char *collection, MtError *err)
{
   mt_note_outrun (s->c->st->session);
   mt_error_outrun (err);
   return mt_error_hint (
      err,
      "Other clients wrote to documents of collection \"%s\" that the statement changes. Run it "
      "again.",
      collection);
}

/* Returns the document's sums as the increment ($inc) that would make it from nothing. NULL:
 * documents of this store cannot be made by increments. */
static const MtIncrement *increment_of (const MtStoreChange *s, MtArena *a, const bson_t *doc)
{
   MtIncrement *out = MT_NEW (a, MtIncrement);
   bson_t *amounts = mt_doc_new (a), *first = mt_doc_new (a);
   *out = (MtIncrement) {.amounts = amounts, .first = first};
   return mt_document_adds (s->c->table, s->desc, doc, amounts, first) ? out : NULL;
}

/* Fills the engine's description of a replacement: document `old` becomes `doc` (NULL: none).
 * MtReplaceSame.fields stays empty, because documents of sums never get new top-level fields. */
static MtReplaceSame replacement (const MtStoreChange *s, MtArena *a, const char *collection,
                                  const bson_t *old, const bson_t *doc)
{
   MtReplaceSame r = {.collection = collection,
                      .old = old,
                      .doc = doc,
                      .was = old ? increment_of (s, a, old) : NULL,
                      .is = doc ? increment_of (s, a, doc) : NULL};
   if ((old && !r.was) || (doc && !r.is))
      r.was = r.is = NULL;
   return r;
}

bool mt_change_same (MtStoreChange *s, const char *collection, MtVal id, const bson_t *doc,
                     MtError *err)
{
   MtEngine *e = s->c->st->session->engine;
   MtArena *a = mt_arena_new ("document as it is", s->c->st->arena);
   const MtVal *known = mt_change_of_id (s, collection, id);
   bson_t *now = NULL;
   bool done = false, ok = mt_engine_find_id (e, a, collection, id, &now, err);
   bool same = !known && !now ? doc != NULL : known && now && mt_change_mark (now) == known[1].i;
   if (ok && same) {
      MtReplaceSame r = replacement (s, a, collection, now, doc);
      ok = mt_engine_replace_same (e, &r, &done, err);
   }
   mt_arena_free (a);
   return !ok || done ? ok : outrun (s, collection, err);
}
