/* Parses mongosh's constructors, such as ObjectId (…), and the same values in extended JSON. */
#include "types/mongosh_int.h"

#include "types/datetime.h"
#include "base/base64.h"
#include "base/limits.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Call {
   MtMongosh *m;
   const char *name;
   MtSpan span; /* the place of the constructor's name, or of the whole extended JSON object */
   const MtMongoshValue *args;
   size_t n;
   bool is_new;
} Call;

/* Sets the error 22P02 at an argument; arg NULL: at the constructor's name. Returns false. */
static bool invalid (const Call *c, const MtMongoshValue *arg, const char *hint)
{
   MtSpan span = arg ? arg->span : c->span;
   size_t n = (size_t) span.len < 60 ? (size_t) span.len : 60;
   const char *text = c->m->start + span.start;
   while (n < (size_t) span.len && ((unsigned char) text[n] & 0xC0) == 0x80)
      n--;
   if (arg)
      mt_error_at (c->m->err, span, MT_E_TEXT_REPRESENTATION, "invalid argument of %s: %.*s",
                   c->name, (int) n, text);
   else
      mt_error_at (c->m->err, span, MT_E_TEXT_REPRESENTATION, "%s needs an argument", c->name);
   return mt_error_hint (c->m->err, "%s", hint);
}

static MtStr text_of (const MtMongoshValue *arg)
{
   return arg->v.type == MT_STRING ? (MtStr) {(const char *) arg->v.p, arg->v.len} : (MtStr) {0};
}

static bool is_text (const MtMongoshValue *arg) { return arg->v.type == MT_STRING; }

/* ---- numbers ---- */

/* Reads an argument, a string or a number, as an integer. */
static bool whole_of (const MtMongoshValue *arg, int64_t *out)
{
   MtStr s = text_of (arg);
   bool negative = s.n && *s.p == '-';
   size_t sign = s.n && (negative || *s.p == '+');
   MtVal v = arg->v;
   if (is_text (arg)) {
      for (size_t i = sign; i < s.n; i++)
         if (!isdigit ((unsigned char) s.p[i]))
            return false;
      if (s.n == sign || s.n > 40)
         return false;
      while (s.n > sign + 1 && s.p[sign] == '0') { /* leading zeros are skipped */
         s.p++;
         s.n--;
      }
      v = mt_sh_number ((MtStr) {s.p + sign, s.n - sign}, negative);
   }
   if (v.type == MT_DOUBLE && v.d == floor (v.d) && fabs (v.d) < 9007199254740992.0)
      v = mt_v_int64 ((int64_t) v.d);
   *out = v.i;
   return v.type == MT_INT32 || v.type == MT_INT64;
}

static bool new_long (const Call *c, MtVal *out)
{
   int64_t i = 0;
   if (c->n && !whole_of (&c->args[0], &i))
      return invalid (c, &c->args[0], "Give a whole number of 64 bits.");
   *out = mt_v_int64 (i);
   return true;
}

static bool new_int (const Call *c, MtVal *out)
{
   int64_t i = 0;
   if (c->n && (!whole_of (&c->args[0], &i) || i < INT32_MIN || i > INT32_MAX))
      return invalid (c, &c->args[0], "Give a whole number of 32 bits.");
   *out = mt_v_int32 ((int32_t) i);
   return true;
}

static bool new_double (const Call *c, MtVal *out)
{
   MtVal v = c->n ? c->args[0].v : mt_v_double (0);
   if (v.type == MT_STRING) {
      char *end, *text = mt_strndup (c->m->a, (const char *) v.p, v.len);
      double d = strtod (text, &end);
      if (!v.len || *end || isspace ((unsigned char) *text) || strlen (text) != v.len)
         return invalid (c, &c->args[0], "Give a number.");
      v = mt_v_double (d);
   }
   if (v.type != MT_DOUBLE && v.type != MT_INT32 && v.type != MT_INT64)
      return invalid (c, &c->args[0], "Give a number.");
   *out = mt_v_double (v.type == MT_DOUBLE ? v.d : (double) v.i);
   return true;
}

/* Makes a decimal from the constructor's argument. A number without quotes keeps all digits as
 * written. */
static bool new_decimal (const Call *c, MtVal *out)
{
   static const char hint[] = "Give a number of up to 34 digits, in quotes.";
   bson_decimal128_t d;
   uint8_t bytes[16];
   MtStr s = {"0", 1};
   if (c->n)
      s = is_text (&c->args[0]) ? text_of (&c->args[0]) : c->args[0].number;
   if (c->n && !s.n && c->args[0].v.type == MT_DOUBLE && !isfinite (c->args[0].v.d))
      s = mt_str (mt_special_name (c->args[0].v.d));
   char *text = mt_strndup (c->m->a, s.p ? s.p : "", s.n);
   if (!s.n || strlen (text) != s.n || !bson_decimal128_from_string (text, &d))
      return invalid (c, c->n ? &c->args[0] : NULL, hint);
   memcpy (bytes, &d, sizeof bytes);
   *out = mt_v_decimal (c->m->a, bytes);
   return true;
}

/* ---- times ---- */

/* Reads exactly n digits at *p, and advances *p. Returns false if there are fewer digits. */
static bool digits (const char **p, const char *end, int n, int *out)
{
   *out = 0;
   for (int i = 0; i < n; i++, (*p)++) {
      if (*p >= end || !isdigit ((unsigned char) **p))
         return false;
      *out = *out * 10 + (**p - '0');
   }
   return true;
}

static bool skip (const char **p, const char *end, char c)
{
   bool found = *p < end && **p == c;
   *p += found;
   return found;
}

/* Reads a date, YYYY-MM-DD or YYYYMMDD; a year with a sign has six digits. *days: since 1970. */
static bool read_date (const char **p, const char *end, int64_t *days)
{
   int year, month = 1, day = 1;
   bool minus = skip (p, end, '-'), signed_year = minus || skip (p, end, '+');
   if (!digits (p, end, signed_year ? 6 : 4, &year))
      return false;
   bool dash = skip (p, end, '-');
   if ((dash || (*p < end && isdigit ((unsigned char) **p))) && !digits (p, end, 2, &month))
      return false;
   if ((dash ? skip (p, end, '-') : *p < end && isdigit ((unsigned char) **p)) &&
       !digits (p, end, 2, &day))
      return false;
   year = minus ? -year : year;
   if (month < 1 || month > 12 || day < 1 || day > mt_days_in_month (year, month))
      return false;
   *days = mt_days_from_civil (year, month, day);
   return true;
}

/* Reads a time of day: HH:MM, HH:MM:SS or HH:MM:SS.fff. Digits after milliseconds are ignored. */
static bool read_time (const char **p, const char *end, int64_t *ms)
{
   int hour, minute = 0, second = 0, thousandths = 0, scale = 100;
   if (!digits (p, end, 2, &hour) || (skip (p, end, ':') && !digits (p, end, 2, &minute)) ||
       (skip (p, end, ':') && !digits (p, end, 2, &second)))
      return false;
   if (skip (p, end, '.')) {
      if (*p >= end || !isdigit ((unsigned char) **p))
         return false;
      for (; *p < end && isdigit ((unsigned char) **p); (*p)++, scale /= 10)
         thousandths += (**p - '0') * scale;
   }
   *ms = ((hour * INT64_C (60) + minute) * 60 + second) * 1000 + thousandths;
   return minute < 60 && second < 60 && *ms <= MT_DAY_MS && hour <= 24;
}

/* Reads a UTC offset: Z, +HH:MM, +HHMM or +HH. *given is false if the text has none. */
static bool read_offset (const char **p, const char *end, int64_t *ms, bool *given)
{
   int hours, minutes = 0;
   *ms = 0;
   *given = skip (p, end, 'Z') || skip (p, end, 'z');
   if (*given)
      return true;
   bool minus = skip (p, end, '-');
   *given = minus || skip (p, end, '+');
   if (!*given)
      return true;
   if (!digits (p, end, 2, &hours) ||
       ((skip (p, end, ':') || *p < end) && !digits (p, end, 2, &minutes)) || hours > 23 ||
       minutes > 59)
      return false;
   *ms = (minus ? -1 : 1) * (hours * INT64_C (60) + minutes) * 60000;
   return true;
}

/* Reads an ISO date with an optional time. *local: it has a time, but no UTC offset. */
static bool read_iso (MtStr s, int64_t *ms, bool *local)
{
   const char *p = s.p, *end = s.p + s.n;
   int64_t days, time = 0, offset = 0;
   bool zone = false;
   if (!read_date (&p, end, &days))
      return false;
   *local = skip (&p, end, 'T') || skip (&p, end, 't') || skip (&p, end, ' ');
   if (*local && (!read_time (&p, end, &time) ||
                  (skip (&p, end, ' '), !read_offset (&p, end, &offset, &zone))))
      return false;
   *local = *local && !zone;
   *ms = days * MT_DAY_MS + time - offset;
   return p == end;
}

static int64_t now_ms (void)
{
   struct timespec t;
   clock_gettime (CLOCK_REALTIME, &t);
   return (int64_t) t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

#define DATE_HINT "Write ISODate(\"2024-01-31T12:00:00Z\")."

static bool new_date (const Call *c, bool is_iso, MtVal *out)
{
   int64_t ms = 0;
   bool local = false;
   const MtMongoshValue *arg = c->args;
   if (c->n == 0)
      ms = now_ms ();
   else if (is_text (arg) && !read_iso (text_of (arg), &ms, &local))
      return invalid (c, arg, DATE_HINT);
   else if (local && !is_iso) /* JavaScript would use the machine's time zone */
      return invalid (c, arg, "Add a time zone to the time, such as Z for UTC.");
   else if (!is_text (arg) && !whole_of (arg, &ms))
      return invalid (c, arg, DATE_HINT);
   *out = mt_v_date (ms);
   return true;
}

static bool new_iso_date (const Call *c, MtVal *out) { return new_date (c, true, out); }

static bool new_js_date (const Call *c, MtVal *out)
{
   if (c->is_new)
      return new_date (c, false, out);
   mt_error_at (c->m->err, c->span, MT_E_SYNTAX, "Date without \"new\" is a string");
   return mt_error_hint (c->m->err, "Write new Date(…), or ISODate(…).");
}

static bool new_timestamp (const Call *c, MtVal *out)
{
   int64_t part[2] = {0, 0};
   const char *names[] = {"t", "i"};
   for (int i = 0; i < 2; i++) {
      bool object = c->n == 1 && c->args[0].v.type == MT_DOC, given = object || (size_t) i < c->n;
      MtMongoshValue v = {0};
      if (given)
         v = object ? (MtMongoshValue) {.v = mt_doc_get (c->args[0].v, names[i], 1),
                                        .span = c->args[0].span}
                    : c->args[i];
      if (given && (!whole_of (&v, &part[i]) || part[i] < 0 || part[i] > UINT32_MAX))
         return invalid (c, &v, "Write Timestamp({t: SECONDS, i: COUNTER}).");
   }
   *out = (MtVal) {.type = MT_TIMESTAMP,
                   .i = (int64_t) ((uint64_t) part[0] << 32 | (uint64_t) part[1])};
   return true;
}

/* ---- bytes ---- */

/* Converts hexadecimal digits to bytes. dashed: dashes between them are allowed. Returns the number
 * of bytes; -1 for other characters or an odd number of digits. */
static long from_hex (MtStr s, bool dashed, uint8_t *out)
{
   long n = 0;
   for (size_t i = 0; i < s.n; i++) {
      if (dashed && s.p[i] == '-')
         continue;
      int high = mt_hex_digit (s.p[i]), low = i + 1 < s.n ? mt_hex_digit (s.p[++i]) : -1;
      if (high < 0 || low < 0)
         return -1;
      out[n++] = (uint8_t) (high << 4 | low);
   }
   return n;
}

static bool binary (const Call *c, const MtMongoshValue *arg, int subtype, bool hex,
                    const char *hint, MtVal *out)
{
   MtStr s = text_of (arg);
   uint8_t *bytes = mt_alloc (c->m->a, s.n + 1);
   long digits = is_text (arg) && hex ? from_hex (s, false, bytes) : -1;
   size_t n = digits < 0 ? 0 : (size_t) digits;
   bool ok = hex ? digits >= 0 : is_text (arg) && mt_base64_get (s, MT_BASE64_EITHER, bytes, &n);
   if (!ok)
      return invalid (c, arg, hint);
   *out = (MtVal) {.type = MT_BINARY, .sub = (uint8_t) subtype, .len = (uint32_t) n, .p = bytes};
   return true;
}

static bool subtype_of (const Call *c, const MtMongoshValue *arg, int64_t *sub)
{
   return (whole_of (arg, sub) && *sub >= 0 && *sub <= 255) ||
          invalid (c, arg, "Give a subtype from 0 to 255.");
}

static bool new_bin_data (const Call *c, MtVal *out)
{
   int64_t sub;
   return subtype_of (c, &c->args[0], &sub) &&
          binary (c, &c->args[1], (int) sub, false, "Give the bytes in base64.", out);
}

static bool new_hex_data (const Call *c, MtVal *out)
{
   int64_t sub;
   return subtype_of (c, &c->args[0], &sub) &&
          binary (c, &c->args[1], (int) sub, true, "Give two hexadecimal digits a byte.", out);
}

static bool from_base64_first (const Call *c, MtVal *out)
{
   int64_t sub = 0;
   return (c->n < 2 || subtype_of (c, &c->args[1], &sub)) &&
          binary (c, &c->args[0], (int) sub, false, "Give the bytes in base64.", out);
}

static bool new_uuid (const Call *c, MtVal *out)
{
   MtStr s = text_of (&c->args[0]);
   uint8_t *bytes = mt_alloc (c->m->a, s.n + 1);
   if ((s.n != 36 && s.n != 32) || from_hex (s, true, bytes) != 16)
      return invalid (c, &c->args[0], "Write UUID(\"01234567-89ab-cdef-0123-456789abcdef\").");
   *out = (MtVal) {.type = MT_BINARY, .sub = 4, .len = 16, .p = bytes};
   return true;
}

static bool new_object_id (const Call *c, MtVal *out)
{
   MtStr s = text_of (&c->args[0]);
   uint8_t *bytes = mt_alloc (c->m->a, s.n + 1);
   if (s.n != 24 || from_hex (s, false, bytes) != 12)
      return invalid (c, &c->args[0], "Give 24 hexadecimal digits in quotes.");
   *out = (MtVal) {.type = MT_OID, .len = 12, .p = bytes};
   return true;
}

/* ---- other values ---- */

static bool new_min_key (const Call *c, MtVal *out)
{
   *out = (MtVal) {.type = MT_MINKEY};
   return true;
}

static bool new_max_key (const Call *c, MtVal *out)
{
   *out = (MtVal) {.type = MT_MAXKEY};
   return true;
}

/* Makes a BSON regular expression. Its flags are sorted, as BSON requires. */
bool mt_sh_regex (MtMongosh *m, MtStr pattern, MtStr flags, MtSpan span, MtVal *out)
{
   static const char known[] = "ilmsux";
   char options[sizeof known];
   size_t k = 0;
   for (const char *o = known; *o; o++)
      if (flags.n && memchr (flags.p, *o, flags.n))
         options[k++] = *o;
   options[k] = 0;
   if (k != flags.n) {
      mt_error_at (m->err, span, MT_E_TEXT_REPRESENTATION,
                   "invalid flags of a regular expression: \"%.*s\"",
                   (int) (flags.n < 60 ? flags.n : 60), flags.p);
      return mt_error_hint (m->err, "MongoDB's flags are i, m, s, u and x.");
   }
   if (memchr (pattern.p, 0, pattern.n))
      return mt_error_at (m->err, span, MT_E_TEXT_REPRESENTATION,
                          "a regular expression has a zero byte");
   char *bytes = mt_alloc (m->a, pattern.n + k + 2);
   memcpy (bytes, pattern.p, pattern.n);
   memcpy (bytes + pattern.n + 1, options, k);
   *out = (MtVal) {
      .type = MT_REGEX, .len = (uint32_t) (pattern.n + k + 2), .p = (const uint8_t *) bytes};
   return true;
}

static bool new_regex (const Call *c, MtVal *out)
{
   for (size_t i = 0; i < c->n; i++)
      if (!is_text (&c->args[i]))
         return invalid (c, &c->args[i],
                         "Write RegExp(\"PATTERN\", \"FLAGS\"), or /PATTERN/FLAGS.");
   MtStr none = {"", 0};
   return mt_sh_regex (c->m, text_of (&c->args[0]), c->n > 1 ? text_of (&c->args[1]) : none,
                       c->args[c->n - 1].span, out);
}

static bool new_symbol (const Call *c, MtVal *out)
{
   *out = c->args[0].v;
   out->type = MT_SYMBOL;
   return is_text (&c->args[0]) || invalid (c, &c->args[0], "Give a string.");
}

/* Makes a value of a deprecated BSON type: an int32 with the total length (only if `length`), a
 * string, then the bytes of `rest`. */
static MtVal old_value (MtArena *a, uint8_t type, bool length, MtStr text, const void *rest,
                        size_t rest_len)
{
   size_t at = length ? 4 : 0, n = at + 4 + text.n + 1 + rest_len;
   uint32_t all = BSON_UINT32_TO_LE ((uint32_t) n),
            text_len = BSON_UINT32_TO_LE ((uint32_t) text.n + 1);
   uint8_t *bytes = mt_alloc (a, n);
   if (length)
      memcpy (bytes, &all, 4);
   memcpy (bytes + at, &text_len, 4);
   memcpy (bytes + at + 4, text.p, text.n);
   memcpy (bytes + at + 4 + text.n + 1, rest, rest_len);
   return (MtVal) {.type = type, .len = (uint32_t) n, .p = bytes};
}

static bool new_code (const Call *c, MtVal *out)
{
   if (!is_text (&c->args[0]))
      return invalid (c, &c->args[0], "Give the code in quotes.");
   *out = c->args[0].v;
   out->type = MT_CODE;
   if (c->n < 2)
      return true;
   MtVal scope = c->args[1].v;
   if (scope.type != MT_DOC)
      return invalid (c, &c->args[1], "Give the code's variables as an object.");
   *out = old_value (c->m->a, 0x0F, true, text_of (&c->args[0]), scope.p, scope.len);
   return true;
}

static bool new_ref (const Call *c, MtVal *out)
{
   MtStr names[] = {MT_STR ("$ref"), MT_STR ("$id"), MT_STR ("$db")};
   MtVal vals[3];
   for (size_t i = 0; i < c->n; i++)
      vals[i] = c->args[i].v;
   return mt_v_make_doc (c->m->a, names, vals, c->n, out, c->m->err);
}

typedef struct Constructor {
   const char *name;
   size_t least, most; /* the least and largest number of arguments */
   bool (*make) (const Call *c, MtVal *out);
   bool bare; /* the constructor can also be written without brackets */
} Constructor;

static const Constructor constructors[] = {
   {"ObjectId", 1, 1, new_object_id, false},
   {"ISODate", 0, 1, new_iso_date, false},
   {"Date", 0, 1, new_js_date, false},
   {"NumberLong", 0, 1, new_long, false},
   {"Long", 0, 1, new_long, false},
   {"Long.fromString", 1, 1, new_long, false},
   {"Long.fromNumber", 1, 1, new_long, false},
   {"NumberInt", 0, 1, new_int, false},
   {"Int32", 0, 1, new_int, false},
   {"NumberDecimal", 0, 1, new_decimal, false},
   {"Decimal128", 1, 1, new_decimal, false},
   {"Decimal128.fromString", 1, 1, new_decimal, false},
   {"Double", 0, 1, new_double, false},
   {"UUID", 1, 1, new_uuid, false},
   {"BinData", 2, 2, new_bin_data, false},
   {"HexData", 2, 2, new_hex_data, false},
   {"Binary.createFromBase64", 1, 2, from_base64_first, false},
   {"Timestamp", 0, 2, new_timestamp, false},
   {"MinKey", 0, 0, new_min_key, true},
   {"MaxKey", 0, 0, new_max_key, true},
   {"RegExp", 1, 2, new_regex, false},
   {"BSONRegExp", 1, 2, new_regex, false},
   {"BSONSymbol", 1, 1, new_symbol, false},
   {"Code", 1, 2, new_code, false},
   {"DBRef", 2, 3, new_ref, false},
};

enum { CONSTRUCTORS = sizeof constructors / sizeof *constructors };

static bool unknown (MtMongosh *m)
{
   const char *names[CONSTRUCTORS];
   for (size_t i = 0; i < CONSTRUCTORS; i++)
      names[i] = constructors[i].name;
   const char *near = mt_nearest (mt_strndup (m->a, m->t.raw.p, m->t.raw.n), names, CONSTRUCTORS);
   mt_sh_unexpected (m, NULL);
   if (near)
      return mt_error_hint (m->err, "Perhaps you meant %s.", near);
   return mt_error_hint (
      m->err,
      "Put quotes around strings. Variables and functions of JavaScript are not supported.");
}

static const Constructor *find (const MtMongosh *m)
{
   for (size_t i = 0; i < CONSTRUCTORS; i++)
      if (mt_str_is (m->t.raw, constructors[i].name))
         return &constructors[i];
   return NULL;
}

bool mt_sh_construct (MtMongosh *m, bool is_new, MtMongoshValue *out)
{
   const Constructor *k = find (m);
   Call c = {.m = m, .span = mt_sh_span (m, m->t.raw), .is_new = is_new};
   MtMongoshValue *args = NULL;
   if (!k)
      return unknown (m);
   c.name = k->name;
   if (!mt_sh_next (m))
      return false;
   bool called = mt_sh_is (m, '(');
   if (!called && !k->bare && !(is_new && k->least == 0))
      return mt_sh_unexpected (m, "\"(\"");
   if (called && (!mt_sh_next (m) || !mt_sh_arguments (m, ')', &args, &c.n)))
      return false;
   c.args = args;
   if (c.n < k->least)
      return mt_error_at (m->err, c.span, MT_E_SYNTAX, "%s needs %zu argument%s", k->name, k->least,
                          k->least == 1 ? "" : "s");
   if (c.n > k->most)
      return mt_error_at (m->err, args[k->most].span, MT_E_SYNTAX,
                          "%s takes at most %zu argument%s", k->name, k->most,
                          k->most == 1 ? "" : "s");
   if (!k->make (&c, &out->v))
      return false;
   return !called || mt_sh_next (m);
}

/* ---- extended JSON ---- */

/* Returns the field of an object as if it were a constructor's argument. A missing field gives the
 * value MT_MISSING. */
static MtMongoshValue part (const MtMongoshValue *v, const char *name)
{
   return (MtMongoshValue) {.v = mt_doc_field (v->v, name), .span = v->span};
}

/* Makes binary data from extended JSON: {"$binary": {"base64": "…", "subType": "05"}} or
 * {"$binary": "…", "$type": "05"}. */
static bool json_binary (const Call *c, MtVal *out)
{
   static const char hint[] = "Write {\"$binary\": {\"base64\": \"…\", \"subType\": \"00\"}}.";
   bool nested = c->n == 1;
   MtMongoshValue bytes = nested ? part (&c->args[0], "base64") : c->args[0],
                  sub = nested ? part (&c->args[0], "subType") : c->args[1];
   MtStr s = text_of (&sub);
   int high = s.n == 2 ? mt_hex_digit (s.p[0]) : 0, low = s.n ? mt_hex_digit (s.p[s.n - 1]) : -1;
   if (!is_text (&sub) || s.n > 2 || high < 0 || low < 0)
      return invalid (c, &sub, hint);
   return binary (c, &bytes, high << 4 | low, false, hint, out);
}

static bool json_regex (const Call *c, MtVal *out)
{
   MtMongoshValue pattern = part (&c->args[0], "pattern"), options = part (&c->args[0], "options");
   if (!is_text (&pattern) || !is_text (&options))
      return invalid (c, &c->args[0],
                      "Write {\"$regularExpression\": {\"pattern\": \"…\", \"options\": \"\"}}.");
   return mt_sh_regex (c->m, text_of (&pattern), text_of (&options), c->span, out);
}

static bool json_pointer (const Call *c, MtVal *out)
{
   MtMongoshValue ref = part (&c->args[0], "$ref"), id = part (&c->args[0], "$id");
   if (!is_text (&ref) || id.v.type != MT_OID)
      return invalid (c, &c->args[0],
                      "Write {\"$dbPointer\": {\"$ref\": \"…\", \"$id\": {\"$oid\": \"…\"}}}.");
   *out = old_value (c->m->a, 0x0C, false, text_of (&ref), id.v.p, 12);
   return true;
}

static bool json_undefined (const Call *c, MtVal *out)
{
   *out = (MtVal) {.type = MT_UNDEFINED};
   return true;
}

static const struct {
   const char *name, *second;
   bool (*make) (const Call *c, MtVal *out);
} extended[] = {
   {"$oid", NULL, new_object_id},       {"$date", NULL, new_iso_date},
   {"$numberLong", NULL, new_long},     {"$numberInt", NULL, new_int},
   {"$numberDouble", NULL, new_double}, {"$numberDecimal", NULL, new_decimal},
   {"$binary", NULL, json_binary},      {"$binary", "$type", json_binary},
   {"$uuid", NULL, new_uuid},           {"$regularExpression", NULL, json_regex},
   {"$timestamp", NULL, new_timestamp}, {"$code", NULL, new_code},
   {"$code", "$scope", new_code},       {"$symbol", NULL, new_symbol},
   {"$dbPointer", NULL, json_pointer},  {"$minKey", NULL, new_min_key},
   {"$maxKey", NULL, new_max_key},      {"$undefined", NULL, json_undefined},
};

bool mt_sh_extended (MtMongosh *m, const MtMongoshMember *members, size_t n, bool *done, MtVal *out)
{
   if (n < 1 || n > 2 || !members[0].key.n || *members[0].key.p != '$')
      return true;
   for (size_t i = 0; i < sizeof extended / sizeof *extended; i++)
      if ((n == 2) == (extended[i].second != NULL) &&
          mt_str_is (members[0].key, extended[i].name) &&
          (n == 1 || mt_str_is (members[1].key, extended[i].second))) {
         MtMongoshValue args[2] = {members[0].value, members[n - 1].value};
         Call c = {
            .m = m, .name = extended[i].name, .span = members[0].key_span, .args = args, .n = n};
         *done = true;
         return extended[i].make (&c, out);
      }
   return true;
}
