/* SQL cursors: DECLARE, FETCH, MOVE, CLOSE. The query of a cursor is run only as far as its rows
 * are fetched. Rows that were read are appended to a temporary file, unless the cursor is NO
 * SCROLL; the file offset of every ROWS_A_PLACE-th row stays in memory. A cursor must show the
 * tables as they were at DECLARE. So a plan that opens further collections later is run to its end
 * at once. */
#include "base/temporary.h"
#include "session/core/core.h"
#include "session/core/held.h"
#include "session/dml/dml.h"
#include "session/run/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_A_PLACE = 1024 };

/* ---- rows in the temporary file ---- */

static void note_place (MtPortal *p)
{
   MT_GROW_IN (p->arena, p->places, p->place_count, p->place_cap, 16);
   p->places[p->place_count++] = p->end;
}

/* Appends the row that was read last to the temporary file. */
static bool keep_row (MtPortal *p, const bson_t *doc, MtError *err)
{
   int32_t n = (int32_t) doc->len;
   if (!p->file && !(p->file = mt_temporary_stream (err)))
      return false;
   if (p->read % ROWS_A_PLACE == 0)
      note_place (p);
   if (!mt_temporary_write (p->file, bson_get_data (doc), doc->len, err) ||
       !mt_temporary_write (p->file, &n, 4, err))
      return false;
   p->near = p->read + 1;
   p->near_at = p->end;
   p->end += (off_t) doc->len + 4;
   return true;
}

/* Sets p->near to n, and p->near_at to the file offset of row n (from 1). */
static bool seek_row (MtPortal *p, int64_t n, MtError *err)
{
   int64_t place = (n - 1) / ROWS_A_PLACE, first = place * ROWS_A_PLACE + 1;
   int32_t len;
   if (!p->near || llabs (n - p->near) > n - first) {
      p->near = first;
      p->near_at = p->places[place];
   }
   while (p->near < n) {
      if (!mt_temporary_read_at (p->file, p->near_at, &len, 4, err))
         return false;
      p->near_at += len + 4;
      p->near++;
   }
   while (p->near > n) {
      if (!mt_temporary_read_at (p->file, p->near_at - 4, &len, 4, err))
         return false;
      p->near_at -= len + 4;
      p->near--;
   }
   return true;
}

static bool read_from_file (MtPortal *p, int64_t n, const bson_t **doc, MtError *err)
{
   int32_t len;
   if (!mt_temporary_flush (p->file, err) || !seek_row (p, n, err) ||
       !mt_temporary_read_at (p->file, p->near_at, &len, 4, err))
      return false;
   mt_buf_clear (&p->doc);
   if (!mt_buf_reserve (&p->doc, (size_t) len))
      return mt_memory_check (err);
   if (!mt_temporary_read_at (p->file, p->near_at, p->doc.p, (size_t) len, err))
      return false;
   *doc = p->view;
   return bson_init_static (p->view, (const uint8_t *) p->doc.p, (size_t) len) ||
          mt_error (err, MT_E_CORRUPT, "a row of cursor \"%s\" is damaged", p->name);
}

/* ---- rows of the query ---- */

static bool read_from_query (MtPortal *p, const bson_t **doc, MtError *err)
{
   *doc = NULL;
   if (!p->source)
      return true;
   if (!mt_result_next_doc (p->source, doc, err))
      return false;
   if (!*doc) {
      mt_result_free (p->source);
      p->source = NULL;
      return true;
   }
   if (p->kept && !keep_row (p, *doc, err))
      return false;
   p->read++;
   return true;
}

static bool read_rest (MtPortal *p, MtError *err)
{
   const bson_t *doc;
   bool ok;
   while ((ok = read_from_query (p, &doc, err)) && doc)
      if (!mt_cancel_check (&p->session->cancel, err))
         return false;
   return ok;
}

/* Reads row n from the file or the query; *doc = NULL: the query has fewer rows. */
static bool read_row (MtPortal *p, int64_t n, const bson_t **doc, MtError *err)
{
   *doc = NULL;
   if (n <= p->read)
      return read_from_file (p, n, doc, err);
   while (p->read < n) {
      if (!read_from_query (p, doc, err))
         return false;
      if (!*doc)
         return true;
   }
   return true;
}

/* ---- the session's cursors ---- */

static MtPortal **find_portal (MtSession *s, const char *name)
{
   MtPortal **at = &s->portals;
   while (*at && !mt_ieq ((*at)->name, name))
      at = &(*at)->next;
   return at;
}

static void close_portal (MtPortal **at)
{
   MtPortal *p = *at;
   *at = p->next;
   mt_result_free (p->source);
   if (p->file)
      fclose (p->file);
   mt_buf_free (&p->doc);
   mt_arena_free (p->arena);
}

static void close_where (MtSession *s, bool (*which) (const MtPortal *p, size_t depth),
                         size_t depth)
{
   for (MtPortal **at = &s->portals; *at;)
      if (which (*at, depth))
         close_portal (at);
      else
         at = &(*at)->next;
}

static bool is_any (const MtPortal *p, size_t depth) { return true; }
static bool is_of_transaction (const MtPortal *p, size_t depth) { return !p->committed; }
static bool is_behind_savepoint (const MtPortal *p, size_t depth)
{
   return !p->committed && p->depth >= depth;
}

void mt_cursors_close (MtSession *s) { close_where (s, is_any, 0); }

bool mt_cursors_commit (MtSession *s, MtError *err)
{
   for (MtPortal *p = s->portals; p; p = p->next)
      if (p->hold && !p->committed && !read_rest (p, err))
         return false;
   return true;
}

void mt_cursors_end (MtSession *s, bool committed)
{
   for (MtPortal *p = s->portals; p; p = p->next)
      p->committed |= committed && p->hold;
   close_where (s, is_of_transaction, 0);
}

void mt_cursors_undone (MtSession *s, size_t depth) { close_where (s, is_behind_savepoint, depth); }

void mt_cursors_released (MtSession *s, size_t depth)
{
   for (MtPortal *p = s->portals; p; p = p->next)
      if (p->depth > depth)
         p->depth = depth;
}

/* ---- DECLARE ---- */

static bool check_declare (MtStatement *st, MtError *err)
{
   const MtStmt *s = st->stmt;
   if (s->declare.scroll && s->declare.no_scroll)
      return mt_error (err, MT_E_CURSOR_DEFINITION, "cannot specify both SCROLL and NO SCROLL");
   if (s->declare.binary)
      return mt_error_at (err, s->span, MT_E_FEATURE, "DECLARE ... BINARY is not supported");
   MtPlan *plan;
   bool outside = !s->declare.hold && st->session->txn.state == MT_TRANSACTION_NONE,
        taken = *find_portal (st->session, s->declare.name.text) != NULL;
   st->session->unread = outside || taken;
   bool ok = !st->session->unread ||
             mt_plan_select (st, s->declare.query, &plan, err); /* the query's errors come first */
   st->session->unread = false;
   if (!ok)
      return false;
   if (outside)
      return mt_error (err, MT_E_NO_TRANSACTION,
                       "DECLARE CURSOR can only be used in transaction blocks");
   return !taken || mt_error (err, MT_E_DUPLICATE_CURSOR, "cursor \"%s\" already exists",
                              s->declare.name.text);
}

/* Returns whether the plan may open further collections after its first row was fetched. */
static bool opens_later (const MtSession *s, const MtPlan *plan)
{
   static const char *const stages[] = {"$lookup",  "$unionWith",    "$graphLookup", "$facet",
                                        "$_mtJoin", "$_mtRecursive", "$_mtWith"};
   bson_iter_t it, stage;
   if (!mt_engine_caps (s->engine)->local_operators || plan->arm_count || plan->local)
      return true;
   for (bool ok = bson_iter_init (&it, plan->remote); ok && bson_iter_next (&it);)
      if (BSON_ITER_HOLDS_DOCUMENT (&it) && bson_iter_recurse (&it, &stage) &&
          bson_iter_next (&stage))
         for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
            if (strcmp (bson_iter_key (&stage), stages[i]) == 0)
               return true;
   return false;
}

/* Copies the column names and types of a plan into arena a, because those of the plan are owned by
 * the catalog or a cursor. */
static void keep_columns (MtArena *a, const MtPlan *from, MtPlan *to)
{
   to->column_count = from->column_count;
   to->columns = MT_NEW_N (a, MtRelColumn, (size_t) from->column_count + 1);
   for (int i = 0; i < from->column_count; i++) {
      to->columns[i] = from->columns[i];
      to->columns[i].name = mt_strdup (a, from->columns[i].name);
   }
}

/* Plans and opens the cursor's query. Parses the statement again in the cursor's arena, because the
 * cursor outlives the statement. */
static bool open_portal (MtStatement *st, MtPortal *p, MtError *err)
{
   MtStatement inner = *st;
   MtStmt *stmt;
   MtPlan *plan;
   inner.arena = p->arena;
   if (!mt_parse (p->arena, st->sql, st->sql_len, &stmt, err))
      return false;
   inner.stmt = stmt;
   inner.env.outlives = true;
   if (!mt_plan_select (&inner, stmt->declare.query, &plan, err))
      return false;
   keep_columns (p->arena, plan, &p->columns);
   p->source = mt_result_new (st->session, mt_arena_new ("cursor's rows", NULL));
   bool at_once = opens_later (st->session, plan);
   p->kept |= at_once;
   return mt_result_run (p->source, plan, false, err) && (!at_once || read_rest (p, err));
}

bool mt_run_declare (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   mt_result_set_tag (st->result, "DECLARE CURSOR");
   if (!check_declare (st, err))
      return false;
   MtArena *a = mt_arena_new ("cursor", s->arena);
   MtPortal *p = MT_NEW (a, MtPortal);
   *p = (MtPortal) {.arena = a,
                    .session = s,
                    .name = mt_strdup (a, st->stmt->declare.name.text),
                    .hold = st->stmt->declare.hold,
                    .next = s->portals};
   p->sql = mt_strndup (a, st->sql ? st->sql : "", st->sql ? st->sql_len : 0);
   p->declared_ms = st->env.style.now_ms;
   /* libbson aligns a bson_t to 128 bytes; the arena aligns to 16 */
   p->view = (bson_t *) (((uintptr_t) mt_alloc (a, sizeof (bson_t) + 128) + 127) &
                         ~(uintptr_t) 127);
   p->no_scroll = st->stmt->declare.no_scroll;
   p->kept = !p->no_scroll || p->hold;
   p->depth = s->txn.savepoints ? s->txn.savepoints->depth : 0;
   s->portals = p;
   bool ok = open_portal (st, p, err);
   if (ok && s->txn.state == MT_TRANSACTION_NONE) {
      ok = read_rest (p, err);
      p->committed = ok;
   }
   if (!ok)
      close_portal (&s->portals);
   return ok;
}

/* ---- FETCH and MOVE ---- */

typedef struct Fetch {
   MtPortal *portal;
   MtFetchHow how; /* FORWARD and BACKWARD fetch `count` rows, the others one */
   int64_t count;  /* a number of rows, or the row's position */
   int64_t rows;   /* fetched so far */
} Fetch;

/* Moves the cursor to row n, and sets *doc to it. If there is no such row, *doc = NULL, and the
 * cursor is before the first row or after the last. */
static bool move_to (MtPortal *p, int64_t n, const bson_t **doc, MtError *err)
{
   *doc = NULL;
   if (n >= 1 && !read_row (p, n, doc, err))
      return false;
   if (*doc)
      p->at = n;
   else
      p->at = n < 1 ? 0 : p->read + 1;
   return true;
}

static bool move_to_absolute (MtPortal *p, int64_t n, const bson_t **doc, MtError *err)
{
   if (n >= 0)
      return move_to (p, n, doc, err);
   return read_rest (p, err) && move_to (p, p->read + 1 + n, doc, err);
}

/* Sets *doc to the next row of a FETCH; NULL: no more rows. An MtNextDoc callback. */
static bool next_fetched (void *ctx, const bson_t **doc, MtError *err)
{
   Fetch *f = ctx;
   MtPortal *p = f->portal;
   bool ok = true, walks = f->how == MT_FETCH_FORWARD || f->how == MT_FETCH_BACKWARD;
   *doc = NULL;
   if (f->rows == (walks ? f->count : 1))
      return true;
   switch (f->how) {
   case MT_FETCH_FORWARD:
      ok = move_to (p, p->at + (p->at <= p->read || p->source), doc, err);
      break;
   case MT_FETCH_BACKWARD: ok = move_to (p, p->at - 1, doc, err); break;
   case MT_FETCH_ABSOLUTE: ok = move_to_absolute (p, f->count, doc, err); break;
   case MT_FETCH_RELATIVE: ok = move_to (p, p->at + f->count, doc, err); break;
   }
   if (*doc)
      f->rows++;
   else
      f->rows = walks ? f->count : 1;
   return ok;
}

/* Returns whether PostgreSQL allows a fetch from a cursor without SCROLL: the fetch must neither go
 * back nor read the current row again. MOVE 0 and a MOVE ALL to the current position are
 * allowed. */
static bool only_forward (const Fetch *f, bool moves)
{
   int64_t at = f->portal->at;
   switch (f->how) {
   case MT_FETCH_FORWARD: return f->count > 0 || moves || at == 0 || at > f->portal->read;
   case MT_FETCH_BACKWARD: return moves && (f->count == 0 || (f->count == INT64_MAX && at == 0));
   case MT_FETCH_ABSOLUTE: return at == 0 ? f->count >= 0 : f->count > at;
   case MT_FETCH_RELATIVE:
      return f->count > 0 || (f->count == 0 && (at == 0 || at > f->portal->read));
   }
   return false;
}

static bool no_cursor (const MtSession *s, const char *name, MtError *err)
{
   MtNear near = {.name = name};
   mt_error (err, MT_E_CURSOR_NAME, "cursor \"%s\" does not exist", name);
   for (const MtPortal *p = s->portals; p; p = p->next)
      mt_near_try (&near, p->name);
   return mt_error_found (err, &near);
}

static bool begin_fetch (MtStatement *st, Fetch *f, MtError *err)
{
   const MtStmt *s = st->stmt;
   MtPortal *p = *find_portal (st->session, s->fetch.name.text);
   if (!p)
      return no_cursor (st->session, s->fetch.name.text, err);
   *f = (Fetch) {.portal = p, .how = s->fetch.how, .count = s->fetch.count};
   bool walks = f->how == MT_FETCH_FORWARD || f->how == MT_FETCH_BACKWARD;
   if (walks && f->count < 0) {
      f->how = f->how == MT_FETCH_FORWARD ? MT_FETCH_BACKWARD : MT_FETCH_FORWARD;
      f->count = f->count == INT64_MIN ? INT64_MAX : -f->count;
   }
   if (!p->no_scroll || only_forward (f, s->fetch.move)) {
      /* fetch the current row again */
      f->how = walks && f->count == 0 ? MT_FETCH_RELATIVE : f->how;
      return true;
   }
   mt_error (err, MT_E_STATE, "cursor can only scan forward");
   return mt_error_hint (err, "Declare it with SCROLL option to enable backward scan.");
}

static bool on_row (const MtPortal *p) { return p->at >= 1 && (p->at <= p->read); }

static bool run_move (MtStatement *st, Fetch *f, MtError *err)
{
   const bson_t *doc;
   bool stays = f->how == MT_FETCH_RELATIVE && f->count == 0, ok = true;
   uint64_t rows = stays && on_row (f->portal);
   while (!stays && (ok = next_fetched (f, &doc, err)) && doc) {
      rows++;
      if (!mt_cancel_check (&st->session->cancel, err))
         return false;
   }
   mt_result_set_tag (st->result, mt_printf (st->arena, "MOVE %llu", (unsigned long long) rows));
   return ok;
}

bool mt_run_fetch (MtStatement *st, MtError *err)
{
   Fetch *f = MT_NEW (st->arena, Fetch);
   if (!begin_fetch (st, f, err))
      return false;
   if (st->stmt->fetch.move)
      return run_move (st, f, err);
   mt_result_set_tag (st->result, "FETCH");
   st->result->counts_rows = true;
   MtPlan columns = {0}; /* the end of a transaction can close the cursor before the result */
   keep_columns (st->arena, &f->portal->columns, &columns);
   return mt_result_rows (st->result, &columns, next_fetched, f, err);
}

bool mt_fetch_columns (MtStatement *st, MtColumnList *out, MtError *err)
{
   Fetch f;
   if (!begin_fetch (st, &f, err))
      return false;
   if (!st->stmt->fetch.move)
      *out = (MtColumnList) {f.portal->columns.columns, (size_t) f.portal->columns.column_count};
   return true;
}

/* ---- CLOSE ---- */

bool mt_run_close (MtStatement *st, MtError *err)
{
   const MtName *name = &st->stmt->execute.name;
   mt_result_set_tag (st->result, name->text ? "CLOSE CURSOR" : "CLOSE CURSOR ALL");
   if (!name->text) {
      mt_cursors_close (st->session);
      return true;
   }
   MtPortal **at = find_portal (st->session, name->text);
   if (!*at)
      return no_cursor (st->session, name->text, err);
   close_portal (at);
   return true;
}
