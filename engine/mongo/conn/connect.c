/* Connects to a server, and replaces lost connections. */
#include "engine/mongo/conn/conn.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { HURRY_MS = 350 }; /* time to connect again, after a cancel that the server did not answer */

enum {
   WIRE_UPDATE_PIPELINES = 8, /* MongoDB 4.2 */
   WIRE_WRITE_COMMENTS = 9    /* MongoDB 4.4: `comment` of writes */
};

/* ---- the connection string ---- */

static void set_default (mongoc_uri_t *uri, const char *option, int32_t value)
{
   if (!mongoc_uri_has_option (uri, option))
      mongoc_uri_set_option_as_int32 (uri, option, value);
}

/* Fails with 0A000 for options of the URI that would have no effect, because mtsql opens the
 * sockets instead of the driver. */
static bool refuse_ignored (const mongoc_uri_t *uri, MtError *err)
{
   static const char *const ignored[] = {MONGOC_URI_TLSDISABLECERTIFICATEREVOCATIONCHECK,
                                         MONGOC_URI_TLSDISABLEOCSPENDPOINTCHECK};
   for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
      if (mongoc_uri_get_option_as_bool (uri, ignored[i], false))
         return mt_error (err, MT_E_FEATURE, "connection option \"%s\" is not supported",
                          ignored[i]);
   return true;
}

/* Fails with 28P01 if the URI has a user without a password, because the driver does not check
 * that. */
static bool check_password (const mongoc_uri_t *uri, MtError *err)
{
   const char *user = mongoc_uri_get_username (uri),
              *mechanism = mongoc_uri_get_auth_mechanism (uri);
   bool by_password = !mechanism || strcmp (mechanism, "PLAIN") == 0 ||
                      strncmp (mechanism, "SCRAM-", 6) == 0;
   if (!user || !*user || !by_password || mongoc_uri_get_password (uri))
      return true;
   mt_error (err, MT_E_PASSWORD,
             "connection to the server failed: no password supplied for user \"%s\"", user);
   return mt_error_hint (err, "Set MTSQL_PASSWORD, or put it into the password file.");
}

bool mt_mongo_uri (const char *target, const MtEngineOptions *o, mongoc_uri_t **out, MtError *err)
{
   bson_error_t e;
   mongoc_uri_t *uri = mongoc_uri_new_with_error (target, &e);
   if (!uri)
      return mt_error (err, MT_E_CONNECT, "invalid connection string: %s", e.message);
   if (!mongoc_uri_has_option (uri, MONGOC_URI_APPNAME))
      mongoc_uri_set_option_as_utf8 (uri, MONGOC_URI_APPNAME, o->app_name ? o->app_name : "mtsql");
   set_default (uri, MONGOC_URI_CONNECTTIMEOUTMS, MT_CONNECT_TIMEOUT_MS);
   set_default (uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS, MT_CONNECT_TIMEOUT_MS);
   set_default (uri, MONGOC_URI_SOCKETTIMEOUTMS,
                INT32_MAX); /* no socket timeout: only statement_timeout and a cancel end a wait */
   if (!bson_empty (mongoc_uri_get_compressors (uri)))
      mongoc_uri_set_compressors (uri, ""); /* net/frame.c can't check compressed messages */
   if (o->password && mongoc_uri_get_username (uri) && !mongoc_uri_get_password (uri))
      mongoc_uri_set_password (uri, o->password);
   if (!refuse_ignored (uri, err) || !check_password (uri, err)) {
      mongoc_uri_destroy (uri);
      return false;
   }
   *out = uri;
   return true;
}

/* ---- connecting ---- */

/* Returns whether transactions can be used: the server must be a replica set or a router. False if
 * reads may go to a secondary, because a transaction must read from the primary. `hello` is the
 * server's reply to hello. */
static bool has_transactions (const MtMongo *m, const MtConn *c, const bson_t *hello)
{
   bson_iter_t it;
   const mongoc_write_concern_t *w = mongoc_uri_get_write_concern (m->uri);
   bool primary = mongoc_read_prefs_get_mode (mongoc_uri_get_read_prefs_t (m->uri)) ==
                  MONGOC_READ_PRIMARY;
   bool set = bson_iter_init_find (&it, hello, "setName");
   return c->session && primary && (set || c->router) &&
          (!w || mongoc_write_concern_is_acknowledged (w));
}

/* Reads from the server's reply to hello which features it has: transactions, comments, update
 * pipelines. */
static void look_at_server (const MtMongo *m, MtConn *c)
{
   bson_iter_t it;
   mongoc_server_description_t *server = mongoc_client_select_server (c->client, true, NULL, NULL);
   if (!server)
      return;
   const bson_t *hello = mongoc_server_description_hello_response (server);
   c->router = bson_iter_init_find (&it, hello, "msg") && BSON_ITER_HOLDS_UTF8 (&it) &&
               strcmp (bson_iter_utf8 (&it, NULL), "isdbgrid") == 0;
   c->txn_able = has_transactions (m, c, hello);
   int64_t wire = mt_mongo_reply_number (hello, "maxWireVersion");
   c->write_comments = wire >= WIRE_WRITE_COMMENTS;
   c->update_pipelines = wire >= WIRE_UPDATE_PIPELINES;
   mongoc_server_description_destroy (server);
}

/* Sends the command buildInfo, the first one, by which the driver logs in. It is no error if the
 * user is not permitted to use it. */
static bool log_in (MtMongo *m, MtConn *c, MtError *err)
{
   bson_t cmd = BSON_INITIALIZER, reply;
   bson_error_t e;
   bson_iter_t it;
   MtError why;
   mt_error_clear (&why);
   mt_doc_add_int (&cmd, "buildInfo", 1);
   bool ok = mongoc_client_command_simple (c->client, "admin", &cmd, NULL, &reply, &e) ||
             mt_mongo_error (m, &e, false, &why);
   if (ok && bson_iter_init_find (&it, &reply, "version") && BSON_ITER_HOLDS_UTF8 (&it))
      bson_strncpy (m->base.caps.version, bson_iter_utf8 (&it, NULL), sizeof m->base.caps.version);
   bool documentdb = ok &&
                     (bson_has_field (&reply, "ferretdb") || bson_has_field (&reply, "internal"));
   m->base.caps.exact_stats = ok && !documentdb; /* DocumentDB returns PostgreSQL's estimates */
   m->base.caps.hashes_all = documentdb;         /* MongoDB rounds numbers before it hashes */
   m->rereads = documentdb;
   bson_destroy (&reply);
   bson_destroy (&cmd);
   ok = ok || (!mt_error_in (&why, MT_CLASS_CONNECTION) && !mt_error_in (&why, MT_CLASS_LOGIN) &&
               !mt_error_is (&why, MT_E_CANCELED));
   if (!ok && err)
      *err = why;
   return ok;
}

static bool is_in_step (void *ctx) { return ((const MtMongo *) ctx)->base.in_step; }

static bool open_conn (MtMongo *m, MtConn *c, MtError *err)
{
   bson_error_t e;
   const char *db = mongoc_uri_get_database (m->uri);
   c->client = mt_mongo_client (m->uri, &c->link);
   if (!c->client)
      return mt_cancel_check (m->base.cancel, err) &&
             mt_error (err, MT_E_CONNECT, "could not connect to the server: %s", c->link.why);
   c->db = mongoc_client_get_database (c->client, db && *db ? db : "test");
   if (!log_in (m, c, err))
      return false;
   c->session = mongoc_client_start_session (c->client, NULL, &e);
   look_at_server (m, c);
   c->link.on_cancel = mt_mongo_ask_to_stop;
   c->link.writes = is_in_step;
   c->link.ctx = m;
   return true;
}

/* Gives the connection a random comment, which all of its commands carry. So a late killOp for an
 * old connection can't kill commands of a new one. */
static void name_connection (MtMongo *m)
{
   uint32_t random[2];
   if (getrandom (random, sizeof random, 0) != (ssize_t) sizeof random)
      random[0] = (uint32_t) getpid (), random[1] = (uint32_t) mt_now_us ();
   snprintf (m->comment, sizeof m->comment, "mtsql %08x%08x", random[0], random[1]);
}

static uint64_t statement (const MtMongo *m)
{
   return m->base.cancel ? m->base.cancel->statement : 0;
}

void mt_mongo_set_unreachable (MtMongo *m) { m->unreachable_in = statement (m) + 1; }

static bool is_unreachable (const MtMongo *m) { return m->unreachable_in == statement (m) + 1; }

static void remember_sessions (MtMongo *m, const MtConn *old)
{
   bson_t list = BSON_INITIALIZER;
   mt_mongo_list_sessions (old, &list);
   if (!bson_empty (&list)) {
      bson_destroy (m->lost_sessions);
      m->lost_sessions = bson_copy (&list);
   }
   bson_destroy (&list);
}

/* Kills the sessions of a lost connection on the server. Their commands may still be running, and
 * must not write after a rollback. */
static void kill_lost (MtMongo *m)
{
   if (m->undoing && m->lost_sessions)
      mt_mongo_kill_sessions (m->conn->client, m->lost_sessions);
   bson_destroy (m->lost_sessions);
   m->lost_sessions = NULL;
}

/* Replaces the lost connection. If the statement was cancelled and the server did not react to
 * that, tries only for HURRY_MS. */
static bool connect_again (MtMongo *m, MtError *err)
{
   MtConn *old = m->conn, *c = m->conn = mt_calloc ("connection", 1, sizeof *c);
   bool hurry = old && old->link.canceled == statement (m) + 1;
   remember_sessions (m, old);
   mt_mongo_forget_handles (m);
   name_connection (m);
   c->refs = 1;
   c->link.cancel = m->base.cancel;
   c->link.masked = m->undoing;
   c->link.alone = m->alone;
   c->link.limit_ms = hurry ? mt_now_ms () + HURRY_MS : 0;
   m->lost = !open_conn (m, c, err);
   if (!m->lost)
      c->link.why[0] = 0; /* that reason was about another address of the host */
   if (!m->lost)
      kill_lost (m);
   bool late = !m->lost && c->link.given_up;
   m->lost |= late;
   if (m->lost && hurry)
      mt_mongo_set_unreachable (m);
   c->link.limit_ms = 0;
   if (late && mt_cancel_check (m->base.cancel, err))
      mt_error (err, MT_E_CONNECTION, "connection to the server was lost");
   if (old) {
      old->link.given_up = true;
      old->link.writes = NULL; /* a cursor may keep the connection beyond the life of m */
      mt_unanswered_move (&old->link.unanswered, &m->unanswered);
      mt_conn_unref (old);
   }
   return !m->lost;
}

bool mt_mongo_connected (MtMongo *m, MtError *err)
{
   const MtCancel *cancel = m->base.cancel;
   mt_mongo_meet_stop (m);
   if (m->conn && !m->lost && !m->conn->link.given_up) {
      MtLink *l = &m->conn->link;
      l->cancel = cancel;
      l->asked = l->asked && cancel &&
                 atomic_load_explicit (&cancel->requested, memory_order_relaxed);
      return true;
   }
   if (m->base.in_step || m->base.txn_open || is_unreachable (m))
      return mt_error (err, MT_E_CONNECTION, "connection to the server was lost");
   return connect_again (m, err);
}

void mt_conn_ref (MtConn *c) { c->refs++; }

void mt_conn_unref (MtConn *c)
{
   if (!c || --c->refs > 0)
      return;
   if (c->client && c->link.given_up)
      mongoc_client_reset (
         c->client);               /* or else the driver would connect again to end its sessions */
   mt_conn_cleanup_begin (c, 500); /* time for the driver to end its sessions */
   if (c->session)
      mongoc_client_session_destroy (c->session);
   if (c->write_session)
      mongoc_client_session_destroy (c->write_session);
   if (c->db)
      mongoc_database_destroy (c->db);
   if (c->client)
      mongoc_client_destroy (c->client);
   mt_unanswered_close (&c->link.unanswered);
   free (c);
}

void mt_conn_cleanup_begin (MtConn *c, int64_t limit_ms)
{
   c->link.masked = true;
   c->link.limit_ms = mt_now_ms () + limit_ms;
}

void mt_conn_cleanup_end (MtConn *c)
{
   c->link.masked = false;
   c->link.limit_ms = 0;
}
