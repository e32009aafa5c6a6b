/* Extraction: a single pass over the elements of a document fills all slots (values in the row)
 * that later nodes read.
 *
 * Since similar documents have the same keys in the same order, keys are guessed: the key that was
 * at this position in the last document is compared first, by one 8-byte load for short keys. If
 * the guess is right, the field is known without a search. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/shape.h"

/* Documents up to this size in bytes are verified as a whole. Larger documents are verified piece
 * by piece, as they are read. */
#define VERIFY_WHOLE_BYTES 1024
#define KEY_AHEAD 64

typedef struct Pass {
   MtWork *w;
   const MtExtract *x;
   MtReader *r;
   MtCount *count;
   bool step; /* verify the document's bytes step by step */
} Pass;

static void clear_fields (MtWork *w, const MtExtract *x, uint64_t seen)
{
   for (uint32_t i = 0; i < x->count; i++) {
      const MtExtractField *f = &x->fields[i];
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

/* Handles a path that leads through an array: expressions get an array of the values in its
 * elements, and $match gets MT_DEFERRED, so that it follows the path itself. */
static bool through_array (MtWork *w, const MtExtract *x, MtVal array, const char **parts,
                           uint32_t n)
{
   if (n >= MT_MAX_BSON_DEPTH)
      return mt_error (&w->err, MT_E_TOO_COMPLEX, "path is too long");
   for (uint32_t i = 0; i < x->count; i++) {
      const MtExtractField *f = &x->fields[i];
      parts[n] = f->name;
      MtPath path = {parts, n + 1};
      if (f->value != MT_NO_SLOT && !mt_x_walk (w, array, &path, 0, &w->slots[f->value]))
         return false;
      if (f->match != MT_NO_SLOT)
         w->slots[f->match] = (MtVal) {
            .type = MT_DEFERRED, .sub = (uint8_t) (x->depth - n), .len = array.len, .p = array.p};
      if (f->raw != MT_NO_SLOT)
         w->slots[f->raw] = mt_v_missing ();
      if (f->sub && !through_array (w, f->sub, array, parts, n + 1))
         return false;
   }
   return true;
}

static bool extract (MtWork *w, const MtExtract *x, MtVal v, MtReader *r, MtCount *count);

static bool enter_sub (MtWork *w, const MtExtractField *f, MtVal v, MtReader *r, MtCount *count)
{
   if (v.type == MT_ARRAY) {
      const char *parts[MT_MAX_BSON_DEPTH];
      if (!mt_need (r, v.p, v.len))
         return false;
      return through_array (w, f->sub, v, parts, 0);
   }
   return extract (w, f->sub, v, r, count);
}

static bool take (Pass *ps, const MtExtractField *f, MtVal v)
{
   MtVal *slots = ps->w->slots;
   if (f->value != MT_NO_SLOT || f->match != MT_NO_SLOT) {
      if (ps->step && v.len && mt_v_has_bytes (v.type)) {
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
   return !f->sub || enter_sub (ps->w, f, v, ps->r, ps->count);
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
         mt_x_malformed (&ps->w->err);
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

/* Finds the field of a key that was not guessed correctly, and stores it as the new guess for this
 * position. *len: the key's length with its NUL. Returns -2 with the worker's error set on
 * failure. */
static int16_t learn (Pass *ps, MtGuess *g, uint8_t type, const uint8_t *key, const uint8_t *end,
                      uint32_t *len)
{
   static const uint8_t sizes[32] = {
      [MT_DOUBLE] = 8, [MT_OID] = 12,      [MT_BOOL] = 1,  [MT_DATE] = 8,
      [MT_INT32] = 4,  [MT_TIMESTAMP] = 8, [MT_INT64] = 8, [MT_DECIMAL] = 16};
   const uint8_t *nul = key_end (ps, key, end);
   if (!nul)
      return -2;
   *len = (uint32_t) (nul + 1 - key);
   int16_t at = find_field (ps->x, key, *len);
   if (g && *len <= MT_GUESS_KEY) {
      memcpy (g->key, key, *len);
      g->len = (uint16_t) *len;
      g->field = at;
      g->type = type;
      g->size = type < 32 ? sizes[type] : 0;
      g->mask = *len >= 8 ? UINT64_MAX : ((uint64_t) 1 << (8 * *len)) - 1;
      g->low = 0;
      memcpy (&g->low, key, *len < 8 ? *len : 8);
   }
   return at;
}

/* Verifies the bytes at p that show the size of the value. */
static bool need_value (Pass *ps, uint8_t type, const uint8_t *p, const uint8_t *end)
{
   size_t room = (size_t) (end - p), n = room < 16 || type == MT_REGEX ? room : 16;
   return !n || mt_need (ps->r, p, n);
}

/* Reads the fields of a large document, or of an extraction with more than 64 fields. Verifies
 * bytes only as far as they are read. */
static bool pass_step (Pass *ps, MtVal doc)
{
   const uint8_t *p = doc.p + 4, *end = doc.p + doc.len - 1, *start = p;
   const MtExtract *x = ps->x;
   MtGuess *g = ps->w->guess + (size_t) x->id * MT_GUESSES;
   uint32_t at = 0, found = 0, len;
   size_t skipped = 0;
   uint64_t seen = 0;
   while (p < end && found != x->count) {
      if (!mt_need (ps->r, p, (size_t) (end - p) < 40 ? (size_t) (end - p) : 40))
         return false;
      uint8_t type = *p++;
      int16_t field;
      MtGuess *mine = at < MT_GUESSES ? g + at : NULL;
      at++;
      if (mine && mt_guessed (mine, p, end)) {
         len = mine->len;
         field = mine->field;
      } else if ((field = learn (ps, mine, type, p, end, &len)) == -2)
         return false;
      p += len;
      if (!need_value (ps, type, p, end))
         return false;
      MtVal v;
      int64_t size = mt_x_load_fast (type, p, end, &v);
      if (size < 0)
         return mt_x_malformed (&ps->w->err);
      if (type == MT_DOC || type == MT_ARRAY)
         skipped += (size_t) size - 4;
      /* If a key occurs twice, its first value is used. */
      if (field >= 0 && !(field < 64 && (seen >> field & 1))) {
         if (field < 64)
            seen |= (uint64_t) 1 << field;
         found++;
         if (!take (ps, &x->fields[field], v))
            return false;
      }
      p += size;
   }
   if (found != x->count && x->count <= 64)
      clear_fields (ps->w, x, seen);
   ps->count->bytes += (size_t) (p - start) - skipped + 4;
   return true;
}

static __attribute__ ((noinline)) int learn_whole (MtWork *w, const MtExtract *x, MtGuess *g,
                                                   const uint8_t *at, const uint8_t *end,
                                                   uint32_t *len)
{
   Pass ps = {.w = w, .x = x};
   return learn (&ps, g, at[0], at + 1, end, len);
}

static __attribute__ ((noinline)) int64_t enter_whole (Pass *ps, const MtExtractField *f,
                                                       uint8_t type, const uint8_t *value,
                                                       const uint8_t *end)
{
   MtVal v;
   int64_t size = mt_x_load_fast (type, value, end, &v);
   if (size < 0)
      mt_x_malformed (&ps->w->err);
   else if (!take (ps, f, v))
      return -1;
   return size;
}

/* Stores the value at p, whose bytes are verified, in the slots of field f. Returns its size. */
static inline int64_t take_whole (MtWork *w, const MtExtractField *f, uint8_t type,
                                  const uint8_t *p, const uint8_t *end)
{
   MtVal *slots = w->slots;
   uint32_t first = f->value;
   if (first == MT_NO_SLOT)
      first = f->raw != MT_NO_SLOT ? f->raw : f->match;
   MtVal *v = &slots[first];
   int64_t size = mt_x_load_fast (type, p, end, v);
   if (f->raw != MT_NO_SLOT && v != &slots[f->raw])
      slots[f->raw] = *v;
   if (f->match != MT_NO_SLOT && v != &slots[f->match])
      slots[f->match] = *v;
   return size;
}

/* Reads the fields of a document in the usual case: all bytes are verified, and there are at most
 * 64 fields. If a guess is right, the position of the next element is computed from the guess, so
 * the processor need not wait for this element's bytes. */
bool mt_extract_whole (MtWork *w, const MtExtract *x, const uint8_t *doc, uint32_t doc_len,
                       MtReader *r, MtCount *count)
{
   const uint8_t *p = doc + 4, *end = doc + doc_len - 1;
   MtGuess *g = w->guess + (size_t) x->id * MT_GUESSES, *guesses_end = g + MT_GUESSES;
   uint64_t seen = 0;
   size_t skipped = 0;
   for (uint32_t left = x->count; p < end && left;) {
      const uint8_t *at = p++;
      MtGuess *mine = g < guesses_end ? g++ : NULL;
      int64_t size = 0;
      int field;
      if (mine && mt_guessed (mine, p, end)) {
         field = mine->field;
         p += mine->len;
         if (at[0] == mine->type)
            size = mine->size;
      } else {
         uint32_t len;
         if ((field = learn_whole (w, x, mine, at, end, &len)) == -2)
            return false;
         p += len;
      }
      if (field < 0 || (seen >> field & 1)) { /* if a key occurs twice, its first value is used */
         if (!size)
            size = mt_x_size (at[0], p, end);
      } else {
         const MtExtractField *f = &x->fields[field];
         seen |= (uint64_t) 1 << field;
         left--;
         if (f->sub &&
             (size = enter_whole (&(Pass) {.w = w, .r = r, .count = count}, f, at[0], p, end)) < 0)
            return false;
         if (!f->sub)
            size = take_whole (w, f, at[0], p, end);
      }
      if (size < 0 || size > end - p)
         return mt_x_malformed (&w->err);
      if (at[0] == MT_DOC || at[0] == MT_ARRAY)
         skipped += (size_t) size - 4;
      p += size;
   }
   if (seen != (x->count < 64 ? ((uint64_t) 1 << x->count) - 1 : UINT64_MAX))
      clear_fields (w, x, seen);
   count->bytes += (size_t) (p - doc) - skipped;
   return true;
}

static bool extract (MtWork *w, const MtExtract *x, MtVal v, MtReader *r, MtCount *count)
{
   if (v.type != MT_DOC || x->count > 64)
      clear_fields (w, x, 0);
   if (v.type != MT_DOC)
      return true;
   if (x->count <= 64 && (r == &w->anywhere || v.len <= VERIFY_WHOLE_BYTES))
      return mt_need (r, v.p, v.len) && mt_extract_whole (w, x, v.p, v.len, r, count);
   Pass ps = {w, x, r, count, true};
   return pass_step (&ps, v);
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
