/* Makes a server stop a statement, by a background job with a connection of its own. The session
 * waits for the job only before it uses the statement's connection again. */
#include "engine/mongo/conn/conn.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
   PATIENCE_MS = MT_SILENCE_MS, /* how long to try to reach the server */
   MEET_MS = 300, /* how long to wait for the job before the connection is used again */
   EXIT_MS = 900  /* how long the end of the process waits for the job */
};

typedef struct Stop {
   MtJob job;
   mongoc_uri_t *uri;
   bson_t sessions; /* an array of session ids */
   char comment[sizeof ((MtMongo *) 0)->comment];
} Stop;

/* Returns a copy of the URI whose only host is the one that runs the statement, even if that is a
 * member of a replica set. */
static mongoc_uri_t *uri_of_host (const mongoc_uri_t *uri, const mongoc_host_list_t *host)
{
   const mongoc_host_list_t *hosts = mongoc_uri_get_hosts (uri);
   bson_iter_t it;
   if (!*host->host || (hosts && !hosts->next && !mongoc_uri_get_srv_hostname (uri)))
      return mongoc_uri_copy (uri);
   mongoc_uri_t *one = mongoc_uri_new_for_host_port (host->host, host->port);
   if (!one || !bson_iter_init (&it, mongoc_uri_get_options (uri)))
      return one;
   while (bson_iter_next (&it)) {
      const char *key = bson_iter_key (&it);
      if (strncasecmp (key, "srv", 3) == 0 || strcasecmp (key, MONGOC_URI_REPLICASET) == 0 ||
          strcasecmp (key, MONGOC_URI_LOADBALANCED) == 0)
         continue;
      if (BSON_ITER_HOLDS_UTF8 (&it))
         mongoc_uri_set_option_as_utf8 (one, key, bson_iter_utf8 (&it, NULL));
      else if (BSON_ITER_HOLDS_BOOL (&it))
         mongoc_uri_set_option_as_bool (one, key, bson_iter_bool (&it));
      else if (BSON_ITER_HOLDS_INT32 (&it))
         mongoc_uri_set_option_as_int32 (one, key, bson_iter_int32 (&it));
   }
   if (mongoc_uri_get_username (uri)) {
      mongoc_uri_set_username (one, mongoc_uri_get_username (uri));
      mongoc_uri_set_password (one,
                               mongoc_uri_get_password (uri) ? mongoc_uri_get_password (uri) : "");
      mongoc_uri_set_auth_source (one, mongoc_uri_get_auth_source (uri));
   }
   if (mongoc_uri_get_auth_mechanism (uri))
      mongoc_uri_set_auth_mechanism (one, mongoc_uri_get_auth_mechanism (uri));
   mongoc_uri_set_option_as_bool (one, MONGOC_URI_DIRECTCONNECTION, true);
   return one;
}

void mt_mongo_list_sessions (const MtConn *c, bson_t *list)
{
   if (c && c->session)
      mt_doc_add_doc (list, "0", mongoc_client_session_get_lsid (c->session));
   if (c && c->session && c->write_session)
      mt_doc_add_doc (list, "1", mongoc_client_session_get_lsid (c->write_session));
}

bool mt_mongo_kill_sessions (mongoc_client_t *client, const bson_t *sessions)
{
   bson_t cmd = BSON_INITIALIZER;
   if (bson_empty (sessions))
      return false;
   mt_doc_add_array (&cmd, "killSessions", sessions);
   bool ok = mongoc_client_command_simple (client, "admin", &cmd, NULL, NULL, NULL);
   bson_destroy (&cmd);
   return ok;
}

static void kill_op (mongoc_client_t *client, const bson_iter_t *opid)
{
   bson_t cmd = BSON_INITIALIZER;
   mt_doc_add_int (&cmd, "killOp", 1);
   mt_doc_add (&cmd, "op", mt_v_from_iter (opid));
   mongoc_client_command_simple (client, "admin", &cmd, NULL, NULL, NULL);
   bson_destroy (&cmd);
}

/* Kills all operations on the server that carry the connection's comment. For servers without
 * killSessions. */
static void kill_operations (mongoc_client_t *client, const char *comment)
{
   bson_t pipeline = BSON_INITIALIZER;
   const bson_t *op;
   bson_iter_t it;
   mt_doc_printf (&pipeline, "0: {$currentOp: {}}, 1: {$match: {command.comment: %s}}", comment);
   mongoc_database_t *admin = mongoc_client_get_database (client, "admin");
   mongoc_cursor_t *c = mongoc_database_aggregate (admin, &pipeline, NULL, NULL);
   while (mongoc_cursor_next (c, &op))
      if (bson_iter_init_find (&it, op, "opid"))
         kill_op (client, &it);
   mongoc_cursor_destroy (c);
   mongoc_database_destroy (admin);
   bson_destroy (&pipeline);
}

static void run_stop (MtJob *j)
{
   Stop *s = (Stop *) j;
   MtLink link = {.cancel = &j->cancel, .limit_ms = mt_now_ms () + PATIENCE_MS};
   mongoc_uri_set_option_as_int32 (s->uri, MONGOC_URI_CONNECTTIMEOUTMS, PATIENCE_MS);
   mongoc_uri_set_option_as_bool (s->uri, MONGOC_URI_RETRYREADS, false);
   mongoc_client_t *client = mt_mongo_client (s->uri, &link);
   if (client && !mt_mongo_kill_sessions (client, &s->sessions) && !link.given_up && !link.why[0])
      kill_operations (client, s->comment);
   if (client)
      mongoc_client_destroy (client);
}

static void free_stop (MtJob *j)
{
   Stop *s = (Stop *) j;
   mongoc_uri_destroy (s->uri);
   bson_destroy (&s->sessions);
   free (s);
}

static const MtJobKind stop_kind = {
   .run = run_stop, .free = free_stop, .exit_ms = EXIT_MS, .uses_driver = true};

void mt_mongo_ask_to_stop (void *ctx)
{
   MtMongo *m = ctx;
   mongoc_uri_t *uri = uri_of_host (m->uri, &m->conn->link.host);
   if (!uri)
      return;
   Stop *s = mt_calloc ("connection", 1, sizeof *s);
   mt_job_init (&s->job, &stop_kind);
   s->uri = uri;
   bson_init (&s->sessions);
   mt_mongo_list_sessions (m->conn, &s->sessions);
   memcpy (s->comment, m->comment, sizeof s->comment);
   mt_job_unref (m->stops);
   m->stops = &s->job;
   mt_job_start (&s->job);
}

static bool is_before (void *until_ms) { return mt_now_ms () < *(int64_t *) until_ms; }

void mt_mongo_meet_stop (MtMongo *m)
{
   int64_t until_ms = mt_now_ms () + MEET_MS;
   if (!m->stops || !m->conn || m->conn->link.given_up)
      return;
   if (mt_job_wait (m->stops, is_before, &until_ms)) {
      mt_job_unref (m->stops);
      m->stops = NULL;
   } else
      m->conn->link.given_up = true; /* the job may still kill the session's next operation */
}
