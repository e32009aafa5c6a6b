/* Clean-up that nobody waits for: a server is asked to stop a statement, and what a step wrote is undone, by threads with connections of their own.
 *
 * A thread has copies of all it needs, so that the connection, the engine and the session may go meanwhile. It tries for PATIENCE_MS. The end of the
 * process gives it EXIT_MS. The session waits for it only where it would meet its own clean-up: mt_mongo_meet. */
#include "engine/mongo/mongo_int.h"
#include "base/memory.h"
#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

enum {
   PATIENCE_MS = 30000, /* with a server that doesn't answer */
   PAUSE_MS = 200,      /* between two attempts to connect */
   SETTLE_MS = 500,     /* for a server that stood still to read what lost connections had sent */
   EXIT_MS = 900, STOP_MS = 300, /* at the end of the process: to finish, and to stop then */
   MEET_MS = 300,
   MOST_JOBS = 16
};

struct MtBehind {
   unsigned refs;         /* this and what follows up to `cancel`: under the lock */
   struct MtBehind *next; /* that runs, too */
   MtCancel cancel;
   MtShortage shortage;
   mongoc_uri_t *uri;
   bson_t sessions;       /* an array of lsids */
   char comment[sizeof ((MtMongo *) 0)->comment];
   MtMongo *undoes;       /* NULL: the server is only asked to stop. Its connection is made by the thread */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static MtBehind *running;
static unsigned jobs;
static bool closed; /* the process ends: nothing begins any more */

void mt_behind_init (void) { mt_cond_init (&changed); }

/* ---- asking a server to stop ---- */

/* The same user's way to the one server that runs the statement: a set of servers is cut down to that. */
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
      if (strncasecmp (key, "srv", 3) == 0 || strcasecmp (key, MONGOC_URI_REPLICASET) == 0 || strcasecmp (key, MONGOC_URI_LOADBALANCED) == 0)
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
      mongoc_uri_set_password (one, mongoc_uri_get_password (uri) ? mongoc_uri_get_password (uri) : "");
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
      BSON_APPEND_DOCUMENT (list, "0", mongoc_client_session_get_lsid (c->session));
   if (c && c->session && c->write_session)
      BSON_APPEND_DOCUMENT (list, "1", mongoc_client_session_get_lsid (c->write_session));
}

bool mt_mongo_kill_sessions (mongoc_client_t *client, const bson_t *sessions)
{
   bson_t cmd = BSON_INITIALIZER;
   if (bson_empty (sessions))
      return false;
   BSON_APPEND_ARRAY (&cmd, "killSessions", sessions);
   bool ok = mongoc_client_command_simple (client, "admin", &cmd, NULL, NULL, NULL);
   bson_destroy (&cmd);
   return ok;
}

static void kill_op (mongoc_client_t *client, const bson_iter_t *opid)
{
   bson_t cmd = BSON_INITIALIZER;
   BSON_APPEND_INT32 (&cmd, "killOp", 1);
   bson_append_iter (&cmd, "op", 2, opid);
   mongoc_client_command_simple (client, "admin", &cmd, NULL, NULL, NULL);
   bson_destroy (&cmd);
}

/* Where sessions can't be killed: each operation that bears the connection's comment. */
static void kill_operations (mongoc_client_t *client, const char *comment)
{
   bson_t pipeline = BSON_INITIALIZER, stage, body;
   const bson_t *op;
   bson_iter_t it;
   BSON_APPEND_DOCUMENT_BEGIN (&pipeline, "0", &stage);
   BSON_APPEND_DOCUMENT_BEGIN (&stage, "$currentOp", &body);
   bson_append_document_end (&stage, &body);
   bson_append_document_end (&pipeline, &stage);
   BSON_APPEND_DOCUMENT_BEGIN (&pipeline, "1", &stage);
   BSON_APPEND_DOCUMENT_BEGIN (&stage, "$match", &body);
   BSON_APPEND_UTF8 (&body, "command.comment", comment);
   bson_append_document_end (&stage, &body);
   bson_append_document_end (&pipeline, &stage);
   mongoc_database_t *admin = mongoc_client_get_database (client, "admin");
   mongoc_cursor_t *c = mongoc_database_aggregate (admin, &pipeline, NULL, NULL);
   while (mongoc_cursor_next (c, &op))
      if (bson_iter_init_find (&it, op, "opid"))
         kill_op (client, &it);
   mongoc_cursor_destroy (c);
   mongoc_database_destroy (admin);
   bson_destroy (&pipeline);
}

static void ask (MtBehind *b)
{
   MtLink link = {.cancel = &b->cancel, .limit_ms = mt_now_ms () + PATIENCE_MS};
   mongoc_uri_set_option_as_int32 (b->uri, MONGOC_URI_CONNECTTIMEOUTMS, PATIENCE_MS);
   mongoc_uri_set_option_as_bool (b->uri, MONGOC_URI_RETRYREADS, false);
   mongoc_client_t *client = mt_mongo_client (b->uri, &link);
   if (client && !mt_mongo_kill_sessions (client, &b->sessions) && !link.given_up && !link.why[0])
      kill_operations (client, b->comment);
   if (client)
      mongoc_client_destroy (client);
}

/* ---- undoing ---- */

/* False: the process ends. */
static bool pause_ms (MtBehind *b, int64_t ms)
{
   int64_t until = mt_now_ms () + ms;
   pthread_mutex_lock (&lock);
   while (!atomic_load (&b->cancel.insisted) && mt_now_ms () < until)
      mt_cond_wait_until (&changed, &lock, until);
   pthread_mutex_unlock (&lock);
   return !atomic_load (&b->cancel.insisted);
}

static void undo (MtBehind *b)
{
   MtMongo *m = b->undoes;
   int64_t until = mt_now_ms () + PATIENCE_MS;
   bool connected = false, goes_on = true;
   while (goes_on && !connected && mt_now_ms () < until) {
      connected = mt_mongo_ready (m, NULL);
      if (connected)
         mt_mongo_kill_sessions (m->conn->client, &b->sessions);
      goes_on = pause_ms (b, connected ? SETTLE_MS : PAUSE_MS);
   }
   if (connected)
      mt_mongo_undo_late (m);
}

/* An engine of its own that has nothing but what is to be undone. */
static MtMongo *undoing_engine (MtMongo *m, MtBehind *b)
{
   MtMongo *u = mt_calloc ("connection", 1, sizeof *u);
   mt_engine_init (&u->base, m->base.vt, &(MtEngineOptions){0});
   u->base.cancel = &b->cancel;
   u->uri = mongoc_uri_copy (m->uri);
   u->undoing = true;
   u->undo = m->undo;
   m->undo = NULL;
   mt_mongo_forget_undo (m);
   return u;
}

static void destroy (MtBehind *b)
{
   if (b->undoes)
      mt_mongo_free (b->undoes);
   mongoc_uri_destroy (b->uri);
   bson_destroy (&b->sessions);
   free (b);
}

/* ---- the threads ---- */

static void unref_locked (MtBehind *b)
{
   if (--b->refs == 0)
      destroy (b);
}

/* The last of a job that its thread does. */
static void leave (MtBehind *b)
{
   if (b->undoes)
      mt_mongo_free (b->undoes);
   b->undoes = NULL;
   pthread_mutex_lock (&lock);
   MtBehind **at = &running;
   while (*at != b)
      at = &(*at)->next;
   *at = b->next;
   jobs--;
   unref_locked (b);
   pthread_cond_broadcast (&changed);
   pthread_mutex_unlock (&lock);
}

static void *run (void *arg)
{
   MtBehind *b = arg;
   if (b->undoes)
      undo (b);
   else
      ask (b);
   leave (b);
   return NULL;
}

static bool enter (MtBehind *b)
{
   pthread_mutex_lock (&lock);
   bool may = !closed && jobs < MOST_JOBS;
   if (may) {
      jobs++;
      b->refs++;
      b->next = running;
      running = b;
   }
   pthread_mutex_unlock (&lock);
   return may;
}

/* False: nothing runs, and the caller has the only reference. */
static bool start (MtBehind *b)
{
   pthread_t thread;
   if (!enter (b))
      return false;
   MT_RECORD_SHORTAGE (&b->shortage); /* the starting thread's may be gone before this one */
   bool ok = mt_thread_start (&thread, run, b);
   if (ok)
      pthread_detach (thread);
   else
      leave (b);
   return ok;
}

static MtBehind *job (const MtMongo *m, mongoc_uri_t *uri)
{
   MtBehind *b = mt_calloc ("connection", 1, sizeof *b);
   b->refs = 1;
   b->uri = uri;
   bson_init (&b->sessions);
   mt_mongo_list_sessions (m->conn, &b->sessions);
   if (bson_empty (&b->sessions) && m->lost_sessions)
      bson_concat (&b->sessions, m->lost_sessions);
   memcpy (b->comment, m->comment, sizeof b->comment);
   return b;
}

void mt_mongo_ask_to_stop (void *ctx)
{
   MtMongo *m = ctx;
   mongoc_uri_t *uri = uri_of_host (m->uri, &m->conn->link.host);
   if (!uri)
      return;
   MtBehind *b = job (m, uri);
   mt_behind_unref (m->stops);
   m->stops = b;
   start (b);
}

void mt_mongo_undo_behind (MtMongo *m)
{
   MtBehind *b = job (m, mongoc_uri_copy (m->uri));
   for (const MtUndo *u = m->undo; u; u = u->next)
      mt_mongo_leave (m, u->name);
   b->undoes = undoing_engine (m, b);
   start (b);
   mt_behind_unref (m->undoes);
   m->undoes = b;
}

/* ---- those who wait ---- */

void mt_behind_unref (MtBehind *b)
{
   if (!b)
      return;
   pthread_mutex_lock (&lock);
   unref_locked (b);
   pthread_mutex_unlock (&lock);
}

static bool is_running (const MtBehind *b)
{
   for (const MtBehind *r = running; r; r = r->next)
      if (r == b)
         return true;
   return false;
}

/* Whether the job is over; it is forgotten then. `cancel` ends the wait, too. */
static bool over (MtBehind **b, const MtCancel *cancel, int64_t until_ms)
{
   enum { SLICE_MS = 20 };
   pthread_mutex_lock (&lock);
   while (is_running (*b) && mt_now_ms () < until_ms && mt_cancel_check (cancel, NULL))
      mt_cond_wait_until (&changed, &lock, mt_now_ms () + SLICE_MS);
   bool is = !is_running (*b);
   if (is) {
      unref_locked (*b);
      *b = NULL;
   }
   pthread_mutex_unlock (&lock);
   return is;
}

void mt_mongo_meet_stop (MtMongo *m)
{
   if (!m->stops || !m->conn || m->conn->link.given_up || over (&m->stops, NULL, mt_now_ms () + MEET_MS))
      return;
   m->conn->link.given_up = true; /* it may yet kill what runs in the session next */
}

bool mt_mongo_meet_undo (MtMongo *m, MtError *err)
{
   return !m->undoes || m->undoing || over (&m->undoes, m->base.cancel, INT64_MAX) || mt_cancel_check (m->base.cancel, err);
}

bool mt_behind_end (void)
{
   int64_t until = mt_now_ms () + EXIT_MS;
   pthread_mutex_lock (&lock);
   closed = true;
   for (int hurry = 0; hurry < 2; hurry++) {
      for (MtBehind *b = running; b && hurry; b = b->next)
         atomic_store (&b->cancel.insisted, true);
      pthread_cond_broadcast (&changed);
      while (running && mt_now_ms () < until)
         mt_cond_wait_until (&changed, &lock, until);
      until += STOP_MS;
   }
   bool all = !running;
   pthread_mutex_unlock (&lock);
   return all;
}
