/* Reads replies to writes, and decides whether a refused write is sent again. */
#include "engine/mongo/conn/conn.h"

#include <sys/random.h>
#include <time.h>

int64_t mt_mongo_reply_number (const bson_t *reply, const char *field)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, reply, field) ? bson_iter_as_int64 (&it) : 0;
}

MtWriteErrors mt_mongo_write_errors (const bson_t *reply)
{
   MtWriteErrors w = {0};
   bson_iter_t it;
   w.any = bson_iter_init_find (&it, reply, "writeErrors") && BSON_ITER_HOLDS_ARRAY (&it) &&
           bson_iter_recurse (&it, &w.list) && bson_iter_next (&w.list);
   w.here = w.any;
   return w;
}

bool mt_mongo_next_write_error (MtWriteErrors *w)
{
   bson_iter_t at;
   if (!w->here)
      return false;
   w->code = bson_iter_recurse (&w->list, &at) && bson_iter_find (&at, "code")
                ? bson_iter_as_int64 (&at)
                : 0;
   w->index = bson_iter_recurse (&w->list, &at) && bson_iter_find (&at, "index")
                 ? (uint64_t) bson_iter_as_int64 (&at)
                 : UINT64_MAX;
   w->message = bson_iter_recurse (&w->list, &at) && bson_iter_find (&at, "errmsg") &&
                      BSON_ITER_HOLDS_UTF8 (&at)
                   ? bson_iter_utf8 (&at, NULL)
                   : "";
   w->here = bson_iter_next (&w->list);
   return true;
}

void mt_mongo_each_upserted (const bson_t *reply, size_t count,
                             void (*fn) (void *ctx, size_t index), void *ctx)
{
   bson_iter_t it, list, at;
   if (!bson_iter_init_find (&it, reply, "upserted") || !BSON_ITER_HOLDS_ARRAY (&it) ||
       !bson_iter_recurse (&it, &list))
      return;
   while (bson_iter_next (&list))
      if (bson_iter_recurse (&list, &at) && bson_iter_find (&at, "index") &&
          (size_t) bson_iter_as_int64 (&at) < count)
         fn (ctx, (size_t) bson_iter_as_int64 (&at));
}

bool mt_mongo_delete_one (mongoc_collection_t *coll, const bson_t *filter, const bson_t *opts,
                          bool *deleted, bson_error_t *error)
{
   bson_t reply;
   bool ok = mongoc_collection_delete_one (coll, filter, opts, &reply, error);
   *deleted = ok && mt_mongo_reply_number (&reply, "deletedCount") > 0;
   bson_destroy (&reply);
   if (!ok || *deleted)
      return ok;
   /* DocumentDB's delete of a single document misses a document that another client is updating.
    * Its deleteMany with the same _id does not. */
   ok = mongoc_collection_delete_many (coll, filter, opts, &reply, error);
   *deleted = ok && mt_mongo_reply_number (&reply, "deletedCount") > 0;
   bson_destroy (&reply);
   return ok;
}

/* ---- sending again ---- */

enum { MOST_TRIES = 100, LONGEST_WAIT_MS = 50 };

/* The pause before a retry grows with each try, and is random so that the same clients don't
 * collide again. */
bool mt_mongo_wait_turn (MtMongo *m, int tries, MtError *err)
{
   unsigned most = tries < 6 ? 1u << tries : LONGEST_WAIT_MS, random = 0;
   if (tries >= MOST_TRIES) {
      mt_error_outrun (err);
      mt_error_detail (err, "The server gave way to other clients %d times.", MOST_TRIES);
      return mt_error_hint (err, "Run the statement again.");
   }
   if (getrandom (&random, sizeof random, 0) != sizeof random)
      random = 0;
   struct timespec pause = {.tv_nsec = (long) (1 + random % most) * 1000000};
   nanosleep (&pause, NULL);
   return mt_cancel_check (m->base.cancel, err);
}

bool mt_mongo_send_again (MtMongo *m, const bson_error_t *e, int *tries)
{
   return mt_mongo_gave_way (e->code, e->message) && mt_mongo_wait_turn (m, (*tries)++, NULL);
}
