/* One pass over the elements of a document that fills every slot anybody below asked for.
 *
 * Keys are guessed: documents of one kind repeat their keys in one order, so the key that stood at a position last time is
 * compared first (one 8-byte load for short keys), and with it comes what was decided about it. */
#include "engine/local/exec_core.h"

/* Documents up to this size are verified whole at once; larger ones as they are stepped on. */
#define VERIFY_WHOLE_BYTES 1024
#define KEY_AHEAD 64

typedef struct Pass {
   MtWork *w;
   const MtExtract *x;
   MtReader *r;
   MtCount *count;
   bool step; /* verify as we go */
} Pass;

static bool malformed (MtWork *w)
{
   return mt_error (&w->err, MT_E_CORRUPT, "malformed document");
}

static void clear_fields (MtWork *w, const MtExtract *x, uint64_t seen)
{
   for (uint32_t i = 0; i < x->count; i++) {
      const MtField *f = &x->fields[i];
      if (i < 64 && (seen >> i & 1))
         continue;
      if (f->value != MT_NO_SLOT)
         w->slots[f->value] = mt_v_missing ();
      if (f->match != MT_NO_SLOT)
         w->slots[f->match] = mt_v_missing ();
      if (f->raw != MT_NO_SLOT)
         w->slots[f->raw] = mt_v_missing ();
      if (f->sub)
         clear_fields (w, f->sub, 0);
   }
}

/* The way leads through an array: values below are arrays of values, matches are walked later. */
static bool through_array (MtWork *w, const MtExtract *x, MtVal array, const char **parts, uint32_t n)
{
   if (n >= MT_MAX_BSON_DEPTH)
      return mt_error (&w->err, MT_E_TOO_COMPLEX, "path is too long");
   for (uint32_t i = 0; i < x->count; i++) {
      const MtField *f = &x->fields[i];
      parts[n] = f->name;
      MtPath path = {parts, n + 1};
      if (f->value != MT_NO_SLOT && !mt_x_walk (w, array, &path, 0, &w->slots[f->value]))
         return false;
      if (f->match != MT_NO_SLOT)
         w->slots[f->match] = (MtVal){.type = MT_DEFERRED, .sub = (uint8_t) (x->depth - n), .len = array.len, .p = array.p};
      if (f->raw != MT_NO_SLOT)
         w->slots[f->raw] = mt_v_missing ();
      if (f->sub && !through_array (w, f->sub, array, parts, n + 1))
         return false;
   }
   return true;
}

static bool extract (MtWork *w, const MtExtract *x, MtVal v, MtReader *r, MtCount *count);

static bool enter_sub (Pass *ps, const MtField *f, MtVal v)
{
   if (v.type == MT_ARRAY) {
      const char *parts[MT_MAX_BSON_DEPTH];
      if (!mt_need (ps->r, v.p, v.len))
         return false;
      return through_array (ps->w, f->sub, v, parts, 0);
   }
   return extract (ps->w, f->sub, v, ps->r, ps->count);
}

static bool take (Pass *ps, const MtField *f, MtVal v)
{
   MtVal *slots = ps->w->slots;
   if (f->value != MT_NO_SLOT || f->match != MT_NO_SLOT) {
      if (ps->step && v.len && mt_has_bytes (v)) {
         if (!mt_need (ps->r, v.p, v.len))
            return false;
         if (v.type == MT_DOC || v.type == MT_ARRAY)
            ps->count->bytes += v.len;
      }
      if (f->value != MT_NO_SLOT)
         slots[f->value] = v;
      if (f->match != MT_NO_SLOT)
         slots[f->match] = v;
   }
   if (f->raw != MT_NO_SLOT)
      slots[f->raw] = v;
   return !f->sub || enter_sub (ps, f, v);
}

static const uint8_t *key_end (Pass *ps, const uint8_t *key, const uint8_t *end)
{
   size_t room = (size_t) (end - key), n = ps->step && room > KEY_AHEAD ? KEY_AHEAD : room;
   for (;;) {
      if (ps->step && !mt_need (ps->r, key, n))
         return NULL;
      const uint8_t *nul = memchr (key, 0, n);
      if (nul)
         return nul;
      if (n == room) {
         malformed (ps->w);
         return NULL;
      }
      n = n * 2 > room ? room : n * 2;
   }
}

static int16_t find_field (const MtExtract *x, const uint8_t *key, uint32_t len)
{
   for (uint32_t i = 0; i < x->count; i++)
      if (x->fields[i].len == len && memcmp (x->fields[i].name, key, len) == 0)
         return (int16_t) i;
   return -1;
}

/* A key that wasn't guessed; *len with the NUL. -2: an error. */
static int16_t learn (Pass *ps, MtGuess *g, const uint8_t *key, const uint8_t *end, uint32_t *len)
{
   const uint8_t *nul = key_end (ps, key, end);
   if (!nul)
      return -2;
   *len = (uint32_t) (nul + 1 - key);
   int16_t at = find_field (ps->x, key, *len);
   if (g && *len <= MT_GUESS_KEY) {
      memcpy (g->key, key, *len);
      g->len = (uint16_t) *len;
      g->field = at;
      g->mask = *len >= 8 ? UINT64_MAX : ((uint64_t) 1 << (8 * *len)) - 1;
      g->low = 0;
      memcpy (&g->low, key, *len < 8 ? *len : 8);
   }
   return at;
}

static inline bool guessed (const MtGuess *g, const uint8_t *key, const uint8_t *end)
{
   uint64_t low;
   if (end - key < MT_GUESS_KEY)
      return g->len && g->len <= end - key && memcmp (g->key, key, g->len) == 0;
   memcpy (&low, key, 8);
   if (((low ^ g->low) & g->mask) != 0)
      return false;
   return g->len <= 8 ? g->len != 0 : memcmp (g->key + 8, key + 8, g->len - 8u) == 0;
}

/* Size of the value at p, as far as it is needed to step over it; -1: an error. */
static inline int64_t value_at (Pass *ps, uint8_t type, const uint8_t *p, const uint8_t *end, MtVal *v)
{
   if (ps->step) {
      size_t room = (size_t) (end - p), n = room < 16 ? room : 16;
      if (type == MT_REGEX)
         n = room;
      if (n && !mt_need (ps->r, p, n))
         return -1;
   }
   int64_t size;
   switch (type) { /* the frequent ones here */
   case MT_INT32:
      if (end - p < 4)
         break;
      {
         int32_t i;
         memcpy (&i, p, 4);
         *v = (MtVal){.type = MT_INT32, .i = i};
      }
      return 4;
   case MT_DOUBLE: case MT_INT64: case MT_DATE:
      if (end - p < 8)
         break;
      *v = (MtVal){.type = type};
      memcpy (&v->i, p, 8);
      return 8;
   case MT_STRING: case MT_DOC: case MT_ARRAY: {
      uint32_t n;
      size_t room = (size_t) (end - p);
      if (room < 5)
         break;
      memcpy (&n, p, 4);
      if (type == MT_STRING) {
         if (n < 1 || n > room - 4)
            break;
         *v = (MtVal){.type = MT_STRING, .len = n - 1, .p = p + 4};
         return (int64_t) n + 4;
      }
      if (n < 5 || n > room)
         break;
      *v = (MtVal){.type = type, .len = n, .p = p};
      return n;
   }
   default:
      size = mt_x_load (type, p, end, v);
      if (size >= 0)
         return size;
      break;
   }
   malformed (ps->w);
   return -1;
}

static bool pass (Pass *ps, MtVal doc)
{
   const uint8_t *p = doc.p + 4, *end = doc.p + doc.len - 1, *start = p;
   const MtExtract *x = ps->x;
   MtGuess *g = ps->w->guess + (size_t) x->id * MT_GUESSES;
   uint32_t at = 0, found = 0;
   size_t skipped = 0;
   uint64_t seen = 0;
   while (p < end) {
      if (ps->step && !mt_need (ps->r, p, (size_t) (end - p) < 40 ? (size_t) (end - p) : 40))
         return false;
      uint8_t type = *p++;
      uint32_t len;
      int16_t field;
      MtGuess *mine = at < MT_GUESSES ? g + at : NULL;
      at++;
      if (mine && guessed (mine, p, end)) {
         len = mine->len;
         field = mine->field;
      } else if ((field = learn (ps, mine, p, end, &len)) == -2)
         return false;
      p += len;
      MtVal v;
      int64_t size = value_at (ps, type, p, end, &v);
      if (size < 0)
         return false;
      if (type == MT_DOC || type == MT_ARRAY)
         skipped += (size_t) size - 4;
      if (field >= 0 && !(field < 64 && (seen >> field & 1))) { /* of a repeated key the first counts */
         if (field < 64)
            seen |= (uint64_t) 1 << field;
         if (!take (ps, &x->fields[field], v))
            return false;
         if (++found == x->count) {
            p += size;
            break;
         }
      }
      p += size;
   }
   if (found != x->count && x->count <= 64)
      clear_fields (ps->w, x, seen);
   ps->count->bytes += (size_t) (p - start) - skipped + 4;
   return true;
}

static bool extract (MtWork *w, const MtExtract *x, MtVal v, MtReader *r, MtCount *count)
{
   if (v.type != MT_DOC || x->count > 64)
      clear_fields (w, x, 0);
   if (v.type != MT_DOC)
      return true;
   Pass ps = {w, x, r, count, true};
   if (r == &w->anywhere || v.len <= VERIFY_WHOLE_BYTES) {
      if (!mt_need (r, v.p, v.len))
         return false;
      ps.step = false;
   }
   return pass (&ps, v);
}

bool mt_extract_doc (MtWork *w, const MtExtract *x, MtVal v, bool stored, MtCount *count)
{
   if (v.type == MT_ARRAY) {
      const char *parts[MT_MAX_BSON_DEPTH];
      clear_fields (w, x, 0);
      return mt_need (mt_reader_of (w, stored), v.p, v.len) && through_array (w, x, v, parts, 0);
   }
   return extract (w, x, v, mt_reader_of (w, stored), count);
}
