#include "layouts/partition.h"
#include "layouts/prealloc.h"
#include "functions/signature.h"
#include "session/maintain.h"
#include "session/statement.h"
#include "session/undeclared.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void report_progress (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows)
{
   MtSession *s = ctx;
   if (s->options.progress)
      s->options.progress (s->options.ctx, what, done, total, rows);
}

static void report_running (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows)
{
   MtSession *s = ctx;
   if (!s->telling)
      report_progress (s, what, done, total, rows);
}

void mt_notice (MtSession *s, const char *severity, const char *hint, const char *fmt, ...)
{
   static const char *const least[] = {"", "", "", "", "", "LOG", "NOTICE", "WARNING"}; /* by place in client_min_messages' values */
   if (!s->options.notice)
      return;
   for (int64_t i = 5; i < s->settings.min_messages && i < 8; i++)
      if (strcmp (severity, least[i]) == 0)
         return;
   char *text = NULL;
   va_list ap;
   va_start (ap, fmt);
   int n = vasprintf (&text, fmt, ap);
   va_end (ap);
   if (n >= 0)
      s->options.notice (s->options.ctx, severity, text, hint);
   free (text);
}

static bool open_engine (MtSession *s, MtError *err)
{
   MtEngineOptions o = {.read_only = s->options.read_only, .create = !s->options.read_only, .app_name = "mtsql",
                        .password = s->options.password, .cancel = &s->cancel};
   if (!mt_engine_open (s->options.target, &o, &s->engine, err))
      return false;
   mt_engine_set_cancel (s->engine, &s->cancel);
   mt_engine_set_progress (s->engine, &s->running);
   return mt_engine_register_ops (s->engine, mt_sql_ops (), err) && mt_register_session_ops (s, err) && mt_catalog_open (s->engine, s->options.catalog, &s->catalog, err);
}

bool mt_open (const MtOpenOptions *options, MtSession **out, MtError *err)
{
   MtArena *a = mt_arena_new ("session", NULL);
   MtSession *s = MT_NEW (a, MtSession);
   s->arena = a;
   MT_RECORD_SHORTAGE (&s->shortage);
   s->options = *options;
   s->progress = (MtProgress){report_progress, s};
   s->running = (MtProgress){report_running, s};
   if (options->opening)
      options->opening (options->ctx, s);
   bool ok = mt_memory_begin (&s->shortage, err) && open_engine (s, err) && mt_memory_check (err);
   if (options->opening)
      options->opening (options->ctx, NULL);
   if (!ok) {
      mt_close (s);
      return false;
   }
   mt_catalog_own_intents (s->catalog, (const char (*)[25]) s->intents, &s->intent_count);
   s->options.password = NULL; /* the caller's, who may overwrite it now */
   mt_settings_init (s);
   const MtError *damage = mt_engine_warning (s->engine);
   if (damage)
      mt_notice (s, "WARNING", damage->hint, "%s", damage->message);
   s->swept_ms = mt_now_ms ();
   s->names = (MtOidNames){mt_system_print_oid, s};
   *out = s;
   return true;
}

/* Statements that didn't wait for the disk said that they had done it: that they haven't is said at least. */
static void sync_last (MtSession *s)
{
   MtError err;
   mt_error_clear (&err);
   if (!mt_engine_sync (s->engine, &err))
      mt_notice (s, "WARNING", NULL, "what was committed last, with synchronous_commit = off, is lost: %s", err.message);
}

void mt_close (MtSession *s)
{
   if (!s)
      return;
   MT_RECORD_SHORTAGE (&s->shortage);
   mt_result_free (s->open_result);
   mt_transaction_abandon (s);
   mt_cursors_close (s);
   if (s->engine) /* none: opening it failed */
      sync_last (s);
   MtError ignored; /* statistics only */
   mt_error_clear (&ignored);
   if (s->catalog) {
      mt_lease_end (s);
      mt_engine_set_lock_timeout (s->engine, 0); /* nobody waits for these */
      mt_catalog_flush (s->catalog, &ignored);
   }
   mt_catalog_close (s->catalog);
   mt_engine_close (s->engine);
   mt_arena_free (s->spare);
   mt_prealloc_free (s->prealloc);
   mt_arena_free (s->arena);
}

static void set_deadline (MtSession *s)
{
   s->cancel.deadline_ms = s->settings.statement_timeout ? mt_now_ms () + s->settings.statement_timeout : 0;
}

bool mt_statement_start (MtSession *s, MtError *err)
{
   if (!mt_memory_begin (&s->shortage, err))
      return false;
   atomic_store_explicit (&s->cancel.requested, false, memory_order_relaxed);
   atomic_store_explicit (&s->cancel.insisted, false, memory_order_relaxed);
   s->cancel.statement++;
   set_deadline (s);
   s->statement_ms = mt_wall_ms ();
   return true;
}

void mt_cancel (MtSession *s)
{
   if (atomic_exchange_explicit (&s->cancel.requested, true, memory_order_relaxed))
      atomic_store_explicit (&s->cancel.insisted, true, memory_order_relaxed);
}

bool mt_reconnect (MtSession *s, MtError *err)
{
   MT_RECORD_SHORTAGE (&s->shortage);
   bool ready = mt_statement_start (s, err);
   mt_transaction_abandon (s);
   if (!ready || !mt_engine_reconnect (s->engine, err))
      return false;
   mt_catalog_invalidate (s->catalog);
   return true;
}

/* ---- what the binder asks for ---- */

/* One listing of the collections, for all tables. */
static bool look_at_partitions (MtSession *s, const MtTable *const *met, MtError *err)
{
   if (!s->partitions_due || !mt_has_partitions (met, 1))
      return true;
   s->partitions_due = false;
   return mt_catalog_look (s->catalog, err);
}

/* What a row to be written is computed from is read by what is known of it. */
static bool is_sure (MtSession *s, MtError *err)
{
   bool same;
   if (!s->trusts || s->looks == MT_LOOKS_ITSELF)
      return true;
   if (!mt_catalog_unchanged (s->catalog, &same, err))
      return false;
   s->trusts = !same;
   return same || mt_error (err, MT_E_SERIALIZATION, "tables were changed meanwhile");
}

static bool env_table (void *ctx, const MtName *schema, const MtName *name, const MtTable **out, MtError *err)
{
   MtSession *s = ctx;
   if (!is_sure (s, err))
      return false;
   MtUndeclared *u;
   const char *collection = name->text;
   *out = NULL;
   if (schema && schema->text && (mt_ieq (schema->text, "pg_catalog") || mt_ieq (schema->text, "information_schema")))
      return true;
   if (mt_is_temporary_schema (schema)) {
      bool ok = mt_catalog_find_among (s->catalog, MT_TEMPORARY_TABLES, name->text, mt_name_is_exact (name), out, err);
      s->met_temporary |= ok && *out;
      return ok;
   }
   if (schema && schema->text && !mt_ieq (schema->text, "public")) /* a collection's name may have dots */
      collection = mt_printf (s->arena, "%s.%s", schema->text, name->text);
   else if (!mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, name->text, mt_name_is_exact (name), out, err))
      return false;
   if (*out)
      return look_at_partitions (s, out, err) && mt_matview_readable (s, (*out)->name, err);
   if (!mt_undeclared_find (s, collection, mt_name_is_exact (name), false, &u, err))
      return false;
   bool attached = false;
   if (u && mt_collection_owner (s, mt_undeclared_table (u)->name, &attached) && !attached)
      u = NULL; /* a table's own documents are read through the table */
   if (u)
      *out = mt_undeclared_table (u);
   return u || collection == name->text || mt_error_at (err, schema->span, "3F000", "schema \"%s\" does not exist", schema->text);
}

/* Tables and collections, for hints; borrowed until the next call. */
static const char *const *
table_names (MtSession *s, size_t *count)
{
   size_t n, more = 0;
   const MtTable *const *tables = mt_catalog_tables (s->catalog, &n);
   const char **collections;
   MtError ignored;
   if (!s->hints)
      s->hints = mt_arena_new ("hints", s->arena);
   mt_arena_reset (s->hints);
   if (!mt_engine_collections (s->engine, s->hints, &collections, &more, &ignored))
      more = 0;
   size_t system;
   const char *const *system_names = mt_system_names (&system);
   const char **names = MT_NEW_N (s->hints, const char *, n + more + system + 1);
   for (size_t i = 0; i < n; i++)
      names[i] = tables[i]->name;
   size_t kept = n;
   bool attached;
   for (size_t i = 0; i < more; i++)
      if (!mt_is_temporary (collections[i]) && (!mt_collection_owner (s, collections[i], &attached) || attached))
         names[kept++] = collections[i];
   for (size_t i = 0; i < system; i++)
      names[kept++] = system_names[i];
   *count = kept;
   return names;
}

static const char *const *
env_tables (void *ctx, size_t *count)
{
   return table_names (ctx, count);
}

/* PostgreSQL changes the table below a view that is simple enough. */
static bool no_table (const MtStmt *s, const MtName *name, MtError *err)
{
   const char *what = s->kind == MT_STMT_INSERT ? "insert into" : s->kind == MT_STMT_UPDATE ? "update" : s->kind == MT_STMT_DELETE ? "delete from" : NULL;
   if (!what)
      return mt_error_at (err, name->span, "42809", "\"%s\" is a view, not a table", name->text);
   mt_error_at (err, name->span, MT_E_FEATURE, "cannot %s view \"%s\"", what, name->text);
   return mt_error_hint (err, "Change the table that it reads.");
}

bool mt_need_table (MtStatement *st, const MtName *name, const MtTable **out, MtError *err)
{
   if (!mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), out, err))
      return false;
   st->session->met_temporary |= *out && (*out)->temporary;
   if (*out)
      return look_at_partitions (st->session, out, err);
   size_t count;
   const char *const *names = table_names (st->session, &count);
   const char *near = mt_nearest (name->text, names, count);
   MtUndeclared *u;
   if (mt_is_view (st->session, name->text))
      return no_table (st->stmt, name, err);
   if (!mt_undeclared_find (st->session, name->text, mt_name_is_exact (name), false, &u, err))
      return false;
   if (u) {
      mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE, "collection \"%s\" is not declared as a table", name->text);
      return mt_error_hint (err, "It can be queried as it is; \\infer %s proposes a CREATE TABLE.", name->text);
   }
   mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE, "relation \"%s\" does not exist", name->text);
   return near ? mt_error_hint (err, "Perhaps you meant \"%s\".", near) : false;
}

static void env_warn (void *ctx, const char *text)
{
   mt_notice (ctx, "WARNING", NULL, "%s", text);
}

/* ---- statements ---- */

static bool indexed (void *ctx, const char *collection, const char *field)
{
   return mt_field_indexed (ctx, collection, field);
}

MtPlanSettings mt_plan_settings (MtSession *s, const MtTextStyle *style)
{
   const MtSettings *v = &s->settings;
   return (MtPlanSettings){.layout = v->layout, .cut = v->cut, .optimize = v->optimize,
                           .require_full_pushdown = v->require_full_pushdown, .style = *style, .caps = mt_engine_target_caps (s->engine),
                           .temporary = s->met_temporary, .indexed = indexed, .indexed_ctx = s, .cancel = &s->cancel};
}

static bool check_tables (MtStatement *st, const MtQuery *q, bool outermost, MtError *err);

static bool check_side (MtStatement *st, const MtRel *rel, MtError *err)
{
   MtQuery alone = {.rel = *rel, .limit = -1};
   return check_tables (st, &alone, false, err);
}

static bool check_tables (MtStatement *st, const MtQuery *q, bool outermost, MtError *err)
{
   if (q->arm_count == 0 && q->rel.kind == MT_REL_JOIN)
      return check_side (st, q->rel.join->left, err) && check_side (st, q->rel.join->right, err);
   if (q->arm_count == 0 && q->rel.kind == MT_REL_UNNEST)
      return check_side (st, q->rel.unnest->input, err);
   for (int i = 0; i < q->arm_count; i++)
      if (!check_tables (st, q->arms[i], false, err))
         return false;
   if (q->arm_count == 0 && q->rel.kind == MT_REL_QUERY)
      return check_tables (st, q->rel.query, false, err);
   if (q->arm_count == 0 && q->rel.kind == MT_REL_SHARED && !q->rel.shared->checked) {
      q->rel.shared->checked = true;
      return check_tables (st, q->rel.shared->query, false, err);
   }
   if (q->arm_count || q->rel.kind != MT_REL_TABLE)
      return true;
   return mt_is_undeclared (st->session, q->rel.table) ? mt_undeclared_check (st, q, outermost, err) : mt_check_shapes (st, q->rel.table, q, err);
}

bool mt_plan_select (MtStatement *st, const MtSelect *select, MtPlan **out, MtError *err)
{
   MtQuery *q;
   return mt_bind_select (st->arena, &st->env, select, &q, err) && mt_plan_bound (st, q, out, err);
}

bool mt_plan_bound (MtStatement *st, const MtQuery *q, MtPlan **out, MtError *err)
{
   if (!check_tables (st, q, true, err))
      return false;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.skip_malformed = st->malformed;
   settings.outline = st->outline || settings.require_full_pushdown; /* its error names a step */
   return mt_plan_query (st->arena, q, &settings, out, err);
}

/* What the binder asks for a sub-select's rows. SET layout and SET cut are about the query around it. */
static bool env_run (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVal **values, size_t *count, MtError *err)
{
   MtSession *s = ctx;
   MtStatement st;
   MtPlan *plan;
   bool more = true;
   size_t capacity = 0;
   mt_statement_init (s, a, NULL, &st);
   if (!check_tables (&st, q, false, err))
      return false;
   MtPlanSettings settings = mt_plan_settings (s, &st.env.style);
   settings.layout = settings.cut = NULL;
   settings.skip_malformed = st.malformed;
   if (!mt_plan_query (a, q, &settings, &plan, err))
      return false;
   MtResult *r = mt_result_new (s, mt_arena_new ("sub-select", NULL));
   r->style = st.env.style;
   bool ok = mt_result_run (r, plan, false, err);
   *values = NULL;
   *count = 0;
   while (ok && *count < most && (ok = mt_result_next (r, &more, err)) && more) {
      MT_GROW_IN (a, *values, *count, capacity, 16);
      MtVal v = mt_result_value (r, 0);
      ok = mt_value_normalize (a, mt_result_type (r, 0), v, &(*values)[*count], err);
      if (ok)
         (*values)[*count] = mt_v_copy (a, (*values)[*count]);
      ++*count;
   }
   mt_result_free (r);
   return ok;
}

/* The bytes that its cuts touch. */
static bool env_cost (void *ctx, MtArena *a, const MtQuery *q, double *out, MtError *err)
{
   MtSession *s = ctx;
   MtStatement st;
   MtPlan *plan;
   mt_statement_init (s, a, NULL, &st);
   MtPlanSettings settings = mt_plan_settings (s, &st.env.style);
   *out = 0;
   if (!mt_plan_query (a, q, &settings, &plan, err))
      return false;
   for (int i = 0; i < plan->candidate_count; i++)
      *out += plan->candidates[i].chosen ? plan->candidates[i].cost : 0;
   return true;
}

bool mt_run_select (MtStatement *st, MtError *err)
{
   MtPlan *plan;
   if (!mt_plan_select (st, st->stmt->select, &plan, err))
      return false;
   st->result->planned_us = mt_now_us ();
   mt_result_set_tag (st->result, "SELECT");
   st->result->counts_rows = true;
   return mt_result_run (st->result, plan, false, err);
}

bool mt_run_stmt (MtStatement *st, MtError *err)
{
   bool own;
   if (!mt_transaction_may_write (st->session, st->stmt, err) || !mt_intents_await (st, err) || !mt_write_begin (st, &own, err))
      return false;
   bool ok = mt_write_end (st, own, mt_check_names (st, err) && mt_matview_admits (st, err) && mt_stmt_row (st->stmt)->run (st, err), err);
   bool told = mt_catalog_told (st->session->catalog);
   st->session->txn.told |= told;
   if (told && ok && !st->session->announced)
      mt_leases_run_out_behind (st->session);
   if (ok && mt_stmt_adds_rows (st->stmt))
      mt_sweep_sometimes (st->session);
   return ok;
}

void mt_statement_init (MtSession *s, MtArena *a, const MtStmt *stmt, MtStatement *out)
{
   *out = (MtStatement){.session = s, .arena = a, .stmt = stmt, .env = {.table = env_table, .view = mt_find_view, .tables = env_tables, .run = env_run, .cost = env_cost, .warn = env_warn, .ctx = s, .seeded = s->seeded}};
   out->env.cancel = &s->cancel;
   out->env.sharing = MT_NEW (a, MtSharing);
   out->env.system = mt_system_table;
   out->env.lookup = mt_system_lookup;
   int64_t now = s->txn.state == MT_TRANSACTION_NONE ? s->statement_ms : s->txn.started_ms;
   out->env.style = (MtTextStyle){s->settings.zone, now, s->settings.extra_float_digits, s->statement_ms, &s->names, false};
   out->env.user_functions = mt_user_functions (s, &out->env.user_function_count);
}

MtLook mt_look_of (const MtStmt *stmt)
{
   bool rows = stmt->kind == MT_STMT_INSERT && !stmt->insert.conflict && (!stmt->insert.source || mt_is_plain_values (stmt->insert.source));
   bool change = stmt->kind == MT_STMT_UPDATE || stmt->kind == MT_STMT_DELETE;
   return stmt->kind == MT_STMT_SELECT ? MT_LOOKS_BESIDE : rows ? MT_LOOKS_BEHIND : change ? MT_LOOKS_ITSELF : MT_LOOKS_FIRST;
}

/* On a server without transactions: a row goes by a look of a moment ago, for there is one behind it, or a lease (mt_write_confirm). */
static bool may_trust (const MtSession *s)
{
   return (s->looks == MT_LOOKS_ITSELF || (s->looks == MT_LOOKS_BEHIND && mt_look_is_fresh (s))) && s->txn.state == MT_TRANSACTION_NONE && mt_leases_apply (s);
}

/* What a statement that writes knows of its table must be true, when it begins or before it ends; one that reads may be told to be content with what was true a moment ago, or
 * (with `assumes`) may find out while it reads. */
static bool look_at_catalog (MtSession *s, const MtStmt *stmt, bool assumes, MtError *err)
{
   s->looks = !stmt ? MT_LOOKS_FIRST : stmt->kind == MT_STMT_EXECUTE ? mt_prepared_look (s, &stmt->execute.name) : mt_look_of (stmt);
   bool reads = s->looks == MT_LOOKS_BESIDE;
   s->assumes = s->partitions_due = s->trusts = s->fed = s->announced = s->displaced = s->outrun = false;
   if (!mt_stmt_needs_catalog (stmt))
      return true;
   if (reads && mt_catalog_age_us (s->catalog) < 1000 * s->settings.catalog_max_age) {
      mt_catalog_keep (s->catalog);
      return true;
   }
   s->assumes = reads && assumes && s->txn.state == MT_TRANSACTION_NONE && mt_engine_target_caps (s->engine)->finds_beside && mt_catalog_assume (s->catalog);
   s->trusts = assumes && may_trust (s) && mt_catalog_assume (s->catalog);
   s->partitions_due = s->assumes || s->trusts;
   return s->assumes || s->trusts || mt_catalog_refresh (s->catalog, NULL, err);
}

static bool begin (MtSession *s, MtArena *a, const char *sql, size_t n, bool assumes, MtStatement *out, MtError *err)
{
   MtStmt *stmt;
   mt_error_clear (err);
   if (!mt_parse (a, sql, n, &stmt, err) || !mt_transaction_admits (s, stmt, err) || !look_at_catalog (s, stmt, assumes, err))
      return false;
   mt_system_reset (s);
   s->met_temporary = false;
   mt_statement_init (s, a, stmt, out);
   out->sql = sql;
   out->sql_len = n;
   return true;
}

bool mt_statement_begin (MtSession *s, MtArena *a, const char *sql, long len, MtStatement *out, MtError *err)
{
   if (!mt_statement_start (s, err))
      return false;
   return begin (s, a, sql, len < 0 ? strlen (sql) : (size_t) len, false, out, err);
}

/* Whether a statement that read by what was known of the catalog is well (`ok`: so far), and was right to. No row of it was given out yet, and an error may come of what isn't
 * so any more. */
static bool confirm (MtSession *s, MtResult *r, bool ok, bool *again, MtError *err)
{
   const bson_t *version = NULL;
   bool found = false, same = true;
   MtError ignored;
   int64_t before = mt_now_us ();
   s->assumes = false;
   ok = ok && (!r->remote || mt_cursor_beside (r->remote, &found, &version, err));
   if (!ok && (strcmp (err->sqlstate, MT_E_CANCELED) == 0 || strncmp (err->sqlstate, "08", 2) == 0))
      return false;
   bool asked = mt_catalog_confirm (s->catalog, found, version, &same, ok ? err : &ignored);
   r->execute_us += mt_now_us () - before;
   *again = asked && !same;
   return ok && asked;
}

/* Whether an error may come of what isn't so any more, and all that was done is undone. */
static bool has_changed (MtSession *s, const MtError *err)
{
   bool same = true, left = s->fed && (strcmp (err->sqlstate, MT_E_SERIALIZATION) == 0 || mt_engine_leftover (s->engine));
   MtError ignored;
   s->trusts = false;
   return !left && strcmp (err->sqlstate, MT_E_CANCELED) != 0 && strncmp (err->sqlstate, "08", 2) != 0 && mt_catalog_unchanged (s->catalog, &same, &ignored) && !same;
}

/* An ALTER TABLE that others' writes outran, or a change of sums, of which nothing is left: where one takes locks, it would have waited for them. */
static bool was_outrun (const MtSession *s, const MtStmt *stmt, const MtError *err)
{
   bool begins_again = s->outrun || (stmt && stmt->kind == MT_STMT_ALTER_TABLE), waits = s->settings.lock_timeout > 0 && strcmp (err->sqlstate, MT_E_IN_USE) == 0;
   return begins_again && (waits || strcmp (err->sqlstate, MT_E_SERIALIZATION) == 0) && s->txn.state == MT_TRANSACTION_NONE && !s->displaced && !mt_engine_leftover (s->engine);
}

/* Before it is tried once more: at once first, then after longer and longer pauses. Without a lock_timeout it isn't tried for ever. */
static bool goes_again (MtSession *s, int tries, int64_t until_ms, MtError *err)
{
   enum { MOST_TRIES = 20, LONGEST_PAUSE_MS = 64 };
   int64_t left = until_ms - mt_now_ms (), pause = tries < 7 ? INT64_C (1) << tries : LONGEST_PAUSE_MS;
   if (!tries)
      return true;
   if (until_ms ? left <= 0 : tries >= MOST_TRIES)
      return false;
   pause = until_ms && left < pause ? left : pause;
   nanosleep (&(struct timespec){.tv_nsec = pause * 1000000}, NULL);
   return mt_cancel_check (&s->cancel, err);
}

/* again: it isn't done, for another client has changed the catalog. */
static bool query (MtSession *s, const char *sql, size_t n, bool assumes, bool *again, MtResult **out, MtError *err)
{
   MtArena *a = s->spare ? s->spare : mt_arena_new ("statement", NULL);
   MtResult *r = *out = mt_result_new (s, a);
   s->spare = NULL;
   r->statement = true;
   MtStatement st = {0};
   r->started_us = mt_now_us ();
   bool ok = begin (s, a, sql, n, assumes, &st, err);
   if (ok && st.stmt) {
      st.result = r;
      r->style = st.env.style;
      r->looks = s->assumes;
      ok = mt_run_stmt (&st, err);
   }
   if (!r->planned_us)
      r->planned_us = mt_now_us ();
   *again = !ok && ((s->trusts && has_changed (s, err)) || was_outrun (s, st.stmt, err));
   return s->assumes ? confirm (s, r, ok, again, err) : ok;
}

bool mt_run_one (MtSession *s, const char *sql, size_t n, MtResult **out, MtError *err)
{
   MtResult *r;
   bool again;
   set_deadline (s);
   bool ok = query (s, sql, n, true, &again, &r, err);
   int64_t until_ms = s->settings.lock_timeout ? mt_now_ms () + s->settings.lock_timeout : 0;
   for (int tries = 0; again && goes_again (s, tries, until_ms, err); tries++) {
      mt_result_free (r);
      ok = query (s, sql, n, false, &again, &r, err);
   }
   if (!mt_memory_check (err)) { /* whatever the statement made of it */
      mt_catalog_invalidate (s->catalog); /* what was read of it meanwhile */
      ok = false;
   }
   if (!ok) {
      mt_in_sql_words (r, err); /* a change of rows reads no result, and meets the operators themselves */
      mt_result_free (r);
      mt_transaction_failed (s);
      return false;
   }
   s->open_result = r;
   *out = r;
   return true;
}
