/* Values as binary data, as JSON text and as extended JSON. */
#include "engine/local/expr/op_int.h"

#include "base/base64.h"
#include "base/bson.h"
#include "base/bytes.h"
#include "base/digest.h"
#include "base/limits.h"
#include "types/jsonb.h"
#include "types/mongosh.h"

/* ---- binary data ---- */

static bool failed (MtEval *ev, const char *why)
{
   return MT_OP_FAIL (MT_E_TEXT_REPRESENTATION, MT_CODE_CONVERSION, "$convert: %s", why);
}

static MtVal binary (const MtConversion *how, const uint8_t *p, size_t n)
{
   return (MtVal) {.type = MT_BINARY, .sub = how->subtype, .len = (uint32_t) n, .p = p};
}

/* Returns n bytes in the order of `how`, or those of a number in this order. */
static uint64_t ordered (const uint8_t *p, size_t n, const MtConversion *how)
{
   uint64_t x = 0;
   for (size_t i = 0; i < n; i++)
      x |= (uint64_t) p[how->big_endian ? n - 1 - i : i] << 8 * i;
   return x;
}

static void put_ordered (uint8_t *p, uint64_t x, size_t n, const MtConversion *how)
{
   for (size_t i = 0; i < n; i++)
      p[how->big_endian ? n - 1 - i : i] = (uint8_t) (x >> 8 * i);
}

static double single (uint64_t bits)
{
   float f;
   uint32_t half = (uint32_t) bits;
   memcpy (&f, &half, sizeof f);
   return f;
}

bool mt_op_binary_number (MtEval *ev, MtVal v, uint8_t to, const MtConversion *how, MtVal *out)
{
   v = mt_v_bytes (v);
   size_t most = to == MT_INT32 ? 4 : 8;
   bool fits = v.len == 4 || v.len == most || (to != MT_DOUBLE && (v.len == 1 || v.len == 2));
   if (!fits)
      return failed (ev, "binary data of this length is no number");
   uint64_t bits = ordered (v.p, v.len, how);
   if (to == MT_DOUBLE) {
      double d = single (bits);
      if (v.len == 8)
         memcpy (&d, &bits, sizeof d);
      return mt_op_put (out, mt_v_double (d));
   }
   unsigned shift = 64 - 8 * v.len;
   int64_t i = (int64_t) (bits << shift) >> shift;
   return mt_op_put (out, to == MT_INT32 ? mt_v_int32 ((int32_t) i) : mt_v_int64 (i));
}

static bool number_to_binary (MtEval *ev, MtVal v, const MtConversion *how, MtVal *out)
{
   uint8_t *p = mt_alloc (ev->arena, 8);
   uint64_t bits = (uint64_t) v.i;
   size_t n = v.type == MT_INT32 ? 4 : 8;
   if (v.type == MT_DOUBLE)
      memcpy (&bits, &v.d, sizeof bits);
   put_ordered (p, bits, n, how);
   return mt_op_put (out, binary (how, p, n));
}

/* Reads 8-4-4-4-12 hexadecimal digits. */
static bool read_uuid (MtStr s, uint8_t *to)
{
   if (s.n != 36)
      return false;
   for (size_t i = 0, at = 0; i < 16; i++, at += 2) {
      if ((i == 4 || i == 6 || i == 8 || i == 10) && s.p[at++] != '-')
         return false;
      int high = mt_hex_digit (s.p[at]), low = mt_hex_digit (s.p[at + 1]);
      if (high < 0 || low < 0)
         return false;
      to[i] = (uint8_t) (high << 4 | low);
   }
   return true;
}

static bool read_hex (MtStr s, uint8_t *to)
{
   for (size_t i = 0; i + 1 < s.n; i += 2) {
      int high = mt_hex_digit (s.p[i]), low = mt_hex_digit (s.p[i + 1]);
      if (high < 0 || low < 0)
         return false;
      to[i / 2] = (uint8_t) (high << 4 | low);
   }
   return s.n % 2 == 0;
}

static bool no_format (MtEval *ev)
{
   return MT_OP_FAIL (MT_E_PARAMETER, 4341115,
                      "$convert needs 'format' between a string and BinData");
}

static bool string_to_binary (MtEval *ev, MtVal v, const MtConversion *how, MtVal *out)
{
   MtStr s = {(const char *) v.p, v.len};
   uint8_t *to = mt_alloc (ev->arena, s.n + 4), *p = to + (how->subtype == 2 ? 4 : 0);
   size_t n = s.n;
   bool uuid = mt_str_is (how->format, "uuid"), ok = true;
   if (!how->format.n)
      return no_format (ev);
   if (uuid != (how->subtype == 4))
      return failed (ev, "subtype 4 and the format \"uuid\" belong together");
   if (uuid) {
      ok = read_uuid (s, p);
      n = 16;
   } else if (mt_str_is (how->format, "hex")) {
      ok = read_hex (s, p);
      n = s.n / 2;
   } else if (mt_str_is (how->format, "utf8"))
      memcpy (p, s.p, s.n);
   else if (mt_str_is (how->format, "auto"))
      ok = false;
   else
      ok = mt_base64_get (s, mt_str_is (how->format, "base64") ? MT_BASE64 : MT_BASE64_URL, p, &n);
   if (!ok)
      return MT_OP_FAIL (MT_E_TEXT_REPRESENTATION, MT_CODE_CONVERSION,
                         "Input is not a valid %.*s string in $convert with no onError value: %s",
                         (int) how->format.n, how->format.p, mt_op_shown (ev, v));
   if (how->subtype == 2) /* its bytes begin with their number */
      mt_put32 (to, (uint32_t) n);
   return mt_op_put (out, binary (how, to, n + (size_t) (p - to)));
}

static bool binary_to_string (MtEval *ev, MtVal v, const MtConversion *how, MtVal *out)
{
   MtBuf b = {0};
   char hex[33];
   v = mt_v_bytes (v);
   bool is_uuid = v.sub == 4 && v.len == 16, automatic = mt_str_is (how->format, "auto");
   if (!how->format.n)
      return no_format (ev);
   if (mt_str_is (how->format, "uuid") && !is_uuid)
      return failed (ev, "only binary data of subtype 4 with 16 bytes is a UUID");
   if (mt_str_is (how->format, "uuid") || (automatic && is_uuid)) {
      mt_hex (v.p, 16, "0123456789abcdef", hex);
      mt_buf_printf (&b, "%.8s-%.4s-%.4s-%.4s-%s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
   } else if (mt_str_is (how->format, "hex")) {
      if (mt_buf_reserve (&b, 2 * (size_t) v.len + 1))
         mt_hex (v.p, v.len, "0123456789ABCDEF", b.p);
      b.n = b.p ? 2 * (size_t) v.len : 0;
   } else if (mt_str_is (how->format, "utf8")) {
      if (!mt_utf8_valid ((const char *) v.p, v.len))
         return failed (ev, "the binary data is no UTF-8");
      mt_buf_add (&b, (const char *) v.p, v.len);
   } else
      mt_base64_put (v.p, v.len, mt_str_is (how->format, "base64url") ? MT_BASE64_URL : MT_BASE64,
                     &b);
   *out = mt_v_copy (ev->arena, mt_v_str (b.p ? b.p : "", b.n));
   mt_buf_free (&b);
   return true;
}

/* ---- vectors: binary data of subtype 9 ---- */

/* A vector begins with the type of its elements, and with the number of bits that the last byte
 * has in excess. */
enum { INT8 = 0x03, FLOAT32 = 0x27, BITS = 0x10, HEAD = 2, VECTOR = 9 };

/* Checks a vector, and sets *n to the number of its elements. */
static bool check_vector (MtEval *ev, MtVal v, size_t *n)
{
   int32_t code = 0;
   if (v.sub != VECTOR)
      return failed (ev, "only binary data of subtype 9 is a vector");
   size_t bytes = v.len < HEAD ? 0 : v.len - HEAD, bits = bytes * 8;
   uint8_t type = v.len < HEAD ? 0 : v.p[0], excess = v.len < HEAD ? 0 : v.p[1];
   *n = bytes;
   if (type == FLOAT32)
      *n = bytes / 4;
   if (type == BITS)
      *n = bits - excess;
   if (type != INT8 && type != FLOAT32 && type != BITS)
      code = 10506600;
   else if (type != BITS && excess)
      code = 10506606;
   else if (type == FLOAT32 && bytes % 4)
      code = 10506602;
   else if (type == BITS && (excess > 7 || excess > bits))
      code = 10506604;
   return !code || MT_OP_FAIL (MT_E_PARAMETER, code, "the binary data is no valid vector");
}

/* Returns element i of a checked vector. */
static MtVal vector_at (MtVal v, size_t i, const MtConversion *how)
{
   const uint8_t *p = v.p + HEAD;
   if (v.p[0] == INT8)
      return mt_v_int32 ((int8_t) p[i]);
   if (v.p[0] == FLOAT32)
      return mt_v_double (single (ordered (p + 4 * i, 4, how)));
   return mt_v_bool (p[i / 8] >> (7 - i % 8) & 1);
}

static bool vector_to_array (MtEval *ev, MtVal v, const MtConversion *how, MtVal *out)
{
   size_t n;
   if (!check_vector (ev, v, &n))
      return false;
   MtVal *vals = MT_NEW_N (ev->arena, MtVal, n + 1);
   for (size_t i = 0; i < n; i++)
      vals[i] = vector_at (v, i, how);
   return mt_v_make_array (ev->arena, vals, n, out, ev->err);
}

/* Returns the smallest type of vector for an element: bits, then integers of 8 bits, then floats.
 * 0: there is none. */
static uint8_t vector_type (MtVal v)
{
   int64_t i;
   if (v.type == MT_BOOL)
      return BITS;
   if (!mt_is_int (v) && v.type != MT_DOUBLE)
      return 0;
   if (!mt_op_whole (v, &i) || i < INT8_MIN || i > INT8_MAX)
      return v.type == MT_DOUBLE ? FLOAT32 : 0;
   return i == 0 || i == 1 ? BITS : INT8;
}

static bool array_to_vector (MtEval *ev, MtVal v, const MtConversion *how, MtVal *out)
{
   size_t n, bytes;
   MtVal *vals = mt_v_elements (ev->arena, v, &n);
   uint8_t type = BITS;
   bool bools = false;
   if (how->subtype != VECTOR)
      return failed (ev, "an array becomes binary data of subtype 9 only");
   for (size_t i = 0; i < n; i++) {
      uint8_t one = vector_type (vals[i]);
      bools |= vals[i].type == MT_BOOL;
      if (!one || (bools && (one != BITS || type != BITS)))
         return failed (ev, "an element of the array fits in no vector");
      if (one == FLOAT32 || type == BITS)
         type = one;
   }
   bytes = n * (type == FLOAT32 ? 4 : 1);
   if (type == BITS)
      bytes = (n + 7) / 8;
   uint8_t *p = mt_alloc (ev->arena, bytes + HEAD);
   memset (p, 0, bytes + HEAD);
   p[0] = type;
   p[1] = type == BITS ? (uint8_t) (bytes * 8 - n) : 0;
   for (size_t i = 0; i < n; i++) {
      double d = vals[i].type == MT_BOOL ? (double) vals[i].i : mt_op_double (vals[i]);
      float f = (float) d;
      uint32_t bits;
      memcpy (&bits, &f, sizeof bits);
      if (type == FLOAT32)
         put_ordered (p + HEAD + 4 * i, bits, 4, how);
      else if (type == INT8)
         p[HEAD + i] = (uint8_t) (int8_t) d;
      else
         p[HEAD + i / 8] |= (uint8_t) ((d != 0) << (7 - i % 8));
   }
   return mt_op_put (out, binary (how, p, bytes + HEAD));
}

bool mt_op_numbers (MtEval *ev, MtVal v, double **out, size_t *count)
{
   static const MtConversion little = {0};
   size_t n = 0;
   if (v.type == MT_BINARY) {
      if (!check_vector (ev, v, &n))
         return false;
   } else if (v.type != MT_ARRAY)
      return failed (ev, "a vector is an array or binary data");
   MtVal *vals = v.type == MT_ARRAY ? mt_v_elements (ev->arena, v, &n) : NULL;
   double *to = MT_NEW_N (ev->arena, double, n + 1);
   *out = to;
   *count = n;
   for (size_t i = 0; i < n; i++) {
      MtVal x = vals ? vals[i] : vector_at (v, i, &little);
      if (vals && !mt_is_number (x))
         *out = NULL;
      else
         to[i] = x.type == MT_BOOL ? (double) x.i : mt_op_double (x);
   }
   return true;
}

bool mt_op_binary (MtEval *ev, MtVal v, const MtConversion *how, MtVal *out)
{
   switch (v.type) {
   case MT_INT32:
   case MT_INT64:
   case MT_DOUBLE: return number_to_binary (ev, v, how, out);
   case MT_STRING: return string_to_binary (ev, v, how, out);
   case MT_ARRAY: return array_to_vector (ev, v, how, out);
   case MT_BINARY:
      return v.sub == how->subtype ? mt_op_put (out, v)
                                   : failed (ev, "the binary data has another subtype");
   }
   return mt_op_unsupported (ev, v, MT_BINARY);
}

/* ---- JSON text ---- */

static bool put_json (MtEval *ev, MtVal v, int depth, MtBuf *b);

static bool put_json_fields (MtEval *ev, MtVal v, int depth, MtBuf *b)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   bool doc = v.type == MT_DOC;
   if (depth > 2 * MT_MAX_BSON_DEPTH || b->n > MT_MAX_DOC_BYTES)
      return failed (ev, "the text would be too large");
   mt_buf_addc (b, doc ? '{' : '[');
   for (bool first = true; mt_doc_next (&it, &key, &e); first = false) {
      if (!first)
         mt_buf_addc (b, ',');
      if (doc) {
         mt_json_string (b, key.p, key.n);
         mt_buf_addc (b, ':');
      }
      if (!put_json (ev, e, depth + 1, b))
         return false;
   }
   mt_buf_addc (b, doc ? '}' : ']');
   return true;
}

/* Appends a value as JSON. Values that JSON lacks become strings, as $toString writes them. */
static bool put_json (MtEval *ev, MtVal v, int depth, MtBuf *b)
{
   static const MtConversion how = {.format = {"auto", 4}};
   MtVal text;
   if (v.type == MT_DOC || v.type == MT_ARRAY)
      return put_json_fields (ev, v, depth, b);
   if (mt_is_nullish (v)) {
      mt_buf_adds (b, "null");
      return true;
   }
   if (!mt_op_string (ev, v, &how, &text))
      return false;
   const char *p = (const char *) text.p;
   bool special = mt_is_number (v) && text.len && strchr ("NI", p[p[0] == '-']);
   if (v.type == MT_BOOL || (mt_is_number (v) && !special))
      mt_buf_add (b, p, text.len);
   else
      mt_json_string (b, p, text.len);
   return true;
}

/* Appends the text of a DBPointer, or of code with scope. */
static bool put_deprecated (MtEval *ev, MtVal v, MtBuf *b)
{
   size_t skip = v.type == 0x0F ? 4 : 0;
   uint32_t n = v.len >= skip + 5 ? mt_get32 (v.p + skip) : 0;
   if (n < 1 || n > v.len - skip - 4)
      return failed (ev, "the value is damaged");
   const char *text = (const char *) v.p + skip + 4;
   size_t rest = skip + 4 + n;
   mt_buf_printf (b, "%s(\"%.*s\", ", v.type == 0x0F ? "CodeWScope" : "DBRef", (int) n - 1, text);
   if (v.type == 0x0F) {
      MtVal scope = {.type = MT_DOC, .len = v.len - (uint32_t) rest, .p = v.p + rest};
      return put_json (ev, scope, 0, b) && (mt_buf_addc (b, ')'), true);
   }
   char hex[25];
   if (v.len - rest != 12)
      return failed (ev, "the value is damaged");
   mt_hex (v.p + rest, 12, "0123456789abcdef", hex);
   mt_buf_printf (b, "%s)", hex);
   return true;
}

static bool put_rest (MtEval *ev, MtVal v, MtBuf *b)
{
   const char *p = (const char *) v.p;
   switch (v.type) {
   case MT_DOC:
   case MT_ARRAY: return put_json (ev, v, 0, b);
   case MT_CODE:
   case MT_SYMBOL: mt_buf_add (b, p, v.len); return true;
   case MT_REGEX: mt_buf_printf (b, "/%s/%s", p, p + strlen (p) + 1); return true;
   case MT_TIMESTAMP:
      mt_buf_printf (b, "Timestamp(%u, %u)", (unsigned) ((uint64_t) v.i >> 32), (unsigned) v.i);
      return true;
   case MT_MINKEY: mt_buf_adds (b, "MinKey"); return true;
   case MT_MAXKEY: mt_buf_adds (b, "MaxKey"); return true;
   case 0x0C:
   case 0x0F: return put_deprecated (ev, v, b);
   }
   return mt_op_unsupported (ev, v, MT_STRING);
}

bool mt_op_string_of_rest (MtEval *ev, MtVal v, const MtConversion *how, MtVal *out)
{
   MtBuf b = {0};
   if (v.type == MT_BINARY)
      return binary_to_string (ev, v, how, out);
   bool ok = put_rest (ev, v, &b);
   if (ok && b.n > MT_MAX_DOC_BYTES)
      ok = failed (ev, "the text would be too large");
   if (ok)
      *out = mt_v_copy (ev->arena, mt_v_str (b.p ? b.p : "", b.n));
   mt_buf_free (&b);
   return ok;
}

/* Writes parsed JSON to `b`, with its large and fractional numbers as doubles or longs. */
static void put_parsed (MtVal v, MtBson *b)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   while (mt_doc_next (&it, &key, &e)) {
      if (e.type == MT_DOC || e.type == MT_ARRAY) {
         size_t start = mt_bson_open (b, e.type, key.p, key.n);
         put_parsed (e, b);
         mt_bson_end (b, start);
         continue;
      }
      if (e.type == MT_DECIMAL)
         e = mt_v_double (mt_op_double (e));
      mt_bson_add (b, key.p, key.n, e);
   }
}

static bool parse_json (MtEval *ev, MtVal v, uint8_t to, MtVal *out)
{
   MtError err = {0};
   MtBson b = {.arena = ev->arena};
   bool ok = mt_document_parse (ev->arena, (MtStr) {(const char *) v.p, v.len}, &v, &err);
   if (ok && v.type != to)
      return failed (ev, to == MT_DOC ? "the text is no JSON object" : "the text is no JSON array");
   if (!ok)
      return MT_OP_FAIL (MT_E_TEXT_REPRESENTATION, MT_CODE_CONVERSION,
                         "Failed to parse JSON in $convert with no onError value: %s",
                         err.detail[0] ? err.detail : err.message);
   size_t start = mt_bson_begin (&b);
   put_parsed (v, &b);
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, to);
   return out->len <= MT_MAX_DOC_BYTES || failed (ev, "the value would be too large");
}

bool mt_op_container (MtEval *ev, MtVal v, uint8_t to, const MtConversion *how, MtVal *out)
{
   if (v.type == to)
      return mt_op_put (out, v);
   if (v.type == MT_STRING)
      return parse_json (ev, v, to, out);
   if (v.type == MT_BINARY && to == MT_ARRAY)
      return vector_to_array (ev, v, how, out);
   return mt_op_unsupported (ev, v, to);
}

/* ---- extended JSON ---- */

typedef struct Ejson {
   MtEval *ev;
   bool relaxed;
} Ejson;

static bool too_deep (MtEval *ev)
{
   return MT_OP_FAIL (MT_E_TOO_COMPLEX, MT_CODE_CONVERSION, "the value is nested too deeply");
}

/* Converts a value by its text in canonical extended JSON. */
static bool by_text (const Ejson *e, MtVal v, MtVal *out)
{
   MtBuf b = {0};
   mt_v_to_json (v, true, &b);
   bool ok = mt_document_parse (e->ev->arena, (MtStr) {b.p, b.n}, out, e->ev->err);
   mt_buf_free (&b);
   return ok;
}

static MtVal wrapped (const Ejson *e, const char *name, MtVal v)
{
   MtBson b = {.arena = e->ev->arena};
   size_t start = mt_bson_begin (&b);
   mt_bson_put (&b, name, v);
   mt_bson_end (&b, start);
   return mt_bson_part (&b, start, MT_DOC);
}

static MtVal double_as_ejson (const Ejson *e, double d)
{
   char text[40];
   if (e->relaxed && isfinite (d))
      return mt_v_double (d);
   if (!isfinite (d))
      return wrapped (e, "$numberDouble", mt_v_cstr (mt_special_name (d)));
   for (int digits = 15; digits <= 17; digits++) {
      snprintf (text, sizeof text, "%.*g", digits, d);
      if (strtod (text, NULL) == d)
         break;
   }
   return wrapped (e, "$numberDouble", mt_v_cstr (text));
}

static MtVal integer_as_ejson (const Ejson *e, const char *name, MtVal v)
{
   return e->relaxed ? v : wrapped (e, name, mt_v_cstr (mt_printf (e->ev->arena, "%" PRId64, v.i)));
}

static MtVal date_as_ejson (const Ejson *e, MtVal v)
{
   Ejson exact = {e->ev, false};
   bool iso = e->relaxed && v.i >= 0 && v.i <= INT64_C (253402300799999);
   return wrapped (e, "$date",
                   iso ? mt_op_iso_date (e->ev, v.i) : integer_as_ejson (&exact, "$numberLong", v));
}

static bool as_ejson (const Ejson *e, MtVal v, int depth, MtVal *out)
{
   MtBson b = {.arena = e->ev->arena};
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal part;
   switch (v.type) {
   case MT_STRING:
   case MT_BOOL:
   case MT_NULL: return mt_op_put (out, v);
   case MT_INT32: return mt_op_put (out, integer_as_ejson (e, "$numberInt", v));
   case MT_INT64: return mt_op_put (out, integer_as_ejson (e, "$numberLong", v));
   case MT_DOUBLE: return mt_op_put (out, double_as_ejson (e, v.d));
   case MT_DATE: return mt_op_put (out, date_as_ejson (e, v));
   case MT_DOC:
   case MT_ARRAY: break;
   default: return by_text (e, v, out);
   }
   if (depth >= MT_MAX_BSON_DEPTH)
      return too_deep (e->ev);
   size_t start = mt_bson_begin (&b);
   while (mt_doc_next (&it, &key, &part)) {
      if (!as_ejson (e, part, depth + 1, &part))
         return false;
      if (part.type == MT_DOC && depth + 1 >= MT_MAX_BSON_DEPTH)
         return too_deep (e->ev);
      mt_bson_add (&b, key.p, key.n, part);
   }
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, v.type);
   return true;
}

/* Returns the result of an operator whose conversion has failed: on_error, if it is given. */
static bool failed_with (MtEval *ev, MtVal on_error, MtVal *out)
{
   if (on_error.type == MT_MISSING || ev->err->code != MT_CODE_CONVERSION)
      return false;
   *ev->err = (MtError) {0};
   return mt_op_put (out, mt_op_otherwise (on_error));
}

/* $serializeEJSON. args: input, relaxed?, onError? */
static bool op_serialize (MT_OP_ARGS)
{
   Ejson e = {ev, args[1].type == MT_MISSING || args[1].i};
   if (args[1].type != MT_MISSING && args[1].type != MT_BOOL)
      return MT_OP_FAIL (MT_E_PARAMETER, MT_CODE_BAD_VALUE, "Unexpected value for relaxed: %s",
                         mt_op_shown (ev, args[1]));
   if (args[0].type == MT_MISSING)
      return mt_op_null (out);
   return as_ejson (&e, args[0], 0, out) || failed_with (ev, args[2], out);
}

/* Returns whether all values that extended JSON writes as strings are strings. */
static bool has_strings (MtVal v)
{
   static const char *const names[] = {"$numberInt",     "$numberLong", "$numberDouble",
                                       "$numberDecimal", "$oid",        "$symbol"};
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   while (mt_doc_next (&it, &key, &e)) {
      for (size_t i = 0; v.type == MT_DOC && i < sizeof names / sizeof *names; i++)
         if (mt_str_is (key, names[i]) && e.type != MT_STRING)
            return false;
      if (!has_strings (e))
         return false;
   }
   return true;
}

/* $deserializeEJSON. args: input, onError? */
static bool op_deserialize (MT_OP_ARGS)
{
   MtBuf b = {0};
   MtError err = {0};
   if (args[0].type == MT_MISSING)
      return mt_op_null (out);
   mt_v_to_json (args[0], true, &b);
   bool ok = has_strings (args[0]) && mt_mongosh_read (ev->arena, (MtStr) {b.p, b.n}, out, &err);
   if (ok)
      *out = mt_v_copy (ev->arena, *out);
   mt_buf_free (&b);
   if (ok)
      return true;
   MT_OP_FAIL (MT_E_TEXT_REPRESENTATION, MT_CODE_CONVERSION, "invalid extended JSON: %s",
               err.message[0] ? err.message : mt_op_shown (ev, args[0]));
   return failed_with (ev, args[1], out);
}

const MtOpRow mt_ops_encode[] = {
   MT_ROW_NAMED ("$serializeEJSON", 3, "input,relaxed?,onError?", op_serialize,
                 "a value as a document of extended JSON, relaxed unless relaxed is false",
                 "{\"$serializeEJSON\": {\"input\": [1, null, \"x\"]}} => [1, null, \"x\"]"),
   MT_ROW_NAMED ("$deserializeEJSON", 2, "input,onError?", op_deserialize,
                 "the value that a document of extended JSON describes",
                 "{\"$deserializeEJSON\": {\"input\": [1, null, \"x\"]}} => [1, null, \"x\"]"),
   MT_OP_END,
};
