/* Adding inserts and increments to batches. A batch is sent when it is full, or earlier. */
#include "engine/mongo/mongo_int.h"

/* Adds a document to a batch of inserts. `id` is the _id that the caller gave, or null if the step
 * generated it. With `check_ids`, other clients may insert the same _id. */
static void add_to_batch (MtMongoBatch *b, const bson_t *doc, MtVal id, bool check_ids)
{
   if (!b->ids) {
      b->ids = bson_new ();
      b->fresh = true;
   }
   b->fresh &= !check_ids;
   mt_doc_add (b->ids, "", id);
   mt_buf_add (&b->docs, bson_get_data (doc), doc->len);
   b->count++;
   b->bytes += doc->len;
}

bool mt_mongo_insert (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                      MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_iter_t it;
   bool wait, given = bson_iter_init_find (&it, doc, "_id");
   if (!mt_mongo_can_gather (m, err) ||
       (given && !mt_mongo_may_insert (m, collection, mt_v_from_iter (&it), err)) ||
       !mt_mongo_drop_before_use (m, collection, err))
      return false;
   MtMongoBatch *b = mt_mongo_batch (m, collection, false);
   if (given) {
      add_to_batch (b, doc, mt_v_from_iter (&it), check_ids);
   } else {
      bson_t with = BSON_INITIALIZER;
      bson_oid_t oid;
      mt_mongo_next_id (m, &oid);
      mt_doc_add (&with, "_id", mt_v_oid (&oid));
      bson_concat (&with, doc);
      add_to_batch (b, &with, mt_v_null (), check_ids);
      bson_destroy (&with);
   }
   if (!mt_txn_gathered (m, doc->len, &wait, err))
      return false;
   return wait || mt_mongo_gathered (m, b, err);
}

bool mt_mongo_increment (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                         MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   size_t size = what->amounts->len + what->first->len + (what->fresh ? what->fresh->len : 0) +
                 (what->slots ? what->slots->len : 0);
   bool wait;
   if (!mt_increment_has_opposite (collection, what->amounts, err) ||
       !mt_mongo_may_change (m, collection, err) || !mt_mongo_can_gather (m, err) ||
       !mt_mongo_drop_before_use (m, collection, err))
      return false;
   MtMongoBatch *b = mt_mongo_batch (m, collection, true);
   if (!b->ids)
      b->ids = bson_new ();
   mt_mongo_keep_increment (b->ids, "", id, what);
   b->count++;
   b->bytes += size;
   if (!mt_txn_gathered (m, size, &wait, err))
      return false;
   return wait || mt_mongo_gathered (m, b, err);
}

bool mt_mongo_incremented (MtEngine *e, uint64_t *made, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_mongo_flush (m, err))
      return false;
   *made = m->made;
   return true;
}
