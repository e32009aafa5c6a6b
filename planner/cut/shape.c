#include "planner/cut/shape.h"

#include "layouts/stored.h"
#include "engine/pipe.h"
#include "planner/cut/scan.h"
#include "planner/cut/scan_id.h"

#include <string.h>

/* The truncated time (hour, day …) that a nesting level stores, and its encoding. */
typedef struct Trunc {
   const char *path; /* NULL: none found yet */
   MtEncoding encoding;
   MtUnit unit;
} Trunc;

/* A part of the time that a nesting level stores, such as the minute of the hour. */
typedef struct Part {
   const bson_t *ms; /* expression for the milliseconds since the start of `of`; NULL: not stored */
   MtUnit of;
} Part;

typedef struct Shape {
   MtArena *a;
   const MtTable *t;
   const MtStoreDesc *store;
   int depth;
   /* The level has redundant nested copies, of which queries read only one, so the others may be
    * missing. */
   bool one_copy;
   Trunc trunc;
   Part parts[MT_UNIT_EPOCH + 1]; /* for each unit of time */
   MtUnit finest;                 /* the finest unit in `parts`; MT_UNIT_EPOCH: none yet */
} Shape;

/* The list of conditions that a document with the layout's shape fulfils. The functions require_…
 * below add conditions to it. */
typedef struct All {
   Shape *s;
   bson_t *list;
   int count;
} All;

static void require (All *all, const bson_t *expr)
{
   char key[MT_INDEX_SIZE];
   mt_doc_add (all->list, mt_index_key ((uint32_t) all->count++, key), mt_doc_value (expr));
}

static const bson_t *all_of (Shape *s, const All *all)
{
   bson_t *body = mt_doc_new (s->a), *out = mt_doc_new (s->a);
   mt_doc_add_array (body, "$and", all->list);
   mt_doc_add_doc (out, "", body);
   return out;
}

/* Names of BSON types, as $type returns them. */
#define NUMBERS "int", "long", "double", "decimal"
static const char *const number_types[] = {NUMBERS, NULL};
static const char *const number_or_null[] = {NUMBERS, "null", "missing", "undefined", NULL};
static const char *const whole_types[] = {"int", "long", NULL};
static const char *const whole_or_null[] = {"int", "long", "null", "missing", "undefined", NULL};
static const char *const string_types[] = {"string", NULL};
static const char *const string_or_null[] = {"string", "null", "missing", "undefined", NULL};
static const char *const date_types[] = {"date", NULL};
static const char *const date_or_null[] = {"date", "null", "missing", "undefined", NULL};
static const char *const bool_types[] = {"bool", NULL};
static const char *const bool_or_null[] = {"bool", "null", "missing", "undefined", NULL};

static const bson_t *has_type (Shape *s, const char *path, const char *const *types)
{
   MtArena *a = s->a;
   bson_t *list = mt_doc_new (a), *wrapped = mt_doc_new (a);
   for (int i = 0; types[i]; i++)
      mt_doc_add_text (list, mt_printf (a, "%d", i), types[i]);
   mt_doc_add_array (wrapped, "", list);
   return mt_mql_op (a, "$in", mt_mql_op1 (a, "$type", mt_mql_path (a, path)), wrapped, NULL);
}

static void require_type (All *all, const char *path, const char *const *types)
{
   require (all, has_type (all->s, path, types));
}

static const bson_t *no (Shape *s) { return mt_doc_of (s->a, mt_v_bool (false)); }

/* Returns an expression that is true if the number at `path` is an integer. */
static const bson_t *is_whole (Shape *s, const char *path)
{
   return mt_mql_op (s->a, "$eq",
                     mt_mql_op (s->a, "$mod", mt_mql_path (s->a, path), mt_mql_int (s->a, 1), NULL),
                     mt_mql_int (s->a, 0), NULL);
}

/* Adds the condition that the value at `path` is an integer, of any numeric BSON type. or_null: it
 * may be NULL or missing. */
static void require_whole (All *all, const char *path, bool or_null)
{
   Shape *s = all->s;
   const bson_t *whole = mt_mql_op (s->a, "$cond", has_type (s, path, number_types),
                                    is_whole (s, path), no (s), NULL);
   require (all, mt_mql_op (s->a, "$or", has_type (s, path, or_null ? whole_or_null : whole_types),
                            whole, NULL));
}

/* Adds the condition that the number at `path`, if present, is in the range of integer type t. */
static void require_range (All *all, const char *path, MtTypeId t)
{
   MtArena *a = all->s->a;
   double end = 0x1p63; /* exact, unlike INT64_MAX as a double */
   if (t == MT_T_INT2)
      end = 0x1p15;
   else if (t == MT_T_INT4)
      end = 0x1p31;
   const bson_t *v = mt_mql_path (a, path),
                *absent = mt_mql_op (a, "$lte", v, mt_doc_of (a, mt_v_null ()), NULL);
   const bson_t *inside = mt_mql_op (
      a, "$and", mt_mql_op (a, "$gte", v, mt_doc_of (a, mt_v_double (-end)), NULL),
      mt_mql_op (a, "$lt", v, mt_doc_of (a, mt_v_double (end)), NULL), NULL);
   require (all, mt_mql_op (a, "$or", absent, inside, NULL));
}

/* Adds the condition that the value at `path` has one of the BSON types, as a sum of a column. A
 * sum of integers must be an integer, but may exceed the column's type. */
static void require_sum_value (All *all, const char *path, MtType type, const char *const *types)
{
   bool number = types == number_types || types == number_or_null;
   if (number && mt_type_is_integer (type.id))
      require_whole (all, path, types == number_or_null);
   else
      require_type (all, path, types);
}

/* Adds the condition that the value at `path` has one of the BSON types, and is valid for the
 * column's type. */
static void require_value (All *all, const char *path, MtType type, const char *const *types)
{
   require_sum_value (all, path, type, types);
   if ((types == number_types || types == number_or_null) && mt_type_is_integer (type.id))
      require_range (all, path, type.id);
}

/* Returns the BSON types that elements of an array of SQL type t may have. NULL: any. Numeric
 * elements must have one type, because elements are not converted when read. */
static const char *const *element_types (MtTypeId t)
{
   static const char *const
      whole[] = {"int", "long", "null", NULL},
      *const number[] = {"double", "null", NULL}, *const decimal[] = {"decimal", "null", NULL},
      *const string[] = {"string", "null", NULL}, *const date[] = {"date", "null", NULL},
      *const boolean[] = {"bool", "null", NULL}, *const bytes[] = {"binData", "null", NULL},
      *const id[] = {"objectId", "null", NULL};
   static const struct {
      MtTypeId id;
      const char *const *names;
   } rows[] = {{MT_T_INT8, whole},  {MT_T_FLOAT8, number},    {MT_T_NUMERIC, decimal},
               {MT_T_TEXT, string}, {MT_T_TIMESTAMPTZ, date}, {MT_T_BOOL, boolean},
               {MT_T_UUID, bytes},  {MT_T_BYTEA, bytes},      {MT_T_OBJECTID, id}};
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (rows[i].id == t)
         return rows[i].names;
   return NULL;
}

/* Adds the condition that the value at `path` is an array or NULL. If the elements' types matter,
 * each element must have one of them. */
static void require_array (All *all, const char *path, MtType t)
{
   static const char *const null_or_missing[] = {"null", "missing", "undefined", NULL};
   Shape *s = all->s;
   MtArena *a = s->a;
   const char *const *types = element_types (mt_type_element (t.id));
   const bson_t *right = mt_doc_of (a, mt_v_bool (true));
   if (types && mt_type_is_flat (t)) {
      bson_t *filter = mt_doc_new (a);
      const bson_t *other = mt_mql_op (a, "$not", has_type (s, "$e", types), NULL);
      mt_doc_add_path (a, filter, "input", path);
      mt_doc_add_text (filter, "as", "e");
      mt_doc_add (filter, "cond", mt_doc_value (other));
      right = mt_mql_op (a, "$eq",
                         mt_mql_op1 (a, "$size",
                                     mt_mql_op1 (a, "$filter", mt_doc_of (a, mt_v_doc (filter)))),
                         mt_mql_int (a, 0), NULL);
   }
   require (all, mt_mql_op (a, "$cond", mt_mql_op1 (a, "$isArray", mt_mql_path (a, path)), right,
                            has_type (s, path, null_or_missing), NULL));
}

static const char *const *types_or_null (MtType t, const MtEncoding *e)
{
   switch (e->kind) {
   case MT_ENC_DATE: return date_or_null;
   case MT_ENC_EPOCH_S:
   case MT_ENC_EPOCH_MS: return number_or_null;
   case MT_ENC_FORMAT: return string_or_null;
   case MT_ENC_TEXT: return string_or_null;
   case MT_ENC_NATIVE: break;
   }
   if (mt_type_is_number (t.id))
      return number_or_null;
   switch (mt_type_form (t.id)) {
   case MT_T_TEXT:
   case MT_T_VARCHAR:
   case MT_T_BPCHAR: return string_or_null;
   case MT_T_BOOL: return bool_or_null;
   case MT_T_DATE:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: return date_or_null;
   default: return NULL;
   }
}

/* Returns the BSON types that a stored value of the column may have. NULL: any. If the column is
 * NOT NULL, a value must be there, because count (column) is read from the count of records. */
static const char *const *column_types (const MtColumn *c, const MtEncoding *e)
{
   const char *const *types = types_or_null (c->type, e);
   if (!c->not_null || !types)
      return types;
   if (types == number_or_null)
      return number_types;
   if (types == string_or_null)
      return string_types;
   return types == date_or_null ? date_types : bool_types;
}

static const char *const *time_types (const MtEncoding *e)
{
   switch (e->kind) {
   case MT_ENC_DATE:
   case MT_ENC_NATIVE: return date_types;
   case MT_ENC_EPOCH_S:
   case MT_ENC_EPOCH_MS: return number_types;
   case MT_ENC_FORMAT:
   case MT_ENC_TEXT: return string_types;
   }
   return NULL;
}

/* Returns an expression for the stored time at `path`: milliseconds, or a date. */
static const bson_t *in_ms (Shape *s, const char *path, const MtEncoding *e)
{
   const bson_t *v = mt_mql_path (s->a, path);
   return e->kind == MT_ENC_EPOCH_S
             ? mt_ms_of_seconds (s->a, e, &s->t->columns[s->t->time_column], v)
             : v;
}

/* Adds the condition that the time at `path` is NULL or a multiple of step_ms. Its type must have
 * been checked. */
static void require_grid (All *all, const char *path, const MtEncoding *e, const char *const *types,
                          int64_t step_ms)
{
   MtArena *a = all->s->a;
   if (step_ms <= 1 || e->kind == MT_ENC_FORMAT || e->kind == MT_ENC_TEXT)
      return;
   bool date = e->kind != MT_ENC_EPOCH_S && e->kind != MT_ENC_EPOCH_MS;
   const bson_t *ms = in_ms (all->s, path, e);
   ms = date ? mt_mql_op1 (a, "$toLong", ms) : ms;
   bson_t *on = mt_doc_new (a), *wrapped = mt_doc_new (a);
   mt_doc_add_int (on, "0", 0);
   mt_doc_add (on, "1", mt_v_null ());
   mt_doc_add_array (wrapped, "", on);
   const bson_t *ok = mt_mql_op (a, "$in", mt_mql_op (a, "$mod", ms, mt_mql_int (a, step_ms), NULL),
                                 wrapped, NULL);
   require (all, mt_mql_op (a, "$cond", has_type (all->s, path, types), ok,
                            mt_doc_of (a, mt_v_bool (false)), NULL));
}

/* Returns an expression that converts a number to a long, or to null if it is out of range. */
static const bson_t *to_long (MtArena *a, const bson_t *v)
{
   bson_t *body = mt_doc_new (a), *out = mt_doc_new (a);
   mt_doc_add (body, "input", mt_doc_value (v));
   mt_doc_add_text (body, "to", "long");
   mt_doc_add (body, "onError", mt_v_null ());
   mt_doc_add_doc (out, "$convert", body);
   return mt_doc_of (a, mt_v_doc (out));
}

/* Adds the condition that the text at `path` is a time in the encoding's format, with all digits.
 * Some servers accept fewer digits, but such texts don't sort like the times. */
static void require_format (All *all, const char *path, const MtEncoding *e)
{
   MtArena *a = all->s->a;
   if (e->kind != MT_ENC_FORMAT)
      return;
   MtBuf any = {0};
   mt_time_format (e->format, 0, &any);
   const bson_t *time = mt_mql_from_format (a, path, e->format, mt_v_bool (false)),
                *text = mt_mql_op (a, "$ifNull", mt_mql_path (a, path),
                                   mt_mql_const (a, mt_v_copy (a, mt_v_str (any.p, any.n))), NULL),
                *whole = mt_mql_op (a, "$eq", mt_mql_op1 (a, "$strLenBytes", text),
                                    mt_mql_int (a, (int64_t) any.n), NULL),
                *ok = mt_mql_op (a, "$and", whole, mt_mql_op (a, "$ne", time, no (all->s), NULL),
                                 NULL);
   mt_buf_free (&any);
   require (all,
            mt_mql_op (a, "$cond", has_type (all->s, path, string_or_null), ok, no (all->s), NULL));
}

/* Returns an expression for the milliseconds of a stored time. NULL: the time is stored as text. */
static const bson_t *ms_of (Shape *s, const char *path, const MtEncoding *e)
{
   return e->kind == MT_ENC_FORMAT || e->kind == MT_ENC_TEXT ? NULL
                                                             : to_long (s->a, in_ms (s, path, e));
}

static const bson_t *part_of_date (MtArena *a, const char *part, const bson_t *ms)
{
   return mt_mql_op1 (a, part, mt_mql_op1 (a, "$toDate", ms));
}

/* Returns an expression that is true if x and y are in the same month or year. $dateTrunc would be
 * shorter, but is wrong on some servers. */
static const bson_t *same_unit (MtArena *a, const bson_t *x, const bson_t *y, MtUnit unit)
{
   const bson_t *years = mt_mql_op (a, "$eq", part_of_date (a, "$year", x),
                                    part_of_date (a, "$year", y), NULL);
   if (unit == MT_UNIT_YEAR)
      return years;
   return mt_mql_op (a, "$and", years,
                     mt_mql_op (a, "$eq", part_of_date (a, "$month", x),
                                part_of_date (a, "$month", y), NULL),
                     NULL);
}

/* Adds the condition that the exact time at `path` is within the hour, day … that an upper level
 * stores. Its type must have been checked. */
static void require_within (All *all, const char *path, const MtEncoding *e)
{
   Shape *s = all->s;
   MtArena *a = s->a;
   const Trunc *t = &s->trunc;
   const bson_t *ms = ms_of (s, path, e),
                *start = t->path ? ms_of (s, t->path, &t->encoding) : NULL, *ok;
   if (!ms || !start || t->unit == MT_UNIT_EPOCH)
      return;
   if (t->unit == MT_UNIT_MONTH || t->unit == MT_UNIT_YEAR) {
      ok = same_unit (a, ms, start, t->unit);
   } else {
      const bson_t *since = mt_mql_op (a, "$subtract", ms, start, NULL);
      ok = mt_mql_op (a, "$and", mt_mql_op (a, "$gte", since, mt_mql_int (a, 0), NULL),
                      mt_mql_op (a, "$lt", since, mt_mql_int (a, mt_unit_ms (t->unit)), NULL),
                      NULL);
   }
   const char *const *types = time_types (e);
   const bson_t *known = mt_mql_op (a, "$and", has_type (s, path, types),
                                    has_type (s, t->path, time_types (&t->encoding)), NULL);
   const bson_t *absent = mt_mql_op (a, "$lte", mt_mql_path (a, path), mt_doc_of (a, mt_v_null ()),
                                     NULL);
   require (all,
            mt_mql_op (a, "$or", absent, mt_mql_op (a, "$cond", known, ok, no (s), NULL), NULL));
}

/* Returns the number of milliseconds of which all stored values of the time (by binding b, exact or
 * truncated) are multiples, counted from 1970. 0: there is none, as for weeks, months and years. */
static int64_t grid_of (const MtTable *t, const MtBinding *b)
{
   if (b->kind == MT_BIND_TIME_TRUNC)
      return b->unit == MT_UNIT_WEEK ? 0 : mt_unit_ms (b->unit);
   return b->kind == MT_BIND_COLUMN && b->column == t->time_column ? t->columns[b->column].period_ms
                                                                   : 0;
}

/* Returns an expression for the milliseconds from the start of unit `of` to the start of the finest
 * part of the time stored so far. NULL: not known. */
static const bson_t *since (Shape *s, MtUnit of)
{
   const bson_t *sum = NULL;
   MtUnit u = s->finest;
   for (; u != of && s->parts[u].ms; u = s->parts[u].of)
      sum = sum ? mt_mql_op (s->a, "$add", sum, s->parts[u].ms, NULL) : s->parts[u].ms;
   return u == of ? sum : NULL;
}

/* Adds the condition that a nesting level's part of the time agrees with the parts that upper
 * levels store. ms: the part in milliseconds since the start of b->of. */
static void require_agreement (All *all, const MtBinding *b, const bson_t *ms)
{
   Shape *s = all->s;
   const bson_t *above = s->finest != b->of && s->finest != MT_UNIT_EPOCH ? since (s, b->of) : NULL;
   if (above) {
      const bson_t *in = mt_mql_op (s->a, "$subtract", ms, above, NULL);
      require (all, mt_mql_op (s->a, "$gte", in, mt_mql_int (s->a, 0), NULL));
      require (all, mt_mql_op (s->a, "$lt", in, mt_mql_int (s->a, mt_unit_ms (s->finest)), NULL));
   }
   s->parts[b->unit] = (Part) {ms, b->of};
   s->finest = b->unit;
}

/* Adds the condition that a stored truncated time is the start of a month or year. Units of fixed
 * length are checked by require_grid. The type must have been checked. */
static void require_start (All *all, const char *path, const MtEncoding *e,
                           const char *const *types, MtUnit unit)
{
   Shape *s = all->s;
   MtArena *a = s->a;
   if (unit != MT_UNIT_MONTH && unit != MT_UNIT_YEAR)
      return;
   const bson_t *ms = e->kind == MT_ENC_FORMAT
                         ? to_long (a, mt_mql_from_format (a, path, e->format, mt_v_null ()))
                         : ms_of (s, path, e);
   const bson_t *first = mt_mql_op (
      a, "$eq", part_of_date (a, unit == MT_UNIT_YEAR ? "$dayOfYear" : "$dayOfMonth", ms),
      mt_mql_int (a, 1), NULL);
   const bson_t *midnight = mt_mql_op (
      a, "$eq", mt_mql_op (a, "$mod", ms, mt_mql_int (a, mt_unit_ms (MT_UNIT_DAY)), NULL),
      mt_mql_int (a, 0), NULL);
   require (all, mt_mql_op (a, "$cond", has_type (s, path, types),
                            mt_mql_op (a, "$and", first, midnight, NULL), no (s), NULL));
}

/* Returns an expression for the milliseconds from `start`, the start of a year, to the start of
 * month n (0 to 11) of this year. n may be out of range. */
static const bson_t *months_since (MtArena *a, const bson_t *start, const bson_t *n)
{
   const bson_t *month = mt_mql_op (a, "$max", mt_mql_int (a, 0),
                                    mt_mql_op (a, "$min", mt_mql_int (a, 11), n, NULL), NULL);
   return mt_mql_op (a, "$subtract",
                     to_long (a, mt_mql_month_of (a, mt_mql_op1 (a, "$toDate", start), month)),
                     start, NULL);
}

/* Returns an expression for the start of the unit to which the time is truncated, in
 * milliseconds. */
static const bson_t *start_of (All *all)
{
   MtArena *a = all->s->a;
   const Trunc *t = &all->s->trunc;
   return t->encoding.kind == MT_ENC_FORMAT
             ? to_long (a, mt_mql_from_format (a, t->path, t->encoding.format, mt_v_null ()))
             : ms_of (all->s, t->path, &t->encoding);
}

/* Adds the condition that a stored part of a month or year, such as the day, exists in it: June has
 * no day 31. ms: the part in milliseconds. */
static void require_in_calendar (All *all, const MtBinding *b, const bson_t *ms)
{
   MtArena *a = all->s->a;
   const Trunc *t = &all->s->trunc;
   const bson_t *month = b->of == MT_UNIT_MONTH && t->unit == MT_UNIT_YEAR
                            ? all->s->parts[MT_UNIT_MONTH].ms
                            : NULL;
   if ((b->of != MT_UNIT_MONTH && b->of != MT_UNIT_YEAR) || (t->unit != b->of && !month) ||
       !t->path)
      return;
   const bson_t *start = start_of (all);
   start = month ? mt_mql_op (a, "$add", start, month, NULL) : start;
   require (all, same_unit (a, mt_mql_op (a, "$add", start, ms, NULL), start, b->of));
}

/* Adds the condition that a part of the time, such as the hour, is an integer below the number of
 * such units in b->of. is_text: it is stored as digits. */
static void require_part (All *all, const char *path, const MtBinding *b, bool is_text)
{
   Shape *s = all->s;
   MtArena *a = s->a;
   int64_t count = mt_part_count (b->unit, b->of);
   const bson_t *v = mt_mql_path (a, path);
   if (is_text) {
      bson_t *match = mt_doc_new (a);
      mt_doc_add_path (a, match, "input", path);
      mt_doc_add_text (match, "regex", "^[0-9]+$");
      require (all, mt_mql_op1 (a, "$regexMatch", mt_doc_of (a, mt_v_doc (match))));
   } else
      require (all, mt_mql_op (a, "$cond", has_type (s, path, number_types), is_whole (s, path),
                               no (s), NULL));
   v = to_long (a, v);
   if (b->base)
      v = mt_mql_op (a, "$subtract", v, mt_mql_int (a, b->base), NULL);
   if (count > 0) {
      require (all, mt_mql_op (a, "$gte", v, mt_mql_int (a, 0), NULL));
      require (all, mt_mql_op (a, "$lt", v, mt_mql_int (a, count), NULL));
   }
   bool months = b->unit == MT_UNIT_MONTH && s->trunc.path;
   const bson_t *ms = months ? months_since (a, start_of (all), v)
                             : mt_mql_op (a, "$multiply", v, mt_mql_int (a, mt_unit_ms (b->unit)),
                                          NULL);
   if (!months)
      require_in_calendar (all, b, ms);
   require_agreement (all, b, ms);
}

/* Adds the condition that a part of the composed _id has the right type and value. mt_well_formed
 * has bound the document of the _id's parts to the variable "id". */
static void require_id_part (All *all, const MtBinding *b)
{
   Shape *s = all->s;
   const MtEncoding *e = mt_id_part_encoding (s->t, s->store, b->id_part);
   const char *path = mt_dotted (s->a, "$id", mt_id_part_name (s->a, b->id_part));
   const char *const *types = time_types (e);
   if (e->kind == MT_ENC_NATIVE)
      types = mt_is_text_type (mt_binding_type (s->t, b).id) ? string_types : number_types;
   require_type (all, path, types);
   require_format (all, path, e);
   require_grid (all, path, e, types, grid_of (s->t, b));
   if (b->kind == MT_BIND_TIME_TRUNC) {
      require_start (all, path, e, types, b->unit);
      s->trunc = (Trunc) {path, *e, b->unit};
   } else if (b->kind == MT_BIND_TIME_PART)
      require_part (all, path, b, false);
}

static void require_bindings (All *all, const MtNode *n, const char *value, const char *key)
{
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      MtArena *a = all->s->a;
      if (b->from == MT_FROM_ID)
         require_id_part (all, b);
      if (b->from == MT_FROM_ID || b->from == MT_FROM_INDEX ||
          (b->from == MT_FROM_KEY && b->kind == MT_BIND_COLUMN))
         continue;
      const char *path = b->from == MT_FROM_KEY ? key : mt_dotted (a, value, b->at);
      if (b->kind == MT_BIND_COLUMN) {
         const char *const *types = column_types (&all->s->t->columns[b->column], &b->encoding);
         if (types)
            require_value (all, path, all->s->t->columns[b->column].type, types);
         require_format (all, path, &b->encoding);
         if (types)
            require_grid (all, path, &b->encoding, types, grid_of (all->s->t, b));
         if (b->column == all->s->t->time_column)
            require_within (all, path, &b->encoding);
      } else if (b->kind == MT_BIND_TIME_PART) {
         require_part (all, path, b, b->encoding.kind == MT_ENC_TEXT);
      } else {
         const char *const *types = time_types (&b->encoding);
         require_type (all, path, types);
         require_format (all, path, &b->encoding);
         require_grid (all, path, &b->encoding, types, grid_of (all->s->t, b));
         require_start (all, path, &b->encoding, types, b->unit);
         all->s->trunc = (Trunc) {path, b->encoding, b->unit};
      }
   }
}

/* Adds the condition that the cell (array or map element) stores the sum of a NOT NULL column,
 * unless it has no records. Queries would ignore a missing sum, and so return wrong results. */
static void require_sum (All *all, const MtNode *n, const char *value, const MtMeasureAgg *m)
{
   Shape *s = all->s;
   const MtColumn *c = &s->t->columns[m->column];
   const char *path = mt_dotted (s->a, value, m->sum);
   require_sum_value (all, path, c->type, number_or_null);
   if (!c->not_null || n->agg.zero_is_absent)
      return;
   const bson_t *there = has_type (s, path, number_types);
   if (n->agg.n) {
      const bson_t *none = mt_mql_op (s->a, "$eq",
                                      mt_mql_path (s->a, mt_dotted (s->a, value, n->agg.n)),
                                      mt_mql_int (s->a, 0), NULL);
      there = mt_mql_op (s->a, "$or", there, none, NULL);
   }
   require (all, there);
}

static void require_agg (All *all, const MtNode *n, const char *value)
{
   MtArena *a = all->s->a;
   if (n->agg.n) {
      require_whole (all, mt_dotted (a, value, n->agg.n), false);
      require_range (all, mt_dotted (a, value, n->agg.n), MT_T_INT8);
      require (all, mt_mql_op (a, "$gte", mt_mql_path (a, mt_dotted (a, value, n->agg.n)),
                               mt_mql_int (a, 0), NULL));
   }
   for (size_t i = 0; i < n->agg.measure_count; i++) {
      const MtMeasureAgg *m = &n->agg.measures[i];
      MtType type = all->s->t->columns[m->column].type;
      if (m->sum)
         require_sum (all, n, value, m);
      if (m->min)
         require_value (all, mt_dotted (a, value, m->min), type, number_or_null);
      if (m->max)
         require_value (all, mt_dotted (a, value, m->max), type, number_or_null);
      if (m->nonnull) {
         require_whole (all, mt_dotted (a, value, m->nonnull), true);
         require_range (all, mt_dotted (a, value, m->nonnull), MT_T_INT8);
      }
   }
}

/* Returns an expression that is true if `check` is true for every element of the array `input`. For
 * an object, `input` is an array of {k, v}. */
typedef const bson_t *(*CheckElement) (Shape *s, const MtNode *n, const char *element);

static const bson_t *each (Shape *s, const MtNode *n, const bson_t *input, CheckElement check)
{
   const char *name = mt_printf (s->a, "e%d", s->depth++);
   bson_t *map = mt_doc_new (s->a), *body = mt_doc_new (s->a), *out = mt_doc_new (s->a);
   mt_doc_add (map, "input", mt_doc_value (input));
   mt_doc_add_text (map, "as", name);
   mt_doc_add (map, "in", mt_doc_value (check (s, n, mt_printf (s->a, "$%s", name))));
   mt_doc_add_doc (body, "$map", map);
   mt_doc_add_doc (out, "", body);
   s->depth--;
   bson_t *list = mt_doc_new (s->a), *wrapped = mt_doc_new (s->a);
   mt_doc_add (list, "0", mt_doc_value (out));
   mt_doc_add_array (wrapped, "", list);
   return mt_mql_op1 (s->a, "$allElementsTrue", wrapped);
}

static void require_below (All *all, const MtNode *n, const char *value);

static void require_object (All *all, const char *path)
{
   static const char *const object[] = {"object", NULL};
   require_type (all, path, object);
}

/* Returns whether a record is stored as a single value, not as a sub-document. */
static bool is_plain_record (const MtNode *n)
{
   for (size_t i = 0; i < n->raw.count; i++)
      if (!*n->raw.paths[i])
         return true;
   return false;
}

/* Returns whether an entry of the level is a single number, or is directly the value of a nested
 * level. */
static bool is_plain_cell (const MtNode *n)
{
   for (size_t i = 0; i < n->agg.measure_count; i++)
      if (n->agg.measures[i].sum && !*n->agg.measures[i].sum)
         return true;
   for (size_t i = 0; i < n->bind_count; i++)
      if (n->binds[i].from == MT_FROM_FIELD && !*n->binds[i].at)
         return true;
   for (size_t i = 0; i < n->sub_count; i++)
      if (!*n->subs[i]->at)
         return true;
   return n->raw.present && (n->raw.many ? !*n->raw.at : is_plain_record (n));
}

static const bson_t *check_record (Shape *s, const MtNode *n, const char *element)
{
   All all = {s, mt_doc_new (s->a), 0};
   if (n->raw.many && !is_plain_record (n))
      require_object (&all, element);
   for (size_t i = 0; i < n->raw.count; i++) {
      const char *const *types = column_types (&s->t->columns[n->raw.columns[i]],
                                               &n->raw.encodings[i]);
      const char *path = mt_dotted (s->a, element, n->raw.paths[i]);
      if (mt_type_is_array (s->t->columns[n->raw.columns[i]].type.id))
         require_array (&all, path, s->t->columns[n->raw.columns[i]].type);
      else if (types)
         require_value (&all, path, s->t->columns[n->raw.columns[i]].type, types);
      if (n->raw.columns[i] == s->t->time_column)
         require_within (&all, path, &n->raw.encodings[i]);
      if (types && n->raw.columns[i] == s->t->time_column)
         require_grid (&all, path, &n->raw.encodings[i], types,
                       s->t->columns[s->t->time_column].period_ms);
   }
   return all_of (s, &all);
}

static const bson_t *check_cell (Shape *s, const MtNode *n, const char *value, const char *key)
{
   All all = {s, mt_doc_new (s->a), 0};
   Trunc outside = s->trunc;
   if (!is_plain_cell (n))
      require_object (&all, value);
   require_bindings (&all, n, value, key);
   require_agg (&all, n, value);
   require_below (&all, n, value);
   s->trunc = outside;
   return all_of (s, &all);
}

/* ---- entries without records ---- */

static const bson_t *is_absent (Shape *s, const char *path)
{
   return mt_mql_op (s->a, "$lte", mt_mql_path (s->a, path), mt_doc_of (s->a, mt_v_null ()), NULL);
}

static const bson_t *is_object (Shape *s, const char *path)
{
   return mt_mql_op (s->a, "$eq", mt_mql_op1 (s->a, "$type", mt_mql_path (s->a, path)),
                     mt_doc_of (s->a, mt_v_cstr ("object")), NULL);
}

static void require_nothing (All *all, const char *value, const char *path)
{
   bson_t *none = mt_doc_new (all->s->a), *wrapped = mt_doc_new (all->s->a);
   mt_doc_add (none, "0", mt_v_int32 (0));
   mt_doc_add (none, "1", mt_v_null ());
   mt_doc_add_array (wrapped, "", none);
   const bson_t *v = mt_mql_op (all->s->a, "$ifNull",
                                mt_mql_path (all->s->a, mt_dotted (all->s->a, value, path)),
                                mt_doc_of (all->s->a, mt_v_null ()), NULL);
   require (all, mt_mql_op (all->s->a, "$in", v, wrapped, NULL));
}

static const bson_t *empty_element (Shape *s, const MtNode *n, const char *element);

/* Returns an expression that is true if none of the arrays of a flat level (tuples or parallel
 * arrays) exists. empty: empty arrays count as missing. */
static const bson_t *flat_is (Shape *s, const MtNode *n, const char *parent, bool empty)
{
   All all = {s, mt_doc_new (s->a), 0};
   bson_t *none = mt_doc_new (s->a);
   mt_doc_add_array (none, "", mt_doc_new (s->a));
   for (size_t i = 0; i < (n->kind == MT_NODE_PAIRS ? 1 : n->field_count); i++) {
      const char *path = mt_dotted (s->a, parent, n->kind == MT_NODE_PAIRS ? n->at : n->places[i]);
      const bson_t *absent = is_absent (s, path);
      const bson_t *bare = mt_mql_op (s->a, "$eq", mt_mql_path (s->a, path), none, NULL);
      require (&all, empty ? mt_mql_op (s->a, "$or", absent, bare, NULL) : absent);
   }
   return all_of (s, &all);
}

/* Returns an expression that is true if the level is missing, or none of its entries has
 * records. */
static const bson_t *is_empty_level (Shape *s, const MtNode *n, const char *parent)
{
   MtArena *a = s->a;
   const char *path = mt_dotted (a, parent, n->at);
   if (mt_is_flat (n))
      return flat_is (s, n, parent, true);
   const bson_t *value = mt_mql_path (a, path), *empty = no (s);
   if (n->kind == MT_NODE_MAP)
      empty = mt_mql_op (a, "$cond", is_object (s, path),
                         each (s, n, mt_mql_op1 (a, "$objectToArray", value), empty_element),
                         no (s), NULL);
   else if (n->kind == MT_NODE_LIST || n->kind == MT_NODE_SLOTS)
      empty = mt_mql_op (a, "$cond", mt_mql_op1 (a, "$isArray", value),
                         each (s, n, value, empty_element), no (s), NULL);
   return mt_mql_op (a, "$or", is_absent (s, path), empty, NULL);
}

/* Returns an expression that is true if the entry at `value` and its nested levels have no
 * records. */
static const bson_t *is_empty_cell (Shape *s, const MtNode *n, const char *value)
{
   All all = {s, mt_doc_new (s->a), 0};
   if (!is_plain_cell (n))
      require (&all, is_object (s, value));
   if (n->agg.n)
      require_nothing (&all, value, n->agg.n);
   for (size_t i = 0; i < n->agg.measure_count; i++)
      if (n->agg.measures[i].sum)
         require_nothing (&all, value, n->agg.measures[i].sum);
   for (size_t i = 0; i < n->sub_count; i++) {
      const MtNode *sub = n->subs[i];
      const char *path = mt_dotted (s->a, value, sub->at);
      require (&all, sub->kind == MT_NODE_SCALAR ? is_empty_cell (s, sub, path)
                                                 : is_empty_level (s, sub, value));
   }
   return mt_mql_op (s->a, "$or", is_absent (s, value), all_of (s, &all), NULL);
}

/* Returns an expression that is true if an element has no records. Its key may be a day that does
 * not exist, such as June 31, but must be a number. */
static const bson_t *empty_element (Shape *s, const MtNode *n, const char *element)
{
   bool map = n->kind == MT_NODE_MAP;
   const bson_t *empty = is_empty_cell (s, n, map ? mt_printf (s->a, "%s.v", element) : element);
   if (!map || n->binds[0].kind == MT_BIND_COLUMN)
      return empty;
   bson_t *match = mt_doc_new (s->a);
   mt_doc_add_path (s->a, match, "input", mt_printf (s->a, "%s.k", element));
   mt_doc_add_text (match, "regex", "^[0-9]{1,9}$");
   return mt_mql_op (s->a, "$and",
                     mt_mql_op1 (s->a, "$regexMatch", mt_doc_of (s->a, mt_v_doc (match))), empty,
                     NULL);
}

static const bson_t *check_element (Shape *s, const MtNode *n, const char *element)
{
   const bson_t *cell = n->kind == MT_NODE_MAP
                           ? check_cell (s, n, mt_printf (s->a, "%s.v", element),
                                         mt_printf (s->a, "%s.k", element))
                           : check_cell (s, n, element, NULL);
   if (!mt_is_listed (n) && mt_keeps_sums_alone (n))
      return mt_mql_op (s->a, "$or", cell, empty_element (s, n, element), NULL);
   if (!mt_null_is_no_cell (n))
      return cell;
   return mt_mql_op (s->a, "$or",
                     is_absent (s, n->kind == MT_NODE_MAP ? mt_printf (s->a, "%s.v", element)
                                                          : element),
                     cell, NULL);
}

static const bson_t *is_array (Shape *s, const char *path)
{
   return mt_mql_op1 (s->a, "$isArray", mt_mql_path (s->a, path));
}

static const bson_t *has_size (Shape *s, const char *path, const bson_t *size)
{
   return mt_mql_op (s->a, "$eq", mt_mql_op1 (s->a, "$size", mt_mql_path (s->a, path)), size, NULL);
}

/* Returns an expression that is true if an element is a tuple: an array with as many values as the
 * level has fields. */
static const bson_t *is_pair (Shape *s, const MtNode *n, const char *element)
{
   const bson_t *size = has_size (s, element, mt_mql_int (s->a, (int64_t) n->field_count));
   return mt_mql_op (s->a, "$cond", is_array (s, element), size, no (s), NULL);
}

/* Returns an expression that is true if the arrays of a flat level exist, have equal lengths, and
 * have valid elements. */
static const bson_t *check_flat (Shape *s, const MtNode *n, const char *parent)
{
   MtArena *a = s->a;
   const char *path = mt_dotted (a, parent, n->at);
   All arrays = {s, mt_doc_new (a), 0}, sizes = {s, mt_doc_new (a), 0};
   const bson_t *first = NULL;
   if (n->kind == MT_NODE_PAIRS) {
      require (&arrays, is_array (s, path));
      require (&sizes, each (s, n, mt_mql_path (a, path), is_pair));
   }
   for (size_t i = 0; n->kind == MT_NODE_ARRAYS && i < n->field_count; i++) {
      const char *place = mt_dotted (a, parent, n->places[i]);
      require (&arrays, is_array (s, place));
      if (i)
         require (&sizes, has_size (s, place, first));
      else
         first = mt_mql_op1 (a, "$size", mt_mql_path (a, place));
   }
   const bson_t *cells = each (s, n, mt_flat_cells (a, n, parent), check_element);
   if (sizes.count)
      cells = mt_mql_op (a, "$cond", all_of (s, &sizes), cells, no (s), NULL);
   return mt_mql_op (a, "$cond", all_of (s, &arrays), cells, no (s), NULL);
}

/* Adds the conditions for level n and its nested levels. optional: the level may be missing,
 * because it is one of several redundant copies, or an empty map. */
static void require_level (All *all, const MtNode *n, const char *parent, bool optional)
{
   Shape *s = all->s;
   const char *path = mt_dotted (s->a, parent, n->at);
   const bson_t *value = mt_mql_path (s->a, path), *ok = NULL;
   switch (n->kind) {
   case MT_NODE_DOCUMENT: return;
   case MT_NODE_LIST:
   case MT_NODE_SLOTS:
      ok = mt_mql_op (s->a, "$cond", mt_mql_op1 (s->a, "$isArray", value),
                      each (s, n, value, check_element), no (s), NULL);
      break;
   case MT_NODE_MAP:
      ok = mt_mql_op (s->a, "$cond", is_object (s, path),
                      each (s, n, mt_mql_op1 (s->a, "$objectToArray", value), check_element),
                      no (s), NULL);
      optional = true;
      break;
   case MT_NODE_SCALAR:
      ok = check_cell (s, n, path, NULL);
      if (mt_keeps_sums_alone (n))
         ok = mt_mql_op (s->a, "$or", ok, is_empty_cell (s, n, path), NULL);
      optional = true;
      break;
   case MT_NODE_PAIRS:
   case MT_NODE_ARRAYS:
      ok = check_flat (s, n, parent);
      require (all,
               optional ? mt_mql_op (s->a, "$or", flat_is (s, n, parent, false), ok, NULL) : ok);
      return;
   }
   require (all, optional ? mt_mql_op (s->a, "$or", is_absent (s, path), ok, NULL) : ok);
}

/* Adds the condition that the redundant copies nested in level n are either all stored or all
 * empty. */
static void require_copies (All *all, const MtNode *n, const char *value)
{
   Shape *s = all->s;
   MtArena *a = s->a;
   bson_t *missing = mt_doc_new (a), *lists = mt_doc_new (a), *empty = mt_doc_new (a),
          *none = mt_doc_new (a);
   for (size_t i = 0; i < n->sub_count; i++) {
      const MtNode *sub = n->subs[i];
      const char *path = mt_dotted (a, value, sub->at), *key = mt_printf (a, "%zu", i);
      if (!*sub->at || !mt_keeps_sums_alone (sub))
         return;
      const bson_t *bare = mt_mql_op (a, "$eq", mt_mql_path (a, path),
                                      mt_doc_of (a, mt_v_doc (mt_doc_new (a))), NULL);
      mt_doc_add (missing, key,
                  mt_doc_value (mt_mql_op (a, "$or", is_absent (s, path), bare, NULL)));
      mt_doc_add (empty, key,
                  mt_doc_value (sub->kind == MT_NODE_SCALAR ? is_empty_cell (s, sub, path)
                                                            : is_empty_level (s, sub, value)));
   }
   mt_doc_add_array (lists, "$or", missing);
   mt_doc_add_array (none, "$and", empty);
   require (all, mt_mql_op (a, "$cond", mt_doc_of (a, mt_v_doc (lists)),
                            mt_doc_of (a, mt_v_doc (none)), mt_doc_of (a, mt_v_bool (true)), NULL));
}

static void require_below (All *all, const MtNode *n, const char *value)
{
   Shape *s = all->s;
   if (n->raw.present && n->raw.many) {
      const bson_t *list = mt_mql_path (s->a, mt_dotted (s->a, value, n->raw.at));
      require (all, mt_mql_op (s->a, "$cond", mt_mql_op1 (s->a, "$isArray", list),
                               each (s, n, list, check_record), no (s), NULL));
   } else if (n->raw.present) {
      require (all, check_record (s, n, value));
   }
   if (n->sub_count > 1 && !s->one_copy)
      require_copies (all, n, value);
   for (size_t i = 0; i < n->sub_count; i++) {
      Shape above = *s;
      require_level (all, n->subs[i], value, n->sub_count > 1);
      *s = above; /* the keys of one redundant copy are not those of the next copy */
   }
}

const bson_t *mt_well_formed (MtArena *a, const MtTable *t, const MtLayout *l,
                              const MtStoreDesc *store)
{
   Shape s = {.a = a,
              .t = t,
              .store = store,
              .finest = MT_UNIT_EPOCH,
              .one_copy = l->presums == MT_PRESUMS_IGNORE};
   const MtNode *root = store->root;
   All all = {&s, mt_doc_new (a), 0};
   require_bindings (&all, root, "", NULL);
   require_agg (&all, root, "");
   if (root->range.present) {
      require_type (&all, root->range.min, time_types (&root->range.encoding));
      require_type (&all, root->range.max, time_types (&root->range.encoding));
   }
   require_below (&all, root, "");
   const bson_t *parts = mt_id_parts (a, t, store, NULL, true);
   if (!parts)
      return all_of (&s, &all);
   return mt_mql_let (a, "id", parts, all_of (&s, &all));
}
