/* Makes the table, the descriptor and the CREATE TABLE statement for documents that were
 * recognized. */
#include "base/shown.h"
#include "layouts/infer/infer_int.h"

#include <string.h>

/* ---- columns ---- */

/* Returns a column name that the table does not use yet: the last name of the path, or, if that is
 * no name, `otherwise` or a name that begins with it. */
static const char *free_name (MtInference *f, const MtTable *t, const char *path,
                              const char *otherwise)
{
   const char *dot = strrchr (path, '.'), *name = dot ? dot + 1 : path, *unique;
   if (!*name)
      name = otherwise;
   else if (*name >= '0' && *name <= '9')
      name = mt_printf (f->a, "%s_%s", otherwise, name);
   unique = name;
   for (int i = 2; mt_table_column (t, unique, false) >= 0; i++)
      unique = mt_printf (f->a, "%s_%d", name, i);
   return unique;
}

static int add_column (MtInference *f, MtTable *t, const char *path, const char *otherwise,
                       MtColumn c)
{
   c.name = c.field = free_name (f, t, path, otherwise);
   t->columns[t->column_count] = c;
   return (int) t->column_count++;
}

static const char *unit_text (MtArena *a, MtUnit u)
{
   if (mt_unit_is_multiple (u))
      return mt_unit_name (u);
   return mt_printf (a, "1 %s", u == MT_UNIT_MS ? "millisecond" : mt_unit_name (u));
}

/* Returns the name for the column of measure m: its path, or, if its path is a number such as "0"
 * and its sum in the root is "sum_hits", the name "hits". */
static const char *measure_name (const MtInference *f, int m)
{
   const char *path = f->measures[m]->path;
   const MtInferLevel *root = &f->levels[0];
   for (int i = 0; i < root->count; i++)
      if (root->fields[i].use == MT_USE_SUM && root->fields[i].column == m &&
          strncmp (root->fields[i].path, "sum_", 4) == 0 && *path >= '0' && *path <= '9')
         return root->fields[i].path + 4;
   return path;
}

static void make_columns (MtInference *f, MtTable *t)
{
   MtInferField *time = NULL;
   MtUnit grain = MT_UNIT_EPOCH;
   for (int i = 0; i < f->depth; i++) {
      MtInferLevel *l = &f->levels[i];
      for (int k = -1; k < l->count; k++) {
         MtInferField *x = k < 0 ? &l->key : &l->fields[k];
         if (x->use == MT_USE_TIME || x->use == MT_USE_TRUNC)
            time = x;
         if (x->use == MT_USE_TRUNC || x->use == MT_USE_PART)
            grain = x->unit;
         if (x->use == MT_USE_TIME)
            grain = MT_UNIT_EPOCH;
      }
   }
   if (time) {
      bool named = time->use == MT_USE_TIME && strlen (time->path) > 2;
      t->time_column = add_column (
         f, t, named ? time->path : "ts", "ts",
         (MtColumn) {.type = mt_type (MT_T_TIMESTAMPTZ),
                     .role = MT_COL_TIME,
                     .not_null = true,
                     .period_ms = grain == MT_UNIT_EPOCH ? 0 : mt_unit_ms (grain)});
   }
   for (int i = 0; i < f->depth; i++) {
      MtInferLevel *l = &f->levels[i];
      if (l->key.use == MT_USE_DIMENSION)
         l->key.column = add_column (
            f, t, l->at, "key",
            (MtColumn) {.type = mt_type (MT_T_TEXT), .role = MT_COL_DIMENSION, .not_null = true});
      for (int k = 0; k < l->count; k++)
         if (l->fields[k].use == MT_USE_DIMENSION)
            l->fields[k].column = add_column (
               f, t, l->fields[k].path, "d",
               (MtColumn) {.type = mt_type (mt_seen_column_type (l->fields[k].seen)),
                           .role = MT_COL_DIMENSION,
                           .not_null = !l->fields[k].optional});
   }
   for (int m = 0; m < f->measure_count; m++)
      f->measures[m]->column = add_column (
         f, t, measure_name (f, m), *f->measures[m]->path ? "m" : "value",
         (MtColumn) {.type = mt_type (mt_seen_column_type (f->measures[m]->seen)),
                     .role = MT_COL_MEASURE,
                     .not_null = !f->measures[m]->optional});
}

/* ---- the descriptor ---- */

static void json_str (MtBuf *b, const char *s) { mt_json_string (b, s, strlen (s)); }

static void put_encoding (MtBuf *b, const MtSeen *s)
{
   static const char *const words[] = {
      [MT_ENC_DATE] = "date", [MT_ENC_EPOCH_S] = "epoch_s", [MT_ENC_EPOCH_MS] = "epoch_ms"};
   MtEncodingKind kind = mt_infer_instant_encoding (s);
   bool plain = kind == MT_ENC_DATE || !s->types[MT_SEEN_DOUBLE];
   mt_buf_printf (
      b, plain ? "\"encoding\": \"%s\"" : "\"encoding\": {\"kind\": \"%s\", \"as\": \"double\"}",
      words[kind]);
}

static void put_binding (MtBuf *b, const MtTable *t, const MtInferLevel *l, const MtInferField *x,
                         bool key)
{
   mt_buf_addc (b, '{');
   if (x->use == MT_USE_TRUNC)
      mt_buf_printf (b, "\"trunc\": \"%s\"", mt_unit_name (x->unit));
   else if (x->use == MT_USE_PART)
      mt_buf_printf (b, "\"part\": \"%s\", \"of\": \"%s\"", mt_unit_name (x->unit),
                     mt_unit_name (x->of));
   else {
      mt_buf_adds (b, "\"column\": ");
      json_str (b, t->columns[x->use == MT_USE_TIME ? t->time_column : x->column].name);
   }
   if (x->use == MT_USE_PART && x->base)
      mt_buf_printf (b, ", \"base\": %d", x->base);
   if (key && l->kind == MT_NODE_MAP && x->use == MT_USE_PART)
      mt_buf_printf (b, ", \"from\": \"key\", \"encoding\": {\"kind\": \"text\", \"pad\": %u}",
                     l->holder->key_digits);
   if (key && x->use == MT_USE_TRUNC)
      mt_buf_adds (b, ", \"from\": \"key\", \"encoding\": {\"format\": \"%Y\"}");
   if (!key) {
      mt_buf_adds (b, ", \"from\": \"field\", \"at\": ");
      json_str (b, x->path);
   }
   if (!key && (x->use == MT_USE_TIME || x->use == MT_USE_TRUNC)) {
      mt_buf_adds (b, ", ");
      put_encoding (b, x->seen);
   }
   mt_buf_addc (b, '}');
}

static int put_bindings (MtBuf *b, const MtTable *t, const MtInferLevel *l)
{
   int n = 0;
   for (int k = -1; k < l->count; k++) {
      const MtInferField *x = k < 0 ? &l->key : &l->fields[k];
      if (x->use != MT_USE_TIME && x->use != MT_USE_TRUNC && x->use != MT_USE_PART &&
          x->use != MT_USE_DIMENSION)
         continue;
      mt_buf_adds (b, n++ ? ", " : ", \"bind\": [");
      put_binding (b, t, l, x, k < 0);
   }
   if (n)
      mt_buf_addc (b, ']');
   return n;
}

static const MtInferField *field_used (const MtInferLevel *l, MtFieldUse use)
{
   for (int i = 0; i < l->count; i++)
      if (l->fields[i].use == use)
         return &l->fields[i];
   return NULL;
}

static void put_range (MtBuf *b, const MtInferLevel *l)
{
   const MtInferField *from = field_used (l, MT_USE_EARLIEST), *to = field_used (l, MT_USE_LATEST);
   if (!from || !to)
      return;
   mt_buf_adds (b, ", \"range\": {\"min\": ");
   json_str (b, from->path);
   mt_buf_adds (b, ", \"max\": ");
   json_str (b, to->path);
   mt_buf_adds (b, from->not_earliest || to->not_latest ? ", " : ", \"exact\": true, ");
   put_encoding (b, from->seen);
   mt_buf_addc (b, '}');
}

/* Appends to the descriptor's JSON each measure's column and path as fields, and closes the two
 * open objects. */
static void put_measures (MtBuf *b, const MtInference *f, const MtTable *t)
{
   for (int m = 0; m < f->measure_count; m++) {
      mt_buf_adds (b, m ? ", " : "");
      json_str (b, t->columns[f->measures[m]->column].name);
      mt_buf_adds (b, ": ");
      json_str (b, f->measures[m]->path);
   }
   mt_buf_adds (b, "}}");
}

/* Appends the field "agg" of the layout's descriptor: where the cells (array or map elements) of
 * the last level store counts and sums. */
static void put_leaf_sums (MtBuf *b, const MtInference *f, const MtTable *t)
{
   mt_buf_adds (b, ", \"agg\": {\"n\": ");
   json_str (b, f->counter->path);
   mt_buf_adds (b, ", \"measures\": {");
   put_measures (b, f, t);
}

static void put_sums (MtBuf *b, const MtInference *f, const MtTable *t, const MtInferLevel *l)
{
   const MtInferField *count = field_used (l, MT_USE_COUNT);
   bool sums = field_used (l, MT_USE_SUM) != NULL;
   if (!count && !sums)
      return;
   mt_buf_adds (b, ", \"agg\": {");
   if (count) {
      mt_buf_adds (b, "\"n\": ");
      json_str (b, count->path);
   }
   int n = 0;
   for (int i = 0; i < l->count; i++) {
      if (l->fields[i].use != MT_USE_SUM)
         continue;
      if (n || count)
         mt_buf_adds (b, ", ");
      mt_buf_adds (b, n++ ? "" : "\"measures\": {");
      json_str (b, t->columns[f->measures[l->fields[i].column]->column].name);
      mt_buf_adds (b, ": ");
      json_str (b, l->fields[i].path);
   }
   mt_buf_adds (b, n ? "}}" : "}");
}

static void put_records (MtBuf *b, const MtInference *f, const MtTable *t, const char *many_at)
{
   mt_buf_adds (b, ", \"raw\": {");
   if (many_at) {
      mt_buf_adds (b, "\"at\": ");
      json_str (b, many_at);
      mt_buf_adds (b, ", \"many\": true, ");
   }
   mt_buf_adds (b, "\"columns\": {");
   put_measures (b, f, t);
}

static void put_level (MtBuf *b, const MtInference *f, const MtTable *t, int depth)
{
   const MtInferLevel *l = &f->levels[depth], *below = depth + 1 < f->depth ? l + 1 : NULL;
   mt_buf_printf (b, "\n%*s{\"is\": \"%s\"", 3 * depth + 3, "", mt_node_kind_words[l->kind]);
   if (depth) {
      mt_buf_adds (b, ", \"at\": ");
      json_str (b, l->at);
   }
   put_bindings (b, t, l);
   if (!depth)
      put_range (b, l);
   put_sums (b, f, t, l);
   MtBuf none = {0};
   if (!below && f->sums) {
      put_leaf_sums (b, f, t);
   } else if (!below) {
      put_records (b, f, t, NULL);
   } else if (!f->sums && below == &f->levels[f->depth - 1] && below->kind == MT_NODE_LIST &&
              !put_bindings (&none, t, below)) {
      put_records (b, f, t, below->at);
   } else {
      mt_buf_adds (b, ", \"sub\":");
      put_level (b, f, t, depth + 1);
   }
   mt_buf_free (&none);
   mt_buf_addc (b, '}');
}

static void put_key (MtBuf *b, const MtTable *t)
{
   int n = 0;
   mt_buf_adds (b, "\"key\": [");
   for (size_t i = 0; i < t->column_count; i++)
      if (t->columns[i].role == MT_COL_DIMENSION) {
         mt_buf_adds (b, n++ ? ", " : "");
         json_str (b, t->columns[i].name);
      }
   mt_buf_adds (b, "], ");
}

void mt_infer_finish (MtInference *f, MtTable *out, const char **descriptor, const char *collection,
                      const char *partition, const char **notes)
{
   MtBuf b = {0};
   *out = (MtTable) {.name = collection,
                     .columns = MT_NEW_N (f->a, MtColumn, MT_INFER_FIELDS * MT_MAX_LEVELS + 1),
                     .time_column = -1};
   mt_infer_settle (f);
   make_columns (f, out);
   mt_buf_printf (&b, "{\"keeps\": \"%s\", ", f->sums ? "sums" : "records");
   if (f->sums)
      put_key (&b, out);
   mt_buf_adds (&b, "\"stores\": [{\"collection\": ");
   json_str (&b, collection);
   if (partition)
      mt_buf_printf (&b, ", \"partition\": \"%s\"", partition);
   mt_buf_adds (&b, ", \"repeats\": true, \"root\":");
   put_level (&b, f, out, 0);
   mt_buf_adds (&b, "}]}");
   mt_buf_addc (&b, 0);
   *descriptor = mt_shown_json (f->a, b.p);
   *notes = mt_printf (f->a, "%s%s%s%s%s%s", f->doubt ? "-- Check this: " : "",
                       f->doubt ? f->doubt : "", f->doubt ? ".\n" : "",
                       f->unused ? "-- Not read: " : "", f->unused ? f->unused : "",
                       f->unused ? ".\n" : "");
   mt_buf_free (&b);
}

/* ---- tables with a record for each document ---- */

enum { PASS_DATE, PASS_NUMBER, PASS_TEXT, PASS_DAY, PASSES };

/* Returns whether column c, with sampled values s, is a time of the kind that pass number `pass`
 * searches for. If so, sets its type and format in *out. */
static bool is_time (const MtColumn *c, const MtSeen *s, int pass, MtInferredTime *out)
{
   out->scale = mt_seen_instant (s);
   out->type = MT_T_TIMESTAMPTZ;
   if (pass <= PASS_NUMBER)
      return out->scale && (pass == PASS_NUMBER || c->type.id == MT_T_TIMESTAMPTZ);
   out->format = mt_seen_time_text (s, &out->type);
   return out->format && (out->type == MT_T_DATE) == (pass == PASS_DAY);
}

MtInferredTime mt_infer_time (const MtTable *t, const MtSeen *root)
{
   MtInferredTime out = {0};
   for (int pass = 0; pass < PASSES; pass++)
      for (size_t i = 0; i < t->column_count; i++) {
         const MtSeen *s = mt_seen_at (root, t->columns[i].field);
         out.column = (int) i;
         if (s && is_time (&t->columns[i], s, pass, &out))
            return out;
      }
   return (MtInferredTime) {.column = -1};
}

MtRole mt_infer_role (const MtColumn *c)
{
   if (mt_type_is_number (c->type.id))
      return MT_COL_MEASURE;
   return c->type.id == MT_T_JSONB || mt_type_is_array (c->type.id) ||
                mt_type_is_datetime (c->type.id) || c->type.id == MT_T_BYTEA
             ? MT_COL_PLAIN
             : MT_COL_DIMENSION;
}

/* ---- the statement ---- */

const char *mt_infer_create_table (MtArena *a, const MtTable *t, const char *layout,
                                   const char *options, MtQuote identifier)
{
   static const char *const roles[] = {[MT_COL_PLAIN] = "",
                                       [MT_COL_TIME] = " TIME",
                                       [MT_COL_DIMENSION] = " DIMENSION",
                                       [MT_COL_MEASURE] = " MEASURE"};
   MtBuf b = {0};
   mt_buf_printf (&b, "CREATE TABLE %s (", identifier (a, t->name));
   for (size_t i = 0; i < t->column_count; i++) {
      const MtColumn *c = &t->columns[i];
      mt_buf_printf (&b, "%s\n   %s %s%s", i ? "," : "", identifier (a, c->name),
                     mt_type_display (a, c->type), roles[c->role]);
      for (MtUnit u = MT_UNIT_MS; c->period_ms && u <= MT_UNIT_DAY; u++)
         if (mt_unit_ms (u) == c->period_ms)
            mt_buf_printf (&b, " PERIOD '%s'", unit_text (a, u));
      if (strcmp (c->field, c->name) != 0)
         mt_buf_printf (&b, " FIELD %s", mt_shown_sql (a, '\'', c->field));
      if (c->counter)
         mt_buf_adds (&b, " COUNTER");
      if (c->not_null)
         mt_buf_adds (&b, " NOT NULL");
   }
   mt_buf_printf (&b, "\n) USING %s", layout ? identifier (a, layout) : MT_PRESET_PLAIN);
   if (options)
      mt_buf_printf (&b, " WITH (collection = %s%s)", mt_shown_sql (a, '\'', t->name), options);
   mt_buf_adds (&b, ";\n");
   const char *text = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return text;
}
