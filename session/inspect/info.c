/* Tables, functions and presets for the shell: \d, \df, \h. */
#include "layouts/cell_state.h"
#include "layouts/presets/preset.h"
#include "engine/shell_text.h"
#include "functions/signature.h"
#include "query/window.h"
#include "layouts/expire.h"
#include "layouts/collections/partition.h"
#include "session/coordinate/coordinate.h"
#include "session/core/checks.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/state/plan_text.h"
#include "session/state/session.h"
#include "session/core/schemas.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- \d ---- */

static const char *role_text (MtArena *a, const MtColumn *c)
{
   switch (c->role) {
   case MT_COL_TIME:
      if (!c->period_ms)
         return "time";
      return c->period_ms % 1000
                ? mt_printf (a, "time (period %lld ms)", (long long) c->period_ms)
                : mt_printf (a, "time (period %lld s)", (long long) c->period_ms / 1000);
   case MT_COL_DIMENSION: return "dimension";
   case MT_COL_MEASURE: return c->counter ? "measure, counter" : "measure";
   case MT_COL_PLAIN: return "";
   }
   return "";
}

static void agg_text (MtArena *a, const MtTable *t, const MtNode *n, MtBuf *out)
{
   const char *before = n->bind_count ? "; " : "";
   if (n->agg.n)
      mt_buf_printf (out, "%sn", before);
   before = n->agg.n ? ", " : before;
   if (n->agg.measure_count)
      mt_buf_printf (out, "%ssums", before);
   for (size_t i = 0; i < n->agg.state_count; i++) {
      mt_buf_adds (out, i || n->agg.measure_count ? ", " : before);
      mt_buf_adds (out, mt_cell_state_text (a, t, &n->agg.states[i]));
   }
}

static void node_text (MtArena *a, const MtTable *t, const MtNode *n, MtBuf *out)
{
   mt_buf_adds (out, mt_node_kind_words[n->kind]);
   mt_buf_addc (out, '(');
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      mt_buf_printf (out, "%s%s", i ? ", " : "",
                     b->kind == MT_BIND_COLUMN ? t->columns[b->column].name
                                               : mt_unit_name (b->unit));
   }
   if (n->agg.present)
      agg_text (a, t, n, out);
   mt_buf_addc (out, ')');
   if (n->raw.present)
      mt_buf_adds (out, n->raw.many ? " > records" : " = record");
   if (n->sub_count == 1) {
      mt_buf_adds (out, " > ");
      node_text (a, t, n->subs[0], out);
   } else if (n->sub_count > 1) {
      mt_buf_adds (out, " > [");
      for (size_t i = 0; i < n->sub_count; i++) {
         mt_buf_adds (out, i ? " | " : "");
         node_text (a, t, n->subs[i], out);
      }
      mt_buf_addc (out, ']');
   }
}

enum { SHOWN = 12 };

/* Prints the names of a store's partitions. If they are many, prints only the first and the
 * last. */
static void partitions_text (const MtStoreDesc *s, MtBuf *out)
{
   const MtPartitions *p = s->parts;
   mt_buf_printf (out, "%zu partition%s by %s", p->count, p->count == 1 ? "" : "s",
                  mt_unit_name (p->unit));
   mt_buf_adds (out, p->count ? ": " : " of ");
   if (!p->count)
      mt_buf_adds (out, s->collection);
   for (size_t i = 0; i < p->count; i++) {
      if (p->count > SHOWN && i == SHOWN / 2) {
         i = p->count - SHOWN / 2;
         mt_buf_adds (out, ", ...");
      }
      mt_buf_printf (out, "%s%s", i ? ", " : "", p->list[i].collection);
   }
}

/* Returns the size in bytes of the files that store the collections of a store. */
static double disk_bytes (MtEngine *e, const MtStoreDesc *s)
{
   double sum = s->parts ? 0 : (double) mt_engine_disk_bytes (e, s->collection);
   for (size_t i = 0; s->parts && i < s->parts->count; i++)
      sum += (double) mt_engine_disk_bytes (e, s->parts->list[i].collection);
   return sum;
}

static MtLayoutInfo layout_info (MtSession *s, MtArena *a, const MtTable *t, const MtLayout *l)
{
   MtLayoutInfo info = {.name = l->name,
                        .preset = l->preset,
                        .options = l->options_text,
                        .keeps = mt_keeps_words[l->keeps],
                        .attached = l->attached,
                        .documents = -1,
                        .bytes = -1};
   MtBuf names = {0}, levels = {0};
   for (size_t i = 0; i < l->store_count; i++) {
      mt_buf_printf (&names, "%s%s", i ? ", " : "",
                     l->stores[i].parts ? "" : l->stores[i].collection);
      if (l->stores[i].parts)
         partitions_text (&l->stores[i], &names);
      mt_buf_adds (&levels, i ? "; " : "");
      node_text (a, t, l->stores[i].root, &levels);
      info.disk_bytes += disk_bytes (s->engine, &l->stores[i]);
      if (l->stats && l->stats[i].present) {
         info.documents = (info.documents < 0 ? 0 : info.documents) + l->stats[i].documents;
         info.bytes = (info.bytes < 0 ? 0 : info.bytes) + l->stats[i].bytes;
      }
   }
   info.collections = mt_strndup (a, names.p, names.n);
   info.levels = mt_strndup (a, levels.p, levels.n);
   mt_buf_free (&names);
   mt_buf_free (&levels);
   return info;
}

/* Starts a new clause in `text`, a line of clauses separated by "; ". `words` begin the clause; the
 * first letter of the line becomes a capital. */
static void begin_clause (MtBuf *text, const char *words)
{
   mt_buf_printf (text, "%s%c%s", text->n ? "; " : "", text->n ? words[0] : words[0] - 'a' + 'A',
                  words + 1);
}

/* Adds a description of the expiry x to a line of text. layout NULL: the expiry is the table's.
 * Rows before x->before_ms were removed, hidden, or never stored because the layout was filled
 * later from another one. */
static void expiry_text (MtSession *s, MtArena *a, const MtExpiry *x, const char *layout,
                         MtBuf *text)
{
   if (!x)
      return;
   if (x->ages) {
      begin_clause (text, "rows expire");
      mt_buf_printf (text, "%s after %s",
                     layout ? mt_printf (a, " from layout \"%s\"", layout) : "",
                     mt_expiry_text (a, x->after));
   }
   if (x->ages && x->unit != MT_UNIT_MS)
      mt_buf_printf (text, ", a %s at a time", mt_unit_name (x->unit));
   if (x->ended && x->before_ms >= mt_expiry_own (x, mt_wall_ms ())) {
      begin_clause (text, layout ? mt_printf (a, "layout \"%s\" has rows from ", layout)
                                 : "rows before ");
      mt_timestamptz_out (x->before_ms, s->settings.zone, text);
      mt_buf_adds (text, layout ? " on" : " are hidden");
   }
}

static const char *expires_text (MtSession *s, MtArena *a, const MtTable *t)
{
   MtBuf text = {0};
   expiry_text (s, a, t->expiry, NULL, &text);
   for (size_t i = 0; i < t->layout_count; i++)
      expiry_text (s, a, t->layouts[i].expiry, t->layouts[i].name, &text);
   const char *out = text.n ? mt_strndup (a, text.p, text.n) : NULL;
   mt_buf_free (&text);
   return out;
}

/* Returns a column's default as psql shows it; an IDENTITY column has the text of its clause. */
static const char *default_text (MtArena *a, const MtColumn *c)
{
   if (!c->identity)
      return mt_default_shown (a, c);
   return c->always ? "generated always as identity" : "generated by default as identity";
}

/* Sets schema and name of a relation from its stored name, and info->hidden: its name alone does
 * not find it, because of search_path. */
static void name_info (MtSession *s, MtArena *a, const char *stored, MtTableInfo *info)
{
   const char *schema = mt_schema_of (s, a, stored, &info->name);
   MtName name = {.text = info->name, .quoted = true, .span = MT_NO_SPAN};
   const char *found = NULL;
   MtError ignored;
   info->schema = schema ? schema : "public";
   info->hidden = mt_hidden_by_temporary (s, info->name) ||
                  !mt_place_relation (s, a, &name, &found, &ignored) ||
                  strcmp (found ? found : "public", info->schema) != 0;
}

static MtTableInfo table_info (MtSession *s, MtArena *a, const MtTable *t)
{
   MtTableInfo info = {.name = t->name,
                       .schema = "pg_temp",
                       .column_count = t->column_count,
                       .layout_count = t->layout_count,
                       .temporary = t->temporary};
   if (!t->temporary)
      name_info (s, a, t->name, &info);
   const char *id = mt_table_id (a, t);
   info.comment = mt_comment_on (s, a, id, NULL);
   info.indexes = mt_index_texts (s, a, t, &info.index_count);
   info.checks = MT_NEW_N (a, const char *, t->check_count + 1);
   for (size_t i = 0; i < t->check_count; i++)
      info.checks[info.check_count++] = mt_printf (a, "\"%s\" %s", t->checks[i].name,
                                                   mt_check_shown (a, &t->checks[i]));
   info.definition = mt_matview_definition (s, a, id);
   info.materialized = info.definition != NULL;
   info.expires = expires_text (s, a, t);
   info.columns = MT_NEW_N (a, MtColumnInfo, t->column_count + 1);
   info.layouts = MT_NEW_N (a, MtLayoutInfo, t->layout_count + 1);
   for (size_t i = 0; i < t->column_count; i++) {
      const MtColumn *c = &t->columns[i];
      info.columns[i] = (MtColumnInfo) {c->name,
                                        c->domain ? mt_quoted (a, c->domain)
                                                  : mt_type_display (a, c->type),
                                        role_text (a, c),
                                        c->not_null,
                                        default_text (a, c),
                                        mt_comment_on (s, a, id, c->name)};
   }
   for (size_t i = 0; i < t->layout_count; i++)
      info.layouts[i] = layout_info (s, a, t, &t->layouts[i]);
   return info;
}

/* Describes a view for \d. If the tables it reads are gone, the view has no columns. */
static MtTableInfo view_info (MtStatement *st, const MtCatalogObject *o)
{
   MtArena *a = st->arena;
   MtTableInfo info = {.definition = "", .comment = mt_comment_on (st->session, a, o->name, NULL)};
   name_info (st->session, a, mt_strdup (a, o->name), &info);
   MtName name = {o->name, true, MT_NO_SPAN};
   MtView v = {0};
   MtError ignored;
   MtQuery *q;
   if (!mt_find_view (st->session, a, NULL, &name, &v, &ignored) || !v.query)
      return info;
   info.definition = mt_view_definition (st->session, a, o->name);
   if (!mt_bind_select (a, &st->env, v.query, &q, &ignored))
      return info;
   info.columns = MT_NEW_N (a, MtColumnInfo, (size_t) v.count + 1);
   for (int i = 0; i < v.count && i < q->visible_count; i++)
      info.columns[info.column_count++] = (MtColumnInfo) {
         v.columns[i], mt_type_display (a, q->targets[i].expr->type), "", false, NULL, NULL};
   return info;
}

bool mt_tables (MtSession *s, MtArena *a, MtTableInfo **tables, size_t *count, MtError *err)
{
   MT_BEGIN_CALL (s, err);
   size_t declared, views;
   if (!mt_catalog_refresh (s->catalog, NULL, err))
      return false;
   const MtTable *const *all = mt_catalog_tables (s->catalog, &declared);
   const MtCatalogObject *objects = mt_catalog_objects (s->catalog, "view", &views);
   MtStatement st;
   mt_statement_init (s, a, NULL, &st);
   st.env.run = mt_run_nothing;
   *tables = MT_NEW_N (a, MtTableInfo, declared + views + 1);
   *count = 0;
   for (size_t i = 0; i < declared; i++)
      (*tables)[(*count)++] = table_info (s, a, all[i]);
   for (size_t i = 0; i < views; i++)
      (*tables)[(*count)++] = view_info (&st, &objects[i]);
   return true;
}

bool mt_other_collections (MtSession *s, MtArena *a, const char ***names, size_t *count,
                           MtError *err)
{
   MT_BEGIN_CALL (s, err);
   size_t n;
   bool attached;
   if (!mt_catalog_refresh (s->catalog, NULL, err) ||
       !mt_engine_collections (s->engine, a, names, &n, err))
      return false;
   *count = 0;
   for (size_t i = 0; i < n; i++) {
      const char *name = (*names)[i];
      if (strcmp (name, MT_CATALOG_COLLECTION) != 0 && !mt_is_temporary (name) &&
          !mt_collection_owner (s, name, &attached))
         (*names)[(*count)++] = name;
   }
   return true;
}

bool mt_databases (MtSession *s, MtArena *a, const char ***names, size_t *count, MtError *err)
{
   const char *target = s->options.target ? s->options.target : "(temporary)";
   const char *at = strstr (target, "://");
   /* shows only the host, without user and password before it */
   const char *host = at ? strrchr (target, '@') : NULL;
   *names = MT_NEW_N (a, const char *, 2);
   (*names)[0] = host ? mt_printf (a, "%.*s://%s", (int) (at - target), target, host + 1)
                      : mt_strdup (a, target);
   *count = 1;
   return true;
}

/* Returns a function's signature without the arguments that the binder adds, such as the time zone
 * and the current time. Their names begin with '_'. */
static const char *shown_signature (MtArena *a, const char *signature, const char *const *defaults)
{
   const char *arrow = strstr (signature, "->"), *p = signature;
   MtBuf out = {0};
   for (int i = 0; arrow && p < arrow; i++) {
      size_t n = strcspn (p, ",");
      if (p + n > arrow)
         n = (size_t) (arrow - p);
      const char *word = p + strspn (p, " ");
      if (*word != '_')
         mt_buf_add (&out, out.n ? p : word, n - (out.n ? 0 : (size_t) (word - p)));
      while (out.n && defaults && defaults[i] && out.p[out.n - 1] == ' ')
         out.n--;
      if (defaults && defaults[i])
         mt_buf_printf (&out, " DEFAULT %s", defaults[i]);
      p += n;
      if (*p != ',')
         break;
      if (p[1 + strspn (p + 1, " ")] != '_' && out.n)
         mt_buf_addc (&out, ',');
      p++;
   }
   if (out.n && out.p[out.n - 1] != ' ')
      mt_buf_addc (&out, ' ');
   mt_buf_adds (&out, arrow ? arrow : signature);
   const char *text = mt_strndup (a, out.p, out.n);
   mt_buf_free (&out);
   return text;
}

static int compare_names (const void *x, const void *y)
{
   const MtFunctionInfo *a = x, *b = y;
   int c = strcasecmp (a->name, b->name);
   return c ? c : strcmp (a->signature, b->signature);
}

bool mt_functions (MtSession *s, MtArena *a, MtFunctionInfo **out, size_t *count, MtError *err)
{
   MT_BEGIN_CALL (s, err);
   size_t nf, na, nw;
   MtBindEnv env = {0};
   const MtFunc *f = mt_builtin_functions (&nf);
   const MtAgg *g = mt_builtin_aggregates (&na);
   const MtWindowFunc *win = mt_builtin_windows (&nw);
   mt_set_routines (s, &env);
   *out = MT_NEW_N (a, MtFunctionInfo,
                    nf + na + nw + env.user_function_count + env.user_aggregate_count + 1);
   *count = 0;
   for (size_t i = 0; i < nw; i++)
      (*out)[(*count)++] = (MtFunctionInfo) {win[i].name,
                                             shown_signature (a, win[i].signature, NULL),
                                             win[i].summary, win[i].example, "window"};
   for (size_t i = 0; i < nf; i++)
      if (!(f[i].flags & (MT_F_OPERATOR | MT_F_CAST)) && f[i].name[0] != '$')
         (*out)[(*count)++] = (MtFunctionInfo) {f[i].name,
                                                shown_signature (a, f[i].signature, f[i].defaults),
                                                f[i].summary, f[i].example, "func"};
   for (size_t i = 0; i < env.user_function_count; i++) {
      const MtFunc *u = env.user_functions[i];
      (*out)[(*count)++] = (MtFunctionInfo) {
         u->name, shown_signature (a, u->signature, u->defaults), u->summary, u->example, "func"};
   }
   for (size_t i = 0; i < env.user_aggregate_count; i++) {
      const MtAgg *u = env.user_aggregates[i];
      (*out)[(*count)++] = (MtFunctionInfo) {u->name, u->signature, u->summary, u->example, "agg"};
   }
   for (size_t i = 0; i < na; i++)
      (*out)[(*count)++] = (MtFunctionInfo) {g[i].name, shown_signature (a, g[i].signature, NULL),
                                             g[i].summary, g[i].example, "agg"};
   qsort (*out, *count, sizeof **out, compare_names);
   return true;
}

bool mt_input_complete (const char *text, size_t len, size_t *end, MtInputState *state)
{
   MtScanState scan = MT_SCAN_READY;
   bool done = mt_scan_statement (text, len, end, &scan);
   *state = (MtInputState) scan;
   return done;
}

/* ---- presets ---- */

static size_t preset_options (const MtPresetOptionRow *rows, MtPresetOptionInfo *to)
{
   size_t n = 0;
   for (; rows[n].name; n++)
      if (to)
         to[n] = (MtPresetOptionInfo) {rows[n].name, rows[n].type, rows[n].otherwise,
                                       rows[n].summary};
   return n;
}

/* Fills `to` (NULL: only counts) with those options common to all presets that this preset has.
 * Returns their number. */
static size_t common_options (const MtPresetRow *preset, MtPresetOptionInfo *to)
{
   size_t n = 0;
   for (const MtPresetOptionRow *o = mt_preset_common_options (); o->name; o++)
      if (mt_preset_has (preset, o)) {
         if (to)
            to[n] = (MtPresetOptionInfo) {o->name, o->type, o->otherwise, o->summary};
         n++;
      }
   return n;
}

void mt_presets (MtArena *a, const MtPresetInfo **out, size_t *count)
{
   const MtPresetRow *rows = mt_preset_rows ();
   size_t n = 0;
   while (rows[n].name)
      n++;
   MtPresetInfo *all = MT_NEW_N (a, MtPresetInfo, n + 1);
   for (size_t i = 0; i < n; i++) {
      size_t own = preset_options (rows[i].options, NULL);
      MtPresetOptionInfo *o = MT_NEW_N (a, MtPresetOptionInfo,
                                        own + common_options (&rows[i], NULL) + 1);
      preset_options (rows[i].options, o);
      all[i] = (MtPresetInfo) {rows[i].name, rows[i].summary, rows[i].example, o,
                               own + common_options (&rows[i], o + own)};
   }
   *out = all;
   *count = n;
}
