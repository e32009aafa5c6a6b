/* Documents of sums that others count into, on a server whose steps are seen in pieces: what was read is remembered by a hash, and changes only while it is that.
 * So nothing that is counted meanwhile is lost: the statement gives way, and is begun again. */
#include "session/change.h"
#include "session/maintain.h"

#include <string.h>
#include <xxhash.h>

bool mt_change_is_guarded (const MtStoreChange *s)
{
   const MtCaps *caps = mt_engine_caps (s->c->st->session->engine);
   return s->l->keeps == MT_KEEPS_SUMS && !s->desc->repeats && !caps->atomic_write && caps->unique_indexes;
}

int64_t mt_change_mark (const bson_t *doc) { return (int64_t) XXH3_64bits (bson_get_data (doc), doc->len); }

bool mt_change_is_next (MtChange *c, MtError *err)
{
   bool guarded = false;
   for (size_t i = 0; i < c->store_count; i++)
      guarded |= c->stores[i].guarded;
   if (!guarded || c->store_count < 2 || mt_adders_end (c->st, c->table, err))
      return true;
   c->st->session->outrun = strcmp (err->sqlstate, MT_E_IN_USE) == 0;
   return false;
}

static bool outrun (const MtStoreChange *s, const char *collection, MtError *err)
{
   s->c->st->session->outrun = true;
   mt_error (err, MT_E_SERIALIZATION, "could not serialize access due to concurrent update");
   return mt_error_hint (err, "Others went on writing to documents of collection \"%s\" that the statement changes. Run it again.", collection);
}

/* Where nothing was: at once, since another may put his own there now. */
static bool insert (MtEngine *e, const char *collection, const bson_t *doc, bool *done, MtError *err)
{
   uint64_t made;
   *done = mt_engine_insert (e, collection, doc, true, err) && mt_engine_incremented (e, &made, err);
   if (*done || strcmp (err->sqlstate, MT_E_UNIQUE) != 0)
      return *done;
   mt_error_clear (err);
   return true;
}

bool mt_change_same (MtStoreChange *s, const char *collection, MtVal id, const bson_t *doc, MtError *err)
{
   MtEngine *e = s->c->st->session->engine;
   MtArena *a = mt_arena_new ("document as it is", s->c->st->arena);
   const MtVal *known = mt_change_of_id (s, collection, id);
   bson_t *now = NULL;
   bool done = false, ok = mt_engine_find_id (e, a, collection, id, &now, err);
   if (ok && !known && !now && doc)
      ok = insert (e, collection, doc, &done, err);
   else if (ok && now && known && mt_change_mark (now) == known[1].i)
      ok = mt_engine_replace_same (e, &(MtReplaceSame){.collection = collection, .old = now, .doc = doc}, &done, err);
   mt_arena_free (a);
   return !ok || done ? ok : outrun (s, collection, err);
}
