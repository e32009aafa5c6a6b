/* Setting fresh fields and slots: places in a document that must not have a value yet.
 *
 * $set can't create an array: "values.17" would create a document. So an update pipeline sets
 * elements of arrays. It builds the array from the old and the new elements, up to the last one
 * with a value, and adds the amounts in the same update. The update's filter refuses a sum beyond
 * 64 bits, as $inc would. */
#include "engine/mongo/write/write.h"

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

/* Adds the condition to a filter that a place has no value. The condition is no equality, because
 * an upsert would copy that into a new document. With $nor or $or, some servers read all
 * documents. */
static bool place_is_free (void *ctx, const char *path, MtVal v, bool slot)
{
   static const int32_t values[] = {1, 2, 3, 4, 5, 7, 8,
                                    /* Numbers of all BSON types except null and undefined. */
                                    9, 11, 16, 17, 18, 19};
   bson_t *filter = ctx, field, not, types;
   char buf[16];
   const char *key;
   BSON_APPEND_DOCUMENT_BEGIN (filter, path, &field);
   BSON_APPEND_DOCUMENT_BEGIN (&field, "$not", &not);
   BSON_APPEND_ARRAY_BEGIN (&not, "$type", &types);
   for (uint32_t i = 0; i < sizeof values / sizeof *values; i++) {
      bson_uint32_to_string (i, &key, buf, sizeof buf);
      BSON_APPEND_INT32 (&types, key, values[i]);
   }
   bson_append_array_end (&not, &types);
   bson_append_document_end (&field, &not);
   return bson_append_document_end (filter, &field);
}

static bool room_for (MtVal amount, const char **beyond, int64_t *limit)
{
   bool whole = amount.type == MT_INT32 || amount.type == MT_INT64;
   *beyond = amount.i > 0 ? "$gt" : "$lt";
   *limit = amount.i > 0 ? INT64_MAX - amount.i : INT64_MIN - amount.i;
   return whole && amount.i;
}

void mt_mongo_filter_places (bson_t *filter, const MtMongoInc *op)
{
   MtDocIter it = mt_doc_iter (op->amounts);
   MtStr key;
   MtVal v;
   const char *beyond;
   int64_t limit;
   mt_mongo_each_place (op, place_is_free, filter);
   while (mt_doc_count (op->slots) && mt_doc_next (&it, &key, &v)) {
      bson_t field, not;
      if (!room_for (v, &beyond, &limit))
         continue;
      bson_append_document_begin (filter, key.p, (int) key.n, &field);
      BSON_APPEND_DOCUMENT_BEGIN (&field, "$not", &not);
      BSON_APPEND_INT64 (&not, beyond, limit);
      bson_append_document_end (&field, &not);
      bson_append_document_end (filter, &field);
   }
}

/* A document that an increment did not change, and the reason that was found. */
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

static void element_at (bson_t *to, const char *name, const char *field, MtVal literal)
{
   bson_t one, list, all;
   BSON_APPEND_DOCUMENT_BEGIN (to, name, &one);
   BSON_APPEND_ARRAY_BEGIN (&one, "$arrayElemAt", &list);
   if (field) {
      BSON_APPEND_UTF8 (&list, "0", field);
   } else {
      BSON_APPEND_DOCUMENT_BEGIN (&list, "0", &all);
      mt_v_append (&all, "$literal", -1, literal);
      bson_append_document_end (&list, &all);
   }
   BSON_APPEND_UTF8 (&list, "1", "$$i");
   bson_append_array_end (&one, &list);
   bson_append_document_end (to, &one);
}

/* Appends the indexes of the new array: {$range: [0, {$max: [{$size: {$ifNull: ["$values", []]}},
 * 18]}]}. */
static void all_places (bson_t *to, const char *field, uint32_t count)
{
   bson_t input, range, end, max, have, size, either, none;
   BSON_APPEND_DOCUMENT_BEGIN (to, "input", &input);
   BSON_APPEND_ARRAY_BEGIN (&input, "$range", &range);
   BSON_APPEND_INT32 (&range, "0", 0);
   BSON_APPEND_DOCUMENT_BEGIN (&range, "1", &end);
   BSON_APPEND_ARRAY_BEGIN (&end, "$max", &max);
   BSON_APPEND_DOCUMENT_BEGIN (&max, "0", &have);
   BSON_APPEND_DOCUMENT_BEGIN (&have, "$size", &size);
   BSON_APPEND_ARRAY_BEGIN (&size, "$ifNull", &either);
   BSON_APPEND_UTF8 (&either, "0", field);
   BSON_APPEND_ARRAY_BEGIN (&either, "1", &none);
   bson_append_array_end (&either, &none);
   bson_append_array_end (&size, &either);
   bson_append_document_end (&have, &size);
   bson_append_document_end (&max, &have);
   BSON_APPEND_INT32 (&max, "1", (int32_t) count);
   bson_append_array_end (&end, &max);
   bson_append_document_end (&range, &end);
   bson_append_array_end (&input, &range);
   bson_append_document_end (to, &input);
}

/* Appends the expression for a new array. Each element is the old value, or else the new one, or
 * else null. */
static void filled_array (bson_t *set, MtStr path, MtVal slots)
{
   bson_t one, map, in, either, otherwise, or ;
   char *field = bson_strdup_printf ("$%.*s", (int) path.n, path.p);
   bson_append_document_begin (set, path.p, (int) path.n, &one);
   BSON_APPEND_DOCUMENT_BEGIN (&one, "$map", &map);
   all_places (&map, field, mt_doc_count (slots));
   BSON_APPEND_UTF8 (&map, "as", "i");
   BSON_APPEND_DOCUMENT_BEGIN (&map, "in", &in);
   BSON_APPEND_ARRAY_BEGIN (&in, "$ifNull", &either);
   element_at (&either, "0", field, mt_v_null ());
   BSON_APPEND_DOCUMENT_BEGIN (&either, "1", &otherwise);
   BSON_APPEND_ARRAY_BEGIN (&otherwise, "$ifNull", &or);
   element_at (&or, "0", NULL, slots);
   BSON_APPEND_NULL (&or, "1");
   bson_append_array_end (&otherwise, &or);
   bson_append_document_end (&either, &otherwise);
   bson_append_array_end (&in, &either);
   bson_append_document_end (&map, &in);
   bson_append_document_end (&one, &map);
   bson_append_document_end (set, &one);
   bson_free (field);
}

/* Appends {$ifNull: ["$path", v]}, with v as a literal: the old value, or else v. */
static void there_or (bson_t *to, const char *name, int name_size, MtStr path, MtVal v)
{
   bson_t one, either, literal;
   char *field = bson_strdup_printf ("$%.*s", (int) path.n, path.p);
   bson_append_document_begin (to, name, name_size, &one);
   BSON_APPEND_ARRAY_BEGIN (&one, "$ifNull", &either);
   BSON_APPEND_UTF8 (&either, "0", field);
   BSON_APPEND_DOCUMENT_BEGIN (&either, "1", &literal);
   mt_v_append (&literal, "$literal", -1, v);
   bson_append_document_end (&either, &literal);
   bson_append_array_end (&one, &either);
   bson_append_document_end (to, &one);
   bson_free (field);
}

static void added (bson_t *set, MtStr path, MtVal amount)
{
   bson_t one, sum;
   bson_append_document_begin (set, path.p, (int) path.n, &one);
   BSON_APPEND_ARRAY_BEGIN (&one, "$add", &sum);
   there_or (&sum, "0", 1, path, (MtVal) {.type = MT_INT32});
   mt_v_append (&sum, "1", 1, amount);
   bson_append_array_end (&one, &sum);
   bson_append_document_end (set, &one);
}

void mt_mongo_slots_pipeline (bson_t *update, const MtMongoInc *op)
{
   bson_t stage, set;
   MtDocIter it;
   MtStr key;
   MtVal v;
   BSON_APPEND_DOCUMENT_BEGIN (update, "0", &stage);
   BSON_APPEND_DOCUMENT_BEGIN (&stage, "$set", &set);
   for (it = mt_doc_iter (op->first); mt_doc_next (&it, &key, &v);)
      there_or (&set, key.p, (int) key.n, key, v);
   for (it = mt_doc_iter (op->amounts); mt_doc_next (&it, &key, &v);)
      added (&set, key, v);
   for (it = mt_doc_iter (op->slots); mt_doc_next (&it, &key, &v);)
      filled_array (&set, key, v);
   bson_append_document_end (&stage, &set);
   bson_append_document_end (update, &stage);
}
