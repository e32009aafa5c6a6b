/* Value ranges of measures, that is of fields without an index: top-level numbers and dates. They
 * are computed while a block is filled, and are kept if the block is large enough. In the manifest
 * and in memory the ranges of a block are encoded one after the other:
 *
 *    name NUL  flags:1  least:9  greatest:9      a value is its BSON type and 8 bytes
 *
 * Flags say whether there are null or missing values, or NaN, because many fields have a few of
 * them in each block.
 *
 * All ranges are computed in one pass over a document. Similar documents have the same keys in the
 * same order, so the field at each position is guessed to be the one of the preceding document. */
#include "base/memory.h"
#include "engine/local/store/coll_int.h"

#include <endian.h>
#include <math.h>
#include <string.h>

#define VALUE_BYTES 9u
#define ENTRY_BYTES (1 + 2 * VALUE_BYTES) /* without the name */
#define HAS_NULLS 1u
#define HAS_NANS 2u

/* If a key isn't at its expected position, this many positions behind are tried: fields can be
 * missing. */
#define FORWARD 8u

enum { NO_FIELD = -1, NEVER = -2 }; /* NEVER: there is no more room for fields */

#define BIT(type) (UINT32_C (1) << (type))

static inline bool is_measure (uint8_t type)
{
   return type < 32 &&
          (BIT (MT_DOUBLE) | BIT (MT_INT32) | BIT (MT_INT64) | BIT (MT_DATE)) >> type & 1;
}

/* ---- filling a block ---- */

/* Compares two ObjectIds (12 bytes each) as memcmp does, but faster. */
static inline int compare_oids (const uint8_t *a, const uint8_t *b)
{
   uint64_t x, y;
   memcpy (&x, a, 8);
   memcpy (&y, b, 8);
   if (x == y) {
      memcpy (&x, a + 4, 8);
      memcpy (&y, b + 4, 8);
   }
   x = be64toh (x);
   y = be64toh (y);
   return (x > y) - (x < y);
}

/* Widens the range r of a field by v. Handles the frequent cases itself: v lies within the range,
 * or is an ObjectId greater than all before. Otherwise calls mt_range_widen. */
static inline void widen (MtBlockRange *r, bool *any, MtVal v)
{
   if (*any && r->kept && v.type == r->min.type && v.type == r->max.type) {
      if (v.type == MT_DOUBLE ? v.d >= r->min.d && v.d <= r->max.d
                              : is_measure (v.type) && v.i >= r->min.i && v.i <= r->max.i)
         return;
      if (v.type == MT_OID && compare_oids (v.p, r->max.p) > 0) {
         r->max = v;
         return;
      }
   }
   mt_range_widen (r, any, v);
}

/* Returns the number of the field with this name, for MtSpot.field: an indexed field, or
 * MT_STORE_RANGES + the index of a measure, which is added if it is new. NO_FIELD: this type of
 * value is no measure. NEVER: there are already too many measures. */
static int field_of (MtColl *c, const char *name, uint8_t type)
{
   MtBlockBuilder *b = &c->builder;
   for (uint32_t i = 0; i < c->field_count; i++)
      if (strcmp (c->fields[i], name) == 0)
         return (int) i;
   for (uint32_t i = 0; i < b->measuring->measure_count; i++)
      if (strcmp (b->measuring->measures[i].name, name) == 0)
         return (int) (MT_STORE_RANGES + i);
   if (!is_measure (type))
      return NO_FIELD;
   if (b->measuring->measure_count == MT_STORE_MEASURES)
      return NEVER;
   MtMeasure *m = &b->measuring->measures[b->measuring->measure_count];
   *m = (MtMeasure) {.name = mt_strdup (c->arena, name), .lost = b->documents > 0};
   return (int) (MT_STORE_RANGES + b->measuring->measure_count++);
}

static __attribute__ ((noinline)) void guess (MtColl *c, MtSpot *spot, const uint8_t *key,
                                              uint8_t type)
{
   size_t n = strlen ((const char *) key) + 1;
   *spot = (MtSpot) {.field = (int8_t) field_of (c, (const char *) key, type), .key_bytes = n};
   memcpy (spot->key, key, n < sizeof spot->key ? n : sizeof spot->key);
   memset (&spot->mask, 0xFF, n < sizeof spot->mask ? n : sizeof spot->mask);
   memcpy (&spot->low, spot->key, sizeof spot->low);
   spot->low &= spot->mask;
   if (n > sizeof spot->last)
      memcpy (&spot->last, key + n - sizeof spot->last, sizeof spot->last);
}

static inline bool guessed (const MtSpot *s, const uint8_t *key)
{
   uint64_t low, last;
   memcpy (&low, key, 8); /* the buffer has 8 bytes more */
   if ((low & s->mask) != s->low || s->key_bytes <= 8)
      return (low & s->mask) == s->low && s->key_bytes;
   /* Long keys are compared by strcmp, which does not read behind the NUL, where the buffer may
    * end. */
   if (s->key_bytes > 16)
      return s->key_bytes <= sizeof s->key &&
             strcmp ((const char *) key, (const char *) s->key) == 0;
   memcpy (&last, key + s->key_bytes - 8, 8);
   return last == s->last;
}

/* Like mt_bson_value, but faster for numbers and dates. */
static inline MtVal value_of (uint8_t type, const uint8_t *p)
{
   MtVal v = {.type = type};
   if (type == MT_INT32)
      v.i = (int32_t) mt_get32 (p);
   else if (is_measure (type))
      memcpy (&v.i, p, 8);
   else
      return mt_bson_value (type, p);
   return v;
}

/* Widens the value range of the field (numbered as in MtSpot.field) by v. Marks a measure's range
 * as lost if v has a type that is no measure. */
static inline void take (MtColl *c, int field, MtVal v)
{
   MtBlockBuilder *b = &c->builder;
   if (field < (int) MT_STORE_RANGES) {
      widen (&b->ranges[field], &b->any[field], v);
      return;
   }
   MtMeasure *m = &b->measuring->measures[field - (int) MT_STORE_RANGES];
   if (v.type == MT_NULL)
      m->nulls = true;
   else if (v.type == MT_DOUBLE && isnan (v.d))
      m->nans = true;
   else if (is_measure (v.type))
      widen (&m->range, &m->any, v);
   else
      m->lost = true;
}

/* Adds a missing or null value to the ranges of all fields that a document lacks. Bit i of `found`
 * is set if the document has field i. */
static __attribute__ ((noinline)) void take_missing (MtColl *c, uint64_t found)
{
   MtBlockBuilder *b = &c->builder;
   for (uint32_t i = 0; i < c->field_count; i++)
      if (!(found >> i & 1))
         take (c, (int) i, mt_v_missing ());
   for (uint32_t i = 0; i < b->measuring->measure_count; i++)
      if (!(found >> (MT_STORE_RANGES + i) & 1))
         take (c, (int) (MT_STORE_RANGES + i), mt_v_null ());
}

/* Returns the spot (the guess for one position) whose key is `key`, at position *at or up to
 * FORWARD positions later, and sets *at to its position. If there is none, the spot at *at becomes
 * the guess for this key. */
static __attribute__ ((noinline)) MtSpot *find_spot (MtColl *c, const uint8_t *key, uint8_t type,
                                                     uint32_t *at)
{
   MtMeasuring *m = c->builder.measuring;
   uint32_t here = *at < MT_STORE_SPOTS - 1 ? *at : MT_STORE_SPOTS - 1; /* the last one is shared */
   for (uint32_t i = here; i < here + FORWARD && i < MT_STORE_SPOTS; i++)
      if (guessed (&m->spots[i], key)) {
         *at = i;
         return &m->spots[i];
      }
   guess (c, &m->spots[here], key, type);
   return &m->spots[here];
}

MtVal mt_builder_take (MtColl *c, const uint8_t *doc, size_t len)
{
   MtBlockBuilder *b = &c->builder;
   const uint8_t *p = doc + 4, *end = doc + len - 1;
   uint64_t found = 0;
   MtVal id = mt_v_missing ();
   if (!b->measuring)
      b->measuring = mt_calloc ("store", 1, sizeof *b->measuring);
   MtMeasuring *m = b->measuring;
   for (uint32_t at = 0; p < end; at++) {
      uint8_t type = *p++;
      MtSpot *spot = &m->spots[at];
      if (at >= MT_STORE_SPOTS || !guessed (spot, p))
         spot = find_spot (c, p, type, &at);
      if (__builtin_expect (spot->field == NO_FIELD && is_measure (type), 0))
         guess (c, spot, p, type);
      p += spot->key_bytes;
      if (spot->field >= 0 && !(found >> spot->field & 1)) {
         MtVal v = value_of (type, p);
         found |= UINT64_C (1) << spot->field;
         take (c, spot->field, v);
         if (spot->field == 0)
            id = v;
      }
      p += mt_bson_size (type, p);
   }
   uint64_t all = ((UINT64_C (1) << c->field_count) - 1) | ((UINT64_C (1) << m->measure_count) - 1)
                                                              << MT_STORE_RANGES;
   if (found != all)
      take_missing (c, found);
   return id;
}

/* ---- keeping them ---- */

void mt_measuring_reset (MtMeasuring *m)
{
   for (uint32_t i = 0; m && i < m->measure_count; i++)
      m->measures[i] = (MtMeasure) {.name = m->measures[i].name};
   for (uint32_t i = 0; m && i < MT_STORE_SPOTS; i++)
      m->spots[i].key_bytes = 0; /* the next block may have other indexed fields */
}

static void put_value (MtBuf *out, MtVal v)
{
   mt_buf_addc (out, (char) v.type);
   mt_buf_add (out, &v.i, 8);
}

void mt_builder_measures (MtColl *c, MtStoreBlock *k)
{
   MtBlockBuilder *b = &c->builder;
   MtBuf out = {0};
   for (uint32_t i = 0; i < b->measuring->measure_count; i++) {
      const MtMeasure *m = &b->measuring->measures[i];
      if (!m->any || m->lost)
         continue;
      mt_buf_add (&out, m->name, strlen (m->name) + 1);
      mt_buf_addc (&out, (char) ((m->nulls ? HAS_NULLS : 0) | (m->nans ? HAS_NANS : 0)));
      put_value (&out, m->range.min);
      put_value (&out, m->range.max);
   }
   if (out.n)
      mt_block_keep_measures (c, k, out.p, (uint32_t) out.n);
   mt_buf_free (&out);
}

void mt_block_keep_measures (MtColl *c, MtStoreBlock *b, const void *entries, uint32_t n)
{
   b->measures = (const uint8_t *) mt_strndup (c->arena, entries, n);
   b->measure_bytes = n;
}

static MtVal value_at (const uint8_t *p)
{
   MtVal v = {.type = p[0]};
   v.i = (int64_t) mt_get64 (p + 1);
   return v;
}

bool mt_measure_parts (const uint8_t *entries, uint32_t n, const char *field, MtRangeParts *out)
{
   const uint8_t *p = entries, *end = entries + n, *nul;
   for (; p < end && (nul = memchr (p, 0, (size_t) (end - p))); p = nul + 1 + ENTRY_BYTES) {
      if ((size_t) (end - nul) < 1 + ENTRY_BYTES)
         return false;
      if (strcmp ((const char *) p, field) != 0)
         continue;
      *out = (MtRangeParts) {.nulls = nul[1] & HAS_NULLS,
                             .nans = nul[1] & HAS_NANS,
                             .least = value_at (nul + 2),
                             .greatest = value_at (nul + 2 + VALUE_BYTES)};
      return is_measure (out->least.type) && is_measure (out->greatest.type);
   }
   return false;
}
