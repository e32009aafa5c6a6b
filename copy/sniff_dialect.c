/* Detects the delimiter, the quotes, and the number of lines before the data of a CSV file. Splits
 * the beginning of the file with each combination of delimiter and quotes. The combination that
 * gives the fewest odd records wins. */
#include "copy/sniff_int.h"

#include <string.h>

enum {
   HEAD_BYTES = 128 << 10, /* this much of the file is split with every combination of characters */
   MOST_RECORDS = 2000,    /* at most this many records of it are split */
   MOST_WIDTHS = 64        /* the most different field counts that are told apart */
};

/* ---- splitting text into records ---- */

/* Reads the text of a quoted field after its opening quote. Returns false if the text ends before
 * the closing quote. */
static bool quoted_text (MtSplit *s, MtSniffCell *cell)
{
   const char *from = s->p;
   bool escaped = false;
   for (; s->p < s->end; s->p++) {
      if (*s->p == s->escape && s->p + 1 < s->end &&
          (s->p[1] == s->quote || s->p[1] == s->escape)) {
         escaped = true;
         s->p++;
      } else if (*s->p == s->quote)
         break;
   }
   if (s->p == s->end)
      return false;
   cell->text = (MtStr) {from, (size_t) (s->p - from)};
   s->p++;
   if (!escaped)
      return true;
   char *copy = mt_alloc (s->a, cell->text.n + 1);
   size_t n = 0;
   for (size_t i = 0; i < cell->text.n; i++) {
      if (from[i] == s->escape && i + 1 < cell->text.n &&
          (from[i + 1] == s->quote || from[i + 1] == s->escape))
         i++;
      copy[n++] = from[i];
   }
   cell->text = (MtStr) {copy, n};
   return true;
}

static bool ends_field (const MtSplit *s, const char *p)
{
   return p == s->end || *p == s->delimiter || *p == '\n' || *p == '\r';
}

/* Reads the next field, up to a delimiter or line end. Returns false if the sample ends inside
 * quotes. */
static bool next_field (MtSplit *s, MtSniffCell *cell)
{
   *cell = (MtSniffCell) {{s->p, 0}, false};
   if (s->quote && s->p < s->end && *s->p == s->quote) {
      s->p++;
      if (!quoted_text (s, cell))
         return false;
      cell->quoted = true;
      s->quoted += ends_field (s, s->p);
      s->rough += !ends_field (s, s->p);
   }
   const char *rest = s->p;
   bool stray = false;
   for (; !ends_field (s, s->p); s->p++)
      stray |= s->quote && *s->p == s->quote;
   s->rough += stray;
   if (!cell->quoted)
      cell->text = (MtStr) {rest, (size_t) (s->p - rest)};
   return true;
}

static void line_end (MtSplit *s)
{
   if (s->p < s->end && *s->p == '\r')
      s->p++;
   if (s->p < s->end && *s->p == '\n')
      s->p++;
}

size_t mt_split_next (MtSplit *s, MtSniffCell *cells, size_t cap)
{
   MtSniffCell extra;
   size_t n = 0;
   while (s->p < s->end && (*s->p == '\n' || *s->p == '\r'))
      s->p++;
   if (s->p == s->end)
      return 0;
   s->record = s->p;
   for (;; s->p++) {
      if (!next_field (s, n < cap ? &cells[n] : &extra)) {
         s->unterminated = true;
         return 0;
      }
      n++;
      if (s->p == s->end || *s->p != s->delimiter)
         break;
   }
   if (s->p == s->end && !s->whole)
      return 0; /* the sample ends within this record */
   line_end (s);
   return n;
}

/* ---- trying combinations of delimiter and quotes ---- */

typedef struct Dialect {
   char delimiter, quote, escape;
   int rank; /* the preference of the delimiter; the lowest number is best */
   size_t width;
   uint64_t records, odd; /* odd: how many records have another width, or oddly placed quotes */
   uint64_t quoted;
   int64_t skip;    /* how many lines come before the first record of `width` fields */
   bool short_head; /* the line before that record has one field less: a header */
} Dialect;

typedef struct Widths {
   size_t width[MOST_WIDTHS];
   uint64_t count[MOST_WIDTHS];
   size_t n;
} Widths;

static void count_width (Widths *w, size_t width)
{
   size_t i = 0;
   while (i < w->n && w->width[i] != width)
      i++;
   if (i == MOST_WIDTHS)
      return;
   w->n += i == w->n;
   w->width[i] = width;
   w->count[i]++;
}

/* Returns the number of fields that most records have. *count: the number of these records. */
static size_t usual_width (const Widths *w, uint64_t *count)
{
   size_t best = 0;
   *count = 0;
   for (size_t i = 0; i < w->n; i++)
      if (w->count[i] > *count || (w->count[i] == *count && w->width[i] > best)) {
         best = w->width[i];
         *count = w->count[i];
      }
   return best;
}

static MtSplit split_of (MtArena *a, const Dialect *d, MtStr head, bool whole)
{
   return (MtSplit) {.a = a,
                     .p = head.p,
                     .end = head.p + head.n,
                     .delimiter = d->delimiter,
                     .quote = d->quote,
                     .escape = d->escape,
                     .whole = whole};
}

static int64_t lines_between (const char *p, const char *end)
{
   int64_t n = 0;
   for (; p < end; p++)
      n += *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'));
   return n;
}

/* Returns whether the current record ends with a delimiter. */
static bool ends_with_delimiter (const MtSplit *s)
{
   const char *end = s->p;
   while (end > s->record && (end[-1] == '\n' || end[-1] == '\r'))
      end--;
   return end > s->record && end[-1] == s->delimiter;
}

/* Sets d->skip to the number of lines before the first record with the usual number of fields. */
static void find_preamble (MtArena *a, Dialect *d, MtStr head, bool whole)
{
   MtSplit s = split_of (a, d, head, whole);
   MtSniffCell one;
   const char *at = s.p, *before = s.p;
   size_t width, last = 0;
   while ((width = mt_split_next (&s, &one, 1)) != 0 && width != d->width) {
      before = at;
      at = s.p;
      last = width;
   }
   while (at < s.end && (*at == '\n' || *at == '\r'))
      at++;
   d->skip = lines_between (head.p, at);
   d->short_head = last && last + 1 == d->width && ends_with_delimiter (&s);
   if (d->short_head)
      d->skip = lines_between (head.p, before);
}

/* Splits the beginning of the file, `head`, with the delimiter and quotes of d. Stores the number
 * of records, and of odd ones, in d. skip: the number of lines to skip first. */
static void try_dialect (MtArena *a, Dialect *d, MtStr head, bool whole, int64_t skip)
{
   MtSplit s = split_of (a, d, head, whole);
   Widths widths = {.n = 0};
   MtSniffCell one;
   size_t width;
   uint64_t usual;
   for (; skip > 0 && s.p < s.end; skip--) {
      while (s.p < s.end && *s.p != '\n' && *s.p != '\r')
         s.p++;
      line_end (&s);
   }
   while (d->records < MOST_RECORDS && (width = mt_split_next (&s, &one, 1)) != 0) {
      d->records++;
      count_width (&widths, width);
   }
   d->width = usual_width (&widths, &usual);
   /* A quoted field that is cut off by the end of the sample is not odd, unless it fills more than
    * half of the sample. If the sample is the whole file, it is not odd if other fields are quoted,
    * since the file itself may have been cut off. */
   bool lost = s.unterminated && (whole ? !s.quoted : (size_t) (s.end - s.record) > head.n / 2);
   d->odd = d->records - usual + s.rough + (lost ? MOST_RECORDS : 0);
   d->quoted = s.quoted;
}

/* Returns whether combination x fits the file better than y. */
static bool is_better (const Dialect *x, const Dialect *y)
{
   if ((x->width > 1) != (y->width > 1))
      return x->width > 1 && x->odd * 2 <= x->records;
   if (x->odd != y->odd)
      return x->odd < y->odd;
   if (x->rank != y->rank)
      return x->rank < y->rank;
   return x->quoted > y->quoted;
}

typedef struct Search {
   MtArena *a;
   const MtSniffGiven *given;
   MtStr head;
   bool whole;
   Dialect best;
} Search;

static void try_quotes (Search *s, char delimiter, int rank)
{
   static const char pairs[][2] = {{'"', '"'}, {'"', '\\'}, {'\'', '\''}, {'\'', '\\'}, {0, 0}};
   const MtSniffGiven *g = s->given;
   for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
      char quote = g->quote ? g->quote : pairs[i][0], escape = quote;
      if (pairs[i][1] == '\\')
         escape = '\\';
      if (g->escape)
         escape = g->escape;
      bool there = quote && memchr (s->head.p, quote, s->head.n);
      if (g->no_quote ? pairs[i][0] : g->quote && !pairs[i][0])
         continue;
      if (i > 0 && quote && !there && !g->quote)
         continue; /* there is no such quote in the text, so this equals pairs[0] */
      if (escape == '\\' && !g->escape && !memchr (s->head.p, '\\', s->head.n))
         continue;
      if (g->no_quote)
         quote = escape = 0;
      Dialect d = {.delimiter = delimiter, .quote = quote, .escape = escape, .rank = rank};
      try_dialect (s->a, &d, s->head, s->whole, g->has_skip ? g->skip : 0);
      if (!s->best.records || is_better (&d, &s->best))
         s->best = d;
   }
}

/* The delimiters to try. If two of them split all records equally well, the first one wins. They
 * are ordered by how rarely they occur inside texts and numbers: 1,5;2,5 has two fields. */
static const char delimiters[] = "\t;|,";
static const char rare_delimiters[] = " :^~";

static void try_delimiters (Search *s)
{
   if (s->given->delimiter) {
      try_quotes (s, s->given->delimiter, 0);
      return;
   }
   for (int i = 0; delimiters[i]; i++)
      if (memchr (s->head.p, delimiters[i], s->head.n))
         try_quotes (s, delimiters[i], i);
   if (s->best.width > 1 && s->best.odd * 2 <= s->best.records)
      return;
   for (int i = 0; rare_delimiters[i]; i++)
      if (memchr (s->head.p, rare_delimiters[i], s->head.n))
         try_quotes (s, rare_delimiters[i], 10 + i);
   if (s->best.width > 1 && s->best.odd * 10 <= s->best.records)
      return;
   s->best = (Dialect) {0}; /* no character divides the records, so there is one column */
   try_quotes (s, ',', 0);
}

bool mt_sniff_dialect (MtArena *a, const MtSniffGiven *given, const MtSniffPiece *piece,
                       MtSniffed *out, size_t *width, MtError *err)
{
   bool cut = piece->bytes.n > HEAD_BYTES;
   Search s = {.a = mt_arena_new ("sniff", a),
               .given = given,
               .head = {piece->bytes.p, cut ? HEAD_BYTES : piece->bytes.n},
               .whole = piece->last && !cut};
   try_delimiters (&s);
   if (!s.best.records && cut) { /* the first record is longer than HEAD_BYTES */
      s.head = piece->bytes;
      s.whole = piece->last;
      try_delimiters (&s);
   }
   Dialect *d = &s.best;
   if (!d->records)
      return mt_error (err, MT_E_COPY_FORMAT,
                       piece->last ? "no record was found" : "the first record is too long");
   if (!given->has_skip)
      find_preamble (s.a, d, s.head, s.whole);
   mt_arena_free (s.a);
   out->delimiter = d->delimiter;
   out->quote = d->quote;
   out->escape = d->escape;
   out->skip = given->has_skip ? given->skip : d->skip;
   *width = d->width;
   return true;
}
