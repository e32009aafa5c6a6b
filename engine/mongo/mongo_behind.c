/* Clean-up by threads: a server is asked to stop a statement, and what a step wrote is undone.
 *
 * A thread has copies of all it needs, so that the engine and the session may go meanwhile. Nobody
 * waits for those who ask. A thread that undoes has an engine of its own, and takes over the
 * connection and the signs of life. The session waits for it, and takes them back. From a cancel
 * on, the session waits UNDO_MS more; then it leaves both to the thread. Its next statement meets
 * the thread (mt_mongo_meet_undo). */
#include "engine/mongo/mongo_int.h"
#include "base/memory.h"
#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

enum {
   PATIENCE_MS = MT_SILENCE_MS, /* with a server that can't be reached */
   UNDO_MS = 350,               /* from a cancel to the prompt */
   PAUSE_MS = 200,              /* between two attempts to connect */
   SETTLE_MS = 500,  /* for a server that stood still to read what lost connections had sent */
   ARRIVE_MS = 3000, /* for a document that such a server had been sent */
   EXIT_MS = 900,
   EXIT_UNDO_MS = 5000,
   STOP_MS = 300, /* at the end of the process: to finish, also where a server is undoing, and to
                     stop then */
   MEET_MS = 300,
   MEET_UNDO_MS = 60000,
   SLICE_MS = 20, /* between two looks at the session's cancel flag */
   MOST_JOBS = 16
};

struct MtBehind {
   unsigned refs;         /* this and what follows up to `cancel`: under the lock */
   struct MtBehind *next; /* that runs, too */
   MtCancel cancel;
   MtShortage shortage;
   mongoc_uri_t *uri; /* these three are of what asks; NULL: undoes->uri */
   bson_t sessions;   /* an array of lsids */
   char comment[sizeof ((MtMongo *) 0)->comment];
   MtMongo *undoes; /* an engine that has what is to be undone, the thread's until it is over. NULL:
                       the server is only asked to stop */
   bool retires;    /* what gives signs of life goes, whatever remains */
   atomic_bool connected; /* it began to undo */
   atomic_bool late;      /* nobody waits for it any more: set under the lock */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static MtBehind *running;
static unsigned jobs;
static bool closed; /* the process ends: nothing begins any more */

void mt_behind_init (void) { mt_cond_init (&changed); }

/* ---- asking a server to stop ---- */

/* The same user's way to the one server that runs the statement: a set of servers is cut down to
 * that. */
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

/* A document that was on its way when the server stood still may be written after it was removed:
 * it is removed until it was found. */
static void remove_listed (MtBehind *b)
{
   unsigned found = 0;
   int64_t until = mt_now_ms () + ARRIVE_MS;
   while (!mt_mongo_beat_retire (b->undoes, &found) && atomic_load (&b->late) &&
          mt_now_ms () < until && pause_ms (b, PAUSE_MS))
      ;
}

/* A server that stands still is waited for when nobody waits for us; then it may first have to read
 * what lost connections had sent. */
static void undo (MtBehind *b)
{
   MtMongo *m = b->undoes;
   int64_t until = mt_now_ms () + PATIENCE_MS;
   bool connected = mt_mongo_ready (m, NULL);
   while (!connected && atomic_load (&b->late) && mt_now_ms () < until && pause_ms (b, PAUSE_MS))
      connected = mt_mongo_ready (m, NULL);
   atomic_store (&b->connected, connected);
   if (connected && atomic_load (&b->late))
      pause_ms (b, SETTLE_MS);
   mt_mongo_undo_all (m, connected);
   if (b->retires && connected)
      remove_listed (b);
}

static void cap (mongoc_uri_t *uri, const char *option)
{
   if (mongoc_uri_get_option_as_int32 (uri, option, PATIENCE_MS) > PATIENCE_MS)
      mongoc_uri_set_option_as_int32 (uri, option, PATIENCE_MS);
}

static void use_conn (MtMongo *m, MtConn *c)
{
   m->conn = c;
   c->link.cancel = m->base.cancel;
   c->link.ctx = m;
   c->link.masked = m->undoing;
   c->link.alone = m->alone;
}

/* What the connection needs goes with it. */
static void move_conn (MtMongo *from, MtMongo *to)
{
   MtConn *c = from->conn;
   mt_behind_unref (to->stops);
   to->stops = from->stops;
   from->stops = NULL;
   memcpy (to->comment, from->comment, sizeof to->comment);
   from->conn = NULL;
   to->lost = from->lost;
   to->lost_sessions = from->lost_sessions;
   from->lost_sessions = NULL;
   to->beat = from->beat;
   from->beat = NULL;
   if (c)
      use_conn (to, c);
}

/* An engine of its own that has nothing but what is to be undone, and by what. */
static MtMongo *undoing_engine (MtMongo *m, MtBehind *b)
{
   MtMongo *u = mt_calloc ("connection", 1, sizeof *u);
   mt_engine_init (&u->base, m->base.vt, &(MtEngineOptions) {0});
   u->base.caps = m->base.caps;
   u->base.cancel = &b->cancel;
   u->uri = mongoc_uri_copy (m->uri);
   cap (u->uri, MONGOC_URI_CONNECTTIMEOUTMS);
   cap (u->uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS);
   u->undoing = true;
   u->alone = &b->late;
   u->step = m->step;
   u->beat_gone = m->beat_gone;
   u->undo = m->undo;
   m->undo = NULL;
   mt_mongo_forget_undo (m);
   mt_buf_add (&u->leftover, m->leftover.p, m->leftover.n);
   return u;
}

static void destroy (MtBehind *b)
{
   if (b->undoes)
      mt_mongo_free (b->undoes);
   if (b->uri)
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

/* Nobody waits for its end: if nothing remains, nothing is to be repaired. */
static void end_late (MtMongo *m)
{
   unsigned found = 0;
   if (!m->leftover.n)
      mt_mongo_beat_retire (m, &found);
   mt_mongo_free (m);
}

/* The last of a job that its thread does. Whoever waits for it takes the engine. */
static void leave (MtBehind *b)
{
   pthread_mutex_lock (&lock);
   if (b->undoes && atomic_load (&b->late)) {
      pthread_mutex_unlock (&lock);
      end_late (b->undoes);
      b->undoes = NULL;
      pthread_mutex_lock (&lock);
   }
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

static MtBehind *job (void)
{
   MtBehind *b = mt_calloc ("connection", 1, sizeof *b);
   b->refs = 1;
   bson_init (&b->sessions);
   return b;
}

void mt_mongo_ask_to_stop (void *ctx)
{
   MtMongo *m = ctx;
   mongoc_uri_t *uri = uri_of_host (m->uri, &m->conn->link.host);
   if (!uri)
      return;
   MtBehind *b = job ();
   b->uri = uri;
   mt_mongo_list_sessions (m->conn, &b->sessions);
   memcpy (b->comment, m->comment, sizeof b->comment);
   mt_behind_unref (m->stops);
   m->stops = b;
   start (b);
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

static bool is_to_end (const MtCancel *c)
{
   return c && (atomic_load_explicit (&c->requested, memory_order_relaxed) ||
                (c->deadline_ms && mt_now_ms () >= c->deadline_ms));
}

static bool insists (const MtCancel *c)
{
   return c && atomic_load_explicit (&c->insisted, memory_order_relaxed);
}

/* False: it goes on, and is late from now on. */
static bool undone_in_time (MtBehind *b, const MtCancel *cancel)
{
   int64_t until = INT64_MAX;
   pthread_mutex_lock (&lock);
   while (is_running (b) && mt_now_ms () < until && !insists (cancel)) {
      if (until == INT64_MAX && is_to_end (cancel))
         until = mt_now_ms () + UNDO_MS;
      mt_cond_wait_until (&changed, &lock, mt_now_ms () + SLICE_MS);
   }
   bool in_time = !is_running (b);
   atomic_store (&b->late, !in_time);
   pthread_mutex_unlock (&lock);
   return in_time;
}

/* The collections count as left over; this statement's clean-up doesn't try to connect. */
static void leave_behind (MtMongo *m, MtBehind *b, const MtBuf *names)
{
   m->leftover.n = 0;
   mt_buf_add (&m->leftover, names->p, names->n);
   mt_mongo_set_unreachable (m);
   mt_behind_unref (m->undoes);
   m->undoes = b;
}

static void take_over (MtMongo *m, MtBehind *b)
{
   MtMongo *u = b->undoes;
   move_conn (u, m);
   m->leftover.n = 0;
   mt_buf_add (&m->leftover, u->leftover.p, u->leftover.n);
   mt_behind_unref (b);
}

/* Where there is no thread: a second Ctrl-C ends it. */
static void undo_here (MtMongo *m, MtBehind *b)
{
   MtMongo *u = b->undoes;
   u->base.cancel = m->base.cancel;
   if (u->conn)
      use_conn (u, u->conn);
   undo (b);
}

static void clean_up (MtMongo *m, bool retires)
{
   MtBehind *b = job ();
   MtBuf names = {0};
   bool own = !m->conn || m->conn->refs == 1; /* no cursor is open */
   mt_mongo_forget_handles (m);
   b->retires = retires;
   b->undoes = undoing_engine (m, b);
   for (const MtUndo *u = b->undoes->undo; u; u = u->next)
      mt_mongo_leave (m, u->name);
   mt_buf_add (&names, m->leftover.p, m->leftover.n);
   move_conn (m, b->undoes);
   if (!own || !start (b))
      undo_here (m, b);
   else if (!undone_in_time (b, m->base.cancel)) {
      leave_behind (m, b, &names);
      b = NULL;
   }
   if (b)
      take_over (m, b);
   mt_buf_free (&names);
   m->step = MT_STEP_PLAIN;
}

void mt_mongo_undo (MtMongo *m)
{
   if (m->undo || m->step == MT_STEP_TRANSACTION)
      clean_up (m, false);
}

void mt_mongo_retire (MtEngine *e)
{
   MtMongo *m = (MtMongo *) e;
   if (!m->undo && m->step != MT_STEP_TRANSACTION)
      clean_up (m, true);
}

void mt_mongo_meet_stop (MtMongo *m)
{
   if (!m->stops || !m->conn || m->conn->link.given_up ||
       over (&m->stops, NULL, mt_now_ms () + MEET_MS))
      return;
   m->conn->link.given_up = true; /* it may yet kill what runs in the session next */
}

/* A server that has answered nothing for so long isn't waited for any more. */
bool mt_mongo_meet_undo (MtMongo *m, MtError *err)
{
   if (!m->undoes || over (&m->undoes, m->base.cancel, mt_now_ms () + MEET_UNDO_MS))
      return true;
   if (!mt_cancel_check (m->base.cancel, err))
      return false;
   atomic_store (&m->undoes->cancel.insisted, true);
   mt_behind_unref (m->undoes);
   m->undoes = NULL;
   return true;
}

static bool is_undoing (void)
{
   for (const MtBehind *b = running; b; b = b->next)
      if (atomic_load (&b->connected))
         return true;
   return false;
}

bool mt_behind_end (void)
{
   pthread_mutex_lock (&lock);
   closed = true;
   int64_t until = mt_now_ms () + (is_undoing () ? EXIT_UNDO_MS : EXIT_MS);
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
