/* Sample documents from all parts of large JSON files. For a file that can seek, pieces are read
 * from all parts of it; for a compressed file, from its first megabytes, as for CSV files.
 *
 * A piece begins anywhere, so the first document in it has to be found. In most files each document
 * begins on a new line, after the same prefix: nothing, the indentation of an array, or a comma. If
 * the first documents of the file have such a prefix, then each later line that begins with it
 * begins a document. */
#include "session/files/files_int.h"

#include "base/bson.h"
#include "base/json_scan.h"
#include "engine/read.h"

#include <string.h>

enum {
   PIECE_BYTES = 64 << 10,
   PIECES = 30, /* so many parts are taken from a file that was read completely */
   PREFIX_BYTES = 64
};

/* ---- detecting the prefix of lines ---- */

static bool is_space (char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Skips the blanks and commas between two documents. If they contain a newline, sets *line to the
 * characters after the last newline, else *line stays unchanged. Returns whether a document
 * follows. */
static bool skip_between (MtStr *text, MtStr *line)
{
   const char *from = NULL;
   while (text->n && *text->p != '{') {
      char c = *text->p;
      if (!is_space (c) && c != ',')
         return false;
      text->p++;
      text->n--;
      if (c == '\n')
         from = text->p;
   }
   if (from)
      *line = (MtStr) {from, (size_t) (text->p - from)};
   return text->n > 0;
}

/* What was seen of how the file divides its documents into lines. */
typedef struct Look {
   bool clashes; /* a line within a document begins like the first line of a document */
   bool folded;  /* some document has several lines */
} Look;

/* Skips a document of *text, and notes in *look how it is divided into lines. Returns false if the
 * text ends within the document. */
static bool skip_document (MtStr *text, MtStr prefix, Look *look)
{
   MtJsonExtent extent = {0};
   for (size_t i = 0; i < text->n; i++) {
      const char *next = text->p + i + 1;
      size_t left = text->n - i - 1;
      if (text->p[i] == '\n') {
         look->folded = true;
         look->clashes |= prefix.p && left > prefix.n && !memcmp (next, prefix.p, prefix.n) &&
                          next[prefix.n] == '{';
      }
      if (mt_json_extent (&extent, text->p[i])) {
         text->p = next;
         text->n = left;
         return true;
      }
   }
   return false;
}

/* Detects how documents begin and end in the file, from its beginning: sets out->array, prefix,
 * lines and near. */
static void find_form (MtStr text, MtScattered *out)
{
   static const MtStr none = {NULL, 0};
   MtStr line = none, prefix = none;
   Look look = {false, false};
   const char *begin = text.p;
   size_t count = 1;
   if (text.n >= 3 && !memcmp (text.p, "\xEF\xBB\xBF", 3))
      text = (MtStr) {text.p + 3, text.n - 3};
   while (text.n && is_space (*text.p))
      text = (MtStr) {text.p + 1, text.n - 1};
   out->array = text.n && *text.p == '[';
   if (out->array)
      text = (MtStr) {text.p + 1, text.n - 1};
   bool more = skip_between (&text, &line) && skip_document (&text, none, &look);
   out->lines = more && !out->array;
   for (; more; more = skip_document (&text, prefix, &look), count++) {
      if (count == MT_NEAR_DOCUMENTS)
         out->near = (size_t) (text.p - begin);
      line = none;
      if (!skip_between (&text, &line))
         break;
      bool same = !prefix.p || (line.n == prefix.n && !memcmp (line.p, prefix.p, line.n));
      if (!line.p || !same || line.n > PREFIX_BYTES) {
         out->lines = false;
         return;
      }
      prefix = line;
   }
   out->lines = out->lines && !prefix.n && !look.folded;
   out->prefix = look.clashes ? none : prefix;
}

/* ---- pieces ---- */

bool mt_file_scattered (MtSession *s, MtArena *a, const MtFileTable *f, MtSpan span,
                        MtScattered *out, MtError *err)
{
   *out = (MtScattered) {.session = s};
   if (!mt_file_sample (s, a, f, span, &out->sample, err))
      return false;
   find_form (out->sample.pieces[0].bytes, out);
   return true;
}

/* Two texts in memory, which the document reader reads one after the other. */
typedef struct Feed {
   MtStr first, rest;
} Feed;

static long read_feed (void *ctx, char *buf, size_t n)
{
   Feed *feed = ctx;
   MtStr *from = feed->first.n ? &feed->first : &feed->rest;
   size_t k = from->n < n ? from->n : n;
   memcpy (buf, from->p, k);
   from->p += k;
   from->n -= k;
   return (long) k;
}

void mt_file_see_bytes (MtReadKind kind, MtStr first, MtStr rest, MtSeeDocument see, void *ctx)
{
   Feed feed = {first, rest};
   MtUnpack *u = mt_unpack_open (read_feed, &feed, "", MT_E_COPY_FORMAT);
   MtDocStream *in = kind == MT_KIND_JSON ? mt_json_stream (u, "") : mt_bson_stream (u, "");
   MtError ignored = {0};
   const bson_t *doc;
   while (in->next (in, &doc, &ignored) && doc)
      see (ctx, doc);
   in->close (in);
   mt_unpack_close (u);
}

/* Moves the beginning of *text to the first document that begins in it. Returns false if no line
 * has the prefix. */
static bool find_start (const MtScattered *sc, MtStr *text)
{
   char wanted[PREFIX_BYTES + 2];
   size_t n = sc->prefix.n;
   wanted[0] = '\n';
   memcpy (wanted + 1, sc->prefix.p, n);
   wanted[n + 1] = '{';
   const char *at = text->n ? memmem (text->p, text->n, wanted, n + 2) : NULL;
   if (!at)
      return false;
   text->n -= (size_t) (at + n + 1 - text->p);
   text->p = at + n + 1;
   return true;
}

/* Passes the documents of a piece to `see`. From a long piece, such as a whole file, only those of
 * some parts. */
static void see_piece (const MtScattered *sc, const MtSniffPiece *piece, MtSeeDocument see,
                       void *ctx)
{
   size_t seen = piece->at ? 0 : sc->near; /* these were already sampled as the first documents */
   MtStr all = {piece->bytes.p + seen, piece->bytes.n - seen};
   size_t count = all.n > 2 * (size_t) PIECES * PIECE_BYTES ? PIECES : 1;
   if (piece->at == MT_PIECE_BEGINS) {
      mt_file_see_bytes (MT_KIND_JSON, MT_STR (""), all, see, ctx);
      return;
   }
   for (size_t i = 1; i <= count; i++) {
      size_t at = count > 1 ? (all.n - PIECE_BYTES) / count * i : 0;
      MtStr text = {all.p + at, i < count ? PIECE_BYTES : all.n - at};
      if (find_start (sc, &text))
         mt_file_see_bytes (MT_KIND_JSON, sc->array ? MT_STR ("[") : MT_STR (""), text, see, ctx);
   }
}

bool mt_file_see_scattered (const MtScattered *sc, MtSeeDocument see, void *ctx, MtError *err)
{
   const MtFileSample *sample = &sc->sample;
   /* The first piece is the beginning of the file, whose documents were already seen, unless it is
    * the only piece. */
   for (size_t i = sample->count > 1; i < sample->count; i++) {
      if (!mt_cancel_check (&sc->session->cancel, err))
         return false;
      see_piece (sc, &sample->pieces[i], see, ctx);
   }
   return true;
}
