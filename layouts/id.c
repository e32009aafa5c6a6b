/* Composed ids: text made of a record's key, and the parts read back from it (docs/lemma.md, section 2). */
#include "layouts/layout_int.h"

#include <string.h>

bool mt_same_binding (const MtBinding *a, const MtBinding *b)
{
   return a->kind == b->kind && a->column == b->column && (a->kind == MT_BIND_COLUMN || a->unit == b->unit) &&
          (a->kind != MT_BIND_TIME_PART || (a->of == b->of && a->base == b->base));
}

char mt_id_stop (const MtStoreDesc *s, size_t part) { return part + 1 < s->id_count ? *s->id[part + 1].literal : 0; }

void mt_id_escape (MtBuf *out, const char *p, size_t n, char stop)
{
   for (size_t i = 0; i < n; i++)
      if (p[i] == '%' || (stop && p[i] == stop))
         mt_buf_printf (out, "%%%02X", (unsigned char) p[i]);
      else
         mt_buf_addc (out, p[i]);
}

/* Only what the writer escapes is undone; any other `%` stands for itself. */
static MtStr unescape (MtArena *a, MtStr s, char stop)
{
   char mine[4];
   if (!memchr (s.p, '%', s.n))
      return s;
   char *to = mt_strndup (a, s.p, s.n);
   size_t n = 0;
   snprintf (mine, sizeof mine, "%%%02X", (unsigned char) stop);
   for (size_t i = 0; i < s.n; i++) {
      bool three = i + 3 <= s.n, stops = three && stop && !memcmp (s.p + i, mine, 3), percent = three && !memcmp (s.p + i, "%25", 3);
      to[n++] = stops ? stop : s.p[i];
      i += stops || percent ? 2 : 0;
   }
   return (MtStr){to, n};
}

/* The part's text in a composed id; false when the literals aren't where they should be. */
static bool find_part (const MtStoreDesc *s, MtStr id, size_t part, MtStr *out)
{
   for (size_t i = 0; i < s->id_count; i++) {
      const char *literal = s->id[i].literal;
      char stop = literal ? 0 : mt_id_stop (s, i);
      const char *end = stop ? memchr (id.p, stop, id.n) : id.p + id.n;
      size_t n = literal ? strlen (literal) : end ? (size_t) (end - id.p) : id.n + 1;
      if (n > id.n || (literal && memcmp (id.p, literal, n)))
         return false;
      if (i == part)
         *out = (MtStr){id.p, n};
      id.p += n;
      id.n -= n;
   }
   return id.n == 0;
}

bool mt_id_value (MtArena *a, const MtTable *t, const MtStoreDesc *s, size_t part, MtVal id, MtVal *out)
{
   const MtBinding *b = &s->id[part].bind;
   MtType type = mt_binding_type (t, b);
   MtEncoding e = b->encoding;
   MtStr text;
   int64_t i;
   if (id.type != MT_STRING || !find_part (s, (MtStr){(const char *) id.p, id.len}, part, &text))
      return false;
   text = unescape (a, text, mt_id_stop (s, part));
   MtVal v = mt_v_str (text.p, text.n);
   if (e.kind == MT_ENC_EPOCH_S || e.kind == MT_ENC_EPOCH_MS) {
      if (!mt_read_digits (text, &i))
         return false;
      v = mt_v_int64 (i);
   } else if (e.kind == MT_ENC_NATIVE)
      e.kind = MT_ENC_TEXT;
   return mt_decode (a, &e, type, v, out);
}

bool mt_root_value (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtBinding *b, MtVal doc, MtVal *out)
{
   if (b->from == MT_FROM_ID)
      return mt_id_value (a, t, s, b->id_part, mt_doc_get (doc, "_id", 3), out);
   return mt_decode (a, &b->encoding, mt_binding_type (t, b), mt_path_get (doc, b->at), out);
}
