/* Runs pipelines on a server, and reads their documents.
 *
 * mtsql sends the aggregate command itself: the driver's function would select a server twice, and
 * check and copy each reply, which takes most of the time of a short read. If the reply contains
 * all documents, they are returned directly from it. Otherwise a cursor of the driver reads the
 * rest from the same server. */
#include "engine/mongo/mongo_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct MongoCursor {
   MtCursor base;
   bson_t command, opts; /* the command; opts has its session */
   bson_t reply;         /* the server's answer, unless `rest` owns it */
   bson_iter_t batch;    /* iterates over the documents of `reply` */
   bson_t doc;           /* a view of the last document returned */
   MtMongo *m;
   MtConn *conn;          /* a counted reference */
   mongoc_cursor_t *rest; /* the driver's cursor, if there are more batches; else NULL */
   uint64_t documents, bytes;
   int64_t started_us, us;
   bool asked, ended, failed;
   bool explains; /* the answer as a whole is the only document */
   MtBesideDoc beside;
} MongoCursor;

/* ---- the command ---- */

/* Adds the collation, session, allowDiskUse, the caller's options, the comment and the time limit
 * to the command. The batch size stays the server's default: 101 documents first, so that the first
 * rows come soon, then up to 16 MiB, which limits the memory. */
static bool append_options (MongoCursor *c, const MtAggregateArgs *args, bson_t *command,
                            MtError *err)
{
   const MtCancel *cancel = c->m->base.cancel;
   mt_doc_add (command, "allowDiskUse", mt_v_bool (true));
   bool collates = args->options && bson_has_field (args->options, "collation");
   if (args->collection && !collates &&
       !mt_mongo_append_collation (c->m, args->collection, command, err))
      return false;
   mt_mongo_opts (c->m, &c->opts);
   if (args->options)
      bson_concat (command, args->options);
   if (!args->options || !bson_has_field (args->options, "comment"))
      mt_doc_add_text (command, "comment", c->m->comment);
   if (cancel && cancel->deadline_ms &&
       !(args->options && bson_has_field (args->options, "maxTimeMS"))) {
      int64_t left = cancel->deadline_ms - mt_now_ms ();
      mt_doc_add (command, "maxTimeMS", mt_v_int64 (left > 1 ? left : 1));
   }
   return true;
}

static bool make_command (MongoCursor *c, const MtAggregateArgs *args, MtError *err)
{
   bson_t part;
   mt_doc_add (&c->command, "aggregate",
               args->collection ? mt_v_cstr (args->collection) : mt_v_int32 (1));
   if (c->beside.wanted) {
      mt_array_begin (&c->command, "pipeline", &part);
      bson_concat (&part, args->pipeline);
      mt_beside_append (&c->beside, args->beside, &part);
      mt_array_end (&c->command, &part);
   } else {
      mt_doc_add_array (&c->command, "pipeline", args->pipeline);
   }
   if (!args->options || !bson_has_field (args->options, "cursor"))
      mt_doc_printf (&c->command, "cursor: {}");
   return append_options (c, args, &c->command, err);
}

/* Replaces c->command by an explain command around it. */
static void wrap_in_explain (MongoCursor *c, const char *verbosity)
{
   bson_t inner;
   bson_copy_to (&c->command, &inner);
   bson_reinit (&c->command);
   mt_doc_add (&c->command, "explain", mt_v_doc (&inner));
   mt_doc_add (&c->command, "verbosity", mt_v_cstr (verbosity));
   bson_destroy (&inner);
   c->explains = true;
}

/* Appends an $unwind of a field that no document has, so it changes no document (see
 * passes_through). */
static void append_unwind (bson_t *pipeline)
{
   bson_t stage = BSON_INITIALIZER;
   mt_doc_printf (&stage, "$unwind: {path: '$_mtnone', preserveNullAndEmptyArrays: true}");
   mt_doc_push (pipeline, mt_v_doc (&stage));
   bson_destroy (&stage);
}

/* Copies the command to *out. With `unwind`, appends an $unwind without effect to its pipeline;
 * otherwise removes the pipeline's last stage. */
static void remade (const bson_t *command, bool unwind, bson_t *out)
{
   bson_iter_t it, stage;
   bson_t list;
   bson_init (out);
   bson_iter_init (&it, command);
   while (bson_iter_next (&it)) {
      if (strcmp (bson_iter_key (&it), "pipeline") || !bson_iter_recurse (&it, &stage)) {
         mt_doc_add (out, bson_iter_key (&it), mt_v_from_iter (&it));
         continue;
      }
      mt_array_begin (out, "pipeline", &list);
      for (bool more = bson_iter_next (&stage); more;) {
         bson_iter_t before = stage;
         more = bson_iter_next (&stage);
         if (more || unwind)
            mt_doc_add (&list, bson_iter_key (&before), mt_v_from_iter (&before));
      }
      if (unwind)
         append_unwind (&list);
      mt_array_end (out, &list);
   }
}

static bool refuse_reply (bson_error_t *e)
{
   bson_set_error (e, MONGOC_ERROR_PROTOCOL, MONGOC_ERROR_PROTOCOL_INVALID_REPLY,
                   "Invalid reply to aggregate command.");
   return false;
}

static bool run (MongoCursor *c, const bson_t *command, bson_error_t *e)
{
   bson_iter_t it;
   bson_destroy (&c->reply);
   if (!mongoc_database_read_command_with_opts (c->conn->db, command, NULL, &c->opts, &c->reply, e))
      return false;
   bool named = !bson_iter_init_find (&it, &c->reply, "cursor") ||
                mt_mongo_cursor_has_namespace (&it);
   return named || refuse_reply (e);
}

/* Called when the server refused a command that also requests an extra document of another
 * collection (beside.c). Sends the command without that request, and returns whether the server
 * accepts it. If so, no later command requests an extra document. */
static bool takes_it_alone (MongoCursor *c, const bson_error_t *e)
{
   bson_t command;
   bson_error_t again;
   if (!c->beside.wanted || !mt_mongo_refused_form (e) ||
       !mt_cancel_check (c->m->base.cancel, NULL))
      return false;
   remade (&c->command, false, &command); /* without the last stage, for the extra document */
   bool ok = run (c, &command, &again);
   bson_destroy (&command);
   if (ok)
      c->beside.wanted = c->m->base.caps.finds_beside = false;
   return ok;
}

/* ---- reading the cursor's documents ---- */

/* Returns the driver's id of the server that sent the reply; 0 if it is unknown. */
static uint32_t server_that_answered (const MtConn *c)
{
   size_t n;
   uint32_t id = 0;
   mongoc_server_description_t **all = mongoc_client_get_server_descriptions (c->client, &n);
   for (size_t i = 0; i < n && !id; i++)
      if (!strcmp (mongoc_server_description_host (all[i])->host_and_port,
                   c->link.host.host_and_port))
         id = mongoc_server_description_id (all[i]);
   mongoc_server_descriptions_destroy_all (all, n);
   return id;
}

/* Returns a cursor of the driver, made from the reply. It returns the documents of the reply, and
 * then reads the further batches. */
static mongoc_cursor_t *driver_cursor (MongoCursor *c)
{
   bson_t opts;
   uint32_t server = server_that_answered (c->conn);
   bson_copy_to (&c->opts, &opts);
   mt_doc_add_text (&opts, "comment", c->m->comment);
   if (server)
      mt_doc_add (&opts, "serverId", mt_v_int32 ((int32_t) server));
   mongoc_cursor_t *all = mongoc_cursor_new_from_command_reply_with_opts (c->conn->client,
                                                                          &c->reply, &opts);
   bson_init (&c->reply);
   bson_destroy (&opts);
   return all;
}

static void end_on_server (MongoCursor *c, mongoc_cursor_t *cursor)
{
   bool hurry = !mt_cancel_check (c->m->base.cancel, NULL);
   mt_conn_cleanup_begin (c->conn, hurry ? 300 : 2000);
   mongoc_cursor_destroy (cursor);
   mt_conn_cleanup_end (c->conn);
}

/* Returns whether the pipeline has no stage that collects documents ($sort, $group). DocumentDB
 * continues such a pipeline from the place of the last document in storage. If an index gave
 * another order, later batches repeat documents, perhaps for ever. An $unwind makes DocumentDB
 * materialize the results instead. */
static bool passes_through (const bson_t *command)
{
   static const char *const stages[] = {"$match", "$project",     "$addFields",   "$set",
                                        "$unset", "$replaceRoot", "$replaceWith", "$redact",
                                        "$skip",  "$limit"};
   bson_iter_t it, stage, name;
   bool filters = false;
   if (!bson_iter_init_find (&it, command, "pipeline") || !bson_iter_recurse (&it, &stage))
      return false;
   while (bson_iter_next (&stage)) {
      size_t i = 0;
      if (!BSON_ITER_HOLDS_DOCUMENT (&stage) || !bson_iter_recurse (&stage, &name) ||
          !bson_iter_next (&name))
         return false;
      while (i < sizeof stages / sizeof *stages && strcmp (stages[i], bson_iter_key (&name)) != 0)
         i++;
      if (i == sizeof stages / sizeof *stages)
         return false;
      filters |= i == 0;
   }
   return filters;
}

/* Sends the command again with an $unwind, so that the server materializes the results. No document
 * of the first reply may have been returned yet. */
static bool ask_again (MongoCursor *c, bson_error_t *e)
{
   bson_t command;
   end_on_server (c, driver_cursor (c));
   remade (&c->command, true, &command);
   bool ok = run (c, &command, e);
   bson_destroy (&command);
   return ok;
}

static bool open_batch (MongoCursor *c, bson_error_t *e)
{
   bson_iter_t it, part;
   int64_t id = 0;
   bool any = false;
   if (bson_iter_init_find (&it, &c->reply, "cursor") && BSON_ITER_HOLDS_DOCUMENT (&it) &&
       bson_iter_recurse (&it, &part))
      while (bson_iter_next (&part)) {
         if (!strcmp (bson_iter_key (&part), "id"))
            id = bson_iter_as_int64 (&part);
         else if (!strcmp (bson_iter_key (&part), "firstBatch"))
            any = BSON_ITER_HOLDS_ARRAY (&part) && bson_iter_recurse (&part, &c->batch);
      }
   if (!any)
      return refuse_reply (e);
   if (id) /* there are more batches; the driver also reads the first one */
      c->rest = driver_cursor (c);
   return true;
}

static bool has_more (const bson_t *reply)
{
   bson_iter_t it, id;
   return bson_iter_init (&it, reply) && bson_iter_find_descendant (&it, "cursor.id", &id) &&
          bson_iter_as_int64 (&id) != 0;
}

static bool ask (MongoCursor *c, bson_error_t *e)
{
   c->asked = true;
   if (!run (c, &c->command, e) && !takes_it_alone (c, e))
      return false;
   if (c->m->rereads && has_more (&c->reply) && passes_through (&c->command) && !ask_again (c, e))
      return false;
   return open_batch (c, e);
}

/* Returns the next document of the batch, borrowed, or NULL at its end. `doc` is the memory of the
 * result. */
static const bson_t *view_next (bson_iter_t *batch, bson_t *doc)
{
   uint32_t len;
   const uint8_t *data;
   if (!bson_iter_next (batch) || !BSON_ITER_HOLDS_DOCUMENT (batch))
      return NULL;
   bson_iter_document (batch, &len, &data);
   return bson_init_static (doc, data, len) ? doc : NULL;
}

/* Sets *doc to the next document of the driver's cursor, or NULL at the end. The driver returns
 * none after an empty batch; then this function asks it again. */
static bool rest_next (MongoCursor *c, const bson_t **doc, bson_error_t *e, MtError *err)
{
   while (!mongoc_cursor_next (c->rest, doc)) {
      *doc = NULL;
      if (mongoc_cursor_error (c->rest, e))
         return mt_mongo_error (c->m, e, false, err);
      if (!mongoc_cursor_get_id (c->rest))
         break;
      if (!mt_cancel_check (c->m->base.cancel, err))
         return false;
   }
   return true;
}

/* Sets *doc to the next document from the server, or NULL at the end. The document may be no
 * result, but the extra document of another collection that the command also returns (beside.c).
 * The caller tests this by mt_beside_is. */
static bool server_next (MongoCursor *c, const bson_t **doc, MtError *err)
{
   bson_error_t e;
   bool ok = true;
   *doc = NULL;
   if (c->ended)
      return true;
   if (!mt_cancel_check (c->m->base.cancel, err) || !mt_mongo_settle (c->m, err))
      return false;
   if (!c->asked)
      ok = ask (c, &e) || mt_mongo_error (c->m, &e, false, err);
   if (ok && c->rest)
      ok = rest_next (c, doc, &e, err);
   else if (ok)
      *doc = view_next (&c->batch, &c->doc);
   if (*doc)
      return true;
   c->ended = true;
   c->failed = !ok;
   c->us = mt_now_us () - c->started_us;
   return ok;
}

/* Sets *doc to the reply to the command explain at the first call, and to NULL at the second. */
static bool explain_next (MongoCursor *c, const bson_t **doc, MtError *err)
{
   bson_error_t e;
   bool first = !c->ended;
   c->ended = true;
   *doc = NULL;
   if (!first)
      return true;
   if (!mt_cancel_check (c->m->base.cancel, err) || !mt_mongo_settle (c->m, err))
      return false;
   if (!run (c, &c->command, &e)) {
      c->failed = true;
      return mt_mongo_error (c->m, &e, false, err);
   }
   *doc = &c->reply;
   return true;
}

static bool cursor_next (MtCursor *base, const bson_t **doc, MtError *err)
{
   MongoCursor *c = (MongoCursor *) base;
   if (c->explains)
      return explain_next (c, doc, err);
   for (;;) {
      if (!server_next (c, doc, err))
         return false;
      if (!*doc)
         return true;
      if (!mt_beside_is (&c->beside, *doc))
         break;
      mt_beside_take (&c->beside, *doc);
   }
   c->documents++;
   c->bytes += (*doc)->len;
   return true;
}

/* Sets *doc to the extra document (mt_cursor_beside; NULL: not found) and *known to true, if the
 * reply has only one batch. With more batches the extra document would come too late, so *known
 * stays false. */
static bool cursor_beside (MtCursor *base, bool *known, const bson_t **doc, MtError *err)
{
   MongoCursor *c = (MongoCursor *) base;
   bson_error_t e;
   bson_t at;
   if (!c->asked && c->beside.wanted) {
      if (!mt_cancel_check (c->m->base.cancel, err) || !mt_mongo_settle (c->m, err))
         return false;
      if (!ask (c, &e)) {
         c->ended = c->failed = true;
         return mt_mongo_error (c->m, &e, false, err);
      }
   }
   if (c->beside.wanted && c->rest)
      return true;
   bson_iter_t batch = c->batch;
   while (c->beside.wanted && !c->beside.found && view_next (&batch, &at))
      if (mt_beside_is (&c->beside, &at))
         mt_beside_take (&c->beside, &at);
   *known = c->beside.wanted;
   *doc = c->beside.found;
   return true;
}

/* Sets *out to the statistics of the run. A server does not report how much it read, so bytes_read
 * is the size of the returned documents. */
static void cursor_stats (MtCursor *base, MtRunStats *out)
{
   const MongoCursor *c = (MongoCursor *) base;
   out->bytes_read = c->bytes;
   out->us = (uint64_t) (c->ended ? c->us : mt_now_us () - c->started_us);
}

/* Frees the cursor. If it was not read to its end, kills it on the server; after a cancel, waits
 * for that only a short time. */
static void cursor_free (MtCursor *base)
{
   MongoCursor *c = (MongoCursor *) base;
   mt_mongo_settle (c->m, NULL);
   mt_beside_learn (c->m, &c->beside, c->ended && !c->failed, c->documents);
   if (c->rest)
      end_on_server (c, c->rest);
   bson_destroy (&c->reply);
   bson_destroy (&c->opts);
   bson_destroy (&c->command);
   mt_conn_unref (c->conn);
   mt_beside_fini (&c->beside);
   free (c);
}

static const MtCursorVt cursor_vt = {
   .next = cursor_next, .stats = cursor_stats, .free = cursor_free, .beside = cursor_beside};

bool mt_mongo_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_mongo_ready (m, err) || !mt_mongo_flush (m, err))
      return false;
   MongoCursor *c = mt_aligned ("connection", _Alignof (MongoCursor),
                                sizeof *c); /* libbson needs more alignment than malloc gives */
   memset (c, 0, sizeof *c);
   bson_init (&c->command);
   bson_init (&c->opts);
   bson_init (&c->reply);
   c->base.vt = &cursor_vt;
   c->m = m;
   c->conn = m->conn;
   mt_conn_ref (c->conn);
   c->started_us = mt_now_us ();
   mt_beside_init (m, &c->beside, args);
   if (!make_command (c, args, err)) {
      c->beside.learns = false;
      cursor_free (&c->base);
      return false;
   }
   if (args->explain)
      wrap_in_explain (c, args->explain);
   *out = &c->base;
   return true;
}

bson_t *mt_mongo_run_for_one (MtMongo *m, const char *collection, const bson_t *pipeline,
                              MtError *err)
{
   bson_t *out = NULL;
   const bson_t *doc = NULL;
   MtCursor *c;
   MtAggregateArgs args = {.collection = collection, .pipeline = pipeline};
   if (mt_mongo_aggregate (&m->base, &args, &c, err)) {
      if (mt_cursor_next (c, &doc, err) && doc)
         out = bson_copy (doc);
      mt_cursor_free (c);
   }
   return out;
}
