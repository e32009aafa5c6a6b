/* Returns an extra document of another collection together with the result of a pipeline, in one
 * command (mt_cursor_beside). $unionWith appends it behind the pipeline's documents, in a field
 * with a random name.
 *
 * If the reply has only one batch, that batch is searched for the extra document before the first
 * document is returned. With more batches, the extra document would come only at the end; and a
 * union of many documents can take a server more than twice the time. So a pipeline gets this
 * $unionWith only if a pipeline of the same shape returned few documents the last time. */
#include "engine/mongo/mongo_int.h"

#include <string.h>

enum { FEW = 100, MAX_DEPTH = 50 };

/* Adds n bytes to the hash h and returns it. FNV-1a is fast for short names. */
static uint64_t hash_bytes (uint64_t h, const char *p, size_t n)
{
   for (size_t i = 0; i < n; i++)
      h = (h ^ (unsigned char) p[i]) * UINT64_C (0x100000001b3);
   return h;
}

/* Adds the shape of a pipeline to the hash *h: its field names, types and the numbers of $limit,
 * but no other values. */
static void hash_shape (uint64_t *h, MtVal v, int depth)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   while (mt_doc_next (&it, &key, &x)) {
      int64_t limit = key.p[0] == '$' && mt_str_is (key, "$limit") && x.type != MT_DECIMAL &&
                            mt_is_number (x)
                         ? x.i
                         : 0;
      *h = hash_bytes (*h + x.type, key.p, key.n + 1) ^ (uint64_t) limit;
      if ((x.type == MT_DOC || x.type == MT_ARRAY) && depth < MAX_DEPTH)
         hash_shape (h, x, depth + 1);
   }
   *h = (*h << 1 | *h >> 63) + 1;
}

static uint64_t shape_of (const char *collection, const bson_t *pipeline)
{
   uint64_t h = hash_bytes (UINT64_C (0xcbf29ce484222325), collection ? collection : "",
                            collection ? strlen (collection) : 0);
   hash_shape (&h, mt_v_array (pipeline), 0);
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

void mt_beside_append (const MtBesideDoc *b, const MtBeside *wanted, bson_t *pipeline)
{
   bson_t stage = BSON_INITIALIZER;
   MtVal id = wanted->id;
   mt_doc_printf (&stage,
                  "$unionWith: {coll: %s, pipeline: [{$match: {_id: %p}}, "
                  "{$project: {_id: 0, %s: '$$ROOT'}}]}",
                  wanted->collection, (void *) &id, b->field);
   mt_doc_push (pipeline, mt_v_doc (&stage));
   bson_destroy (&stage);
}

/* Returns whether a returned document is the extra document: its first field has the random
 * name. */
bool mt_beside_is (const MtBesideDoc *b, const bson_t *doc)
{
   enum { NAME = 5 }; /* offset of the first field's name in BSON, after the length and the type */
   return b->wanted && doc->len > NAME &&
          strcmp ((const char *) bson_get_data (doc) + NAME, b->field) == 0;
}

void mt_beside_take (MtBesideDoc *b, const bson_t *doc)
{
   bson_iter_t it;
   const uint8_t *data;
   uint32_t len;
   if (b->found || !bson_iter_init (&it, doc) || !bson_iter_next (&it) ||
       !BSON_ITER_HOLDS_DOCUMENT (&it))
      return;
   bson_iter_document (&it, &len, &data);
   b->found = bson_new_from_data (data, len);
}

void mt_beside_fini (MtBesideDoc *b) { bson_destroy (b->found); }
