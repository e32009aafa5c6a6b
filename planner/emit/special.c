/* Translates calls whose best form depends on their constant arguments: LIKE, date_trunc,
 * time_bucket, extract, times plus intervals, casts of times in UTC. Where MongoDB's operators
 * would give other results than PostgreSQL, mtsql's own operator is used. */
#include "planner/emit/emit_int.h"

#include "types/datetime.h"
#include "functions/text/pattern.h"

#define YEAR_2100_MS INT64_C (4102444800000)

/* ---- appending $dateTrunc ---- */

static bool one_arg (MtEmit *e, const char *op, const MtX *x, bson_t *out, const char *key)
{
   bson_t doc;
   mt_doc_begin (out, key, &doc);
   bool ok = mt_emit_raw (e, x, &doc, op);
   mt_doc_end (out, &doc);
   return ok;
}

typedef struct Trunc {
   const MtX *date;
   const char *unit;
   int64_t bins;
   const char *zone; /* NULL: UTC */
} Trunc;

/* Appends {$dateTrunc: {date, unit, binSize?, timezone?, startOfWeek?}}. */
static bool date_trunc (MtEmit *e, Trunc t, bson_t *out, const char *key)
{
   bson_t doc, args;
   mt_doc_begin (out, key, &doc);
   mt_doc_begin (&doc, "$dateTrunc", &args);
   bool ok = mt_emit_raw (e, t.date, &args, "date");
   mt_doc_add_text (&args, "unit", t.unit);
   if (t.bins != 1)
      mt_doc_add (&args, "binSize", mt_v_int64 (t.bins));
   if (t.zone)
      mt_doc_add_text (&args, "timezone", t.zone);
   if (strcmp (t.unit, "week") == 0)
      mt_doc_add_text (&args, "startOfWeek", "monday");
   mt_doc_end (&doc, &args);
   mt_doc_end (out, &doc);
   return ok;
}

/* ---- time zones ---- */

static const MtZone *const_zone (const MtX *x)
{
   const MtZone *z;
   if (x->kind != MT_X_CONST || x->value.type != MT_STRING ||
       !mt_tz_find ((const char *) x->value.p, x->value.len, &z, NULL))
      return NULL;
   return z;
}

static bool is_utc (const MtZone *z) { return z && mt_tz_is_fixed (z) && mt_tz_offset (z, 0) == 0; }

/* Returns the name of a time zone in MongoDB. NULL: MongoDB has no time zone with the same
 * rules. */
static const char *mongo_zone (const MtZone *z)
{
   const MtZone *same;
   const char *name = mt_tz_name (z);
   if (!strchr (name, '/') || !mt_tz_find_mongo (name, strlen (name), &same, NULL) ||
       strcmp (mt_tz_name (same), name))
      return NULL;
   return name;
}

/* Returns whether all UTC offsets of the time zone since 1970 are multiples of `seconds`. */
static bool aligned (const MtZone *z, int seconds)
{
   int64_t t = 0;
   if (mt_tz_offset (z, 0) % seconds)
      return false;
   while (t < YEAR_2100_MS && mt_tz_next_transition (z, t, &t))
      if (mt_tz_offset (z, t) % seconds)
         return false;
   return true;
}

/* ---- LIKE ---- */

typedef struct Like {
   const MtX *value;
   const char *regex;
   bool exact;
} Like;

/* Recognizes LIKE or ILIKE with a valid constant pattern. In other cases mtsql's operator is used,
 * which reports an invalid pattern. */
static bool find_like (MtEmit *e, const MtX *x, Like *out)
{
   bool ignore = x->kind == MT_X_CALL && x->call.fn->kind == MT_FN_ILIKE;
   if (!ignore && !(x->kind == MT_X_CALL && x->call.fn->kind == MT_FN_LIKE))
      return false;
   if (x->call.args[1]->kind != MT_X_CONST ||
       (x->call.argc > 2 && x->call.args[2]->kind != MT_X_CONST))
      return false;
   MtStr escape = x->call.argc > 2 ? mt_v_text (x->call.args[2]->value) : MT_STR ("\\");
   out->value = x->call.args[0];
   return !mt_is_nullish (x->call.args[1]->value) && escape.n <= 1 &&
          mt_like_regex (e->a, mt_v_text (x->call.args[1]->value), escape, ignore, &out->regex,
                         &out->exact);
}

/* Appends an expression that is true if LIKE is true, and false if it is false or NULL. */
static bool like_test (MtEmit *e, const Like *l, bson_t *out, const char *key)
{
   bson_t doc, args;
   MtOpenOp eq;
   bool ok;
   if (l->exact) {
      mt_op_open (out, key, "$eq", &eq);
      ok = mt_emit_raw (e, l->value, &eq.list, mt_op_next (&eq));
      mt_emit_const (mt_v_cstr (l->regex), &eq.list, mt_op_next (&eq));
      mt_op_close (out, &eq);
      return ok;
   }
   mt_doc_begin (out, key, &doc);
   mt_doc_begin (&doc, "$regexMatch", &args);
   ok = mt_emit_raw (e, l->value, &args, "input");
   mt_doc_add_text (&args, "regex", l->regex);
   mt_doc_add_text (&args, "options", "s");
   mt_doc_end (&doc, &args);
   mt_doc_end (out, &doc);
   return ok;
}

static bool null_test (MtEmit *e, const char *op, const MtX *x, MtOpenOp *in)
{
   MtOpenOp test;
   const char *key = mt_op_next (in);
   mt_op_open (&in->list, key, op, &test);
   bool ok = mt_emit_raw (e, x, &test.list, mt_op_next (&test));
   mt_doc_add (&test.list, mt_op_next (&test), mt_v_null ());
   mt_op_close (&in->list, &test);
   return ok;
}

static bool emit_like (MtEmit *e, const MtX *x, bson_t *out, const char *key, bool *done)
{
   Like l;
   MtOpenOp cond;
   if (!find_like (e, x, &l))
      return true;
   *done = true;
   if (!l.value->nullable)
      return like_test (e, &l, out, key);
   mt_op_open (out, key, "$cond", &cond);
   bool ok = null_test (e, "$lte", l.value, &cond);
   mt_doc_add (&cond.list, mt_op_next (&cond), mt_v_null ());
   ok = ok && like_test (e, &l, &cond.list, mt_op_next (&cond));
   mt_op_close (out, &cond);
   return ok;
}

bool mt_emit_like_truth (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key,
                         bool *done)
{
   Like l;
   MtOpenOp all, no;
   *done = find_like (e, x, &l);
   if (!*done)
      return true;
   if (want)
      return like_test (e, &l, out, key);
   mt_op_open (out, key, "$and", &all);
   bool ok = !l.value->nullable || null_test (e, "$gt", l.value, &all);
   mt_op_open (&all.list, mt_op_next (&all), "$not", &no);
   ok = ok && like_test (e, &l, &no.list, mt_op_next (&no));
   mt_op_close (&all.list, &no);
   mt_op_close (out, &all);
   return ok;
}

/* ---- units of a day or longer in a time zone ---- */

/* Returns the name of a unit in $dateTrunc. NULL: $dateTrunc does not support the unit. */
static const char *trunc_unit (MtTimeUnit u)
{
   static const char *const names[] = {
      [MT_U_SECOND] = "second",   [MT_U_MINUTE] = "minute", [MT_U_HOUR] = "hour",
      [MT_U_DAY] = "day",         [MT_U_WEEK] = "week",     [MT_U_MONTH] = "month",
      [MT_U_QUARTER] = "quarter", [MT_U_YEAR] = "year"};
   return u >= MT_U_SECOND && u <= MT_U_YEAR ? names[u] : NULL;
}

/* The starts of a unit (hour, day …) that a time zone's clock has shown twice since 1970, because
 * it was set back in between. */
typedef struct Twice {
   bson_t *first; /* array of the instants when it was shown first */
   int count;
   int64_t apart; /* milliseconds from the first to the second occurrence */
} Twice;

/* Finds the unit starts that time zone z has twice. False: the time between the two occurrences is
 * not always the same. */
static bool find_twice (MtArena *a, const MtZone *z, MtTimeUnit unit, Twice *out)
{
   int64_t t = 0, start;
   *out = (Twice) {.first = mt_doc_new (a)};
   while (mt_tz_next_transition (z, t, &t) && t < YEAR_2100_MS) {
      int64_t before = (int64_t) mt_tz_offset (z, t - 1) * 1000,
              after = (int64_t) mt_tz_offset (z, t) * 1000;
      if (before < after || !mt_trunc_by (unit, t + before - 1, NULL, &start, NULL) ||
          start < t + after)
         continue;
      if (out->count && out->apart != before - after)
         return false;
      out->apart = before - after;
      mt_doc_add (out->first, mt_printf (a, "%d", out->count++), mt_v_date (start - before));
   }
   return true;
}

typedef struct ZoneTrunc {
   const MtX *date;
   MtTimeUnit unit;
   const MtZone *zone;
   bool bucket; /* the call is time_bucket, not date_trunc */
} ZoneTrunc;

/* Appends {$dateTrunc} in a time zone. If the start has occurred twice, servers differ in which
 * occurrence they return. date_trunc must return the second one; time_bucket, too, unless it is
 * after the row's time. *done is set to false if this can't be expressed. */
static bool zone_trunc (MtEmit *e, ZoneTrunc t, bson_t *out, const char *key, bool *done)
{
   MtArena *a = e->a;
   Trunc plain = {t.date, trunc_unit (t.unit), 1, mongo_zone (t.zone)};
   Twice twice;
   *done = plain.zone && find_twice (a, t.zone, t.unit, &twice);
   if (!*done || !twice.count)
      return !*done || date_trunc (e, plain, out, key);
   bson_t *trunc = mt_doc_new (a), *row = mt_doc_new (a);
   if (!date_trunc (e, plain, trunc, "") || (t.bucket && !mt_emit_raw (e, t.date, row, "")))
      return false;
   const bson_t *start = mt_mql_path (a, "$start"),
                *apart = mt_mql_const (a, mt_v_int64 (twice.apart));
   const bson_t *is_first = mt_mql_op (a, "$in", start, mt_mql_const (a, mt_v_array (twice.first)),
                                       NULL);
   const bson_t *x = mt_mql_let (
      a, "start", trunc,
      mt_mql_op (a, "$cond", is_first, mt_mql_op (a, "$add", start, apart, NULL), start, NULL));
   if (t.bucket)
      x = mt_mql_let (a, "start", x,
                      mt_mql_op (a, "$cond", mt_mql_op (a, "$gt", start, row, NULL),
                                 mt_mql_op (a, "$subtract", start, apart, NULL), start, NULL));
   mt_doc_add (out, key, mt_doc_value (x));
   return true;
}

/* ---- date_trunc ---- */

static bool emit_date_trunc (MtEmit *e, const MtX *x, bson_t *out, const char *key, bool *done)
{
   MtTimeUnit u;
   const MtX *unit = x->call.args[0], *t = x->call.args[1];
   const MtZone *z = x->call.argc > 2 ? const_zone (x->call.args[2]) : mt_tz_utc ();
   if (unit->kind != MT_X_CONST ||
       !mt_unit_find ((const char *) unit->value.p, unit->value.len, &u) || !trunc_unit (u) || !z ||
       t->type.id == MT_T_INTERVAL)
      return true;
   if (!is_utc (z) && u > MT_U_HOUR)
      return zone_trunc (e, (ZoneTrunc) {t, u, z, false}, out, key, done);
   int seconds = u == MT_U_HOUR ? 3600 : 1;
   if (u == MT_U_MINUTE)
      seconds = 60;
   *done = is_utc (z) || aligned (z, seconds);
   return !*done || date_trunc (e, (Trunc) {t, trunc_unit (u), 1, NULL}, out, key);
}

/* ---- time_bucket ---- */

static bool fixed_trunc (MtEmit *e, const MtX *t, int64_t width_ms, bson_t *out, const char *key)
{
   static const struct {
      const char *unit;
      int64_t ms;
   } units[] = {{"day", 86400000},
                {"hour", 3600000},
                {"minute", 60000},
                {"second", 1000},
                {"millisecond", 1}};
   int i = 0;
   while (width_ms % units[i].ms)
      i++;
   return date_trunc (e, (Trunc) {t, units[i].unit, width_ms / units[i].ms, NULL}, out, key);
}

/* Appends t - ((t - origin) mod width), where the remainder is never negative. */
static bool modulo_trunc (MtEmit *e, const MtX *t, int64_t width_ms, int64_t origin_ms, bson_t *out,
                          const char *key)
{
   MtOpenOp minus, outer, add, inner, diff;
   mt_op_open (out, key, "$subtract", &minus);
   bool ok = mt_emit_raw (e, t, &minus.list, mt_op_next (&minus));
   mt_op_open (&minus.list, mt_op_next (&minus), "$mod", &outer);
   mt_op_open (&outer.list, mt_op_next (&outer), "$add", &add);
   mt_op_open (&add.list, mt_op_next (&add), "$mod", &inner);
   mt_op_open (&inner.list, mt_op_next (&inner), "$subtract", &diff);
   ok = ok && mt_emit_raw (e, t, &diff.list, mt_op_next (&diff));
   mt_doc_add (&diff.list, mt_op_next (&diff), mt_v_date (origin_ms));
   mt_op_close (&inner.list, &diff);
   mt_doc_add (&inner.list, mt_op_next (&inner), mt_v_int64 (width_ms));
   mt_op_close (&add.list, &inner);
   mt_doc_add (&add.list, mt_op_next (&add), mt_v_int64 (width_ms));
   mt_op_close (&outer.list, &add);
   mt_doc_add (&outer.list, mt_op_next (&outer), mt_v_int64 (width_ms));
   mt_op_close (&minus.list, &outer);
   mt_op_close (out, &minus);
   return ok;
}

#define ORIGIN_MS INT64_C (946857600000) /* 2000-01-03, a Monday */

/* Appends time_bucket (width, t), (width, t, origin), (width, t, offset) or (width, t, zone …), if
 * all arguments but t are constants. *done is set to whether it was possible. */
static bool emit_time_bucket (MtEmit *e, const MtX *x, bson_t *out, const char *key, bool *done)
{
   const MtX *w = x->call.args[0], *t = x->call.args[1],
             *third = x->call.argc > 2 ? x->call.args[2] : NULL;
   if (w->kind != MT_X_CONST || w->type.id != MT_T_INTERVAL || t->type.id == MT_T_DATE ||
       x->call.argc > 3 || (third && third->kind != MT_X_CONST))
      return true;
   MtInterval iv = mt_v_to_interval (w->value);
   int64_t width = (int64_t) iv.days * MT_DAY_MS + iv.us / 1000, origin = ORIGIN_MS;
   bool has_origin = third && third->value.type == MT_DATE,
        fixed = iv.months == 0 && width > 0 && iv.us % 1000 == 0;
   bool months = iv.months > 0 && iv.days == 0 && iv.us == 0;
   if (third && !has_origin) {
      const MtZone *z = third->type.id == MT_T_TEXT ? const_zone (third) : NULL;
      const char *zone = z && !is_utc (z) ? mongo_zone (z) : NULL;
      if (!z || (!is_utc (z) && !zone))
         return true;
      /* In a time zone only days, weeks and months are translated. For other widths mtsql's
       * operator counts in local time. */
      if (zone) {
         bool day = fixed && iv.us == 0 && (iv.days == 1 || iv.days == 7);
         if (!day && !(months && iv.months == 1))
            return true;
         MtTimeUnit unit = iv.days == 1 ? MT_U_DAY : MT_U_WEEK;
         return zone_trunc (e, (ZoneTrunc) {t, months ? MT_U_MONTH : unit, z, true}, out, key,
                            done);
      }
   }
   if (!fixed && (!months || has_origin))
      return true;
   *done = true;
   if (months)
      return date_trunc (e, (Trunc) {t, "month", iv.months, NULL}, out, key);
   if (!has_origin && (2 * MT_DAY_MS) % width == 0)
      return fixed_trunc (e, t, width, out, key);
   if (!has_origin && width == 7 * MT_DAY_MS)
      return date_trunc (e, (Trunc) {t, "week", 1, NULL}, out, key);
   return modulo_trunc (e, t, width, has_origin ? third->value.i : origin, out, key);
}

/* ---- extract and date_part ---- */

static const char *part_op (MtTimeUnit u)
{
   switch (u) {
   case MT_U_YEAR: return "$year";
   case MT_U_MONTH:
   case MT_U_QUARTER: return "$month";
   case MT_U_DAY: return "$dayOfMonth";
   case MT_U_HOUR: return "$hour";
   case MT_U_MINUTE: return "$minute";
   case MT_U_DOW: return "$dayOfWeek";
   case MT_U_ISODOW: return "$isoDayOfWeek";
   case MT_U_DOY: return "$dayOfYear";
   case MT_U_WEEK: return "$isoWeek";
   case MT_U_ISOYEAR: return "$isoWeekYear";
   case MT_U_MICROSECOND:
   case MT_U_MILLISECOND:
   case MT_U_SECOND:
   case MT_U_DECADE:
   case MT_U_CENTURY:
   case MT_U_MILLENNIUM:
   case MT_U_EPOCH:
   case MT_U_JULIAN:
   case MT_U_TIMEZONE:
   case MT_U_TIMEZONE_HOUR:
   case MT_U_TIMEZONE_MINUTE: break;
   }
   /* fractional parts need PostgreSQL's number of decimals; others are rare */
   return NULL;
}

static bool part (MtEmit *e, const char *op, const MtX *t, const char *zone, bson_t *out,
                  const char *key)
{
   bson_t doc, args;
   if (!zone)
      return one_arg (e, op, t, out, key);
   mt_doc_begin (out, key, &doc);
   mt_doc_begin (&doc, op, &args);
   bool ok = mt_emit_raw (e, t, &args, "date");
   mt_doc_add_text (&args, "timezone", zone);
   mt_doc_end (&doc, &args);
   mt_doc_end (out, &doc);
   return ok;
}

/* ---- years BC ---- */

#define YEAR_0_MS INT64_C (-62154086400000) /* 1 June of 1 BC */
#define YEAR_1_MS INT64_C (-62135596800000) /* 1 January of 1 AD, a Monday */
/* 4,800 years in milliseconds, which are whole weeks. Added to times BC, they give times AD, for
 * which all servers compute the same. */
#define CYCLES_MS (INT64_C (12) * 146097 * MT_DAY_MS)

/* Appends {conv: {$toInt: value}}. GROUP BY recognizes this form, and groups by the integer. */
static void put_whole (MtArena *a, const char *conv, const bson_t *value, bson_t *out,
                       const char *key)
{
   mt_doc_add (out, key, mt_doc_value (mt_mql_op1 (a, conv, mt_mql_op1 (a, "$toInt", value))));
}

/* Appends the year. PostgreSQL and DocumentDB have no year 0, MongoDB has one. With y, the server's
 * year, the result is y > 0 ? y : y - 1 - z, where z is the server's number for the year 1 BC. z is
 * computed by a sum, because SecantusDB can't read such a date. It can't compute z either, so for a
 * NULL time z must not be needed. */
static bool emit_year (MtEmit *e, const MtX *t, const char *zone, const char *conv, bson_t *out,
                       const char *key)
{
   MtArena *a = e->a;
   bson_t *year = mt_doc_new (a), *y = mt_mql_path (a, "$y");
   bool ok = part (e, "$year", t, zone, year, "");
   const bson_t *last = mt_mql_op1 (a, "$year",
                                    mt_mql_op (a, "$add", mt_mql_const (a, mt_v_date (0)),
                                               mt_mql_const (a, mt_v_int64 (YEAR_0_MS)), NULL));
   const bson_t *before = mt_mql_op (
      a, "$subtract", mt_mql_op (a, "$subtract", y, mt_mql_int (a, 1), NULL), last, NULL);
   const bson_t *known = t->nullable ? mt_mql_op (a, "$ifNull", y, mt_mql_int (a, 1), NULL) : y;
   if (ok)
      put_whole (a, conv,
                 mt_mql_let (a, "y", year,
                             mt_mql_op (a, "$cond",
                                        mt_mql_op (a, "$gt", known, mt_mql_int (a, 0), NULL), y,
                                        before, NULL)),
                 out, key);
   return ok;
}

/* Appends the ISO year (of the week). DocumentDB can't compute it before year 1, so it is t >= year
 * 1 ? isoyear (t) : isoyear (t + 4800 years) - 4801. */
static bool emit_isoyear (MtEmit *e, const MtX *t, const char *conv, bson_t *out, const char *key)
{
   MtArena *a = e->a;
   bson_t *value = mt_doc_new (a), *v = mt_mql_path (a, "$t");
   bool ok = mt_emit_raw (e, t, value, "");
   const bson_t *later = mt_mql_op1 (
      a, "$isoWeekYear", mt_mql_op (a, "$add", v, mt_mql_const (a, mt_v_int64 (CYCLES_MS)), NULL));
   const bson_t *before = mt_mql_op (a, "$subtract", later, mt_mql_int (a, 4801), NULL),
                *ad = mt_mql_op (a, "$gte", v, mt_mql_const (a, mt_v_date (YEAR_1_MS)), NULL);
   if (ok)
      put_whole (
         a, conv,
         mt_mql_let (a, "t", value,
                     mt_mql_op (a, "$cond", ad, mt_mql_op1 (a, "$isoWeekYear", v), before, NULL)),
         out, key);
   return ok;
}

/* Appends extract or date_part. conv: the operator that converts the number to the SQL type. *done
 * is set to whether it was possible. */
static bool emit_part (MtEmit *e, const MtX *x, const char *conv, bson_t *out, const char *key,
                       bool *done)
{
   MtTimeUnit u;
   const MtX *unit = x->call.args[0], *t = x->call.args[1];
   const MtZone *z = x->call.argc > 2 ? const_zone (x->call.args[2]) : mt_tz_utc ();
   bool time = mt_type_is_datetime (t->type.id);
   if (!time || unit->kind != MT_X_CONST ||
       !mt_unit_find ((const char *) unit->value.p, unit->value.len, &u) || !part_op (u) || !z)
      return true;
   const char *zone = is_utc (z) ? NULL : mongo_zone (z);
   if (!is_utc (z) && (!zone || u == MT_U_ISOYEAR))
      return true;
   bson_t doc;
   MtOpenOp minus, ceil, div;
   bool ok;
   *done = true;
   if (u == MT_U_YEAR || u == MT_U_ISOYEAR)
      return u == MT_U_YEAR ? emit_year (e, t, zone, conv, out, key)
                            : emit_isoyear (e, t, conv, out, key);
   mt_doc_begin (out, key, &doc);
   if (u == MT_U_DOW) {
      mt_op_open (&doc, conv, "$subtract", &minus);
      ok = part (e, part_op (u), t, zone, &minus.list, mt_op_next (&minus));
      mt_doc_add_int (&minus.list, mt_op_next (&minus), 1);
      mt_op_close (&doc, &minus);
      /* A double becomes an integer first, so that the decimal made of it has no decimals. */
   } else if (u == MT_U_QUARTER) {
      bson_t whole;
      mt_doc_begin (&doc, conv, &whole);
      mt_op_open (&whole, "$toInt", "$ceil", &ceil);
      mt_op_open (&ceil.list, mt_op_next (&ceil), "$divide", &div);
      ok = part (e, part_op (u), t, zone, &div.list, mt_op_next (&div));
      mt_doc_add_int (&div.list, mt_op_next (&div), 3);
      mt_op_close (&ceil.list, &div);
      mt_op_close (&whole, &ceil);
      mt_doc_end (&doc, &whole);
   } else
      ok = part (e, part_op (u), t, zone, &doc, conv);
   mt_doc_end (out, &doc);
   return ok;
}

/* ---- time + interval ---- */

static bool emit_shift (MtEmit *e, const MtX *x, bson_t *out, const char *key, bool *done)
{
   const MtX *t = x->call.args[0], *i = x->call.args[1];
   bool minus = x->call.fn->kind == MT_FN_TIME_MINUS;
   if (i->type.id != MT_T_INTERVAL) {
      const MtX *swap = t;
      t = i;
      i = swap;
   }
   bool tz = t->type.id == MT_T_TIMESTAMPTZ;
   if (i->kind != MT_X_CONST || i->type.id != MT_T_INTERVAL ||
       (t->type.id != MT_T_TIMESTAMP && !tz))
      return true;
   MtInterval iv = mt_v_to_interval (i->value);
   const MtZone *z = tz ? const_zone (x->call.args[x->call.argc - 1]) : mt_tz_utc ();
   if (iv.us % 1000 || !z || ((iv.months || iv.days) && !is_utc (z)))
      return true;
   int64_t ms = (int64_t) iv.days * MT_DAY_MS + iv.us / 1000;
   MtOpenOp add;
   bson_t doc, args;
   bool ok;
   *done = true;
   mt_op_open (out, key, "$add", &add);
   if (iv.months) {
      mt_doc_begin (&add.list, mt_op_next (&add), &doc);
      mt_doc_begin (&doc, "$dateAdd", &args);
      ok = mt_emit_raw (e, t, &args, "startDate");
      mt_doc_add_text (&args, "unit", "month");
      mt_doc_add (&args, "amount", mt_v_int64 (minus ? -(int64_t) iv.months : iv.months));
      mt_doc_end (&doc, &args);
      mt_doc_end (&add.list, &doc);
   } else
      ok = mt_emit_raw (e, t, &add.list, mt_op_next (&add));
   mt_doc_add (&add.list, mt_op_next (&add), mt_v_int64 (minus ? -ms : ms));
   mt_op_close (out, &add);
   return ok;
}

/* ---- casts between date and time types ---- */

static bool emit_time_cast (MtEmit *e, const MtX *x, bson_t *out, const char *key, bool *done)
{
   if (x->call.argc != 2)
      return true;
   MtTypeId from = x->call.args[0]->type.id, to = x->type.id;
   const MtZone *z = const_zone (x->call.args[1]);
   if (!z || !is_utc (z))
      return true;
   if ((from == MT_T_DATE || from == MT_T_TIMESTAMP) && to == MT_T_TIMESTAMPTZ)
      *done = true;
   else if (from == MT_T_TIMESTAMPTZ && (to == MT_T_TIMESTAMP || to == MT_T_DATE))
      *done = true;
   else
      return true;
   return to == MT_T_DATE ? date_trunc (e, (Trunc) {x->call.args[0], "day", 1, NULL}, out, key)
                          : one_arg (e, "$toDate", x->call.args[0], out, key);
}

/* ---- infinite times ---- */

static bool is_sum (const MtFunc *f)
{
   return f->kind == MT_FN_TIME_PLUS || f->kind == MT_FN_TIME_MINUS;
}

/* Functions in this file, and + and - of times, compute with times, which MongoDB does wrongly for
 * infinity. All other functions only compare or copy times, where infinite times need no care. */
bool mt_only_by_operator (const MtX *x)
{
   const MtFunc *f = x->call.fn;
   bool computes = f->step || is_sum (f);
   return computes && f->op && !mt_x_all_finite (x->call.args, x->call.argc);
}

/* ---- dispatch ---- */

bool mt_emit_special (MtEmit *e, const MtX *x, bson_t *out, const char *key, bool *done)
{
   const MtFunc *f = x->call.fn;
   *done = false;
   if (f->flags & MT_F_CAST) {
      const MtX *arg = x->call.args[0];
      if (x->type.id == MT_T_FLOAT8 && arg->kind == MT_X_CALL &&
          /* the call is date_part */
          arg->call.fn->step == MT_STEP_PART && !mt_only_by_operator (arg))
         return emit_part (e, arg, "$toDouble", out, key, done);
      return emit_time_cast (e, x, out, key, done);
   }
   switch (f->step) {
   case MT_STEP_TRUNC: return emit_date_trunc (e, x, out, key, done);
   case MT_STEP_BUCKET: return emit_time_bucket (e, x, out, key, done);
   case MT_STEP_PART: return emit_part (e, x, "$toDecimal", out, key, done);
   case MT_STEP_BIN: return true;
   case MT_STEP_DATE:
   case MT_STEP_NONE: break;
   }
   bool ok = emit_like (e, x, out, key, done);
   if (!ok || *done)
      return ok;
   if (is_sum (f) && x->call.argc >= 2)
      return emit_shift (e, x, out, key, done);
   return true;
}
