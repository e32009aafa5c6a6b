#include "session/coordinate/coordinate.h"
#include "session/ddl/ddl.h"
#include "session/core/objects.h"
#include "session/dml/dml.h"
#include "types/datetime.h"
#include "layouts/attach.h"
#include "layouts/partition.h"
#include "layouts/preset.h"
#include "engine/pipe.h"
#include "session/ddl/expire.h"
#include "session/core/core.h"

#include <string.h>

/* ---- columns ---- */

static bool read_period (const MtColumnDef *d, int64_t *ms, MtError *err)
{
   MtInterval iv;
   if (!mt_interval_in (d->period.p, d->period.n, &iv, err)) {
      err->span = d->period_span;
      return false;
   }
   if (iv.months || iv.us % 1000 || iv.us < 0 || iv.days < 0 || (iv.days == 0 && iv.us == 0))
      return mt_error_at (err, d->period_span, MT_E_PARAMETER,
                          "a period must be a positive, fixed time of whole milliseconds");
   *ms = iv.days * MT_DAY_MS + iv.us / 1000;
   return true;
}

bool mt_can_store (MtTypeId id, MtSpan span, MtError *err)
{
   if (!mt_type_is_reg (mt_type_element (id)))
      return true;
   mt_error_at (err, span, MT_E_FEATURE, "columns of type %s are not supported",
                mt_type_info (id)->display);
   return mt_error_hint (err, "The name can be kept as text, the OID as bigint.");
}

bool mt_set_default (MtStatement *st, const MtExpr *value, MtColumn *c, MtError *err)
{
   MtBuf text = {0};
   MtX *x;
   if (!mt_bind_expr (st->arena, &st->env, NULL, value, c->type, &x, err))
      return false;
   mt_print_expr (value, &text);
   c->default_sql = value->kind == MT_EXPR_NULL ? NULL : mt_strndup (st->arena, text.p, text.n);
   mt_buf_free (&text);
   return true;
}

bool mt_build_column (MtStatement *st, const MtColumnDef *d, MtColumn *c, MtError *err)
{
   MtType type;
   if (!mt_bind_type (st->arena, &st->env, d->type, &type, err) ||
       !mt_can_store (type.id, d->type->span, err))
      return false;
   if (d->check || d->generated || d->unique)
      return mt_error_at (err, d->span, MT_E_FEATURE, "%s is not supported",
                          d->check       ? "CHECK"
                          : d->generated ? "GENERATED"
                                         : "UNIQUE");
   *c = (MtColumn) {.name = d->name.text, .type = type};
   c->role = d->role == MT_ROLE_TIME        ? MT_COL_TIME
             : d->role == MT_ROLE_DIMENSION ? MT_COL_DIMENSION
             : d->role == MT_ROLE_MEASURE   ? MT_COL_MEASURE
                                            : MT_COL_PLAIN;
   c->counter = d->counter;
   c->not_null = d->not_null || d->primary_key;
   c->field = d->field.p ? mt_strndup (st->arena, d->field.p, d->field.n) : d->name.text;
   if (d->role == MT_ROLE_TIME && !mt_type_is_datetime (type.id))
      return mt_error_at (err, d->type->span, MT_E_DATATYPE_MISMATCH,
                          "the time column must be of type timestamptz, timestamp or date");
   if (d->period.p && !read_period (d, &c->period_ms, err))
      return false;
   return !d->default_value || mt_set_default (st, d->default_value, c, err);
}

static int column_at (const MtTable *t, const char *name)
{
   for (size_t i = 0; i < t->column_count; i++)
      if (strcmp (t->columns[i].name, name) == 0)
         return (int) i;
   return -1;
}

static bool build_columns (MtStatement *st, MtTable *t, MtError *err)
{
   size_t n = 0;
   for (const MtColumnDef *d = st->stmt->create_table.columns; d; d = d->next)
      n++;
   if (n == 0)
      return mt_error_at (err, st->stmt->span, MT_E_FEATURE,
                          "tables without columns are not supported");
   if (n > MT_MAX_COLUMNS)
      return mt_error (err, MT_E_TOO_MANY_COLUMNS, "tables can have at most %d columns",
                       MT_MAX_COLUMNS);
   t->columns = MT_NEW_N (st->arena, MtColumn, n);
   t->time_column = -1;
   for (const MtColumnDef *d = st->stmt->create_table.columns; d; d = d->next) {
      if (column_at (t, d->name.text) >= 0)
         return mt_error_at (err, d->name.span, MT_E_DUPLICATE_COLUMN,
                             "column \"%s\" specified more than once", d->name.text);
      if (d->role == MT_ROLE_TIME && t->time_column >= 0)
         return mt_error_at (err, d->name.span, MT_E_INVALID_DEFINITION,
                             "a table has at most one TIME column");
      if (d->role == MT_ROLE_TIME)
         t->time_column = (int) t->column_count;
      if (!mt_build_column (st, d, &t->columns[t->column_count], err))
         return false;
      t->column_count++;
   }
   return true;
}

static bool build_key (MtStatement *st, MtTable *t, MtError *err)
{
   t->key = MT_NEW_N (st->arena, int, t->column_count + 1);
   for (const MtColumnDef *d = st->stmt->create_table.columns; d; d = d->next)
      if (d->primary_key) {
         if (t->key_count || st->stmt->create_table.key)
            return mt_error_at (err, d->span, MT_E_TABLE_DEFINITION,
                                "multiple primary keys for table \"%s\" are not allowed", t->name);
         t->key[t->key_count++] = column_at (t, d->name.text);
         t->unique = true;
      }
   for (const MtNameList *k = st->stmt->create_table.key; k; k = k->next) {
      int c = mt_table_column (t, k->name.text, mt_name_is_exact (&k->name));
      if (c < 0)
         return mt_error_at (err, k->name.span, MT_E_UNDEFINED_COLUMN,
                             "column \"%s\" named in key does not exist", k->name.text);
      if (mt_in_key (t->key, t->key_count, c))
         return mt_error_at (err, k->name.span, MT_E_DUPLICATE_COLUMN,
                             "column \"%s\" appears twice in primary key constraint",
                             t->columns[c].name);
      t->key[t->key_count++] = c;
      t->columns[c].not_null |= st->stmt->create_table.primary;
   }
   t->unique |= st->stmt->create_table.primary;
   return true;
}

/* ---- layouts ---- */

static const char *option_text (MtArena *a, const MtOption *o)
{
   if (o->kind != MT_OPT_LIST)
      return o->kind == MT_OPT_NONE ? "true" : mt_strndup (a, o->value.p, o->value.n);
   const char *text = "";
   for (const MtNameList *n = o->list; n; n = n->next)
      text = mt_printf (a, "%s%s%s", text, *text ? ", " : "", n->name.text);
   return text;
}

static const char *quoted (MtArena *a, const char *text)
{
   char *out = mt_alloc (a, 2 * strlen (text) + 3), *p = out;
   *p++ = '\'';
   for (; *text; *p++ = *text++)
      if (*text == '\'')
         *p++ = '\'';
   *p++ = '\'';
   *p = '\0';
   return out;
}

static const char *options_text (MtArena *a, const MtOption *o)
{
   const char *text = "";
   for (; o; o = o->next)
      if (!mt_ieq (o->name.text, "expire_after")) /* what ALTER TABLE may change */
         text = mt_printf (a, "%s%s%s = %s", text, *text ? ", " : "", o->name.text,
                           quoted (a, option_text (a, o)));
   return text;
}

static const bson_t *user_layout (MtSession *s, const char *name)
{
   size_t n;
   const MtCatalogObject *items = mt_catalog_objects (s->catalog, "layout", &n);
   for (size_t i = 0; i < n; i++)
      if (mt_ieq (items[i].name, name))
         return items[i].body;
   return NULL;
}

/* A descriptor made by CREATE LAYOUT, with its first store's collection replaced when WITH
 * (collection = …) says so. */
static bool user_descriptor (MtStatement *st, const MtLayoutDef *d, const bson_t *item, bson_t *out,
                             const char **collection, MtError *err)
{
   bson_iter_t it;
   *collection = NULL;
   for (const MtOption *o = d->options; o; o = o->next) {
      if (mt_ieq (o->name.text, "shard_key") || mt_ieq (o->name.text, "expire_after"))
         continue;
      if (!mt_ieq (o->name.text, "collection"))
         return mt_error_at (err, o->name.span, MT_E_PARAMETER,
                             "layout \"%s\" has no option \"%s\"", d->access.text, o->name.text);
      *collection = option_text (st->arena, o);
   }
   if (!bson_iter_init_find (&it, item, "descriptor") || !BSON_ITER_HOLDS_DOCUMENT (&it))
      return mt_error (err, MT_E_CORRUPT, "layout \"%s\" in the catalog has no descriptor",
                       d->access.text);
   MtVal v = mt_v_from_iter (&it);
   bson_t view;
   return bson_init_static (&view, v.p, v.len) && bson_concat (out, &view);
}

static void free_bson (void *b) { bson_destroy (b); }

static bool preset_descriptor (MtStatement *st, const MtTable *t, const MtLayoutDef *d,
                               const char *preset, const char *collection, bson_t *out,
                               MtError *err)
{
   size_t n = 0;
   for (const MtOption *o = d ? d->options : NULL; o; o = o->next)
      n++;
   MtPresetOption *options = MT_NEW_N (st->arena, MtPresetOption, n + 1);
   n = 0;
   for (const MtOption *o = d ? d->options : NULL; o; o = o->next)
      options[n++] = (MtPresetOption) {o->name.text, option_text (st->arena, o), o->span};
   if (mt_preset_descriptor (st->arena, t, preset, options, n, collection, out, err))
      return true;
   if (err->span.start < 0 && d)
      err->span = d->access.span;
   return false;
}

static bool taken (const MtTable *t, const char *name)
{
   for (size_t i = 0; i < t->layout_count; i++)
      if (mt_ieq (t->layouts[i].name, name))
         return true;
   return false;
}

/* A collection that is there is the time-series collection that the layout says. In process there
 * is no such thing: the documents are what counts. */
static bool made_alike (MtStatement *st, const MtLayout *l, MtError *err)
{
   MtEngine *e = st->session->engine;
   for (size_t i = 0; i < l->store_count; i++) {
      const MtTimeseries *want = l->stores[i].timeseries, *is;
      if (!want || mt_engine_caps (e)->local_operators)
         continue;
      if (!mt_engine_timeseries (e, st->arena, l->stores[i].collection, &is, err))
         return false;
      if (is && !strcmp (is->time, want->time) &&
          (want->meta ? is->meta && !strcmp (is->meta, want->meta) : !is->meta))
         continue;
      mt_error (err, MT_E_INVALID_DEFINITION,
                "collection \"%s\" is not the time-series collection that layout \"%s\" says",
                l->stores[i].collection, l->name);
      if (!is)
         return mt_error_detail (err, "It is an ordinary collection.");
      return mt_error_detail (err, "Its timeField is \"%s\", and it has %s%s%s.", is->time,
                              is->meta ? "the metaField \"" : "no metaField",
                              is->meta ? is->meta : "", is->meta ? "\"" : "");
   }
   return true;
}

#define EXAMPLE_MS INT64_C (1706659200000) /* 2024-01-31, as the manual's examples have it */
enum { MOST_SHOWN = 3 };

/* Of others' partitions those whose names aren't written as ours are no part of the table; nothing
 * else would tell. */
static bool tell_strangers (MtStatement *st, const MtStoreDesc *s, MtError *err)
{
   const char **names, *text = "";
   size_t n, found = 0;
   bool attached;
   if (!s->parts)
      return true;
   if (!mt_engine_collections (st->session->engine, st->arena, &names, &n, err))
      return false;
   for (size_t i = 0; i < n; i++)
      if (mt_store_nearly_owns (s, names[i]) &&
          !mt_collection_owner (st->session, names[i], &attached) && ++found <= MOST_SHOWN)
         text = mt_printf (st->arena, "%s%s\"%s\"", text, *text ? ", " : "", names[i]);
   if (found > MOST_SHOWN)
      text = mt_printf (st->arena, "%s and %zu more", text, found - MOST_SHOWN);
   if (found)
      mt_notice (st->session, "NOTICE",
                 mt_printf (st->arena, "Partitions are called like \"%s\".",
                            mt_partition_of (st->arena, s, EXAMPLE_MS).collection),
                 "no partitions by their names: %s", text);
   return true;
}

/* How many of the layout's stores are there. */
static bool count_existing (MtStatement *st, const MtLayout *l, size_t *count, MtError *err)
{
   MtTable alone = {.layouts = (MtLayout *) l, .layout_count = 1};
   const MtTable *look = &alone;
   *count = 0;
   if (!mt_partitions_look (st->session->engine, &look, 1, err))
      return false;
   for (size_t i = 0; i < l->store_count; i++) {
      bool has;
      if (!mt_engine_has_collection (st->session->engine, l->stores[i].collection, &has, err))
         return false;
      *count += l->stores[i].parts ? l->stores[i].parts->count > 0 : has;
   }
   return true;
}

static bool tell_of_owners (MtStatement *st, const MtLayout *l, MtError *err)
{
   for (size_t i = 0; i < l->store_count; i++) {
      bool attached;
      const MtTable *owner = mt_store_owner (st->session, &l->stores[i], &attached);
      if (owner && !attached)
         mt_notice (
            st->session, "NOTICE", NULL,
            "collection \"%s\" belongs to table \"%s\", too: what one of them writes or drops is the other's",
            l->stores[i].collection, owner->name);
      if (!tell_strangers (st, &l->stores[i], err))
         return false;
   }
   return true;
}

static bool has_document (MtStatement *st, const char *collection, bool *any, MtError *err)
{
   MtPipe *p = mt_pipe_new (st->arena);
   MtCursor *c;
   const bson_t *doc;
   mt_pipe_add_value (p, "$limit", mt_v_int64 (1));
   if (!mt_engine_aggregate (st->session->engine,
                             &(MtAggregateArgs) {.collection = collection, .pipeline = p->stages},
                             &c, err))
      return false;
   bool ok = mt_cursor_next (c, &doc, err);
   *any = ok && doc;
   mt_cursor_free (c);
   return ok;
}

/* Whether any of the layout's collections has a document; missing: one that isn't there, or
 * NULL. */
static bool has_documents (MtStatement *st, const MtLayout *l, bool *any, const char **missing,
                           MtError *err)
{
   *any = false;
   *missing = NULL;
   for (size_t i = 0; i < l->store_count; i++) {
      size_t n, there = 0;
      const char *const *names = mt_store_collections_of (st->arena, &l->stores[i], &n);
      for (size_t k = 0; k < n; k++) {
         bool has, some = false;
         if (!mt_engine_has_collection (st->session->engine, names[k], &has, err) ||
             (has && !has_document (st, names[k], &some, err)))
            return false;
         there += has;
         *any = *any || some;
      }
      *missing = there ? *missing : l->stores[i].collection;
   }
   return true;
}

/* Documents of some stores would be read at some grains and not at others, and go with a table that
 * didn't make them; a layout without any beside one that has rows would be believed. */
static bool may_attach (MtStatement *st, const MtTable *t, const MtLayout *l, MtError *err)
{
   bool any, rows;
   const char *missing, *ignored;
   if (!has_documents (st, l, &any, &missing, err))
      return false;
   if (any && missing) {
      mt_error (
         err, MT_E_STATE,
         "layout \"%s\" lies in collections of which some have documents, and \"%s\" doesn't exist",
         l->name, missing);
      return mt_error_hint (
         err,
         "A layout takes all of its collections as they are, or makes all of them: name others, or create \"%s\", if its documents are still to come.",
         missing);
   }
   if (any || missing || t->layout_count == 1)
      return true;
   if (!has_documents (st, &t->layouts[0], &rows, &ignored, err))
      return false;
   if (!rows)
      return true;
   mt_error (err, MT_E_STATE, "collection \"%s\" exists, but has none of what is in table \"%s\"",
             l->stores[0].collection, t->name);
   return mt_error_hint (err, "Drop the collection, or name another: WITH (collection = '...').");
}

/* Attaches to collections that exist, makes those that don't. One that is there on a server may be
 * a dropped table's: by a short statement that hadn't seen that yet, and takes its row and the
 * collection away again when it does. */
static bool attach_or_make (MtStatement *st, const MtTable *t, MtLayout *l, MtError *err)
{
   MtEngine *e = st->session->engine;
   size_t existing;
   if (!count_existing (st, l, &existing, err) ||
       (existing &&
        !(mt_leases_run_out (st->session, true, err) && count_existing (st, l, &existing, err))) ||
       !tell_of_owners (st, l, err))
      return false;
   if (existing && !may_attach (st, t, l, err))
      return false;
   if (existing == l->store_count) {
      mt_layout_attach (l);
      if (!made_alike (st, l, err))
         return false;
      return mt_layout_check_first (e, t, l, st->arena, err);
   }
   if (mt_engine_caps (e)->read_only) {
      mt_error (err, MT_E_READ_ONLY,
                "collection \"%s\" does not exist, and the target is read-only",
                l->stores[0].collection);
      return mt_error_hint (
         err,
         "A table can be declared over the collections that are there: WITH (collection = '...').");
   }
   return mt_layout_create_collections (e, t, l, err);
}

/* A name like that for a collection, or for partitions, that aren't another table's: one that was
 * renamed keeps its collections. */
static const char *free_name (MtStatement *st, const MtLayoutDef *d, const char *name)
{
   MtStoreDesc store = {.collection = name};
   MtPartitions parts = {.unit = MT_UNIT_MONTH};
   bool attached;
   for (const MtOption *o = d ? d->options : NULL; o; o = o->next)
      if (mt_ieq (o->name.text, "partition_by")) {
         parts.unit = mt_ieq (option_text (st->arena, o), "day") ? MT_UNIT_DAY : MT_UNIT_MONTH;
         store.parts = &parts;
      }
   for (int i = 2; mt_store_owner (st->session, &store, &attached); i++)
      store.collection = mt_printf (st->arena, "%s_%d", name, i);
   return store.collection;
}

/* WITH (shard_key = …), of any layout. */
static bool shard (MtStatement *st, const MtTable *t, const MtLayoutDef *d, MtLayout *l,
                   MtError *err)
{
   for (const MtOption *o = d ? d->options : NULL; o; o = o->next) {
      if (!mt_ieq (o->name.text, "shard_key"))
         continue;
      MtPresetOption option = {o->name.text, option_text (st->arena, o), o->span};
      if (!mt_layout_shard (st->arena, t, l, &option, err))
         return false;
      if (!mt_engine_caps (st->session->engine)->router)
         mt_notice (st->session, "NOTICE", NULL,
                    "the target is no router of a sharded cluster: layout \"%s\" isn't sharded",
                    l->name);
   }
   return true;
}

bool mt_build_layout (MtStatement *st, const MtTable *t, const MtLayoutDef *d, MtLayout *l,
                      MtError *err)
{
   MtArena *a = st->arena;
   const char *preset = d && d->access.text ? d->access.text : MT_PRESET_PLAIN, *collection = NULL;
   const char *name = d && d->name.text ? d->name.text : preset;
   if (taken (t, name))
      return mt_error_at (err, d->span, MT_E_DUPLICATE_OBJECT,
                          "layout \"%s\" of table \"%s\" already exists", name, t->name);
   const bson_t *item = user_layout (st->session, preset);
   bson_t *descriptor = bson_new ();
   mt_arena_defer (a, free_bson, descriptor);
   const char *id = mt_table_id (a, t),
              *standard = free_name (st, d,
                                     t->layout_count == 0 ? id : mt_printf (a, "%s_%s", id, name));
   bool ok = item ? user_descriptor (st, d, item, descriptor, &collection, err)
                  : preset_descriptor (st, t, d, preset, standard, descriptor, err);
   if (!ok || !(item ? mt_layout_parse : mt_layout_parse_preset) (a, t, name, descriptor, l, err))
      return false;
   if ((collection && !mt_layout_move (t, l, collection, err)) ||
       !mt_temporary_place (a, t, l, err) || !shard (st, t, d, l, err))
      return false;
   l->preset = preset;
   l->options_text = d ? options_text (a, d->options) : "";
   l->clean = true;
   return true;
}

/* ---- statements ---- */

bool mt_new_table_name (MtStatement *st, bool *exists, MtError *err)
{
   const MtName *name = &st->stmt->create_table.name;
   const MtTable *existing;
   bool temporary = mt_creates_temporary (st->stmt);
   *exists = false;
   if (!mt_catalog_find_among (st->session->catalog,
                               temporary ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES, name->text,
                               true, &existing, err))
      return false;
   bool taken = existing || (!temporary && mt_is_view (st->session, name->text));
   if (!temporary && mt_is_temporary (name->text))
      return mt_error (err, MT_E_RESERVED_NAME,
                       "unacceptable relation name \"%s\": the prefix \"" MT_TEMPORARY
                       "\" is that of temporary tables",
                       name->text);
   if (taken && !st->stmt->create_table.if_not_exists)
      return mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists", name->text);
   if (taken)
      mt_notice (st->session, "NOTICE", NULL, "relation \"%s\" already exists, skipping",
                 name->text);
   *exists = taken;
   return true;
}

/* A layout of sums adds up what has the same key: it can't tell whether a row is there. */
static bool may_be_unique (const MtTable *t, MtError *err)
{
   if (t->unique && t->layouts[0].stores[0].timeseries) {
      mt_error (err, MT_E_FEATURE,
                "a PRIMARY KEY of a table in a time-series collection is not supported");
      return mt_error_hint (err, "Such collections take any number of records of one time.");
   }
   bool records = false;
   for (size_t i = 0; i < t->layout_count; i++)
      records |= t->layouts[i].keeps == MT_KEEPS_RECORDS;
   if (!t->unique || records)
      return true;
   mt_error (err, MT_E_FEATURE, "a PRIMARY KEY of a table that keeps no records is not supported");
   return mt_error_hint (err, "KEY (column, …) says by what its sums are kept.");
}

/* The collections that a layout makes are no layout before they are full. */
bool mt_intend_layout (MtStatement *st, const MtTable *t, MtLayout *l, const char *what,
                       MtError *err)
{
   MtTable alone = {.layouts = l, .layout_count = 1};
   const MtTable *look = &alone;
   const char **made = MT_NEW_N (st->arena, const char *, l->store_count + 1);
   size_t n = 0;
   if (!mt_partitions_look (st->session->engine, &look, 1, err))
      return false;
   for (size_t i = 0; i < l->store_count; i++) {
      const MtStoreDesc *s = &l->stores[i];
      const char *name = mt_intended_name (st->arena, s);
      bool has;
      if (!mt_collection_intended (st, t, name, err) ||
          !mt_engine_has_collection (st->session->engine, s->collection, &has, err))
         return false;
      if (!(s->parts ? s->parts->count > 0 : has))
         made[n++] = name;
   }
   bool nothing = n == 0 && (t->temporary || strcmp (what, MT_INTENDS_CREATE) == 0);
   return nothing || mt_intend (st, t, what, made, n, err);
}

bool mt_run_create_table (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   bool exists;
   mt_result_set_tag (st->result, "CREATE TABLE");
   if (!mt_new_table_name (st, &exists, err) || exists)
      return exists;
   MtTable t = {.name = st->stmt->create_table.name.text};
   t.layouts = MT_NEW (st->arena, MtLayout);
   if (!mt_temporary_set (st, &t, err) || !build_columns (st, &t, err) ||
       !build_key (st, &t, err) ||
       !mt_expiry_declare (st, st->stmt->create_table.layout, &t, err) ||
       !mt_build_layout (st, &t, st->stmt->create_table.layout, &t.layouts[0], err))
      return false;
   t.layout_count = 1;
   if (!mt_expiry_settle (st, &t, err) || !mt_clear_creation (st, &t, err) ||
       !mt_intend_layout (st, &t, &t.layouts[0], MT_INTENDS_CREATE, err))
      return false;
   if (!mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   if (may_be_unique (&t, err) && attach_or_make (st, &t, &t.layouts[0], err) &&
       (!t.expiry || mt_expiry_tell_all (st, &t, err)) &&
       mt_catalog_save (s->catalog, &t, NULL, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

static bool drop_collections (MtSession *s, const MtLayout *l, MtError *err)
{
   MtArena *a = mt_arena_new ("collections", NULL);
   bool ok = true;
   for (size_t i = 0; i < l->store_count && !l->attached; i++) {
      size_t n;
      const char *const *names = mt_store_collections_of (a, &l->stores[i], &n);
      for (size_t k = 0; k < n && ok; k++)
         ok = mt_engine_drop_collection (s->engine, names[k], err);
   }
   mt_arena_free (a);
   return ok;
}

/* On a server collections go after the catalog's entry: another table or layout of the name would
 * find what is left of them. */
static bool begin_drop (MtStatement *st, const MtTable *t, const MtLayout *layouts, size_t count,
                        const char *what, MtError *err)
{
   const char **names;
   size_t n = 0, stores = 0;
   for (size_t i = 0; i < count; i++)
      stores += layouts[i].store_count;
   names = MT_NEW_N (st->arena, const char *, stores + 1);
   for (size_t i = 0; i < count; i++)
      for (size_t k = 0; k < layouts[i].store_count && !layouts[i].attached; k++)
         names[n++] = mt_intended_name (st->arena, &layouts[i].stores[k]);
   if (n && !mt_intend (st, t, what, names, n, err))
      return false;
   if (mt_step_begin (st->session, err))
      return true;
   mt_intents_end (st->session);
   return false;
}

bool mt_drop_one_table (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   if (!begin_drop (st, t, t->layouts, t->layout_count, MT_INTENDS_DROP, err))
      return false;
   bool dropped, ok = true;
   for (size_t i = 0; i < t->layout_count && ok; i++)
      ok = drop_collections (s, &t->layouts[i], err);
   const char *id = mt_table_id (st->arena, t);
   if (ok && mt_clear_dead_intents (st, t, err) && mt_intents_break (st, t, err) &&
       mt_indexes_drop (s, st->arena, id, err) && mt_comments_drop (s, id, err) &&
       mt_matview_forget (s, id, err) && mt_catalog_drop (s->catalog, id, &dropped, err) &&
       mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

bool mt_run_drop_table (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "DROP TABLE");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      const MtTable *t;
      if (!mt_catalog_find (st->session->catalog, n->name.text, mt_name_is_exact (&n->name), &t,
                            err))
         return false;
      if (!t && mt_is_view (st->session, n->name.text)) {
         mt_error (err, MT_E_WRONG_OBJECT, "\"%s\" is not a table", n->name.text);
         return mt_error_hint (err, "Use DROP VIEW to remove a view.");
      }
      if (!t && st->stmt->drop.if_exists) {
         mt_notice (st->session, "NOTICE", NULL, "table \"%s\" does not exist, skipping",
                    n->name.text);
         continue;
      }
      if (!t) {
         mt_error_at (err, n->name.span, MT_E_UNDEFINED_TABLE, "table \"%s\" does not exist",
                      n->name.text);
         return false;
      }
      if (!mt_drop_one_table (st, t, err) || !mt_catalog_refresh (st->session->catalog, NULL, err))
         return false;
   }
   return true;
}

/* A copy of t with room for one more layout. */
static MtTable copy_table (MtArena *a, const MtTable *t)
{
   MtTable copy = *t;
   copy.layouts = MT_NEW_N (a, MtLayout, t->layout_count + 1);
   memcpy (copy.layouts, t->layouts, t->layout_count * sizeof (MtLayout));
   return copy;
}

static bool add_layout (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   MtTable next = copy_table (st->arena, t);
   MtLayout *l = &next.layouts[t->layout_count];
   const MtLayoutDef *d = st->stmt->alter_table.layout;
   if (st->stmt->alter_table.action_if_exists && d &&
       taken (t, d->name.text ? d->name.text : d->access.text))
      return true;
   if (!mt_build_layout (st, t, d, l, err) || !mt_expiry_of_layout (st, d, t, l, err))
      return false;
   next.layout_count++;
   if (!mt_expiry_settle (st, &next, err) || !mt_intend_layout (st, t, l, "add layout", err))
      return false;
   if (!mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   bool ok = mt_expiry_retire (st, t, &next, err) && attach_or_make (st, &next, l, err) &&
             (l->attached || (mt_fill_new_layout (st, &next, t->layout_count, err) &&
                              mt_not_written_meanwhile (st, t, err))) &&
             mt_make_indexes (st, &next, err) &&
             (!mt_expires (&next) || mt_expiry_tell_all (st, &next, err)) &&
             mt_catalog_save_unwritten (s->catalog, t, &next, err) && mt_step_commit (s, err);
   if (ok)
      return true;
   mt_step_rollback (s);
   return false;
}

static bool drop_layout (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->alter_table.name;
   MtTable next = copy_table (st->arena, t);
   const MtLayout *gone = NULL;
   next.layout_count = 0;
   for (size_t i = 0; i < t->layout_count; i++) {
      if (mt_ieq (t->layouts[i].name, name->text))
         gone = &t->layouts[i];
      else
         next.layouts[next.layout_count++] = t->layouts[i];
   }
   if (!gone && st->stmt->alter_table.action_if_exists)
      return true;
   if (!gone)
      return mt_error_at (err, name->span, MT_E_UNDEFINED_OBJECT,
                          "layout \"%s\" of table \"%s\" does not exist", name->text, t->name);
   if (next.layout_count == 0) {
      mt_error_at (err, name->span, MT_E_INVALID_DEFINITION,
                   "layout \"%s\" is the only one of table \"%s\"", name->text, t->name);
      return mt_error_hint (err, "DROP TABLE drops the table with its data.");
   }
   if (!may_be_unique (&next, err) || !mt_expiry_may_drop (st, t, gone, &next, err) ||
       !begin_drop (st, t, gone, 1, MT_INTENDS_DROP_LAYOUT, err))
      return false;
   if (drop_collections (s, gone, err) && mt_catalog_save (s->catalog, &next, NULL, err) &&
       mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

static bool rename_table (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->alter_table.name;
   const MtTable *existing;
   MtTable next = *t;
   bool dropped;
   next.name = name->text;
   next.version = 0;
   if (!mt_catalog_find_among (s->catalog, t->temporary ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES,
                               name->text, true, &existing, err) ||
       (!t->temporary && !mt_not_a_view (s, name, err)))
      return false;
   if (existing)
      return mt_error_at (err, name->span, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists",
                          name->text);
   if ((!t->temporary && !mt_no_view_reads (st, t->name, false, err)) || !mt_step_begin (s, err))
      return false;
   const char *id = mt_table_id (st->arena, t), *to = mt_table_id (st->arena, &next);
   if (mt_indexes_rename (st, id, to, err) && mt_comments_rename (st, id, to, err) &&
       mt_matview_rename (st, id, to, err) && mt_catalog_drop (s->catalog, id, &dropped, err) &&
       mt_catalog_save (s->catalog, &next, NULL, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

static bool alter_table (MtStatement *st, const MtTable *t, MtError *err)
{
   MtAlterKind action = st->stmt->alter_table.action;
   bool renames = action == MT_ALTER_RENAME_COLUMN || action == MT_ALTER_COLUMN_TYPE,
        adds = action == MT_ALTER_ADD_COLUMN;
   if ((renames || adds) && !t->temporary && !mt_no_view_reads (st, t->name, adds, err))
      return false;
   switch (action) {
   case MT_ALTER_ADD_LAYOUT: return add_layout (st, t, err);
   case MT_ALTER_DROP_LAYOUT: return drop_layout (st, t, err);
   case MT_ALTER_RENAME_TO: return rename_table (st, t, err);
   case MT_ALTER_ADD_COLUMN: return mt_add_column (st, t, err);
   case MT_ALTER_DROP_COLUMN: return mt_drop_column (st, t, err);
   case MT_ALTER_RENAME_COLUMN: return mt_rename_column (st, t, err);
   case MT_ALTER_COLUMN_TYPE:
   case MT_ALTER_SET_DEFAULT:
   case MT_ALTER_DROP_DEFAULT:
   case MT_ALTER_SET_NOT_NULL:
   case MT_ALTER_DROP_NOT_NULL: return mt_alter_column (st, t, err);
   case MT_ALTER_SET_OPTIONS:
   case MT_ALTER_RESET_OPTIONS: return mt_alter_options (st, t, err);
   }
   return false;
}

/* What goes before what is made, as in PostgreSQL: then DROP COLUMN a, ADD COLUMN a may be written
 * in either order. */
static int pass_of (MtAlterKind action)
{
   switch (action) {
   case MT_ALTER_DROP_COLUMN:
   case MT_ALTER_DROP_DEFAULT:
   case MT_ALTER_DROP_NOT_NULL: return 0;
   case MT_ALTER_COLUMN_TYPE: return 1;
   case MT_ALTER_ADD_COLUMN: return 2;
   case MT_ALTER_ADD_LAYOUT:
   case MT_ALTER_DROP_LAYOUT:
   case MT_ALTER_RENAME_TO:
   case MT_ALTER_RENAME_COLUMN:
   case MT_ALTER_SET_DEFAULT:
   case MT_ALTER_SET_NOT_NULL:
   case MT_ALTER_SET_OPTIONS:
   case MT_ALTER_RESET_OPTIONS: break;
   }
   return 3;
}

/* Each action alters the table that the one before left. All are one step: mt_write_begin. */
static bool alter_each (MtStatement *st, MtError *err)
{
   MtStatement one = *st;
   if (st->stmt->alter_table.next && !mt_engine_caps (st->session->engine)->savepoints) {
      mt_error_at (err, st->stmt->span, MT_E_FEATURE,
                   "several actions in one ALTER TABLE are not supported on a server");
      return mt_error_hint (err, "Use a statement for each action.");
   }
   for (int pass = 0; pass < 4; pass++)
      for (const MtStmt *s = st->stmt; s; s = s->alter_table.next) {
         const MtTable *t;
         one.stmt = s;
         if (pass_of (s->alter_table.action) == pass &&
             (!mt_matview_admits (&one, err) ||
              !mt_need_table (&one, &s->alter_table.table, &t, err) || !alter_table (&one, t, err)))
            return false;
      }
   return true;
}

bool mt_run_alter_table (MtStatement *st, MtError *err)
{
   const MtTable *t;
   const MtName *name = &st->stmt->alter_table.table;
   mt_result_set_tag (st->result, st->stmt->alter_table.materialized ? "ALTER MATERIALIZED VIEW"
                                                                     : "ALTER TABLE");
   if (st->stmt->alter_table.if_exists &&
       !mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), &t, err))
      return false;
   if (st->stmt->alter_table.if_exists && !t) {
      mt_notice (st->session, "NOTICE", NULL, "relation \"%s\" does not exist, skipping",
                 name->text);
      return true;
   }
   return alter_each (st, err);
}
