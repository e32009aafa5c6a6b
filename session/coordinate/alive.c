/* Finds out whether other writers are alive. While a statement has an intent (a note in the catalog
 * of what it is about to write), it increments a number in the intent every two seconds. Another
 * session reads this number repeatedly. If it does not change for intent_timeout, by the reading
 * session's clock, the writer counts as dead.
 *
 * If a living writer is taken for dead, no data is lost: before a writer commits, it checks that
 * its intent is still stored (mt_intents_stand). */
#include "session/coordinate/coordinate_int.h"

#include <string.h>
#include <time.h>

/* An intent (a note of a planned write) whose writer counts as dead, in the session's list of
 * them. */
typedef struct MtDeadIntent {
   struct MtDeadIntent *next;
   const char *name;
} MtDeadIntent;

typedef struct Watched {
   const char *name;
   int64_t beats; /* the intent's counter when it was last read; -1: not read yet */
   bool gone;
} Watched;

enum { LOOK_MS = 250, TELL_MS = 3000 };

static bool is_dead (const MtSession *s, const char *name)
{
   for (const MtDeadIntent *d = s->coordination->dead; d; d = d->next)
      if (!strcmp (d->name, name))
         return true;
   return false;
}

bool mt_intent_may_live (const MtSession *s, const MtIntent *i)
{
   return s->settings.intent_timeout && !is_dead (s, i->name);
}

static void found_dead (MtSession *s, const char *name)
{
   MtDeadIntent *d = MT_NEW (s->arena, MtDeadIntent);
   *d = (MtDeadIntent) {s->coordination->dead, mt_strdup (s->arena, name)};
   s->coordination->dead = d;
}

/* ---- which intents a statement waits for ---- */

static const char *named (MtStatement *st, const MtName *name)
{
   const MtTable *t;
   MtError ignored;
   return mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), &t,
                           &ignored) &&
                t
             ? t->name
             : name->text;
}

/* Returns whether the statement must wait for another client's intent (a note of a planned write)
 * to do `what` to `table`. DROP TABLE does not wait for writers of rows, because dropping the table
 * makes their statements fail. */
static bool concerns (MtStatement *st, const char *table, const char *what)
{
   const MtStmt *s = st->stmt;
   bool drops = s->kind == MT_STMT_DROP_TABLE || s->kind == MT_STMT_DROP_MATVIEW;
   if (s->kind == MT_STMT_CREATE_TABLE)
      return !s->create_table.temporary && !strcmp (table, s->create_table.name.text);
   if (s->kind == MT_STMT_ALTER_TABLE)
      return !strcmp (table, named (st, &s->alter_table.table));
   if (s->kind == MT_STMT_REFRESH)
      return !strcmp (table, named (st, &s->refresh.name));
   if (s->kind == MT_STMT_VACUUM || s->kind == MT_STMT_REPAIR)
      return !s->maintain.table.text || !strcmp (table, named (st, &s->maintain.table));
   for (const MtNameList *n = drops ? s->drop.names : NULL; n; n = n->next)
      if (!strcmp (table, named (st, &n->name)))
         return strcmp (what, "write") != 0;
   return false;
}

/* Returns the intents (notes of planned writes) that the statement must wait for, except those
 * whose writers are known to be dead. */
static Watched *to_watch (MtStatement *st, size_t *count)
{
   MtSession *s = st->session;
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, "intent", &n);
   Watched *out = MT_NEW_N (st->arena, Watched, n + 1);
   *count = 0;
   for (size_t i = 0; i < n; i++) {
      const char *table = mt_intent_text (st->arena, &all[i], "table"),
                 *what = mt_intent_text (st->arena, &all[i], "what");
      if (table && what && !is_dead (s, all[i].name) && concerns (st, table, what))
         out[(*count)++] = (Watched) {.name = mt_strdup (st->arena, all[i].name), .beats = -1};
   }
   return out;
}

/* ---- waiting ---- */

/* Reads the counter of each intent once. *left is set to the number of intents (notes of planned
 * writes) that still exist, *lives to whether some counter has increased. */
static bool look (MtSession *s, Watched *list, size_t count, size_t *left, bool *lives,
                  MtError *err)
{
   *left = 0;
   *lives = false;
   for (size_t i = 0; i < count; i++) {
      bool there;
      int64_t beats;
      if (list[i].gone)
         continue;
      if (!mt_catalog_object_stands (s->catalog, "intent", list[i].name, &there, &beats, err))
         return false;
      list[i].gone = !there;
      *left += there;
      *lives |= there && list[i].beats >= 0 && beats != list[i].beats;
      list[i].beats = beats;
   }
   return true;
}

static bool rest (MtSession *s, MtError *err)
{
   const struct timespec slice = {.tv_nsec = 50000000};
   for (int64_t until = mt_now_ms () + LOOK_MS; mt_now_ms () < until;) {
      nanosleep (&slice, NULL);
      if (!mt_cancel_check (&s->cancel, err))
         return false;
   }
   return true;
}

/* Waits until all intents (notes of planned writes) in the list are removed, or their writers count
 * as dead, or some writer proves alive. */
static bool watch (MtSession *s, Watched *list, size_t count, MtError *err)
{
   int64_t began = mt_now_ms (), now = began, told = began + TELL_MS;
   size_t left;
   bool lives;
   while (look (s, list, count, &left, &lives, err) && left && !lives) {
      now = mt_now_ms ();
      if (now - began >= s->settings.intent_timeout) {
         for (size_t i = 0; i < count; i++)
            if (!list[i].gone)
               found_dead (s, list[i].name);
         return true;
      }
      if (now >= told) {
         told = INT64_MAX;
         mt_notice (s, "NOTICE", NULL,
                    "waiting to see whether the writer of a statement that wasn't ended is alive");
      }
      if (!rest (s, err))
         return false;
   }
   return !mt_error_is_set (err);
}

bool mt_intents_await (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   size_t count;
   if (!s->settings.intent_timeout || mt_engine_in_txn (s->engine))
      return true;
   Watched *list = to_watch (st, &count);
   if (!count)
      return true;
   if (!watch (s, list, count, err) || !mt_catalog_refresh (s->catalog, NULL, err))
      return false;
   mt_set_routines (s, &st->env);
   return true;
}

/* ---- waiting for writers of rows ---- */

/* Which intents (notes of planned writes) about a table a session waits for: of statements that
 * only add rows, or of all. */
typedef enum MtAwaited { MT_AWAITED_ADDERS, MT_AWAITED_WRITERS } MtAwaited;

/* Returns whether catalog document doc is an intent (a note of a planned write) of another session
 * about the table, of the kind `which`. *name is set to the intent's name. */
static bool is_awaited (const MtSession *s, const char *table, MtAwaited which, const bson_t *doc,
                        MtVal *name)
{
   MtVal body = mt_doc_field (mt_v_doc (doc), "body");
   *name = mt_doc_field (mt_v_doc (doc), "name");
   if (name->type != MT_STRING || body.type != MT_DOC ||
       !mt_v_is_text (mt_doc_field (body, "table"), table) ||
       (which == MT_AWAITED_ADDERS && mt_doc_field (body, MT_INTENT_LOOKS).type != MT_MISSING))
      return false;
   for (size_t i = 0; i < s->coordination->intent_count; i++)
      if (mt_v_is_text (*name, s->coordination->intents[i]))
         return false;
   return true;
}

static bool awaited (MtStatement *st, const MtTable *t, MtAwaited which, Watched **list,
                     size_t *count, MtError *err)
{
   MtSession *s = st->session;
   MtCursor *cur;
   const bson_t *doc;
   size_t cap = 0;
   bool ok = mt_catalog_documents (s->catalog, "intent", &cur, err);
   *list = NULL;
   *count = 0;
   if (!ok)
      return false;
   while ((ok = mt_cursor_next (cur, &doc, err)) && doc) {
      MtVal name;
      if (!is_awaited (s, t->name, which, doc, &name))
         continue;
      const char *own = mt_strndup (st->arena, (const char *) name.p, name.len);
      if (is_dead (s, own))
         continue;
      MT_GROW_IN (st->arena, *list, *count, cap, 8);
      (*list)[(*count)++] = (Watched) {.name = own, .beats = -1};
   }
   mt_cursor_free (cur);
   return ok;
}

static bool await_end (MtStatement *st, const MtTable *t, MtAwaited which, MtError *err)
{
   MtSession *s = st->session;
   Watched *list;
   size_t count;
   if (!s->settings.intent_timeout || !mt_intents_apply (s))
      return true;
   if (!awaited (st, t, which, &list, &count, err) || (count && !watch (s, list, count, err)))
      return false;
   for (size_t i = 0; i < count; i++)
      if (!list[i].gone && !is_dead (s, list[i].name)) {
         mt_error (err, MT_E_IN_USE, "a statement that %s table \"%s\" goes on",
                   which == MT_AWAITED_ADDERS ? "adds to" : "changes", t->name);
         return mt_error_hint (err, "Run the statement again when that one has ended.");
      }
   return true;
}

bool mt_adders_end (MtStatement *st, const MtTable *t, MtError *err)
{
   return await_end (st, t, MT_AWAITED_ADDERS, err);
}

bool mt_writers_end (MtStatement *st, const MtTable *t, MtError *err)
{
   return await_end (st, t, MT_AWAITED_WRITERS, err);
}
