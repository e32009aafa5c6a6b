/* Creates and recognises time-series collections. A server without them may refuse or ignore the
 * option. So a new collection is read from the server's list, to see whether the option had an
 * effect. */
#include "engine/mongo/mongo_int.h"

#include <string.h>

enum { INVALID_OPTIONS = 72, UNKNOWN_FIELD = 40415 };

static const char *text_of (MtArena *a, MtVal v)
{
   return v.type == MT_STRING ? mt_strndup (a, (const char *) v.p, v.len) : NULL;
}

static const MtTimeseries *read_options (MtArena *a, MtVal options)
{
   MtVal series = mt_doc_field (options, "timeseries"),
         expires = mt_doc_field (options, "expireAfterSeconds");
   MtTimeseries *t = MT_NEW (a, MtTimeseries);
   *t = (MtTimeseries) {.time = text_of (a, mt_doc_field (series, "timeField")),
                        .meta = text_of (a, mt_doc_field (series, "metaField")),
                        .granularity = text_of (a, mt_doc_field (series, "granularity")),
                        .expire_after_s = -1};
   if (mt_is_number (expires))
      t->expire_after_s = expires.type == MT_DOUBLE ? (int64_t) expires.d : expires.i;
   return series.type == MT_DOC && t->time ? t : NULL;
}

bool mt_mongo_timeseries (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                          MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_t opts;
   bson_error_t error;
   const bson_t *doc;
   if (!mt_mongo_ready (m, err) || !mt_mongo_flush (m, err))
      return false;
   mt_mongo_plain_opts (m, &opts);
   mt_doc_printf (&opts, "filter: {name: %s}", name);
   mongoc_cursor_t *c = mongoc_database_find_collections_with_opts (m->conn->db, &opts);
   while (mongoc_cursor_next (c, &doc)) {
      MtVal v = mt_v_doc (doc), found = mt_doc_field (v, "name");
      if (mt_v_is_text (found, name))
         *out = read_options (a, mt_doc_field (v, "options"));
   }
   bool ok = !mongoc_cursor_error (c, &error) || mt_mongo_error (m, &error, false, err);
   mongoc_cursor_destroy (c);
   bson_destroy (&opts);
   return ok;
}

static void append_options (bson_t *opts, const MtTimeseries *t)
{
   bson_t series;
   mt_doc_begin (opts, "timeseries", &series);
   mt_doc_add_text (&series, "timeField", t->time);
   if (t->meta)
      mt_doc_add_text (&series, "metaField", t->meta);
   if (t->granularity)
      mt_doc_add_text (&series, "granularity", t->granularity);
   mt_doc_end (opts, &series);
   if (t->expire_after_s >= 0)
      mt_doc_add (opts, "expireAfterSeconds", mt_v_int64 (t->expire_after_s));
}

static bool has_none (MtError *err, const char *why)
{
   mt_error (err, MT_E_FEATURE, "this server has no time-series collections");
   if (why)
      mt_error_detail (err, "The server says: %s.", why);
   return mt_error_hint (
      err,
      "Layout \"rows\" keeps the same documents in an ordinary collection; the packed layouts need "
      "no help from the server.");
}

static bool refused (MtMongo *m, const bson_error_t *e, MtError *err)
{
   if (mt_mongo_error (m, e, true, err) || m->lost)
      return false;
   bool unknown = e->code == INVALID_OPTIONS || e->code == UNKNOWN_FIELD ||
                  mt_error_is (err, MT_E_FEATURE);
   if (unknown) {
      mt_error_clear (err);
      has_none (err, e->message);
   }
   return false;
}

bool mt_mongo_create_timeseries (MtEngine *e, const char *name, const MtTimeseries *t, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_t opts = BSON_INITIALIZER;
   bson_error_t error;
   const MtTimeseries *made = NULL;
   append_options (&opts, t);
   bool ok = mt_mongo_create_with (m, name, &opts, &error, err);
   bson_destroy (&opts);
   if (!ok)
      return mt_error_is_set (err) ? false : refused (m, &error, err);
   MtArena *a = mt_arena_new ("time-series collection", NULL);
   ok = mt_mongo_timeseries (e, a, name, &made, err);
   ok = ok && (made ? true : has_none (err, NULL));
   mt_arena_free (a);
   return ok;
}

bool mt_mongo_beside_txn (MtEngine *e, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (e->in_txn) {
      mt_error (
         err, MT_E_FEATURE,
         "writing to a time-series collection in a transaction block is not supported on a server");
      return mt_error_hint (err, "Do it before the block, or after it.");
   }
   return mt_mongo_ready (m, err) && mt_txn_plain (m, err);
}
