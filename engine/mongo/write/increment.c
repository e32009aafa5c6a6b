/* Building the update for one document's increments, and the opposite update that undoes them. The
 * update's filter demands that fresh fields have no value yet. */
#include "engine/mongo/write/write.h"

#include <math.h>
#include <string.h>

static bool view (MtVal doc, bson_t *out)
{
   return doc.type == MT_DOC && bson_init_static (out, doc.p, doc.len);
}

/* Appends the negative of a number. False: it has none. */
static bool append_opposite (bson_t *to, const bson_iter_t *it)
{
   MtVal v = mt_v_from_iter (it);
   uint8_t bytes[16];
   if (v.type == MT_DECIMAL) {
      memcpy (bytes, v.p, 16);
      bytes[15] ^= 0x80;
      v.p = bytes;
   } else if (v.type == MT_DOUBLE) {
      v.d = -v.d;
   } else {
      v.i = -v.i;
      v.type = v.i > INT32_MAX ? MT_INT64 : v.type;
   }
   return mt_v_append (to, bson_iter_key (it), -1, v);
}

static bool has_opposite (MtVal v)
{
   bson_decimal128_t d;
   switch (v.type) {
   case MT_DOUBLE: return isfinite (v.d);
   case MT_INT64: return v.i != INT64_MIN;
   case MT_DECIMAL:
      memcpy (&d.low, v.p, 8);
      memcpy (&d.high, v.p + 8, 8);
      return (d.high >> 59 & 15) != 15; /* false for infinity and NaN */
   default: return true;
   }
}

/* Refuses increments that a rollback could not undo, before they are sent. */
bool mt_increment_has_opposite (const char *collection, const bson_t *amounts, MtError *err)
{
   MtDocIter it = mt_doc_iter (mt_v_doc (amounts));
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (!has_opposite (v)) {
         mt_error (
            err, MT_E_FEATURE,
            "a server can't add to field \"%.*s\" of collection \"%s\" what couldn't be taken back",
            (int) key.n, key.p, collection);
         return mt_error_hint (
            err,
            "Infinity, NaN and the smallest bigint have no opposite. The in-process store adds them.");
      }
   return true;
}

static void opposite (const bson_t *amounts, bson_t *out)
{
   bson_iter_t it;
   bson_iter_init (&it, amounts);
   while (bson_iter_next (&it))
      append_opposite (out, &it);
}

static void append_some (bson_t *to, const char *op, const bson_t *values)
{
   if (values && !bson_empty (values))
      BSON_APPEND_DOCUMENT (to, op, values);
}

/* Appends the increments with the finished update, so that the server need not wait for it later.
 * Servers before 5.0 refuse empty operators. */
void mt_mongo_keep_increment (bson_t *to, const char *name, MtVal id, const MtIncrement *what)
{
   bson_t one, update;
   BSON_APPEND_DOCUMENT_BEGIN (to, name, &one);
   mt_v_append (&one, "id", 2, id);
   BSON_APPEND_DOCUMENT_BEGIN (&one, "u", &update);
   append_some (&update, "$inc", what->amounts);
   append_some (&update, "$set", what->fresh);
   append_some (&update, "$setOnInsert", what->first);
   bson_append_document_end (&one, &update);
   append_some (&one, "slots", what->slots);
   bson_append_document_end (to, &one);
}

static bool add_update (mongoc_bulk_operation_t *bulk, const bson_t *filter, const bson_t *update,
                        bool upsert, bson_error_t *e)
{
   bson_t opts = BSON_INITIALIZER;
   BSON_APPEND_BOOL (&opts, "upsert", upsert);
   /* Skips the driver's check of the update, which would take as long as the rest of sending. */
   BSON_APPEND_BOOL (&opts, "validate", false);
   bool ok = mongoc_bulk_operation_update_one_with_opts (bulk, filter, update, &opts, e);
   bson_destroy (&opts);
   return ok;
}

bool mt_increment_add (mongoc_bulk_operation_t *bulk, const MtMongoInc *op, bson_error_t *e)
{
   bson_t filter = BSON_INITIALIZER, update;
   bool slots = mt_has_fields (op->slots);
   mt_v_append (&filter, "_id", 3, op->id);
   mt_mongo_filter_places (&filter, op);
   if (slots) {
      bson_init (&update);
      mt_mongo_slots_pipeline (&update, op);
   }
   bool ok = (slots || view (op->update, &update)) && add_update (bulk, &filter, &update, true, e);
   if (slots)
      bson_destroy (&update);
   bson_destroy (&filter);
   return ok;
}

typedef struct Opposite {
   bson_t filter, unset, null;
} Opposite;

static bool vacate (void *ctx, const char *path, MtVal v, bool slot)
{
   Opposite *x = ctx;
   mt_v_append (&x->filter, path, -1, v);
   return slot ? BSON_APPEND_NULL (&x->null, path) : BSON_APPEND_UTF8 (&x->unset, path, "");
}

/* Adds the update that undoes an increment to a bulk write. Fields that the increment set are
 * removed, and array elements become null, if their value is still the same. */
bool mt_increment_add_opposite (mongoc_bulk_operation_t *bulk, const MtMongoInc *op)
{
   Opposite x = {BSON_INITIALIZER, BSON_INITIALIZER, BSON_INITIALIZER};
   bson_t update = BSON_INITIALIZER, negative = BSON_INITIALIZER, amounts;
   mt_v_append (&x.filter, "_id", 3, op->id);
   mt_mongo_each_place (op, vacate, &x);
   if (view (op->amounts, &amounts))
      opposite (&amounts, &negative);
   append_some (&update, "$inc", &negative);
   append_some (&update, "$unset", &x.unset);
   append_some (&update, "$set", &x.null);
   bool ok = add_update (bulk, &x.filter, &update, false, NULL);
   bson_destroy (&update);
   bson_destroy (&negative);
   bson_destroy (&x.filter);
   bson_destroy (&x.unset);
   bson_destroy (&x.null);
   return ok;
}
