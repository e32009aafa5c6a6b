/* Builds the update command for one document's increments, and the opposite update that undoes
 * them. The update's filter requires that fields to be set have no value yet. */
#include "engine/mongo/write/write.h"

#include <math.h>
#include <string.h>

static bool view (MtVal doc, bson_t *out)
{
   return doc.type == MT_DOC && bson_init_static (out, doc.p, doc.len);
}

static void append_opposite (bson_t *to, const bson_iter_t *it)
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
   mt_doc_add (to, bson_iter_key (it), v);
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

/* Checks, before increments are sent, that each amount can be subtracted again by a rollback. */
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
            "Infinity, NaN and the smallest bigint have no opposite. The in-process store adds "
            "them.");
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

/* Adds the update operator `op` with `values`, if there are any: servers before 5.0 refuse an empty
 * operator. */
static void append_some (bson_t *to, const char *op, const bson_t *values)
{
   if (values && !bson_empty (values))
      mt_doc_add_doc (to, op, values);
}

void mt_mongo_keep_increment (bson_t *to, const char *name, MtVal id, const MtIncrement *what)
{
   bson_t one, update;
   mt_doc_begin (to, name, &one);
   mt_doc_add (&one, "id", id);
   mt_doc_begin (&one, "u", &update);
   append_some (&update, "$inc", what->amounts);
   append_some (&update, "$set", what->fresh);
   append_some (&update, "$setOnInsert", what->first);
   mt_doc_end (&one, &update);
   append_some (&one, "slots", what->slots);
   mt_doc_end (to, &one);
}

static bool add_update (mongoc_bulk_operation_t *bulk, const bson_t *filter, const bson_t *update,
                        bool upsert, bson_error_t *e)
{
   bson_t opts = BSON_INITIALIZER;
   mt_doc_add (&opts, "upsert", mt_v_bool (upsert));
   /* Skip the driver's check of the update, which would take as long as the rest of sending. */
   mt_doc_add (&opts, "validate", mt_v_bool (false));
   bool ok = mongoc_bulk_operation_update_one_with_opts (bulk, filter, update, &opts, e);
   bson_destroy (&opts);
   return ok;
}

bool mt_increment_add (mongoc_bulk_operation_t *bulk, const MtMongoInc *op, bson_error_t *e)
{
   MtBson where = {0}, slots = {0};
   bson_t filter, update;
   mt_bson_start (&where);
   mt_bson_put (&where, "_id", op->id);
   mt_mongo_filter_places (&where, op);
   bool pipeline = mt_has_fields (op->slots), ok = mt_bson_finish (&where, &filter);
   if (pipeline) {
      mt_bson_start (&slots);
      mt_mongo_slots_pipeline (&slots, op);
   }
   ok = ok && (pipeline ? mt_bson_finish (&slots, &update) : view (op->update, &update)) &&
        add_update (bulk, &filter, &update, true, e);
   mt_bson_free (&slots);
   mt_bson_free (&where);
   return ok;
}

typedef struct Opposite {
   bson_t filter, unset, null;
} Opposite;

static bool vacate (void *ctx, const char *path, MtVal v, bool slot)
{
   Opposite *x = ctx;
   mt_doc_add (&x->filter, path, v);
   mt_doc_add (slot ? &x->null : &x->unset, path, slot ? mt_v_null () : mt_v_cstr (""));
   return true;
}

/* Adds to a bulk write the update that undoes an increment. Fields that the increment set are
 * removed, and array elements that it set become null, if they still have the same value. */
bool mt_increment_add_opposite (mongoc_bulk_operation_t *bulk, const MtMongoInc *op)
{
   Opposite x = {BSON_INITIALIZER, BSON_INITIALIZER, BSON_INITIALIZER};
   bson_t update = BSON_INITIALIZER, negative = BSON_INITIALIZER, amounts;
   mt_doc_add (&x.filter, "_id", op->id);
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
