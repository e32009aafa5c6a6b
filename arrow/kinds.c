/* The Arrow type of each SQL type, and how values are converted. The numbers are those of Arrow's
 * Schema.fbs. */
#include "arrow/arrow_int.h"
#include "base/bytes.h"
#include "types/datetime.h"
#include "types/decimal.h"

#include <string.h>

enum { FLAT_INT = 2, FLAT_FLOAT, FLAT_BINARY, FLAT_UTF8, FLAT_BOOL, FLAT_DECIMAL, FLAT_DATE };
enum { FLAT_TIME = 9, FLAT_TIMESTAMP, FLAT_INTERVAL, FLAT_LIST, FLAT_FIXED_SIZE_BINARY = 15 };
enum { UNIT_DAY = 0, UNIT_MICROSECOND = 2, UNIT_MONTH_DAY_NANO = 2, SINGLE = 1, DOUBLE = 2 };
enum { MAX_DECIMAL_DIGITS = 38 };

/* ---- values ---- */

/* Converts *v to the BSON type `type` of the column's SQL type, if it was stored with another BSON
 * type. Fails with XX001 if the column's type does not allow the value. */
static bool normal (MtArrowColumn *c, uint8_t type, MtVal *v, MtError *err)
{
   return v->type == type || mt_value_normalize (c->table->values, c->type, *v, v, err);
}

/* Appends n bytes to the column's data. It is inline because it is called for each value, and the
 * compiler then sees that n is constant. */
static inline void put (MtArrowColumn *c, const void *p, size_t n)
{
   c->table->bytes += n;
   mt_buf_put (&c->data, p, n);
}

static bool add_bool (MtArrowColumn *c, MtVal v, MtError *err)
{
   if (!normal (c, MT_BOOL, &v, err))
      return false;
   mt_arrow_add_bit (c, &c->data, v.i);
   c->table->bytes++;
   return true;
}

static bool add_int16 (MtArrowColumn *c, MtVal v, MtError *err)
{
   if (v.type == MT_INT32 && v.i != (int16_t) v.i)
      v.type = MT_INT64; /* out of range; mt_value_normalize then reports the error */
   if (!normal (c, MT_INT32, &v, err))
      return false;
   int16_t i = (int16_t) v.i;
   put (c, &i, sizeof i);
   return true;
}

static bool add_int32 (MtArrowColumn *c, MtVal v, MtError *err)
{
   if (!normal (c, MT_INT32, &v, err))
      return false;
   int32_t i = (int32_t) v.i;
   put (c, &i, sizeof i);
   return true;
}

static bool add_int64 (MtArrowColumn *c, MtVal v, MtError *err)
{
   if (!normal (c, MT_INT64, &v, err))
      return false;
   put (c, &v.i, sizeof v.i);
   return true;
}

static bool add_float (MtArrowColumn *c, MtVal v, MtError *err)
{
   if (!normal (c, MT_DOUBLE, &v, err))
      return false;
   float f = (float) v.d;
   put (c, &f, sizeof f);
   return true;
}

static bool add_double (MtArrowColumn *c, MtVal v, MtError *err)
{
   if (!normal (c, MT_DOUBLE, &v, err))
      return false;
   put (c, &v.d, sizeof v.d);
   return true;
}

/* Sets the error that the column's Arrow type `type` can't represent value v. Returns false. */
static bool lacking (MtArrowColumn *c, const char *sqlstate, const char *type, MtVal v,
                     MtError *err)
{
   MtBuf *text = &c->table->text;
   MtError ignored;
   mt_error_clear (&ignored);
   mt_buf_clear (text);
   mt_value_print (c->type, v, c->table->style, text, &ignored);
   mt_error (err, sqlstate, "value \"%s\" of column \"%s\" does not fit Arrow's type %s",
             text->p ? text->p : "", c->name, type);
   return mt_error_hint (err, "Cast the column to text.");
}

static bool add_date (MtArrowColumn *c, MtVal v, MtError *err)
{
   if (!normal (c, MT_DATE, &v, err))
      return false;
   int32_t days = mt_v_days (v);
   if (days == MT_DATE_INFINITY || days == MT_DATE_MINUS_INFINITY)
      return lacking (c, MT_E_DATETIME_RANGE, "date32", v, err);
   put (c, &days, sizeof days);
   return true;
}

static bool add_timestamp (MtArrowColumn *c, MtVal v, MtError *err)
{
   int64_t us;
   if (!normal (c, MT_DATE, &v, err))
      return false;
   if (!mt_ts_is_finite (v.i) || __builtin_mul_overflow (v.i, 1000, &us) ||
       __builtin_add_overflow (us, v.len, &us))
      return lacking (c, MT_E_DATETIME_RANGE, "timestamp[us]", v, err);
   put (c, &us, sizeof us);
   return true;
}

static bool add_interval (MtArrowColumn *c, MtVal v, MtError *err)
{
   struct {
      int32_t months, days;
      int64_t ns;
   } out;
   if (!normal (c, MT_DOC, &v, err))
      return false;
   MtInterval iv = mt_v_to_interval (v);
   out.months = iv.months;
   out.days = iv.days;
   if (__builtin_mul_overflow (iv.us, 1000, &out.ns))
      return lacking (c, MT_E_DATETIME_RANGE, "month_day_nano_interval", v, err);
   put (c, &out, sizeof out);
   return true;
}

/* Computes d as an integer with the scale of the column's decimal type. Returns false if the type
 * can't represent d exactly. */
static bool unscaled (const MtArrowColumn *c, MtDec d, MtInt128 *out)
{
   if (d.kind != MT_DEC_FINITE)
      return false;
   int more = d.coef ? d.exp + c->type.mod2 : 0;
   if (more < 0) {
      MtUint128 kept = -more > MT_NUM_DIGITS ? 0 : mt_dec_drop (d.coef, -more, false);
      if (-more > MT_NUM_DIGITS || kept * mt_pow10 (-more) != d.coef)
         return false;
      d.coef = kept;
      more = 0;
   }
   if (d.coef && mt_dec_digits (d.coef) + more > c->type.mod1)
      return false;
   *out = (MtInt128) (d.coef * mt_pow10 (more));
   *out = d.neg ? -*out : *out;
   return true;
}

static bool add_decimal (MtArrowColumn *c, MtVal v, MtError *err)
{
   MtInt128 i;
   if (!normal (c, MT_DECIMAL, &v, err))
      return false;
   if (!unscaled (c, mt_dec_open (mt_num_load (v.p)), &i)) {
      char type[40];
      snprintf (type, sizeof type, "decimal128(%d, %d)", c->type.mod1, c->type.mod2);
      return lacking (c, MT_E_NUMERIC_RANGE, type, v, err);
   }
   put (c, &i, sizeof i);
   return true;
}

/* Appends a value of n bytes to a column whose values have different lengths. */
static bool put_bytes (MtArrowColumn *c, const void *p, size_t n)
{
   put (c, p, n);
   c->table->bytes += 4;
   mt_arrow_add_end (c);
   return true;
}

static bool add_text (MtArrowColumn *c, MtVal v, MtError *err)
{
   MtBuf *text = &c->table->text;
   const char *p = (const char *) v.p;
   size_t n = v.len;
   MtTypeId form = mt_type_form (c->type.id);
   bool plain = v.type == MT_STRING && (form == MT_T_TEXT || form == MT_T_VARCHAR);
   if (!plain) {
      mt_buf_clear (text);
      if (!mt_value_print (c->type, v, c->table->style, text, err))
         return false;
      p = text->p ? text->p : "";
      n = text->n;
   }
   if (!mt_utf8_valid (p, n))
      return mt_error (err, MT_E_ENCODING, "a text of column \"%s\" is not valid UTF-8", c->name);
   return put_bytes (c, p, n);
}

static bool add_bytes (MtArrowColumn *c, MtVal v, MtError *err)
{
   if (!normal (c, MT_BINARY, &v, err))
      return false;
   v = mt_v_bytes (v);
   return put_bytes (c, v.p, v.len);
}

static bool add_uuid (MtArrowColumn *c, MtVal v, MtError *err)
{
   if (v.type == MT_BINARY && v.len != 16)
      v.type = MT_UNDEFINED; /* not a uuid; mt_value_normalize then reports the error */
   if (!normal (c, MT_BINARY, &v, err))
      return false;
   put (c, v.p, 16);
   return true;
}

static bool add_list (MtArrowColumn *c, MtVal v, MtError *err)
{
   if (!normal (c, MT_ARRAY, &v, err))
      return false;
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal item;
   while (mt_doc_next (&it, &key, &item)) {
      if (item.type == MT_ARRAY && !mt_type_holds_arrays (c->item->type.id)) {
         mt_error (err, MT_E_FEATURE,
                   "column \"%s\" has an array of several dimensions, and Arrow's lists have one",
                   c->name);
         return mt_error_hint (err, "Cast the column to text.");
      }
      if (!mt_arrow_column_add (c->item, item, err))
         return false;
   }
   mt_arrow_add_end (c);
   return true;
}

/* ---- types ---- */

#define INT(bits, format_, add_) \
   {MT_ARROW_FIXED, bits / 8, format_, FLAT_INT, {{4, bits, 0}, {1, 1, 0}}, NULL, NULL, add_}
#define FLOAT(bytes, format_, precision, add_) \
   {MT_ARROW_FIXED, bytes, format_, FLAT_FLOAT, {{2, precision, 0}}, NULL, NULL, add_}
#define TIME(format_, zone) \
   {MT_ARROW_FIXED, \
    8, \
    format_, \
    FLAT_TIMESTAMP, \
    {{2, UNIT_MICROSECOND, 0}, {zone ? 4 : 0, 0, 0}}, \
    zone, \
    NULL, \
    add_timestamp}

static const MtArrowKind text = {MT_ARROW_BYTES, 0, "u", FLAT_UTF8, {{0}}, NULL, NULL, add_text};
static const MtArrowKind kinds[MT_T_COUNT] = {
   [MT_T_BOOL] = {MT_ARROW_BITS, 0, "b", FLAT_BOOL, {{0}}, NULL, NULL, add_bool},
   [MT_T_INT2] = INT (16, "s", add_int16),
   [MT_T_INT4] = INT (32, "i", add_int32),
   [MT_T_INT8] = INT (64, "l", add_int64),
   [MT_T_OID] = INT (64, "l", add_int64),
   [MT_T_FLOAT4] = FLOAT (4, "f", SINGLE, add_float),
   [MT_T_FLOAT8] = FLOAT (8, "g", DOUBLE, add_double),
   [MT_T_NUMERIC] = {MT_ARROW_FIXED,
                     16,
                     NULL,
                     FLAT_DECIMAL,
                     {{4, 0, 0}, {4, 0, 0}, {4, 128, 0}},
                     NULL,
                     NULL,
                     add_decimal},
   [MT_T_DATE] = {MT_ARROW_FIXED, 4, "tdD", FLAT_DATE, {{2, UNIT_DAY, 0}}, NULL, NULL, add_date},
   [MT_T_TIME] = {MT_ARROW_FIXED,
                  8,
                  "ttu",
                  FLAT_TIME,
                  {{2, UNIT_MICROSECOND, 0}, {4, 64, 0}},
                  NULL,
                  NULL,
                  add_int64},
   [MT_T_TIMESTAMP] = TIME ("tsu:", NULL),
   [MT_T_TIMESTAMPTZ] = TIME ("tsu:UTC", "UTC"),
   [MT_T_INTERVAL] = {MT_ARROW_FIXED,
                      16,
                      "tin",
                      FLAT_INTERVAL,
                      {{2, UNIT_MONTH_DAY_NANO, 0}},
                      NULL,
                      NULL,
                      add_interval},
   [MT_T_UUID] = {MT_ARROW_FIXED,
                  16,
                  "w:16",
                  FLAT_FIXED_SIZE_BINARY,
                  {{4, 16, 0}},
                  NULL,
                  "arrow.uuid",
                  add_uuid},
   [MT_T_BYTEA] = {MT_ARROW_BYTES, 0, "z", FLAT_BINARY, {{0}}, NULL, NULL, add_bytes},
};
const MtArrowKind mt_arrow_list = {MT_ARROW_LIST, 0, "+l", FLAT_LIST, {{0}}, NULL, NULL, add_list};

const MtArrowKind *mt_arrow_kind (MtType t)
{
   if (t.id == MT_T_NUMERIC && (t.mod1 < 0 || t.mod1 > MAX_DECIMAL_DIGITS))
      return &text;
   return kinds[mt_type_form (t.id)].add ? &kinds[mt_type_form (t.id)] : &text;
}
