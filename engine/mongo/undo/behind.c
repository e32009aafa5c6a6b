/* Undoes a step (all writes between begin and commit) in a background job.
 *
 * The job has its own engine, to which the connection and the heartbeat thread are moved. The
 * session waits for the job, and then takes both back. After a cancel, the session waits UNDO_MS
 * more, and then leaves both to the job. The next statement waits for the job
 * (mt_mongo_meet_undo). */
#include "engine/mongo/undo/undo.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
   PATIENCE_MS = MT_SILENCE_MS, /* how long to try to reach the server */
   UNDO_MS = 350,               /* longest time from a cancel to the prompt */
   PAUSE_MS = 200,              /* pause between two attempts to connect */
   ANSWER_PAUSE_MS = 20,        /* pause between two looks for answers */
   ANSWER_MS = 10000,           /* how long to wait for the answers to cancelled writes */
   ARRIVE_MS = 3000,            /* time for a document on its way to such a server to arrive */
   EXIT_MS = 900,               /* how long the end of the process waits for the job */
   EXIT_UNDO_MS = 5000,         /* how long it waits while the job is undoing writes */
   MEET_UNDO_MS = 60000         /* how long a statement waits for an earlier one's job */
};

typedef struct Undoing {
   MtJob job;
   /* The job's engine, which has the undo list. Only the job uses it while the job runs. */
   MtMongo *engine;
   bool retires; /* removes the documents that give signs of life, even if something remains */
} Undoing;

/* ---- in the job ---- */

/* Deletes the documents that have heartbeats (mt_engine_beat). If the server hung, such a document
 * may still be written after the deletion. So the deletion is repeated until all documents were
 * found. */
static void remove_listed (Undoing *u)
{
   unsigned found = 0;
   int64_t until = mt_now_ms () + ARRIVE_MS;
   while (!mt_mongo_beat_retire (u->engine, &found) && atomic_load (&u->job.left) &&
          mt_now_ms () < until && mt_job_pause (&u->job, PAUSE_MS))
      ;
}

/* Waits until a server that hung has replied to the cancelled writes, because a write must not be
 * executed after it was undone. */
static void await_answers (Undoing *u)
{
   int64_t until = mt_now_ms () + ANSWER_MS;
   while (!mt_unanswered_over (&u->engine->unanswered) && mt_now_ms () < until &&
          mt_job_pause (&u->job, ANSWER_PAUSE_MS))
      ;
}

/* Reads one document to test the server: it may accept connections while its storage hangs. */
static void try_server (MtMongo *m)
{
   bson_t command = BSON_INITIALIZER;
   mt_doc_printf (&command, "find: %s, limit: 1, singleBatch: true", m->undo->name);
   mongoc_database_command_simple (m->conn->db, &command, NULL, NULL, NULL);
   bson_destroy (&command);
}

/* The job's function: connects if necessary, and undoes the step (a batch of writes). If nobody
 * waits for the job, the server hung: then retries to connect until the server responds, and waits
 * for the replies to the cancelled writes. (A server that didn't hang has killed the lost session
 * by then.) */
static void run_undo (MtJob *j)
{
   Undoing *u = (Undoing *) j;
   MtMongo *m = u->engine;
   int64_t until = mt_now_ms () + PATIENCE_MS;
   bool connected = mt_mongo_connected (m, NULL);
   while (!connected && atomic_load (&j->left) && mt_now_ms () < until &&
          mt_job_pause (j, PAUSE_MS))
      connected = mt_mongo_connected (m, NULL);
   if (connected)
      atomic_store (&j->exit_ms, EXIT_UNDO_MS);
   if (connected && m->unanswered.count && m->undo)
      try_server (m);
   if (connected && atomic_load (&j->left))
      await_answers (u);
   mt_unanswered_close (&m->unanswered); /* some servers stop a command when its client is gone */
   mt_mongo_undo_all (m, connected);
   if (u->retires && connected)
      remove_listed (u);
}

/* Called at the end of a job for which nobody waits. If all was undone, deletes the documents that
 * have heartbeats, so that REPAIR finds nothing to do. */
static void undo_left (MtJob *j)
{
   Undoing *u = (Undoing *) j;
   unsigned found = 0;
   if (!u->engine->leftover.n)
      mt_mongo_beat_retire (u->engine, &found);
   mt_mongo_free (u->engine);
   u->engine = NULL;
}

static void free_undo (MtJob *j)
{
   Undoing *u = (Undoing *) j;
   if (u->engine)
      mt_mongo_free (u->engine);
   free (u);
}

static const MtJobKind undo_kind = {
   .run = run_undo, .left = undo_left, .free = free_undo, .exit_ms = EXIT_MS, .uses_driver = true};

/* ---- the engine of the background job ---- */

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

/* Moves the connection, the heartbeat thread, and the job that makes the server stop a statement,
 * from one engine to another. */
static void move_conn (MtMongo *from, MtMongo *to)
{
   MtConn *c = from->conn;
   mt_job_unref (to->stops);
   to->stops = from->stops;
   from->stops = NULL;
   memcpy (to->comment, from->comment, sizeof to->comment);
   from->conn = NULL;
   to->lost = from->lost;
   mt_unanswered_move (&from->unanswered, &to->unanswered);
   to->lost_sessions = from->lost_sessions;
   from->lost_sessions = NULL;
   to->beat = from->beat;
   from->beat = NULL;
   if (c)
      use_conn (to, c);
}

/* Returns the job's engine, and moves m's undo list to it. */
static MtMongo *undoing_engine (MtMongo *m, Undoing *b)
{
   MtMongo *u = mt_calloc ("connection", 1, sizeof *u);
   mt_engine_init (&u->base, m->base.vt, &(MtEngineOptions) {0});
   u->base.caps = m->base.caps;
   u->base.cancel = &b->job.cancel;
   u->uri = mongoc_uri_copy (m->uri);
   cap (u->uri, MONGOC_URI_CONNECTTIMEOUTMS);
   cap (u->uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS);
   u->undoing = true;
   u->alone = &b->job.left;
   u->step = m->step;
   u->beat_gone = m->beat_gone;
   u->undo = m->undo;
   m->undo = NULL;
   mt_mongo_forget_undo (m);
   mt_buf_add (&u->leftover, m->leftover.p, m->leftover.n);
   return u;
}

void mt_mongo_free (MtMongo *m)
{
   mt_mongo_beat_fini (m);
   mt_mongo_stop_sending (m);
   mt_mongo_write_fini (m);
   mt_conn_unref (m->conn);
   mt_job_unref (m->stops);
   mt_job_unref (m->undoes);
   mt_unanswered_close (&m->unanswered);
   bson_destroy (m->lost_sessions);
   mt_buf_free (&m->collated);
   if (m->uri)
      mongoc_uri_destroy (m->uri);
   mt_engine_fini (&m->base);
   free (m);
}

/* ---- the session ---- */

static bool is_to_end (const MtCancel *c)
{
   return c && (atomic_load_explicit (&c->requested, memory_order_relaxed) ||
                (c->deadline_ms && mt_now_ms () >= c->deadline_ms));
}

static bool insists (const MtCancel *c)
{
   return c && atomic_load_explicit (&c->insisted, memory_order_relaxed);
}

/* For how long the session waits for the job: until the time until_ms, or a cancel. */
typedef struct Patience {
   const MtCancel *cancel;
   int64_t until_ms;
} Patience;

static bool waits_for_own (void *ctx)
{
   Patience *p = ctx;
   if (p->until_ms == INT64_MAX && is_to_end (p->cancel))
      p->until_ms = mt_now_ms () + UNDO_MS;
   return mt_now_ms () < p->until_ms && !insists (p->cancel);
}

static bool waits_for_earlier (void *ctx)
{
   const Patience *p = ctx;
   return mt_now_ms () < p->until_ms && mt_cancel_check (p->cancel, NULL);
}

/* Called when the session stops waiting: the job keeps the connection. Sets m->leftover to `names`,
 * the collections that are not restored yet, and prevents the statement's clean-up from connecting
 * again. */
static void leave_behind (MtMongo *m, Undoing *u, const MtBuf *names)
{
   m->leftover.n = 0;
   mt_buf_add (&m->leftover, names->p, names->n);
   mt_mongo_set_unreachable (m);
   mt_job_unref (m->undoes);
   m->undoes = &u->job;
}

static void take_over (MtMongo *m, Undoing *u)
{
   move_conn (u->engine, m);
   m->leftover.n = 0;
   mt_buf_add (&m->leftover, u->engine->leftover.p, u->engine->leftover.n);
   mt_job_unref (&u->job);
}

/* Undoes the step (a batch of writes) in the session's own thread, because no job can be started or
 * a cursor uses the connection. Only a second cancel interrupts it. */
static void undo_here (MtMongo *m, Undoing *u)
{
   u->engine->base.cancel = m->base.cancel;
   if (u->engine->conn)
      use_conn (u->engine, u->engine->conn);
   run_undo (&u->job);
}

static void clean_up (MtMongo *m, bool retires)
{
   Undoing *u = mt_calloc ("connection", 1, sizeof *u);
   MtBuf names = {0};
   Patience patience = {m->base.cancel, INT64_MAX};
   bool own = !m->conn || m->conn->refs == 1; /* no cursor is open */
   mt_job_init (&u->job, &undo_kind);
   mt_mongo_forget_handles (m);
   u->retires = retires;
   u->engine = undoing_engine (m, u);
   for (const MtUndo *each = u->engine->undo; each; each = each->next)
      mt_mongo_leave (m, each->name);
   mt_buf_add (&names, m->leftover.p, m->leftover.n);
   move_conn (m, u->engine);
   if (!own || !mt_job_start (&u->job))
      undo_here (m, u);
   else if (!mt_job_wait (&u->job, waits_for_own, &patience)) {
      leave_behind (m, u, &names);
      u = NULL;
   }
   if (u)
      take_over (m, u);
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

/* Waits for the job of an earlier statement, up to MEET_UNDO_MS, and then cancels it. Returns false
 * if the statement is cancelled while it waits. */
bool mt_mongo_meet_undo (MtMongo *m, MtError *err)
{
   Patience patience = {m->base.cancel, mt_now_ms () + MEET_UNDO_MS};
   if (!m->undoes)
      return true;
   bool over = mt_job_wait (m->undoes, waits_for_earlier, &patience);
   if (!over && !mt_cancel_check (m->base.cancel, err))
      return false;
   if (!over)
      atomic_store (&m->undoes->cancel.insisted, true);
   mt_job_unref (m->undoes);
   m->undoes = NULL;
   return true;
}
