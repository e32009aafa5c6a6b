/* What a collection that nobody declared has in it: \d and \infer. */
#include "base/shown.h"
#include "layouts/attach.h"
#include "layouts/infer.h"
#include "session/undeclared.h"

#include <string.h>

typedef struct Listing {
   MtArena *a;
   MtFieldInfo *rows;
   size_t count, capacity;
} Listing;

static void list_below (Listing *l, const MtSeen *s, const char *path, bool inside);

static void list_field (Listing *l, const MtSeen *s, const char *path, const char *type, double missing)
{
   MT_GROW_IN (l->a, l->rows, l->count, l->capacity, 64);
   l->rows[l->count++] = (MtFieldInfo){path, type, mt_seen_text (l->a, s), missing};
}

/* inside: of an array or a map, or of a document that isn't one everywhere: no columns of their own. */
static void list_fields (Listing *l, const MtSeen *doc, const char *prefix, bool inside)
{
   for (const MtSeen *f = doc->fields; f; f = f->next) {
      const char *path = mt_printf (l->a, "%s%s%s", prefix, *prefix ? "." : "", f->name);
      bool flat = !inside && !f->unnameable && mt_seen_flattens (f);
      uint64_t missing = mt_seen_missing (doc, f), parents = doc->types[MT_SEEN_DOC];
      bool none = inside || f->unnameable || (flat && strcmp (path, "_id") == 0);
      list_field (l, f, path, none ? "" : mt_type_info (flat ? MT_T_DOCUMENT : mt_seen_type (f).id)->display,
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

bool mt_collection_info (MtSession *s, MtArena *a, const char *name, MtCollectionInfo *out, bool *found, MtError *err)
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
   *out = (MtCollectionInfo){.name = mt_strdup (a, c->collection), .documents = (double) c->documents, .sampled = (double) c->sampled,
                             .bytes = (double) c->bytes, .fields = l.rows, .field_count = l.count,
                             .hidden = c->hidden ? mt_strdup (a, c->hidden) : NULL};
   return true;
}

/* ---- \\infer ---- */

static bool look_again (void *ctx, const bson_t *doc)
{
   mt_infer_look (ctx, mt_v_doc (doc));
   return true;
}

static void free_bson (void *b)
{
   bson_destroy (b);
}

/* Whether the descriptor holds for the documents; the reason is in *err. */
static bool holds (MtSession *s, MtArena *a, const MtTable *t, const char *descriptor, MtError *err)
{
   MtLayout l;
   bson_error_t why;
   bson_t *b = bson_new_from_json ((const uint8_t *) descriptor, -1, &why);
   if (!b)
      return mt_error (err, MT_E_CORRUPT, "%s", why.message);
   mt_arena_defer (a, free_bson, b);
   return mt_layout_parse (a, t, t->name, b, &l, err) && mt_layout_check_first (s->engine, t, &l, a, err);
}

/* The first date is the time, or else the first number that looks like one. */
static int time_of (const MtTable *t, const MtSeen *root, double *scale)
{
   for (int pass = 0; pass < 2; pass++)
      for (size_t i = 0; i < t->column_count; i++) {
         const MtSeen *s = mt_seen_at (root, t->columns[i].field);
         *scale = s ? mt_seen_instant (s) : 0;
         if (*scale && (pass || t->columns[i].type.id == MT_T_TIMESTAMPTZ))
            return (int) i;
      }
   return -1;
}

static MtRole role_of (const MtColumn *c)
{
   if (mt_type_is_number (c->type.id))
      return MT_COL_MEASURE;
   return c->type.id == MT_T_JSONB || mt_type_is_array (c->type.id) || c->type.id == MT_T_TIMESTAMPTZ || c->type.id == MT_T_BYTEA ? MT_COL_PLAIN : MT_COL_DIMENSION;
}

static const char *identifier (MtArena *a, const char *name) { return mt_has_hidden (name) ? mt_shown_sql (a, '"', name) : mt_quoted (a, name); }
static const char *literal (MtArena *a, const char *text) { return mt_shown_sql (a, '\'', text); }

/* A document a record. ObjectIds of documents say nothing about records and are left out. */
static const char *as_rows (MtArena *a, const MtTable *t, const MtSeen *root)
{
   MtTable out = *t;
   double scale;
   int time = time_of (t, root, &scale);
   out.columns = MT_NEW_N (a, MtColumn, t->column_count + 1);
   out.column_count = 0;
   for (size_t i = 0; i < t->column_count; i++) {
      MtColumn c = t->columns[i];
      bool number = (int) i == time && c.type.id != MT_T_TIMESTAMPTZ, id = strcmp (c.name, "_id") == 0;
      if (c.inner || (id && c.type.id == MT_T_OBJECTID && t->column_count > 1))
         continue;
      c.role = (int) i == time ? MT_COL_TIME : id ? MT_COL_DIMENSION : role_of (&c);
      if (number)
         c.type = mt_type (MT_T_TIMESTAMPTZ);
      out.columns[out.column_count++] = c;
   }
   bool number = time >= 0 && t->columns[time].type.id != MT_T_TIMESTAMPTZ;
   return mt_infer_create_table (a, &out, NULL, !number ? "" : scale == 1 ? ", time_encoding = 'epoch_ms'" : ", time_encoding = 'epoch_s'", identifier);
}

/* A server's own time-series collection says itself what its time is, and what tells series apart. */
static const char *as_timeseries (MtArena *a, const MtTable *t, const MtTimeseries *made)
{
   MtTable out = *t;
   size_t n = made->meta ? strlen (made->meta) : 0;
   out.columns = MT_NEW_N (a, MtColumn, t->column_count + 1);
   out.column_count = 0;
   for (size_t i = 0; i < t->column_count; i++) {
      MtColumn c = t->columns[i];
      bool series = n && !strncmp (c.field, made->meta, n) && (!c.field[n] || c.field[n] == '.'), time = strcmp (c.field, made->time) == 0;
      if (c.inner || (strcmp (c.name, "_id") == 0 && t->column_count > 1))
         continue;
      c.role = time ? MT_COL_TIME : series ? MT_COL_DIMENSION : role_of (&c) == MT_COL_MEASURE ? MT_COL_MEASURE : MT_COL_PLAIN;
      c.not_null |= time;
      out.columns[out.column_count++] = c;
   }
   const char *meta = made->meta ? mt_printf (a, ", meta = %s", literal (a, made->meta)) : "";
   return mt_infer_create_table (a, &out, "timeseries", made->granularity ? mt_printf (a, "%s, granularity = %s", meta, literal (a, made->granularity)) : meta, identifier);
}

/* Whether a preset with these options holds for the documents. */
static bool preset_holds (MtSession *s, MtArena *a, const MtPresetGuess *g)
{
   MtError why;
   MtLayout l;
   bson_t *b = bson_new ();
   mt_arena_defer (a, free_bson, b);
   return mt_preset_descriptor (a, &g->table, g->preset, g->options, g->count, g->table.name, b, &why) &&
          mt_layout_parse_preset (a, &g->table, g->preset, b, &l, &why) && (mt_layout_attach (&l), mt_layout_check_first (s->engine, &g->table, &l, a, &why));
}

/* By a preset; NULL: by none. The _id is believed unless only the fields can be read. */
static const char *as_preset (MtSession *s, MtArena *a, const MtCollectionSample *c)
{
   for (int fields = 0; fields < 2; fields++) {
      MtPresetGuess g;
      const char *options = "";
      if (!mt_infer_preset (a, c->collection, c->root, fields, &g) || !preset_holds (s, a, &g))
         continue;
      for (size_t i = 0; i < g.count; i++)
         options = mt_printf (a, "%s, %s = %s", options, g.options[i].name, literal (a, g.options[i].value));
      return mt_infer_create_table (a, &g.table, g.preset, options, identifier);
   }
   return NULL;
}

bool mt_infer (MtSession *s, MtArena *a, const char *name, const char **text, bool *found, MtError *err)
{
   MT_BEGIN_CALL (s, err);
   MtUndeclared *u;
   MtError why;
   MtTable t;
   const char *descriptor, *notes;
   if (!mt_undeclared_find (s, name, false, true, &u, err))
      return false;
   *found = u != NULL;
   if (!u)
      return true;
   const MtCollectionSample *c = mt_undeclared_sample (u);
   const char *head = mt_printf (a, "-- From %llu of %llu documents of \"%s\".\n", (unsigned long long) c->sampled, (unsigned long long) c->documents, mt_shown (a, c->collection));
   const MtTimeseries *made;
   if (!mt_engine_timeseries (s->engine, a, c->collection, &made, err))
      return false;
   if (made) {
      *text = mt_printf (a, "%s%s", head, as_timeseries (a, mt_undeclared_table (u), made));
      return true;
   }
   const char *preset = as_preset (s, a, c);
   if (preset) {
      *text = mt_printf (a, "%s%s", head, preset);
      return true;
   }
   MtInference *f = mt_infer_levels (a, c->root);
   if (f) {
      if (!mt_undeclared_visit (s, c->collection, look_again, f, err))
         return false;
      mt_infer_finish (f, &t, &descriptor, c->collection, &notes);
      if (holds (s, a, &t, descriptor, &why)) {
         const char *layout = mt_printf (a, "%s_packed", c->collection);
         *text = mt_printf (a, "%s%sCREATE LAYOUT %s AS $$%s$$;\n%s", head, notes, mt_shown_sql (a, '"', layout), descriptor,
                            mt_infer_create_table (a, &t, layout, NULL, identifier));
         return true;
      }
      const char *reason = mt_shown (a, *why.detail ? why.detail : why.message);
      bool ends = *reason && reason[strlen (reason) - 1] == '.';
      head = mt_printf (a, "%s-- It looks packed, but as no layout that could be told: %s%s\n", head, reason, ends ? "" : ".");
   }
   *text = mt_printf (a, "%s%s", head, as_rows (a, mt_undeclared_table (u), c->root));
   return true;
}
