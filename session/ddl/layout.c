/* Makes a layout from its definition: the descriptor, and the collections that are attached or
 * created. */
#include "engine/pipe.h"
#include "layouts/read/attach.h"
#include "layouts/collections/partition.h"
#include "layouts/presets/preset.h"
#include "layouts/descriptor/descriptor.h"
#include "layouts/collections/collections.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/ddl/ddl.h"

#include <string.h>
#include <strings.h>

static const char *option_text (MtArena *a, const MtOption *o)
{
   if (o->kind != MT_OPT_LIST)
      return o->kind == MT_OPT_NONE ? "true" : mt_strndup (a, o->value.p, o->value.n);
   const char *text = "";
   for (const MtNameList *n = o->list; n; n = n->next)
      text = mt_printf (a, "%s%s%s", text, *text ? ", " : "", n->name.text);
   return text;
}

static const char *options_text (MtArena *a, const MtOption *o)
{
   const char *text = "";
   /* expire_after is left out: ALTER TABLE can change it, so it is stored elsewhere. */
   for (; o; o = o->next)
      if (!mt_ieq (o->name.text, "expire_after"))
         text = mt_printf (a, "%s%s%s = %s", text, *text ? ", " : "", o->name.text,
                           mt_quoted_text (a, option_text (a, o)));
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

/* Copies the descriptor (BSON) that CREATE LAYOUT has saved in the catalog to `out`. *collection
 * receives the value of WITH (collection = …), which replaces the name of the first store's
 * collection; NULL: not given. */
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

static const char *preset_name (const MtLayoutDef *d)
{
   return d && d->access.text ? d->access.text : MT_PRESET_PLAIN;
}

static bool describe_preset (MtStatement *st, const MtTable *t, const MtLayoutDef *d,
                             const char *collection, bson_t *out, MtError *err)
{
   size_t n = 0;
   for (const MtOption *o = d ? d->options : NULL; o; o = o->next)
      n++;
   MtPresetOption *options = MT_NEW_N (st->arena, MtPresetOption, n + 1);
   n = 0;
   for (const MtOption *o = d ? d->options : NULL; o; o = o->next)
      options[n++] = (MtPresetOption) {o->name.text, option_text (st->arena, o), o->span};
   MtPresetUse use = {preset_name (d), options, n, collection};
   if (mt_preset_descriptor (st->arena, t, &use, out, err))
      return true;
   if (err->span.start < 0 && d)
      err->span = d->access.span;
   return false;
}

bool mt_has_layout (const MtTable *t, const char *name)
{
   for (size_t i = 0; i < t->layout_count; i++)
      if (mt_ieq (t->layouts[i].name, name))
         return true;
   return false;
}

/* Checks that an existing collection is the time-series collection that the layout describes. The
 * embedded engine has no time-series collections, so only the documents are checked. */
static bool check_timeseries (MtStatement *st, const MtLayout *l, MtError *err)
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
                "collection \"%s\" is not the time-series collection of layout \"%s\"",
                l->stores[i].collection, l->name);
      if (!is)
         return mt_error_detail (err, "It is an ordinary collection.");
      return mt_error_detail (err, "Its timeField is \"%s\", and it has %s%s%s.", is->time,
                              is->meta ? "the metaField \"" : "no metaField",
                              is->meta ? is->meta : "", is->meta ? "\"" : "");
   }
   return true;
}

#define EXAMPLE_MS INT64_C (1706659200000) /* 2024-01-31, as in the manual */
enum { MOST_SHOWN = 3 };

/* Reports collections whose names look like partitions of an attached store, but have another form.
 * Such collections do not belong to the table. */
static bool report_other_names (MtStatement *st, const MtStoreDesc *s, MtError *err)
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
                 mt_printf (st->arena, "Names of partitions look like \"%s\".",
                            mt_partition_of (st->arena, s, EXAMPLE_MS).collection),
                 "collections are not read as partitions: %s", text);
   return true;
}

/* Sets *count to how many of the layout's stores have a collection. */
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

/* Like count_existing, but if collections exist, first waits for short statements of other clients.
 * Such a statement, if it has not seen a DROP TABLE, creates a dropped collection again for a
 * moment, and then removes it. */
static bool count_settled (MtStatement *st, const MtLayout *l, size_t *count, MtError *err)
{
   return count_existing (st, l, count, err) &&
          (!*count ||
           (mt_leases_run_out (st->session, true, err) && count_existing (st, l, count, err)));
}

static bool report_owners (MtStatement *st, const MtLayout *l, MtError *err)
{
   for (size_t i = 0; i < l->store_count; i++) {
      bool attached;
      const MtTable *owner = mt_store_owner (st->session, &l->stores[i], &attached);
      if (owner && !attached)
         mt_notice (
            st->session, "NOTICE", NULL,
            "collection \"%s\" also belongs to table \"%s\": both tables read and write its "
            "documents",
            l->stores[i].collection, owner->name);
      if (!report_other_names (st, &l->stores[i], err))
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

/* Sets *any if a collection of the layout has a document. Sets *missing to the name of a collection
 * that does not exist, or to NULL. */
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

/* Fails if only some of the layout's collections have documents, because results would depend on
 * the collection that a query reads. Also fails if all are empty but another layout of the table
 * has rows. */
static bool may_attach (MtStatement *st, const MtTable *t, const MtLayout *l, MtError *err)
{
   bool any, rows;
   const char *missing, *ignored;
   if (!has_documents (st, l, &any, &missing, err))
      return false;
   if (any && missing) {
      mt_error (err, MT_E_STATE,
                "some collections of layout \"%s\" have documents, but \"%s\" does not exist",
                l->name, missing);
      return mt_error_hint (
         err, "All collections of a layout must exist, or none. Name others, or create \"%s\".",
         missing);
   }
   if (any || missing || t->layout_count == 1)
      return true;
   if (!has_documents (st, &t->layouts[0], &rows, &ignored, err))
      return false;
   if (!rows)
      return true;
   mt_error (err, MT_E_STATE, "collection \"%s\" exists, but has none of the rows of table \"%s\"",
             l->stores[0].collection, t->name);
   return mt_error_hint (err, "Drop the collection, or name another: WITH (collection = '...').");
}

/* Returns whether the statement names the collections of a new layout: by the option collection, or
 * in a descriptor of CREATE LAYOUT. */
static bool names_collections (MtStatement *st, const MtLayoutDef *d)
{
   for (const MtOption *o = d ? d->options : NULL; o; o = o->next)
      if (mt_ieq (o->name.text, "collection"))
         return true;
   return user_layout (st->session, preset_name (d)) != NULL;
}

/* Sets the error that the layout's collection already exists, and returns false: only collections
 * that the statement names are attached. On a server, a statement that has not seen DROP LAYOUT may
 * have created the collection again with only its own rows. */
static bool is_there (MtStatement *st, const MtLayout *l, MtError *err)
{
   const char *name = l->stores[0].collection;
   mt_error (err, MT_E_DUPLICATE_TABLE, "collection \"%s\" already exists", name);
   return mt_error_hint (err,
                         "Drop it, or name it to attach it to the table: WITH (collection = %s).",
                         mt_quoted_text (st->arena, name));
}

/* Fails if an intent in the catalog says that a statement of another client, which may have died,
 * fills or removes one of the layout's collections. */
static bool none_intended (MtStatement *st, const MtTable *t, const MtLayout *l, MtError *err)
{
   for (size_t i = 0; i < l->store_count; i++)
      if (!mt_collection_intended (st, t, mt_intended_name (st->arena, &l->stores[i]), err))
         return false;
   return true;
}

bool mt_clear_leftover (MtStatement *st, const MtTable *t, const MtLayoutDef *d, const MtLayout *l,
                        MtError *err)
{
   size_t existing = 0;
   bool any;
   const char *missing;
   if (names_collections (st, d))
      return true;
   if (!count_settled (st, l, &existing, err) ||
       (existing && !has_documents (st, l, &any, &missing, err)))
      return false;
   if (existing && any)
      return none_intended (st, t, l, err) && is_there (st, l, err);
   for (size_t i = 0; i < l->store_count && existing; i++) {
      size_t n;
      const char *const *names = mt_store_collections_of (st->arena, &l->stores[i], &n);
      for (size_t k = 0; k < n; k++)
         if (!mt_engine_drop_collection (st->session->engine, names[k], err))
            return false;
   }
   return true;
}

/* Fails if a column of t has an enumerated type. In attached collections nothing checks that the
 * values are labels of the type. */
static bool no_enums (const MtTable *t, MtError *err)
{
   for (size_t i = 0; i < t->column_count; i++)
      if (mt_type_is_enum (mt_type_element (t->columns[i].type.id))) {
         mt_error (err, MT_E_FEATURE,
                   "column \"%s\" of an enumerated type in an attached collection is not supported",
                   t->columns[i].name);
         return mt_error_hint (err, "Declare the column as text, and cast it in a view.");
      }
   return true;
}

bool mt_attach_or_create (MtStatement *st, const MtTable *t, const MtLayoutDef *d, MtLayout *l,
                          MtError *err)
{
   MtEngine *e = st->session->engine;
   size_t existing;
   if (!count_settled (st, l, &existing, err) || !report_owners (st, l, err))
      return false;
   if (existing && t->layout_count > 1 && !names_collections (st, d))
      return is_there (st, l, err);
   if (existing && !may_attach (st, t, l, err))
      return false;
   if (existing == l->store_count) {
      mt_layout_attach (l);
      if (!no_enums (t, err) || !check_timeseries (st, l, err))
         return false;
      return mt_layout_check_first (e, t, l, st->arena, err);
   }
   if (mt_engine_caps (e)->read_only) {
      mt_error (err, MT_E_READ_ONLY,
                "collection \"%s\" does not exist, and the target is read-only",
                l->stores[0].collection);
      return mt_error_hint (
         err, "Declare the table over an existing collection: WITH (collection = '...').");
   }
   return mt_layout_create_collections (e, t, l, err);
}

/* Returns `name`, with a number appended if collections of this name already belong to a table. (A
 * renamed table keeps its collections.) */
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

/* Reads the option WITH (shard_key = …), which all layouts have. */
static bool shard_layout (MtStatement *st, const MtTable *t, const MtLayoutDef *d, MtLayout *l,
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
                    "the target is not a router of a sharded cluster: layout \"%s\" is not sharded",
                    l->name);
   }
   return true;
}

/* Returns whether an option is about how PostgreSQL stores a table. */
static bool is_storage_option (const char *name)
{
   return mt_ieq (name, "fillfactor") || mt_ieq (name, "parallel_workers") ||
          strncasecmp (name, "autovacuum_", 11) == 0;
}

/* Returns the layout without such options, and gives a notice for each. */
static const MtLayoutDef *without_storage (MtStatement *st, const MtLayoutDef *d)
{
   if (!d)
      return NULL;
   MtLayoutDef *copy = MT_NEW (st->arena, MtLayoutDef);
   MtOption **last = &copy->options;
   *copy = *d;
   *last = NULL;
   for (const MtOption *o = d->options; o; o = o->next) {
      if (is_storage_option (o->name.text)) {
         mt_notice (st->session, "NOTICE", NULL, "option \"%s\" has no effect", o->name.text);
         continue;
      }
      *last = MT_NEW (st->arena, MtOption);
      **last = *o;
      (*last)->next = NULL;
      last = &(*last)->next;
   }
   return copy;
}

bool mt_build_layout (MtStatement *st, const MtTable *t, const MtLayoutDef *given, MtLayout *l,
                      MtError *err)
{
   MtArena *a = st->arena;
   const MtLayoutDef *d = without_storage (st, given);
   const char *preset = preset_name (d), *collection = NULL;
   const char *name = d && d->name.text ? d->name.text : preset;
   if (mt_has_layout (t, name))
      return mt_error_at (err, d->span, MT_E_DUPLICATE_OBJECT,
                          "layout \"%s\" of table \"%s\" already exists", name, t->name);
   const bson_t *item = user_layout (st->session, preset);
   bson_t *descriptor = mt_doc_new (a);
   const char *id = mt_table_id (a, t),
              *standard = free_name (st, d,
                                     t->layout_count == 0 ? id : mt_printf (a, "%s_%s", id, name));
   bool ok = item ? user_descriptor (st, d, item, descriptor, &collection, err)
                  : describe_preset (st, t, d, standard, descriptor, err);
   if (!ok || !(item ? mt_layout_parse : mt_layout_parse_preset) (a, t, name, descriptor, l, err))
      return false;
   if ((collection && !mt_layout_move (t, l, collection, err)) ||
       !mt_temporary_place (a, t, l, err) || !shard_layout (st, t, d, l, err))
      return false;
   l->preset = preset;
   l->options_text = d ? options_text (a, d->options) : "";
   l->clean = true;
   return true;
}
