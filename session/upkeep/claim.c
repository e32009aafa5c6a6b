/* Claims: see claim.h. */
#include "session/upkeep/claim.h"

#include "engine/pipe.h"

void mt_claim_init (MtClaim *c, MtSession *s, const char *kind, const char *name)
{
   bson_oid_t oid;
   *c = (MtClaim) {.s = s, .kind = kind, .name = name};
   bson_oid_init (&oid, NULL);
   bson_oid_to_string (&oid, c->holder);
}

static MtVal claim_id (const MtClaim *c, MtArena *a)
{
   return mt_catalog_object_id (a, c->kind, c->name);
}

static bson_t *claim_doc (MtArena *a, const char *holder, int64_t until_ms)
{
   bson_t *doc = mt_doc_new (a);
   mt_doc_add_text (doc, "holder", holder);
   mt_doc_add (doc, "until", mt_v_date (until_ms));
   return doc;
}

/* Changes the claim's document in a write step of the embedded engine, which holds the store's
 * lock. *got is false if another program holds the claim. */
static bool change_in_step (MtClaim *c, MtArena *a, int64_t until, bool *got, MtError *err)
{
   bson_t *old, *doc = claim_doc (a, c->holder, until);
   if (!mt_engine_begin (c->s->engine, err))
      return false;
   bool ok = mt_engine_find_id (c->s->engine, a, MT_CATALOG_COLLECTION, claim_id (c, a), &old, err);
   MtVal was = ok && old ? mt_v_doc (old) : mt_v_null ();
   *got = c->until_ms ? mt_v_is_text (mt_doc_field (was, "holder"), c->holder)
                      : !old || mt_doc_field (was, "until").i <= mt_wall_ms ();
   mt_doc_add (doc, "_id", claim_id (c, a));
   mt_doc_add_text (doc, "kind", c->kind);
   mt_doc_add_text (doc, "name", c->name);
   ok = ok && (!*got || mt_engine_replace (c->s->engine, MT_CATALOG_COLLECTION, doc, err));
   if (ok)
      return mt_engine_commit (c->s->engine, err);
   mt_engine_rollback (c->s->engine);
   return false;
}

/* Changes the claim's document on a server by one update command whose condition is that the claim
 * is free, or held by c. *got is false if another program holds it. */
static bool change_at_once (MtClaim *c, MtArena *a, int64_t until, bool *got, MtError *err)
{
   bson_t *first = claim_doc (a, "", 0), *also = mt_doc_new (a), *ended = mt_doc_new (a);
   mt_doc_add_text (first, "kind", c->kind);
   mt_doc_add_text (first, "name", c->name);
   mt_doc_add (ended, "$lte", mt_v_date (mt_wall_ms ()));
   if (c->until_ms)
      mt_doc_add_text (also, "holder", c->holder);
   else
      mt_doc_add_doc (also, "until", ended);
   MtAdjust make = {.first = first}, take = {.also = also, .set = claim_doc (a, c->holder, until)};
   return (c->until_ms || mt_engine_adjust (c->s->engine, MT_CATALOG_COLLECTION, claim_id (c, a),
                                            &make, got, err)) &&
          mt_engine_adjust (c->s->engine, MT_CATALOG_COLLECTION, claim_id (c, a), &take, got, err);
}

bool mt_claim_until (MtClaim *c, int64_t until_ms, bool *got, MtError *err)
{
   MtArena *a = mt_arena_new ("claim", NULL);
   bool ok = mt_engine_caps (c->s->engine)->adjusts ? change_at_once (c, a, until_ms, got, err)
                                                    : change_in_step (c, a, until_ms, got, err);
   mt_arena_free (a);
   if (!ok || *got) /* after an error the claim may be stored */
      c->until_ms = ok ? until_ms : 1;
   return ok;
}

void mt_claim_end (MtClaim *c)
{
   bool got;
   MtError ignored;
   if (c->until_ms && !mt_claim_until (c, 0, &got, &ignored))
      mt_claim_until (c, 0, &got, &ignored);
   c->until_ms = 0;
}
