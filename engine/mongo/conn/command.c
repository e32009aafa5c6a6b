/* Parts that commands to a server share: the session, the comment, and finding one document. */
#include "engine/mongo/conn/conn.h"

#include <string.h>

void mt_mongo_opts (MtMongo *m, bson_t *opts)
{
   bson_init (opts);
   bool within = m->step == MT_STEP_TRANSACTION && !m->beside;
   mongoc_client_session_t *s = within ? m->conn->write_session : m->conn->session;
   m->only_adds &= !within;
   if (s)
      mongoc_client_session_append (s, opts, NULL);
}

void mt_mongo_plain_opts (MtMongo *m, bson_t *opts)
{
   bson_init (opts);
   if (m->conn->session)
      mongoc_client_session_append (m->conn->session, opts, NULL);
}

void mt_mongo_comment_bulk (MtMongo *m, mongoc_bulk_operation_t *bulk)
{
   bson_value_t comment = {.value_type = BSON_TYPE_UTF8,
                           .value.v_utf8 = {m->comment, (uint32_t) strlen (m->comment)}};
   if (m->conn->write_comments)
      mongoc_bulk_operation_set_comment (bulk, &comment);
}

void mt_mongo_bulk_session (MtMongo *m, mongoc_bulk_operation_t *bulk)
{
   mongoc_client_session_t *s = m->step == MT_STEP_TRANSACTION ? m->conn->write_session
                                                               : m->conn->session;
   if (s)
      mongoc_bulk_operation_set_client_session (bulk, s);
}

mongoc_bulk_operation_t *mt_mongo_unordered (mongoc_collection_t *coll)
{
   bson_t opts = BSON_INITIALIZER;
   mt_doc_add (&opts, "ordered", mt_v_bool (false));
   mongoc_bulk_operation_t *bulk = mongoc_collection_create_bulk_operation_with_opts (coll, &opts);
   bson_destroy (&opts);
   return bulk;
}

bool mt_mongo_find_with (MtMongo *m, const char *collection, MtVal id, const bson_t *more,
                         bson_t **doc, MtError *err)
{
   bson_t filter = BSON_INITIALIZER, opts;
   bson_error_t e;
   const bson_t *found;
   mt_doc_add (&filter, "_id", id);
   mt_mongo_opts (m, &opts);
   mt_doc_add (&opts, "limit", mt_v_int64 (1));
   mt_doc_add_text (&opts, "comment", m->comment);
   if (more)
      bson_concat (&opts, more);
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, collection);
   mongoc_cursor_t *c = mongoc_collection_find_with_opts (coll, &filter, &opts, NULL);
   *doc = mongoc_cursor_next (c, &found) ? bson_copy (found) : NULL;
   bool ok = *doc || !mongoc_cursor_error (c, &e) || mt_mongo_error (m, &e, false, err);
   mongoc_cursor_destroy (c);
   mongoc_collection_destroy (coll);
   bson_destroy (&opts);
   bson_destroy (&filter);
   return ok;
}
