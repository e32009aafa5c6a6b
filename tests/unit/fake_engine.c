#include "tests/unit/fake_engine.h"

#include <stdlib.h>
#include <string.h>

typedef struct Coll {
   char name[128];
   bson_t **docs;
   size_t n, cap, committed;
   bool made_in_step;
} Coll;

typedef struct Fake {
   MtEngine base;
   Coll colls[32];
   size_t coll_count;
   bool discard;
   uint64_t bytes, count;
} Fake;

typedef struct FakeCursor {
   MtCursor base;
   Coll *c;
   size_t i, limit;
} FakeCursor;

static Coll *find (Fake *f, const char *name)
{
   for (size_t i = 0; i < f->coll_count; i++)
      if (!strcmp (f->colls[i].name, name))
         return &f->colls[i];
   return NULL;
}

static Coll *make (Fake *f, const char *name)
{
   Coll *c = find (f, name);
   if (!c) {
      c = &f->colls[f->coll_count++];
      *c = (Coll) {.made_in_step = f->base.in_step};
      snprintf (c->name, sizeof c->name, "%s", name);
   }
   return c;
}

static void fake_close (MtEngine *e)
{
   Fake *f = (Fake *) e;
   for (size_t i = 0; i < f->coll_count; i++) {
      for (size_t k = 0; k < f->colls[i].n; k++)
         bson_destroy (f->colls[i].docs[k]);
      free (f->colls[i].docs);
   }
   mt_engine_fini (e);
   free (f);
}

static bool fake_next (MtCursor *mc, const bson_t **doc, MtError *err)
{
   FakeCursor *c = (FakeCursor *) mc;
   *doc = c->c && c->i < c->c->n && c->i < c->limit ? c->c->docs[c->i] : NULL;
   c->i++;
   return true;
}

static void fake_free (MtCursor *c) { free (c); }

static const MtCursorVt cursor_vt = {.next = fake_next, .free = fake_free};

/* All documents, or as many as a first $limit says; no other stage is looked at. */
static bool fake_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err)
{
   FakeCursor *c = calloc (1, sizeof *c);
   c->base.vt = &cursor_vt;
   c->c = find ((Fake *) e, args->collection);
   c->limit = SIZE_MAX;
   MtVal limit = mt_doc_get (mt_doc_at (mt_v_doc (args->pipeline), 0), "$limit", 6);
   if (limit.type == MT_INT64 || limit.type == MT_INT32)
      c->limit = (size_t) limit.i;
   *out = &c->base;
   return true;
}

static bool fake_has (MtEngine *e, const char *name, bool *has, MtError *err)
{
   *has = find ((Fake *) e, name) != NULL;
   return true;
}

static bool fake_stats (MtEngine *e, const char *name, MtCollStats *out, MtError *err)
{
   Coll *c = find ((Fake *) e, name);
   *out = (MtCollStats) {.documents = c ? c->n : 0};
   for (size_t i = 0; c && i < c->n; i++)
      out->bytes += c->docs[i]->len;
   return true;
}

static bool fake_begin (MtEngine *e, MtError *err)
{
   Fake *f = (Fake *) e;
   for (size_t i = 0; i < f->coll_count; i++)
      f->colls[i].committed = f->colls[i].n;
   return true;
}

static bool fake_commit (MtEngine *e, MtError *err)
{
   Fake *f = (Fake *) e;
   for (size_t i = 0; i < f->coll_count; i++)
      f->colls[i].made_in_step = false;
   return true;
}

static void fake_rollback (MtEngine *e)
{
   Fake *f = (Fake *) e;
   for (size_t i = 0; i < f->coll_count; i++) {
      Coll *c = &f->colls[i];
      size_t keep = c->made_in_step ? 0 : c->committed;
      while (c->n > keep)
         bson_destroy (c->docs[--c->n]);
   }
   while (f->coll_count && f->colls[f->coll_count - 1].made_in_step)
      free (f->colls[--f->coll_count].docs);
}

static bool fake_create (MtEngine *e, const char *name, MtError *err)
{
   make ((Fake *) e, name);
   return true;
}

static bool fake_drop (MtEngine *e, const char *name, MtError *err)
{
   Coll *c = find ((Fake *) e, name);
   while (c && c->n)
      bson_destroy (c->docs[--c->n]);
   return true;
}

static Coll *position (Fake *f, const char *name, MtVal id, size_t *at)
{
   Coll *c = make (f, name);
   for (*at = 0; *at < c->n; ++*at)
      if (mt_v_compare (mt_doc_get (mt_v_doc (c->docs[*at]), "_id", 3), id) == 0)
         return c;
   return c;
}

static bool fake_insert (MtEngine *e, const char *name, const bson_t *doc, bool check_ids,
                         MtError *err)
{
   Fake *f = (Fake *) e;
   Coll *c = make (f, name);
   size_t at;
   f->bytes += doc->len;
   f->count++;
   if (f->discard)
      return true;
   if (check_ids) {
      position (f, name, mt_doc_get (mt_v_doc (doc), "_id", 3), &at);
      if (at < c->n)
         return mt_error (err, MT_E_UNIQUE, "duplicate key");
   }
   if (c->n == c->cap) {
      c->cap = c->cap ? c->cap * 2 : 16;
      c->docs = realloc (c->docs, c->cap * sizeof *c->docs);
   }
   c->docs[c->n++] = bson_copy (doc);
   return true;
}

static bool fake_replace (MtEngine *e, const char *name, const bson_t *doc, MtError *err)
{
   size_t at;
   Coll *c = position ((Fake *) e, name, mt_doc_get (mt_v_doc (doc), "_id", 3), &at);
   if (at == c->n)
      return fake_insert (e, name, doc, false, err);
   bson_destroy (c->docs[at]);
   c->docs[at] = bson_copy (doc);
   return true;
}

static bool fake_find (MtEngine *e, MtArena *a, const char *name, MtVal id, bson_t **doc,
                       MtError *err)
{
   size_t at;
   Coll *c = position ((Fake *) e, name, id, &at);
   *doc = NULL;
   if (at < c->n) {
      MtVal copy = mt_v_copy (a, mt_v_doc (c->docs[at]));
      /* libbson wants a bson_t on a multiple of 128. */
      *doc = (bson_t *) (((uintptr_t) mt_alloc (a, sizeof (bson_t) + 128) + 127) &
                         ~(uintptr_t) 127);
      bson_init_static (*doc, copy.p, copy.len);
   }
   return true;
}

static bool fake_delete (MtEngine *e, const char *name, MtVal id, bool *deleted, MtError *err)
{
   size_t at;
   Coll *c = position ((Fake *) e, name, id, &at);
   *deleted = at < c->n;
   if (*deleted) {
      bson_destroy (c->docs[at]);
      memmove (&c->docs[at], &c->docs[at + 1], (--c->n - at) * sizeof *c->docs);
   }
   return true;
}

static bool fake_index (MtEngine *e, const char *name, const char *const *paths, size_t count,
                        MtError *err)
{
   return true;
}

static const MtEngineVt fake_vt = {
   .close = fake_close,
   .aggregate = fake_aggregate,
   .has_collection = fake_has,
   .stats = fake_stats,
   .begin = fake_begin,
   .commit = fake_commit,
   .rollback = fake_rollback,
   .create_collection = fake_create,
   .insert = fake_insert,
   .replace = fake_replace,
   .find_id = fake_find,
   .delete_id = fake_delete,
   .drop_collection = fake_drop,
   .create_index = fake_index,
};

MtEngine *mt_fake_engine (void)
{
   Fake *f = calloc (1, sizeof *f);
   mt_engine_init (&f->base, &fake_vt,
                   &(MtEngineOptions) {.create = true, .threads = 1, .work_mem = 1 << 20});
   f->base.caps.engine = "fake";
   f->base.caps.atomic_write = f->base.caps.exact_stats = true;
   return &f->base;
}

size_t mt_fake_count (MtEngine *e, const char *collection)
{
   Coll *c = find ((Fake *) e, collection);
   return c ? c->n : 0;
}

const bson_t *mt_fake_doc (MtEngine *e, const char *collection, size_t i)
{
   Coll *c = find ((Fake *) e, collection);
   return c && i < c->n ? c->docs[i] : NULL;
}

void mt_fake_discard (MtEngine *e, bool discard) { ((Fake *) e)->discard = discard; }
uint64_t mt_fake_bytes (MtEngine *e) { return ((Fake *) e)->bytes; }
