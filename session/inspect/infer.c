/* Collections without a declared table: lists their fields (\d), and proposes a CREATE TABLE
 * (\infer). */
#include "base/shown.h"
#include "engine/pipe.h"
#include "layouts/read/attach.h"
#include "layouts/infer/infer.h"
#include "layouts/collections/partition.h"
#include "layouts/presets/preset.h"
#include "layouts/descriptor/descriptor.h"
#include "session/coordinate/coordinate.h"
#include "session/core/undeclared.h"
#include "session/inspect/infer_int.h"

#include <string.h>

typedef struct Listing {
   MtArena *a;
   MtFieldInfo *rows;
   size_t count, capacity;
} Listing;

static void list_below (Listing *l, const MtSeen *s, const char *path, bool inside);

static void list_field (Listing *l, const MtSeen *s, const char *path, const char *type,
                        double missing)
{
   MT_GROW_IN (l->a, l->rows, l->count, l->capacity, 64);
   l->rows[l->count++] = (MtFieldInfo) {path, type, mt_seen_text (l->a, s), missing};
}

/* Lists the fields of a document, with the paths after `prefix`. inside: the document is within an
 * array, a map, or a value that is not always a document, so its fields are no columns. */
static void list_fields (Listing *l, const MtSeen *doc, const char *prefix, bool inside)
{
   for (const MtSeen *f = doc->fields; f; f = f->next) {
      const char *path = mt_printf (l->a, "%s%s%s", prefix, *prefix ? "." : "", f->name);
      bool flat = !inside && !f->unnameable && mt_seen_flattens (f);
      uint64_t missing = mt_seen_missing (doc, f), parents = doc->types[MT_SEEN_DOC];
      bool none = inside || f->unnameable || (flat && strcmp (path, "_id") == 0);
      MtTypeId type = flat ? MT_T_DOCUMENT : mt_seen_type (f).id;
      list_field (l, f, path, none ? "" : mt_type_info (type)->display,
                  parents ? (double) missing / (double) parents : 0);
      list_below (l, f, path, inside || !flat);
   }
}

static void list_below (Listing *l, const MtSeen *s, const char *path, bool inside)
{
   const MtSeen *values = mt_seen_is_map (s) ? mt_seen_values (l->a, s) : NULL;
   if (values) {
      list_field (l, values, mt_printf (l->a, "%s.*", path), "", 0);
      list_below (l, values, mt_printf (l->a, "%s.*", path), true);
   } else {
      list_fields (l, s, path, inside);
   }
   if (s->elements && s->elements->count) {
      const char *elements = mt_printf (l->a, "%s[]", path);
      list_field (l, s->elements, elements, "", 0);
      list_below (l, s->elements, elements, true);
   }
}

/* Sets the types of the fields to the types of the table's columns. For a file these are more exact
 * than the types seen in the documents. */
static void take_types (MtArena *a, const MtTable *t, MtFieldInfo *rows, size_t count)
{
   for (size_t i = 0; i < count; i++)
      for (size_t k = 0; k < t->column_count; k++)
         if (strcmp (rows[i].path, t->columns[k].field) == 0)
            rows[i].type = mt_type_display (a, t->columns[k].type);
}

bool mt_collection_info (MtSession *s, MtArena *a, const char *name, MtCollectionInfo *out,
                         bool *found, MtError *err)
{
   MT_BEGIN_CALL (s, err);
   MtUndeclared *u;
   if (!mt_undeclared_find (s, name, false, true, &u, err))
      return false;
   *found = u != NULL;
   if (!u)
      return true;
   const MtCollectionSample *c = mt_undeclared_sample (u);
   Listing l = {.a = a};
   list_fields (&l, c->root, "", false);
   if (mt_undeclared_file (u))
      take_types (a, mt_undeclared_table (u), l.rows, l.count);
   *out = (MtCollectionInfo) {.name = mt_strdup (a, c->collection),
                              .documents = (double) c->documents,
                              .sampled = (double) c->sampled,
                              .bytes = (double) c->bytes,
                              .fields = l.rows,
                              .field_count = l.count,
                              .hidden = c->hidden ? mt_strdup (a, c->hidden) : NULL};
   return true;
}

/* ---- \\infer ---- */

static bool add_document (void *ctx, const bson_t *doc)
{
   mt_infer_look (ctx, mt_v_doc (doc));
   return true;
}

static void free_bson (void *b) { bson_destroy (b); }

/* A family: collections whose names look like partitions of one table, such as base_2024_01. */
typedef struct Family {
   const char *base;
   MtUnit unit;
   const char **members;
   size_t count;
   const char *largest;
   /* the reason why the collections are not partitions of one table; NULL: not known */
   const char *why;
} Family;

/* Finds the collections of the family f->base, without those that belong to a table. Sets
 * f->members and f->largest. */
static bool find_members (MtSession *s, MtArena *a, Family *f, MtError *err)
{
   MtPartitions parts = {.unit = f->unit};
   MtStoreDesc store = {.collection = f->base, .parts = &parts};
   const char **names;
   size_t n;
   uint64_t most = 0;
   bool attached;
   if (!mt_engine_collections (s->engine, a, &names, &n, err))
      return false;
   f->members = MT_NEW_N (a, const char *, n + 1);
   for (size_t i = 0; i < n; i++) {
      MtCollStats stats;
      if (!mt_store_owns (&store, names[i]) || mt_collection_owner (s, names[i], &attached))
         continue;
      if (!mt_engine_stats (s->engine, names[i], &stats, err))
         return false;
      if (!f->largest || stats.documents > most)
         f->largest = names[i], most = stats.documents;
      f->members[f->count++] = names[i];
   }
   return true;
}

/* Finds the family to which a name belongs. `name` is the name of a partition if `exists`, else the
 * common base name. *out is NULL if there is no such family. */
static bool find_family (MtSession *s, MtArena *a, const char *name, bool exists, Family **out,
                         MtError *err)
{
   static const struct {
      MtUnit unit;
      size_t suffix;
   } kinds[] = {{MT_UNIT_DAY, sizeof "_2024_01_31" - 1}, {MT_UNIT_MONTH, sizeof "_2024_01" - 1}};
   size_t n = strlen (name);
   *out = NULL;
   for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !*out; i++) {
      Family *f = MT_NEW (a, Family);
      if (exists && n <= kinds[i].suffix)
         continue;
      *f = (Family) {.base = exists ? mt_strndup (a, name, n - kinds[i].suffix) : name,
                     .unit = kinds[i].unit};
      MtPartitions parts = {.unit = f->unit};
      MtStoreDesc store = {.collection = f->base, .parts = &parts};
      if (exists && !mt_store_owns (&store, name))
         continue;
      if (!find_members (s, a, f, err))
         return false;
      if (f->count > exists)
         *out = f;
   }
   return true;
}

/* Returns whether each document is in the collection of its time, so that the family can be the
 * partitions of layout l. If not, f->why is the reason. */
static bool are_partitions (MtSession *s, MtArena *a, Family *f, const MtTable *t, MtLayout *l)
{
   MtError why = {0};
   MtTable whole = *t;
   const MtTable *look = &whole;
   whole.layouts = l;
   whole.layout_count = 1;
   bool ok = mt_partitions_look (s->engine, &look, 1, &why) &&
             mt_layout_check_partitions (s->engine, t, l, a, &why);
   if (!ok)
      f->why = mt_shown (a, *why.detail ? why.detail : why.message);
   return ok;
}

/* Returns whether the documents fit a layout with this descriptor. If not, err is the reason. */
static bool descriptor_fits (MtSession *s, MtArena *a, const MtTable *t, const char *descriptor,
                             Family *f, MtError *err)
{
   MtLayout l;
   bson_error_t why;
   bson_t *b = bson_new_from_json ((const uint8_t *) descriptor, -1, &why);
   if (!b)
      return mt_error (err, MT_E_CORRUPT, "%s", why.message);
   mt_arena_defer (a, free_bson, b);
   return mt_layout_parse (a, t, t->name, b, &l, err) &&
          (f ? are_partitions (s, a, f, t, &l) : mt_layout_check_first (s->engine, t, &l, a, err));
}

const char *mt_infer_identifier (MtArena *a, const char *name)
{
   return mt_has_hidden (name) ? mt_shown_sql (a, '"', name) : mt_quoted (a, name);
}
static const char *literal (MtArena *a, const char *text) { return mt_shown_sql (a, '\'', text); }

static bool preset_fits (MtSession *s, MtArena *a, const MtPresetGuess *g, Family *f);

static const char *options_text (MtArena *a, const MtPresetGuess *g)
{
   const char *text = "";
   for (size_t i = 0; i < g->count; i++)
      text = mt_printf (a, "%s, %s = %s", text, g->options[i].name,
                        literal (a, g->options[i].value));
   return text;
}

static void add_option (MtPresetGuess *g, const char *name, const char *value)
{
   g->options[g->count++] = (MtPresetOption) {.name = name, .value = value};
}

/* Returns the value of the option time_encoding for times that are not stored as dates. */
static const char *encoding_of (const MtInferredTime *time)
{
   if (time->format)
      return time->format;
   return time->scale == 1 ? "epoch_ms" : "epoch_s";
}

/* Returns a CREATE TABLE with one row for each document; an ObjectId _id is left out. NULL: the
 * collections of the family are not partitions of such a table. */
static const char *as_rows (MtSession *s, MtArena *a, const MtTable *t, const MtSeen *root,
                            Family *f)
{
   MtTable out = *t;
   MtPresetGuess g = {.preset = MT_PRESET_PLAIN};
   MtInferredTime time = mt_infer_time (t, root);
   out.columns = MT_NEW_N (a, MtColumn, t->column_count + 1);
   out.column_count = 0;
   for (size_t i = 0; i < t->column_count; i++) {
      MtColumn c = t->columns[i];
      bool is_time = (int) i == time.column, id = strcmp (c.name, "_id") == 0;
      if (c.inner || (id && c.type.id == MT_T_OBJECTID && t->column_count > 1))
         continue;
      c.role = id ? MT_COL_DIMENSION : mt_infer_role (&c);
      if (is_time) {
         c.role = MT_COL_TIME;
         c.type = mt_type (time.type);
         out.time_column = (int) out.column_count;
      }
      out.columns[out.column_count++] = c;
   }
   if (time.column >= 0 && t->columns[time.column].type.id != MT_T_TIMESTAMPTZ)
      add_option (&g, "time_encoding", encoding_of (&time));
   if (f) {
      add_option (&g, "partition_by", mt_unit_name (f->unit));
      out.name = f->base;
      g.table = out;
      if (time.column < 0 || !preset_fits (s, a, &g, f))
         return NULL;
   }
   return mt_infer_create_table (a, &out, NULL, options_text (a, &g), mt_infer_identifier);
}

/* Returns a CREATE TABLE for a server's time-series collection, whose options name the time and the
 * dimensions. */
static const char *as_timeseries (MtArena *a, const MtTable *t, const MtTimeseries *made)
{
   MtTable out = *t;
   size_t n = made->meta ? strlen (made->meta) : 0;
   out.columns = MT_NEW_N (a, MtColumn, t->column_count + 1);
   out.column_count = 0;
   for (size_t i = 0; i < t->column_count; i++) {
      MtColumn c = t->columns[i];
      bool series = n && !strncmp (c.field, made->meta, n) && (!c.field[n] || c.field[n] == '.'),
           time = strcmp (c.field, made->time) == 0;
      if (c.inner || (strcmp (c.name, "_id") == 0 && t->column_count > 1))
         continue;
      c.role = mt_infer_role (&c) == MT_COL_MEASURE ? MT_COL_MEASURE : MT_COL_PLAIN;
      if (time)
         c.role = MT_COL_TIME;
      else if (series)
         c.role = MT_COL_DIMENSION;
      c.not_null |= time;
      out.columns[out.column_count++] = c;
   }
   const char *meta = made->meta ? mt_printf (a, ", meta = %s", literal (a, made->meta)) : "";
   return mt_infer_create_table (a, &out, "timeseries",
                                 made->granularity ? mt_printf (a, "%s, granularity = %s", meta,
                                                                literal (a, made->granularity))
                                                   : meta,
                                 mt_infer_identifier);
}

/* Returns whether the documents fit the guessed preset (USING …) with its options. */
static bool preset_fits (MtSession *s, MtArena *a, const MtPresetGuess *g, Family *f)
{
   MtError why;
   MtLayout l;
   bson_t *b = mt_doc_new (a);
   MtPresetUse use = {g->preset, g->options, g->count, g->table.name};
   return mt_preset_descriptor (a, &g->table, &use, b, &why) &&
          mt_layout_parse_preset (a, &g->table, g->preset, b, &l, &why) &&
          (mt_layout_attach (&l), f ? are_partitions (s, a, f, &g->table, &l)
                                    : mt_layout_check_first (s->engine, &g->table, &l, a, &why));
}

/* Returns a CREATE TABLE with a preset (USING …); NULL: no preset fits. The parts of _id become
 * columns, unless only the other fields fit. */
static const char *as_preset (MtSession *s, MtArena *a, const MtCollectionSample *c, Family *f)
{
   for (int fields = 0; fields < 2; fields++) {
      MtPresetGuess g;
      if (!mt_infer_preset (a, f ? f->base : c->collection, c->root, fields, &g))
         continue;
      if (f)
         add_option (&g, "partition_by", mt_unit_name (f->unit));
      if (preset_fits (s, a, &g, f))
         return mt_infer_create_table (a, &g.table, g.preset, options_text (a, &g),
                                       mt_infer_identifier);
   }
   return NULL;
}

typedef struct Proposal {
   const char *text; /* the proposed CREATE statements; NULL: none */
   const char *why;  /* the reason why the levels in the documents fit no layout; NULL: not known */
} Proposal;

/* Proposes a layout whose levels are those of the documents (maps or arrays within each other).
 * out->text is NULL if the documents have no levels, or no layout has such levels. */
static bool as_levels (MtSession *s, MtArena *a, const MtCollectionSample *c, Family *f,
                       Proposal *out, MtError *err)
{
   MtInference *i = mt_infer_levels (a, c->root);
   const char *name = f ? f->base : c->collection, *descriptor, *notes;
   MtTable t;
   MtError misfit = {0};
   *out = (Proposal) {NULL, NULL};
   if (!i)
      return true;
   for (size_t k = 0; k < (f ? f->count : 1); k++)
      if (!mt_undeclared_visit (s, f ? f->members[k] : c->collection,
                                &(MtSampleVisit) {add_document, i}, err))
         return false;
   mt_infer_finish (i, &t, &descriptor, name, f ? mt_unit_name (f->unit) : NULL, &notes);
   if (descriptor_fits (s, a, &t, descriptor, f, &misfit)) {
      const char *layout = mt_printf (a, "%s_packed", name);
      out->text = mt_printf (a, "%sCREATE LAYOUT %s AS $$%s$$;\n%s", notes,
                             mt_shown_sql (a, '"', layout), descriptor,
                             mt_infer_create_table (a, &t, layout, NULL, mt_infer_identifier));
   } else if (!f)
      out->why = mt_shown (a, *misfit.detail ? misfit.detail : misfit.message);
   return true;
}

/* Proposes one CREATE TABLE for all collections of the family. *text is NULL if the collections are
 * not partitions of one table. */
static bool as_family (MtSession *s, MtArena *a, const MtUndeclared *u, Family *f,
                       const char **text, MtError *err)
{
   const MtCollectionSample *c = mt_undeclared_sample (u);
   Proposal levels = {.text = as_preset (s, a, c, f)};
   if (!levels.text && !as_levels (s, a, c, f, &levels, err))
      return false;
   *text = levels.text;
   bool packed = *text || mt_infer_levels (a, c->root);
   if (!packed)
      *text = as_rows (s, a, mt_undeclared_table (u), c->root, f);
   return true;
}

static bool as_one (MtSession *s, MtArena *a, const MtUndeclared *u, const char **text,
                    MtError *err)
{
   const MtCollectionSample *c = mt_undeclared_sample (u);
   const MtTimeseries *made;
   Proposal levels;
   if (!mt_engine_timeseries (s->engine, a, c->collection, &made, err))
      return false;
   *text = made ? as_timeseries (a, mt_undeclared_table (u), made) : as_preset (s, a, c, NULL);
   if (*text)
      return true;
   if (!as_levels (s, a, c, NULL, &levels, err))
      return false;
   *text = levels.text;
   if (*text)
      return true;
   const char *reason = levels.why;
   bool ends = reason && *reason && reason[strlen (reason) - 1] == '.';
   const char *note = reason
                         ? mt_printf (a, "-- Its documents look packed, but fit no layout: %s%s\n",
                                      reason, ends ? "" : ".")
                         : "";
   *text = mt_printf (a, "%s%s", note, as_rows (s, a, mt_undeclared_table (u), c->root, NULL));
   return true;
}

bool mt_infer (MtSession *s, MtArena *a, const char *name, const char **text, bool *found,
               MtError *err)
{
   MT_BEGIN_CALL (s, err);
   MtUndeclared *u;
   Family *f;
   const char *whole = NULL, *note = "";
   if (!mt_undeclared_find (s, name, false, true, &u, err) ||
       !find_family (s, a, u ? mt_undeclared_sample (u)->collection : name, u != NULL, &f, err))
      return false;
   if (!u && f && !mt_undeclared_find (s, f->largest, true, true, &u, err))
      return false;
   *found = u != NULL;
   if (!u && s->options.restricted)
      return true;
   if (!u)
      return mt_infer_path (s, a, name, text, found, err);
   if (mt_undeclared_file (u)) {
      const MtFileTable *file = mt_undeclared_file (u);
      *text = mt_infer_file (a, file, mt_file_path (file, 0));
      return true;
   }
   const MtCollectionSample *c = mt_undeclared_sample (u);
   const char *head = mt_printf (a, "-- From %llu of %llu documents of \"%s\".\n",
                                 (unsigned long long) c->sampled, (unsigned long long) c->documents,
                                 mt_shown (a, c->collection));
   if (f && !as_family (s, a, u, f, &whole, err))
      return false;
   if (f && whole)
      note = mt_printf (a, "-- All documents of %zu collections with similar names fit.\n",
                        f->count);
   else if (f)
      note = mt_printf (
         a, "-- The %zu collections with similar names are not partitions of one table%s%s\n",
         f->count, f->why ? ": " : ".", f->why ? f->why : "");
   if (!whole && !as_one (s, a, u, &whole, err))
      return false;
   *text = mt_printf (a, "%s%s%s", head, note, whole);
   return true;
}
