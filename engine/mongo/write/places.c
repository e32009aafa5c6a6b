/* Sets fields and array elements ("slots") that must not have a value yet, together with
 * increments.
 *
 * $set can't create an array: "values.17" would create a document. So array elements are set by an
 * update pipeline. It builds the array from the old and the new elements, up to the last one with a
 * value, and adds the amounts in the same update. The update's filter refuses a sum beyond 64 bits,
 * as $inc would. */
#include "engine/mongo/write/write.h"

#include <inttypes.h>
#include <string.h>

MtMongoInc mt_mongo_inc (MtVal kept)
{
   static const uint8_t empty[5] = {sizeof empty};
   MtVal none = {.type = MT_DOC, .p = empty, .len = sizeof empty};
   MtMongoInc op = {.all = kept, .amounts = none, .fresh = none, .first = none, .slots = none};
   MtDocIter it = mt_doc_iter (kept);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v)) {
      if (mt_str_is (key, "id"))
         op.id = v;
      else if (mt_str_is (key, "u"))
         op.update = v;
      else
         op.slots = v;
   }
   it = mt_doc_iter (op.update);
   while (mt_doc_next (&it, &key, &v)) {
      if (mt_str_is (key, "$inc"))
         op.amounts = v;
      else if (mt_str_is (key, "$set"))
         op.fresh = v;
      else
         op.first = v;
   }
   return op;
}

bool mt_mongo_each_place (const MtMongoInc *op, MtPlaceFn fn, void *ctx)
{
   MtDocIter it = mt_doc_iter (op->fresh);
   MtBuf path = {0};
   MtStr key, index;
   MtVal v, element;
   bool ok = true;
   while (ok && mt_doc_next (&it, &key, &v)) {
      mt_buf_clear (&path);
      mt_buf_printf (&path, "%.*s", (int) key.n, key.p);
      ok = fn (ctx, path.p, v, false);
   }
   it = mt_doc_iter (op->slots);
   while (ok && mt_doc_next (&it, &key, &v)) {
      MtDocIter slots = mt_doc_iter (v);
      while (ok && mt_doc_next (&slots, &index, &element)) {
         mt_buf_clear (&path);
         mt_buf_printf (&path, "%.*s.%.*s", (int) key.n, key.p, (int) index.n, index.p);
         ok = mt_is_nullish (element) || fn (ctx, path.p, element, true);
      }
   }
   mt_buf_free (&path);
   return ok;
}

/* Adds to a filter the condition that the field or array element at `path` has no value. It is no
 * equality, because an upsert would copy an equality into the new document. With $nor or $or, some
 * servers read all documents. */
static bool place_is_free (void *ctx, const char *path, MtVal v, bool slot)
{
   /* the numbers of the BSON types that count as values: not undefined (6), null (10) or the rare
    * types 12 to 15 */
   mt_bson_printf (ctx, "%s: {$not: {$type: [1, 2, 3, 4, 5, 7, 8, 9, 11, 16, 17, 18, 19]}}", path);
   return true;
}

static bool room_for (MtVal amount, const char **beyond, int64_t *limit)
{
   bool whole = amount.type == MT_INT32 || amount.type == MT_INT64;
   *beyond = amount.i > 0 ? "$gt" : "$lt";
   *limit = amount.i > 0 ? INT64_MAX - amount.i : INT64_MIN - amount.i;
   return whole && amount.i;
}

void mt_mongo_filter_places (MtBson *filter, const MtMongoInc *op)
{
   MtDocIter it = mt_doc_iter (op->amounts);
   MtStr key;
   MtVal v;
   const char *beyond;
   int64_t limit;
   mt_mongo_each_place (op, place_is_free, filter);
   while (mt_doc_count (op->slots) && mt_doc_next (&it, &key, &v))
      if (room_for (v, &beyond, &limit))
         mt_bson_printf (filter, "%.*s: {$not: {%s: %" PRId64 "}}", (int) key.n, key.p, beyond,
                         limit);
}

/* Context for finding out why an increment changed nothing: its stored document, and where to
 * report the reason. */
typedef struct Look {
   MtMongo *m;
   const char *collection;
   MtVal doc, id;
   MtError *err;
} Look;

static bool say_document (const Look *x, const char *path)
{
   MtBuf id = {0};
   mt_v_to_json (x->id, false, &id);
   mt_error_detail (x->err, "It is \"%s\", and the document's _id is %.200s.", path, id.p);
   mt_buf_free (&id);
   return false;
}

static bool look_at_place (void *ctx, const char *path, MtVal v, bool slot)
{
   Look *x = ctx;
   const char *index = slot ? strrchr (path, '.') : NULL;
   char *array = index ? bson_strndup (path, (size_t) (index - path)) : NULL;
   MtVal old = array ? mt_doc_get (mt_path_get (x->doc, array), index + 1, strlen (index + 1))
                     : mt_path_get (x->doc, path);
   bson_free (array);
   if (mt_is_nullish (old))
      return true;
   mt_error (x->err, MT_E_UNIQUE, "a field of a document of collection \"%s\" has a value already",
             x->collection);
   mt_error_topic (x->err, MT_TOPIC_KEY);
   return say_document (x, path);
}

static bool look_at_sums (Look *x, const MtMongoInc *op)
{
   MtDocIter it = mt_doc_iter (op->amounts);
   MtStr key;
   MtVal v;
   const char *beyond;
   int64_t limit;
   bool ok = true;
   while (ok && mt_doc_next (&it, &key, &v)) {
      char *path = bson_strdup_printf ("%.*s", (int) key.n, key.p);
      MtVal old = mt_path_get (x->doc, path);
      bool whole = old.type == MT_INT32 || old.type == MT_INT64;
      if (room_for (v, &beyond, &limit) && whole && (v.i > 0 ? old.i > limit : old.i < limit)) {
         mt_error (x->err, MT_E_NUMERIC_RANGE, "bigint out of range");
         ok = say_document (x, path);
      }
      bson_free (path);
   }
   return ok;
}

bool mt_mongo_look_at_places (MtMongo *m, const char *collection, const MtMongoInc *op,
                              MtError *err)
{
   bson_t *doc = NULL;
   if (!mt_mongo_find_with (m, collection, op->id, NULL, &doc, err))
      return false;
   Look x = {m, collection, doc ? mt_v_doc (doc) : mt_v_missing (), op->id, err};
   bool ok = !doc || (mt_mongo_each_place (op, look_at_place, &x) &&
                      (!mt_doc_count (op->slots) || look_at_sums (&x, op)));
   if (doc)
      bson_destroy (doc);
   return ok;
}

/* Appends the expression for the new array at `path`: each element is the old element; if that is
 * null or missing, the new one from `slots`; else null. */
static void filled_array (MtBson *set, MtStr path, MtVal slots)
{
   char *field = bson_strdup_printf ("$%.*s", (int) path.n, path.p);
   mt_bson_printf (set,
                   "%s: {$map: {input: {$range: [0, {$max: [{$size: {$ifNull: [%s, []]}}, %d]}]}, "
                   "as: 'i', in: {$ifNull: [{$arrayElemAt: [%s, '$$i']}, {$ifNull: "
                   "[{$arrayElemAt: [{$literal: %p}, '$$i']}, null]}]}}}",
                   field + 1, field, (int) mt_doc_count (slots), field, (void *) &slots);
   bson_free (field);
}

/* Appends the field `path` with {$ifNull: ["$path", v]}: its old value, or v (a literal) if it is
 * null or missing. */
static void there_or (MtBson *set, MtStr path, MtVal v)
{
   char *field = bson_strdup_printf ("$%.*s", (int) path.n, path.p);
   mt_bson_printf (set, "%s: {$ifNull: [%s, {$literal: %p}]}", field + 1, field, (void *) &v);
   bson_free (field);
}

static void added (MtBson *set, MtStr path, MtVal amount)
{
   char *field = bson_strdup_printf ("$%.*s", (int) path.n, path.p);
   mt_bson_printf (set, "%s: {$add: [{$ifNull: [%s, {$literal: 0}]}, %p]}", field + 1, field,
                   (void *) &amount);
   bson_free (field);
}

void mt_mongo_slots_pipeline (MtBson *update, const MtMongoInc *op)
{
   MtDocIter it;
   MtStr key;
   MtVal v;
   size_t stage = mt_bson_doc_at (update, 0), set = mt_bson_doc (update, "$set");
   for (it = mt_doc_iter (op->first); mt_doc_next (&it, &key, &v);)
      there_or (update, key, v);
   for (it = mt_doc_iter (op->amounts); mt_doc_next (&it, &key, &v);)
      added (update, key, v);
   for (it = mt_doc_iter (op->slots); mt_doc_next (&it, &key, &v);)
      filled_array (update, key, v);
   mt_bson_end (update, set);
   mt_bson_end (update, stage);
}
