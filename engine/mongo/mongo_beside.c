/* A document of another collection that comes with a pipeline's own: behind them by $unionWith, in a field whose name nobody else knows.
 *
 * Where the server's first batch is all that there is, it is looked through before any of it is given out; where more follows, that would have to wait for the end, and isn't worth it:
 * a union of many documents can take a server more than twice the time of these alone. So only a pipeline whose like gave few the last time gets such a companion. */
#include "engine/mongo/mongo_int.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 100, MAX_DEPTH = 50 };

static void hash_bytes (uint64_t *h, const void *p, size_t n)
{
   for (const uint8_t *b = p; n--; b++)
      *h = (*h ^ *b) * 0x100000001b3u; /* FNV-1a */
}

/* What there is but for the values: pipelines that differ in these alone are alike, unless it is the number of documents. */
static void hash_shape (uint64_t *h, bson_iter_t *it, int depth)
{
   bson_iter_t child;
   while (bson_iter_next (it)) {
      uint8_t type = (uint8_t) bson_iter_type (it);
      hash_bytes (h, bson_iter_key (it), bson_iter_key_len (it) + 1);
      hash_bytes (h, &type, 1);
      int64_t limit = strcmp (bson_iter_key (it), "$limit") == 0 ? bson_iter_as_int64 (it) : 0;
      hash_bytes (h, &limit, sizeof limit);
      if ((type == BSON_TYPE_DOCUMENT || type == BSON_TYPE_ARRAY) && depth < MAX_DEPTH && bson_iter_recurse (it, &child))
         hash_shape (h, &child, depth + 1);
   }
}

static uint64_t shape_of (const char *collection, const bson_t *pipeline)
{
   uint64_t h = 0xcbf29ce484222325u;
   bson_iter_t it;
   if (collection)
      hash_bytes (&h, collection, strlen (collection));
   if (bson_iter_init (&it, pipeline))
      hash_shape (&h, &it, 0);
   return h;
}

void mt_beside_init (MtMongo *m, MtBesideDoc *b, const MtAggregateArgs *args)
{
   b->field = m->beside_field;
   b->learns = args->beside && m->base.caps.finds_beside && m->step != MT_STEP_TRANSACTION;
   b->shape = b->learns ? shape_of (args->collection, args->pipeline) : 0;
   b->wanted = b->learns && m->short_shapes[b->shape % MT_SHORT_SHAPES] == b->shape;
}

void mt_beside_learn (MtMongo *m, const MtBesideDoc *b, bool ended, uint64_t documents)
{
   uint64_t *known = &m->short_shapes[b->shape % MT_SHORT_SHAPES];
   if (b->learns && ended && documents <= FEW)
      *known = b->shape;
   else if (b->learns && *known == b->shape)
      *known = 0;
}

void mt_beside_append (const MtBesideDoc *b, const MtBeside *wanted, const bson_t *pipeline, bson_t *out)
{
   bson_t stage, body, stages, match, project;
   char key[12];
   snprintf (key, sizeof key, "%u", bson_count_keys (pipeline));
   bson_copy_to (pipeline, out);
   BSON_APPEND_DOCUMENT_BEGIN (out, key, &stage);
   BSON_APPEND_DOCUMENT_BEGIN (&stage, "$unionWith", &body);
   BSON_APPEND_UTF8 (&body, "coll", wanted->collection);
   BSON_APPEND_ARRAY_BEGIN (&body, "pipeline", &stages);
   BSON_APPEND_DOCUMENT_BEGIN (&stages, "0", &match);
   BSON_APPEND_DOCUMENT_BEGIN (&match, "$match", &project);
   mt_v_append (&project, "_id", 3, wanted->id);
   bson_append_document_end (&match, &project);
   bson_append_document_end (&stages, &match);
   BSON_APPEND_DOCUMENT_BEGIN (&stages, "1", &match);
   BSON_APPEND_DOCUMENT_BEGIN (&match, "$project", &project);
   BSON_APPEND_INT32 (&project, "_id", 0);
   BSON_APPEND_UTF8 (&project, b->field, "$$ROOT");
   bson_append_document_end (&match, &project);
   bson_append_document_end (&stages, &match);
   bson_append_array_end (&body, &stages);
   bson_append_document_end (&stage, &body);
   bson_append_document_end (out, &stage);
}

/* Whether it is the document that was asked for, and none of the pipeline's. */
bool mt_beside_is (const MtBesideDoc *b, const bson_t *doc)
{
   bson_iter_t it;
   return b->wanted && bson_iter_init (&it, doc) && bson_iter_next (&it) && strcmp (bson_iter_key (&it), b->field) == 0;
}

void mt_beside_take (MtBesideDoc *b, const bson_t *doc)
{
   bson_iter_t it;
   const uint8_t *data;
   uint32_t len;
   if (b->found || !bson_iter_init (&it, doc) || !bson_iter_next (&it) || !BSON_ITER_HOLDS_DOCUMENT (&it))
      return;
   bson_iter_document (&it, &len, &data);
   b->found = bson_new_from_data (data, len);
}

void mt_beside_keep (MtBesideDoc *b, const bson_t *doc)
{
   mt_buf_add (&b->kept, (const char *) bson_get_data (doc), doc->len);
}

const bson_t *mt_beside_next (MtBesideDoc *b)
{
   uint32_t len;
   if (b->at == b->kept.n)
      return NULL;
   if (!b->current) /* libbson wants it there */
      b->current = mt_checked (aligned_alloc (128, sizeof *b->current), "connection", sizeof *b->current);
   memcpy (&len, b->kept.p + b->at, sizeof len);
   len = BSON_UINT32_FROM_LE (len);
   bson_init_static (b->current, (const uint8_t *) b->kept.p + b->at, len);
   b->at += len;
   return b->current;
}

void mt_beside_fini (MtBesideDoc *b)
{
   bson_destroy (b->found);
   free (b->current);
   mt_buf_free (&b->kept);
}
