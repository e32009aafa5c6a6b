/* Composed ids: an _id is a text made of the values of a record's key and of fixed texts between
 * them (docs/lemma.md, section 2). The values can be read back from the text. */
#include "layouts/stored.h"

#include <string.h>

bool mt_same_binding (const MtBinding *a, const MtBinding *b)
{
   return a->kind == b->kind && a->column == b->column &&
          (a->kind == MT_BIND_COLUMN || a->unit == b->unit) &&
          (a->kind != MT_BIND_TIME_PART || (a->of == b->of && a->base == b->base));
}

char mt_id_stop (const MtStoreDesc *s, size_t part)
{
   return part + 1 < s->id_count ? *s->id[part + 1].literal : 0;
}

void mt_id_escape (MtBuf *out, const char *p, size_t n, char stop)
{
   for (size_t i = 0; i < n; i++)
      if (p[i] == '%' || (stop && p[i] == stop))
         mt_buf_printf (out, "%%%02X", (unsigned char) p[i]);
      else
         mt_buf_addc (out, p[i]);
}

/* Reverses mt_id_escape: replaces the escapes of `stop` and of "%" in s by these characters. Any
 * other "%" stays. `stop` is the character that ends the value in the id; 0: the end of the id. */
static MtStr unescape (MtArena *a, MtStr s, char stop)
{
   char mine[4];
   if (!memchr (s.p, '%', s.n))
      return s;
   char *to = mt_strndup (a, s.p, s.n);
   size_t n = 0;
   snprintf (mine, sizeof mine, "%%%02X", (unsigned char) stop);
   for (size_t i = 0; i < s.n; i++) {
      bool three = i + 3 <= s.n, stops = three && stop && !memcmp (s.p + i, mine, 3),
           percent = three && !memcmp (s.p + i, "%25", 3);
      to[n++] = stops ? stop : s.p[i];
      i += stops || percent ? 2 : 0;
   }
   return (MtStr) {to, n};
}

/* ---- ids without escapes ---- */

bool mt_id_is_free (const MtTable *t, const MtStoreDesc *s, size_t part)
{
   const MtBinding *b = &s->id[part].bind;
   if (s->id[part].literal || b->kind == MT_BIND_TIME_PART)
      return false;
   bool number = b->kind == MT_BIND_COLUMN && mt_type_is_integer (t->columns[b->column].type.id);
   return !number && (b->encoding.kind == MT_ENC_NATIVE || b->encoding.kind == MT_ENC_TEXT);
}

void mt_id_stops (const MtTable *t, const MtStoreDesc *s, MtIdStops *out)
{
   *out = (MtIdStops) {.sole = s->id_count};
   size_t free = 0;
   for (size_t i = 0; i < s->id_count; i++) {
      if (!mt_id_is_free (t, s, i))
         continue;
      char stop = mt_id_stop (s, i);
      out->sole = free++ ? s->id_count : i;
      if (stop && !mt_id_stops_at (out, stop) && out->count < sizeof out->bytes)
         out->bytes[out->count++] = stop;
   }
   if (out->sole < s->id_count)
      out->count = 0;
}

/* State of the search for the parts of an id without escapes. `parts` has the text found for each
 * part. */
typedef struct Split {
   const MtTable *t;
   const MtStoreDesc *s;
   MtIdStops stops;
   MtStr id, *parts;
} Split;

/* Computes the least and greatest length of part number `part` at the start of `rest`. False if the
 * part can't begin there. */
static bool lengths (const Split *x, size_t part, MtStr rest, size_t *min, size_t *max)
{
   const MtIdPart *p = &x->s->id[part];
   if (p->literal || p->bind.encoding.kind == MT_ENC_FORMAT) {
      *min = *max = p->literal ? strlen (p->literal) : mt_format_width (p->bind.encoding.format);
      return *max <= rest.n && (!p->literal || !memcmp (rest.p, p->literal, *max));
   }
   *min = *max = 0;
   if (mt_id_is_free (x->t, x->s, part)) {
      while (*max < rest.n && !mt_id_stops_at (&x->stops, rest.p[*max]))
         ++*max;
      return true;
   }
   size_t sign = part < x->stops.sole && rest.n && *rest.p == '-';
   for (*max = sign; *max < rest.n && rest.p[*max] >= '0' && rest.p[*max] <= '9';)
      ++*max;
   *min = sign + 1;
   return *max >= *min;
}

/* Splits `rest` into the parts from number `part` on, and stores their texts in x->parts. False if
 * it can't. Like a regular expression, it tries the longest text of each part first, and then
 * shorter ones. */
static bool split_from (Split *x, size_t part, MtStr rest)
{
   size_t min, max;
   if (part == x->s->id_count)
      return rest.n == 0;
   if (!lengths (x, part, rest, &min, &max))
      return false;
   for (size_t n = max + 1; n-- > min;) {
      x->parts[part] = (MtStr) {rest.p, n};
      if (split_from (x, part + 1, (MtStr) {rest.p + n, rest.n - n}))
         return true;
   }
   return false;
}

/* Sets *out to the text of part number `part` in an id without escapes. False if the id can't be
 * split into its parts. */
static bool find_plain (MtArena *a, const MtTable *t, const MtStoreDesc *s, MtStr id, size_t part,
                        MtStr *out)
{
   Split x = {.t = t, .s = s, .id = id, .parts = MT_NEW_N (a, MtStr, s->id_count + 1)};
   mt_id_stops (t, s, &x.stops);
   bool ok = split_from (&x, 0, id);
   *out = x.parts[part];
   return ok;
}

/* ---- composing ---- */

/* Sets error 0A000, because the value `text` would make the id ambiguous, and returns false. This
 * happens only in collections whose ids have no escapes. */
static bool not_readable (const MtTable *t, const MtStoreDesc *s, size_t part, MtStr text,
                          MtError *err)
{
   const MtBinding *b = &s->id[part].bind;
   const char *name = b->kind == MT_BIND_COLUMN ? t->columns[b->column].name
                                                : mt_unit_name (b->unit);
   mt_error (err, MT_E_FEATURE, "\"%.*s\" of \"%s\" can't be a part of an _id in collection \"%s\"",
             (int) (text.n < 200 ? text.n : 200), text.n ? text.p : "", name, s->collection);
   mt_error_detail (
      err, "Ids of this collection have no escapes, so this id could not be told from others.");
   return mt_error_hint (err, "Store such rows in a layout with its own collection.");
}

bool mt_id_add_part (const MtTable *t, const MtStoreDesc *s, size_t part, MtStr text, MtBuf *out,
                     MtError *err)
{
   if (s->escape != MT_ESCAPE_NONE) {
      mt_id_escape (out, text.p, text.n, mt_id_stop (s, part));
      return true;
   }
   MtIdStops stops;
   size_t at = 0;
   mt_id_stops (t, s, &stops);
   bool free = mt_id_is_free (t, s, part);
   while (free && at < text.n && !mt_id_stops_at (&stops, text.p[at]))
      at++;
   bool negative = !free && part > stops.sole && text.n && *text.p == '-';
   if (text.n)
      mt_buf_add (out, text.p, text.n);
   return !((free && at < text.n) || negative) || not_readable (t, s, part, text, err);
}

/* Sets *out to the text, still escaped, of part number `part` in an id with escapes. False if the
 * id lacks one of the fixed texts between the parts. */
static bool find_part (const MtStoreDesc *s, MtStr id, size_t part, MtStr *out)
{
   for (size_t i = 0; i < s->id_count; i++) {
      const char *literal = s->id[i].literal;
      size_t n;
      if (literal) {
         n = strlen (literal);
         if (n > id.n || memcmp (id.p, literal, n))
            return false;
      } else {
         char stop = mt_id_stop (s, i);
         const char *end = stop ? memchr (id.p, stop, id.n) : id.p + id.n;
         if (!end)
            return false;
         n = (size_t) (end - id.p);
      }
      if (i == part)
         *out = (MtStr) {id.p, n};
      id.p += n;
      id.n -= n;
   }
   return id.n == 0;
}

bool mt_id_value (MtArena *a, const MtTable *t, const MtStoreDesc *s, size_t part, MtVal id,
                  MtVal *out)
{
   const MtBinding *b = &s->id[part].bind;
   MtType type = mt_binding_type (t, b);
   MtEncoding e = b->encoding;
   MtStr text;
   int64_t i;
   bool plain = s->escape == MT_ESCAPE_NONE;
   MtStr all = {(const char *) id.p, id.len};
   if (id.type != MT_STRING ||
       !(plain ? find_plain (a, t, s, all, part, &text) : find_part (s, all, part, &text)))
      return false;
   text = plain ? text : unescape (a, text, mt_id_stop (s, part));
   MtVal v = mt_v_str (text.p, text.n);
   if (e.kind == MT_ENC_EPOCH_S || e.kind == MT_ENC_EPOCH_MS) {
      if (!mt_read_digits (text, &i))
         return false;
      v = mt_v_int64 (i);
   } else if (e.kind == MT_ENC_NATIVE)
      e.kind = MT_ENC_TEXT;
   return mt_decode (a, &e, type, v, out);
}

bool mt_root_value (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtBinding *b,
                    MtVal doc, MtVal *out)
{
   if (b->from == MT_FROM_ID)
      return mt_id_value (a, t, s, b->id_part, mt_doc_field (doc, "_id"), out);
   return mt_decode (a, &b->encoding, mt_binding_type (t, b), mt_path_get (doc, b->at), out);
}

/* ---- the time of a document ---- */

bool mt_document_time (MtArena *a, const MtTable *t, const MtStoreDesc *s, MtVal doc,
                       int64_t *start, MtUnit *unit)
{
   const MtBinding *b = mt_root_time (t, s, unit);
   MtVal v;
   if (!b || !mt_root_value (a, t, s, b, doc, &v) || v.type != MT_DATE)
      return false;
   *start = v.i;
   return true;
}

void mt_document_span (MtUnit unit, int64_t *first, int64_t *last)
{
   if (unit == MT_UNIT_MS)
      return;
   *first = mt_utc_floor (*first, unit);
   *last = mt_utc_next (mt_utc_floor (*last, unit), unit) - 1;
}
