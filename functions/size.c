/* Computes pg_column_size: the number of bytes that a value takes in PostgreSQL, uncompressed. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/binary.h"
#include "types/jsonb.h"
#include "types/numeric.h"

#include <string.h>

#define HEADER 4        /* the header of a value without a fixed size */
#define ARRAY_HEADER 16 /* bytes of the header of an array, without its dimensions */
#define DIMENSION 8
#define SHORT_SCALE 63 /* the decimal places that fit into a numeric's short header */
#define SHORT_WEIGHT 64

static size_t aligned (size_t n, size_t to) { return (n + to - 1) / to * to; }

/* Returns the size of a numeric. Its digits are stored in groups of four, counted from the decimal
 * point, without groups of zeros at both ends. */
static size_t numeric_size (MtVal v)
{
   MtBuf text = {0};
   MtNum x = mt_num_of (v);
   if (mt_num_is_nan (x) || mt_num_is_inf (x))
      return HEADER + 2;
   mt_num_out (mt_num_abs (x), &text);
   const char *point = memchr (text.p, '.', text.n);
   int whole = (int) (point ? (size_t) (point - text.p) : text.n),
       scale = point ? (int) text.n - whole - 1 : 0;
   int first = INT32_MAX, last = INT32_MIN;
   for (int i = 0; i < (int) text.n; i++) {
      if (text.p[i] == '0' || text.p[i] == '.')
         continue;
      int place = i < whole ? whole - 1 - i : whole - i; /* the power of ten */
      int group = place >= 0 ? place / 4 : -((-place + 3) / 4);
      first = first == INT32_MAX ? group : first;
      last = group;
   }
   mt_buf_free (&text);
   if (first == INT32_MAX)
      return HEADER + 2;
   bool small = scale <= SHORT_SCALE && first < SHORT_WEIGHT && first >= -SHORT_WEIGHT;
   return HEADER + (small ? 2 : 4) + 2 * (size_t) (first - last + 1);
}

static void add_jsonb (MtVal v, size_t *at);

/* Adds the size of a jsonb object or array to *at: a header, 4 bytes for each key and value, the
 * keys, and the values. */
static void add_container (MtVal v, size_t *at)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   *at = aligned (*at, 4) + 4 + 4 * mt_doc_count (v) * (v.type == MT_DOC ? 2 : 1);
   while (v.type == MT_DOC && mt_doc_next (&it, &key, &e))
      *at += key.n;
   it = mt_doc_iter (v);
   while (mt_doc_next (&it, &key, &e))
      add_jsonb (e, at);
}

static void add_jsonb (MtVal v, size_t *at)
{
   if (v.type == MT_DOC || v.type == MT_ARRAY)
      add_container (v, at);
   else if (v.type == MT_STRING)
      *at += v.len;
   else if (mt_is_number (v))
      *at = aligned (*at, 4) + numeric_size (v);
}

static size_t jsonb_size (MtVal v)
{
   size_t at = HEADER;
   if (v.type != MT_DOC && v.type != MT_ARRAY)
      at += 8; /* an array of one element */
   add_jsonb (v, &at);
   return at;
}

/* Returns the bytes of a type whose values all have the same size; 0: they differ. */
static size_t fixed_size (MtTypeId t)
{
   if (t == MT_T_OBJECTID)
      return sizeof (bson_oid_t);
   int bytes = mt_type_bytes (mt_type (t));
   return bytes > 0 ? (size_t) bytes : 0;
}

static size_t alignment (MtTypeId t)
{
   switch (t) {
   case MT_T_BOOL:
   case MT_T_UUID: return 1;
   case MT_T_INT2: return 2;
   case MT_T_INT8:
   case MT_T_FLOAT8:
   case MT_T_TIME:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ:
   case MT_T_INTERVAL: return 8;
   default: return 4;
   }
}

static bool scalar_size (MtEval *ev, MtTypeId t, MtVal v, size_t *out)
{
   *out = fixed_size (t);
   if (*out)
      return true;
   if (t == MT_T_NUMERIC)
      *out = numeric_size (v);
   else if (t == MT_T_JSONB) {
      if (!mt_jsonb_canonical (ev->arena, v, &v, ev->err))
         return false;
      *out = jsonb_size (mt_jsonb_to_element (v));
   } else
      *out = HEADER + v.len;
   return true;
}

typedef struct Array {
   MtTypeId element;
   size_t at, count;
   bool nulls;
} Array;

/* Adds the elements of an array to `array`, over all dimensions. Returns false on error. */
static bool add_elements (MtEval *ev, Array *array, MtVal v)
{
   size_t n, size;
   MtVal *e = mt_v_elements (ev->arena, v, &n);
   for (size_t i = 0; i < n; i++) {
      if (e[i].type == MT_ARRAY && array->element != MT_T_JSONB) {
         if (!add_elements (ev, array, e[i]))
            return false;
         continue;
      }
      array->count++;
      array->nulls |= mt_is_nullish (e[i]);
      if (mt_is_nullish (e[i]))
         continue;
      if (!scalar_size (ev, array->element, e[i], &size))
         return false;
      array->at = aligned (aligned (array->at, alignment (array->element)) + size,
                           alignment (array->element));
   }
   return true;
}

static bool array_size (MtEval *ev, MtTypeId t, MtVal v, size_t *out)
{
   size_t dims[MT_MAX_ARRAY_DIMS];
   Array array = {.element = mt_type_element (t)};
   int n = mt_array_dims (v, array.element, dims);
   if (!add_elements (ev, &array, v))
      return false;
   size_t header = ARRAY_HEADER + DIMENSION * (size_t) n;
   if (array.nulls)
      header = aligned (header + (array.count + 7) / 8, 8);
   *out = array.count ? header + array.at : ARRAY_HEADER;
   return true;
}

/* Computes pg_column_size. Arguments: value, name of its type. */
static bool fn_column_size (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   size_t size;
   if (!mt_type_by_name (mt_v_text (a[1]), &t))
      return mt_error (ev->err, MT_E_PARAMETER, "the size of a value needs the name of its type");
   if (!(mt_type_is_array (t) ? array_size (ev, t, a[0], &size) : scalar_size (ev, t, a[0], &size)))
      return false;
   *out = mt_v_int32 ((int32_t) size);
   return true;
}

const MtFunc mt_fn_size[] = {
   MT_ROW ("pg_column_size", "anyelement, _type text -> int4", MT_NN, NULL, MT_OP (column_size),
           "number of bytes that PostgreSQL would use for the value",
           "SELECT pg_column_size(1.5) => 10"),
   {.name = NULL},
};
