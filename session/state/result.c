#include "session/state/advisory.h"
#include "session/state/plan_text.h"
#include "session/state/session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

MtResult *mt_result_new (MtSession *s, MtArena *a)
{
   MtResult *r = MT_NEW (a, MtResult);
   r->session = s;
   r->arena = a;
   r->tag = "";
   return r;
}

void mt_result_set_tag (MtResult *r, const char *tag) { r->tag = tag; }

static void make_row_buffers (MtResult *r)
{
   r->values = MT_NEW_N (r->arena, MtVal, r->column_count + 1);
   r->texts = MT_NEW_N (r->arena, MtBuf, r->column_count + 1);
   r->printed = MT_NEW_N (r->arena, bool, r->column_count + 1);
}

void mt_result_text_columns (MtResult *r, size_t count, const char *const *names)
{
   r->kind = MT_RESULT_ROWS;
   r->column_count = count;
   r->columns = MT_NEW_N (r->arena, MtRelColumn, count + 1);
   for (size_t i = 0; i < count; i++)
      r->columns[i] = mt_column_computed (names[i], mt_type (MT_T_TEXT), true, true);
   make_row_buffers (r);
}

void mt_result_no_rows (MtResult *r, MtRelColumn *columns, size_t count)
{
   r->kind = count ? MT_RESULT_ROWS : MT_RESULT_TAG;
   r->cell_rows = r->at = 0;
   r->columns = columns;
   r->column_count = count;
   make_row_buffers (r);
}

void mt_result_add_row (MtResult *r, const char *const *cells)
{
   MT_GROW_IN (r->arena, r->cells, r->cell_rows, r->cell_capacity, 16);
   const char **row = MT_NEW_N (r->arena, const char *, r->column_count + 1);
   memcpy (row, cells, r->column_count * sizeof *row);
   r->cells[r->cell_rows++] = row;
}

static bool next_remote (void *ctx, const bson_t **doc, MtError *err)
{
   return mt_cursor_next (ctx, doc, err);
}

/* Opens the server's (or engine's) cursor r->remote for one arm of the plan. r->cursor reads from
 * it, through the stages `local` if a part of the plan runs in this process. */
static bool open_arm (MtResult *r, const char *collection, const bson_t *remote,
                      const bson_t *local, bool want_stats, MtError *err)
{
   MtEngine *e = r->session->engine;
   MtBeside version;
   MtAggregateArgs args = {.collection = collection,
                           .pipeline = remote,
                           .want_stats = want_stats,
                           .shared = r->plan ? r->plan->shared : NULL};
   if (r->looks) {
      version = mt_catalog_version (r->arena);
      args.beside = &version;
   }
   if (!mt_engine_aggregate (e, &args, &r->remote, err))
      return false;
   r->cursor = r->remote;
   if (!local)
      return true;
   r->cursor = NULL;
   MtOverArgs over = {next_remote, r->remote, local, want_stats, r->plan ? r->plan->shared : NULL};
   return mt_engine_aggregate_over (e, &over, &r->cursor, err);
}

void mt_result_close (MtResult *r)
{
   if (r->cursor && r->cursor != r->remote)
      mt_cursor_free (r->cursor);
   if (r->remote)
      mt_cursor_free (r->remote);
   r->cursor = r->remote = NULL;
}

/* Reads the rows of a plan's arms (the parts of a union), one arm after the other. */
typedef struct Arms {
   MtResult *whole;
   MtResult one; /* only its cursors are used: those of the current arm */
   const MtPlanArm *list;
   int count, at; /* at: the next arm to open */
} Arms;

static bool open_arms (MtResult *one, MtResult *whole, const MtPlanArm *arm, bool want_stats,
                       MtError *err);

static void add_stats (MtRunStats *to, MtCursor *from)
{
   MtRunStats s;
   mt_cursor_stats (from, &s);
   to->docs_read += s.docs_read;
   to->bytes_read += s.bytes_read;
   to->bytes_total += s.bytes_total;
   to->blocks_read += s.blocks_read;
   to->blocks_pruned += s.blocks_pruned;
}

void mt_result_stats (const MtResult *r, MtRunStats *out)
{
   if (r->remote)
      mt_cursor_stats (r->remote, out);
   else
      *out = r->read;
}

bool mt_result_stats_here (const MtResult *r, MtRunStats *out)
{
   if (r->cursor && r->cursor != r->remote)
      mt_cursor_stats (r->cursor, out);
   else
      mt_result_stats (r, out);
   return out->stages != NULL;
}

/* Returns how many $unionWith stages a pipeline has, counted also within their own pipelines. Each
 * reads a collection. */
static uint64_t union_collections (const bson_t *stages)
{
   bson_iter_t it, stage;
   bson_t within;
   uint64_t n = 0;
   for (bson_iter_init (&it, stages); bson_iter_next (&it);)
      if (bson_iter_recurse (&it, &stage) && bson_iter_find (&stage, "$unionWith")) {
         MtVal pipeline = mt_doc_field (mt_v_from_iter (&stage), "pipeline");
         n += 1 + (pipeline.type == MT_ARRAY && bson_init_static (&within, pipeline.p, pipeline.len)
                      ? union_collections (&within)
                      : 0);
      }
   return n;
}

/* Returns how many collections an arm of the plan reads on a server. */
static uint64_t arm_collections (const MtPlanArm *arm)
{
   return (arm->collection != NULL) + union_collections (arm->remote);
}

static bool next_of_arms (void *ctx, const bson_t **doc, MtError *err)
{
   Arms *u = ctx;
   for (;;) {
      if (u->one.cursor) {
         if (!mt_cursor_next (u->one.cursor, doc, err))
            return false;
         if (*doc)
            return true;
         if (u->one.remote)
            add_stats (&u->whole->read, u->one.remote);
         mt_result_close (&u->one);
      }
      *doc = NULL;
      if (u->at == u->count)
         return true;
      const MtPlanArm *arm = &u->list[u->at++];
      if (arm->arm_count
             ? !open_arms (&u->one, u->whole, arm, false, err)
             : !open_arm (&u->one, arm->collection, arm->remote, arm->local, false, err))
         return false;
      u->whole->read.collections += arm->arm_count ? 0 : arm_collections (arm);
   }
}

static void free_arms (void *arms) { mt_result_close (&((Arms *) arms)->one); }

static bool open_arms (MtResult *one, MtResult *whole, const MtPlanArm *arm, bool want_stats,
                       MtError *err)
{
   bson_t none = BSON_INITIALIZER;
   Arms *u = MT_NEW (whole->arena, Arms);
   *u = (Arms) {.whole = whole,
                .one = {.session = whole->session},
                .list = arm->arms,
                .count = arm->arm_count};
   mt_arena_defer (whole->arena, free_arms, u);
   one->remote = NULL;
   MtOverArgs over = {next_of_arms, u, arm->local ? arm->local : &none, want_stats,
                      whole->plan->shared};
   bool ok = mt_engine_aggregate_over (whole->session->engine, &over, &one->cursor, err);
   bson_destroy (&none);
   return ok;
}

bool mt_result_run (MtResult *r, MtPlan *plan, bool want_stats, MtError *err)
{
   r->kind = MT_RESULT_CURSOR;
   r->plan = plan;
   r->columns = plan->columns;
   r->column_count = (size_t) plan->column_count;
   make_row_buffers (r);
   if (plan->arm_count) {
      MtPlanArm all = mt_whole_plan (plan);
      return open_arms (r, r, &all, want_stats, err);
   }
   return open_arm (r, plan->collection, plan->remote, plan->local, want_stats, err);
}

bool mt_result_rows (MtResult *r, const MtPlan *plan, MtNextDoc next, void *ctx, MtError *err)
{
   bson_t none = BSON_INITIALIZER;
   mt_result_close (r);
   r->kind = MT_RESULT_CURSOR;
   r->columns = plan->columns;
   r->column_count = (size_t) plan->column_count;
   make_row_buffers (r);
   MtOverArgs over = {.next = next, .ctx = ctx, .pipeline = &none};
   bool ok = mt_engine_aggregate_over (r->session->engine, &over, &r->cursor, err);
   bson_destroy (&none);
   return ok;
}

bool mt_result_next_doc (MtResult *r, const bson_t **doc, MtError *err)
{
   return mt_cursor_next (r->cursor, doc, err);
}

/* Returns the name of the SQL type whose range was exceeded. A server's error does not say it, so
 * it is the type to which the plan converts ($toInt or $toLong). If the plan has both or neither,
 * the error's topic decides. */
static const char *overflown_type (const MtResult *r, MtErrorTopic topic)
{
   MtBuf text = {0};
   if (r->plan)
      mt_plan_text (r->session->engine, r->plan, true, &text);
   bool ints = text.p && strstr (text.p, "$toInt"), longs = text.p && strstr (text.p, "$toLong");
   mt_buf_free (&text);
   bool is_long = ints == longs ? topic == MT_TOPIC_BIGINT : longs;
   return is_long ? "bigint" : "integer";
}

bool mt_in_sql_words (const MtResult *r, MtError *err)
{
   if (mt_error_is (err, MT_E_DIVISION_BY_ZERO))
      mt_error (err, MT_E_DIVISION_BY_ZERO, "division by zero");
   else if (err->topic == MT_TOPIC_DOUBLE)
      mt_error (err, MT_E_NUMERIC_RANGE, "value out of range: overflow");
   else if (err->topic == MT_TOPIC_INTEGER || err->topic == MT_TOPIC_BIGINT)
      mt_error (err, MT_E_NUMERIC_RANGE, "%s out of range", overflown_type (r, err->topic));
   return false;
}

/* Returns the time for execute_us. After PRECISE_ROWS rows it reads a cheaper clock, which advances
 * in steps of a few milliseconds. */
static int64_t now_us (const MtResult *r)
{
   enum { PRECISE_ROWS = 1000 };
   struct timespec now;
   if (r->rows < PRECISE_ROWS)
      return mt_now_us ();
   clock_gettime (CLOCK_MONOTONIC_COARSE, &now);
   return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static bool next_cursor_row (MtResult *r, bool *more, MtError *err)
{
   *more = false;
   if (!r->cursor) /* all rows are read */
      return true;
   int64_t before = now_us (r);
   bool ok = mt_cursor_row (r->cursor, r->values, r->column_count, more, err);
   r->execute_us += now_us (r) - before;
   for (size_t i = 0; i < r->column_count; i++)
      r->printed[i] = false;
   return ok || mt_in_sql_words (r, err);
}

static bool next_text_row (MtResult *r, bool *more)
{
   *more = r->at < r->cell_rows;
   if (!*more)
      return true;
   const char **cells = r->cells[r->at++];
   for (size_t i = 0; i < r->column_count; i++) {
      r->values[i] = cells[i] ? mt_v_cstr (cells[i]) : mt_v_null ();
      r->printed[i] = false;
   }
   return true;
}

static bool next_row (MtResult *r, bool *more, MtError *err)
{
   bool ok = true;
   *more = false;
   switch (r->kind) {
   case MT_RESULT_TAG: break;
   case MT_RESULT_CURSOR: ok = next_cursor_row (r, more, err); break;
   case MT_RESULT_ROWS: ok = next_text_row (r, more); break;
   }
   if (ok && *more) {
      r->rows++;
      if (r->unprinted)
         return true;
      /* Prints the values now, because printing fails if a value has another type than its column,
       * and here the error can be returned. */
      for (size_t i = 0; i < r->column_count; i++) {
         if (mt_is_nullish (r->values[i]))
            continue;
         mt_buf_clear (&r->texts[i]);
         if (!mt_value_print (r->columns[i].type, r->values[i], &r->style, &r->texts[i], err))
            return false;
         mt_buf_adds (&r->texts[i], ""); /* the NUL of an empty text */
         r->printed[i] = true;
      }
   }
   return ok;
}

bool mt_result_failed (MtResult *r)
{
   if (r->session->open_result == r) { /* other results are parts of a statement that goes on */
      r->ends_script = false;
      r->session->upper->failed (r->session);
   }
   return false;
}

bool mt_result_next (MtResult *r, bool *more, MtError *err)
{
   MT_RECORD_SHORTAGE (&r->session->shortage);
   bool ok = next_row (r, more, err);
   ok = mt_memory_check (err) && ok;
   if (!ok)
      mt_result_failed (r);
   return ok && !*more && r->ends_script ? r->session->upper->ended (r, err) : ok;
}

bool mt_result_has_rows (const MtResult *r)
{
   return r->kind == MT_RESULT_CURSOR || r->column_count > 0;
}

size_t mt_result_columns (const MtResult *r) { return r->column_count; }

const char *mt_result_name (const MtResult *r, size_t column) { return r->columns[column].name; }

MtType mt_result_type (const MtResult *r, size_t column) { return r->columns[column].type; }

const char *mt_result_text (MtResult *r, size_t column, size_t *len)
{
   if (!r->printed[column])
      return NULL;
   if (len)
      *len = r->texts[column].n;
   return r->texts[column].p;
}

MtVal mt_result_value (MtResult *r, size_t column) { return r->values[column]; }

const char *mt_result_tag (const MtResult *r)
{
   return r->counts_rows ? mt_printf (r->arena, "%s %llu", r->tag, (unsigned long long) r->rows)
                         : r->tag;
}

bool mt_result_verdict (const MtResult *r, MtError *err)
{
   if (r->verdict)
      *err = *r->verdict;
   return !r->verdict;
}

void mt_result_free (MtResult *r)
{
   if (!r)
      return;
   MT_RECORD_SHORTAGE (&r->session->shortage);
   if (r->ends_script)
      r->session->upper->left (r);
   for (size_t i = 0; i < r->column_count && r->texts; i++)
      mt_buf_free (&r->texts[i]);
   mt_result_close (r);
   if (r->session->open_result == r)
      r->session->open_result = NULL;
   if (r->statement && r->session->txn.state == MT_TRANSACTION_NONE)
      mt_advisory_end_transaction (r->session);
   if (!r->statement || r->session->spare) {
      mt_arena_free (r->arena);
      return;
   }
   r->session->spare =
      r->arena; /* The newest chunk stays allocated: the next statement mostly needs as much. */
   mt_arena_reset (r->session->spare);
}

void mt_result_times (const MtResult *r, double *plan_ms, double *execute_ms)
{
   *plan_ms = (double) (r->planned_us - r->started_us) / 1000.0;
   *execute_ms = (double) r->execute_us / 1000.0;
}
