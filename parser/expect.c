/* Finds which keywords and names the grammar allows after an incomplete statement, and splits SQL
 * text into pieces (such as keywords and strings) for coloring. */
#include "parser/expect_int.h"
#include "parser/parse_int.h"
#include "parser/grammar.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Keywords that the parser's driver replaces by another token, depending on the next word. */
static const struct {
   int plain, combined;
} pairs[] = {{MT_TK_NOT, MT_TK_NOT_LA},       {MT_TK_NULLS, MT_TK_NULLS_LA},
             {MT_TK_WITH, MT_TK_WITH_LA},     {MT_TK_ADD, MT_TK_ADD_LA},
             {MT_TK_DROP, MT_TK_DROP_LA},     {MT_TK_ASOF, MT_TK_ASOF_LA},
             {MT_TK_WINDOW, MT_TK_WINDOW_LA}, {MT_TK_RANGE, MT_TK_RANGE_LA},
             {MT_TK_IGNORE, MT_TK_IGNORE_LA}, {MT_TK_RESPECT, MT_TK_RESPECT_LA},
             {MT_TK_SHOW, MT_TK_SHOW_LA},     {MT_TK_SAMPLE, MT_TK_SAMPLE_LA},
             {MT_TK_LATEST, MT_TK_LATEST_LA}, {MT_TK_FOR, MT_TK_FOR_LA},
             {MT_TK_EVERY, MT_TK_EVERY_LA},   {MT_TK_NOTIFY, MT_TK_NOTIFY_LA}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* ---- what may follow ---- */

typedef struct Walk {
   MtStates states; /* the parser's states after all tokens but the last one */
   int last;        /* code of the last token, which was not given to the parser yet; 0: none */
   bool ok;
} Walk;

static bool step (void *ctx, const MtToken *t)
{
   Walk *w = ctx;
   bool name, before;
   if (t->code == 0)
      return false;
   w->ok = w->ok && (!w->last || mt_states_feed (&w->states, w->last, &name, &before));
   w->last = t->code;
   return w->ok;
}

static bool can_follow (const MtStates *s, MtStates *work, int code)
{
   bool name;
   return mt_states_accept (s, work, code, &name) && !name;
}

/* Adds to *out and to `found` all tokens that may follow in the parser state s. found: for each
 * index in the table of keywords, whether it may follow. work: memory for the function. */
static void look (const MtStates *s, MtStates *work, MtExpected *out, bool *found)
{
   size_t n;
   bool name;
   const MtKeyword *table = mt_keyword_table (&n);
   out->names |= mt_states_places (s, work, MT_TK_ID);
   out->literals |= mt_states_places (s, work, MT_TK_SCONST);
   out->name |= mt_states_accept (s, work, MT_TK_ID, &name);
   out->literal |= mt_states_accept (s, work, MT_TK_SCONST, &name);
   for (size_t i = 0; i < n; i++) {
      if (table[i].code == MT_TK_ID)
         continue;
      found[i] |= can_follow (s, work, table[i].code);
      for (size_t k = 0; k < PAIRS; k++)
         found[i] |= pairs[k].plain == table[i].code && can_follow (s, work, pairs[k].combined);
   }
}

/* Adds the tokens that may follow after w->last, if this token is read as `code` (0: none). Returns
 * false if the grammar does not allow `code` there. */
static bool look_behind (const Walk *w, int code, MtExpected *out, bool *found)
{
   MtStates s = {0}, work = {0};
   bool name, before, ok;
   mt_states_copy (&s, &w->states);
   ok = !code || mt_states_feed (&s, code, &name, &before);
   if (ok)
      look (&s, &work, out, found);
   mt_states_free (&s);
   mt_states_free (&work);
   return ok;
}

/* Adds the tokens that may follow after the text. duckdb: words of DuckDB, such as QUALIFY, are
 * keywords. Returns false if the text is not the beginning of a statement. */
static bool look_behind_text (MtArena *a, MtStr text, bool duckdb, MtExpected *out, bool *found)
{
   MtError err;
   Walk w = {.ok = true};
   mt_error_clear (&err);
   MtLexer lx = {
      .a = a, .text = text.p, .len = text.n, .err = &err, .swap_at = -1, .extended = duckdb};
   mt_states_begin (&w.states);
   bool ok = mt_parse_each (lx, step, &w) && w.ok;
   if (ok) {
      ok = look_behind (&w, w.last, out, found);
      for (size_t i = 0; i < PAIRS; i++)
         if (pairs[i].plain == w.last)
            ok |= look_behind (&w, pairs[i].combined, out, found);
   }
   mt_states_free (&w.states);
   return ok;
}

bool mt_parse_expect (MtArena *a, const char *text, size_t len, MtExpected *out)
{
   size_t n;
   const MtKeyword *table = mt_keyword_table (&n);
   bool *found = mt_calloc ("expected keywords", n, sizeof *found), ok = false;
   MtStr all = {text, len};
   *out = (MtExpected) {0};
   if (mt_utf8_valid (text, len)) {
      ok = look_behind_text (a, all, false, out, found);
      ok |= look_behind_text (a, all, true, out, found);
   }
   out->keywords = mt_alloc (a, n * sizeof *out->keywords);
   for (size_t i = 0; i < n && ok; i++)
      if (found[i])
         out->keywords[out->keyword_count++] = table[i].word;
   free (found);
   return ok;
}

/* ---- splitting text into pieces ---- */

typedef struct Cut {
   MtArena *a;
   MtSqlPiece *v;
   size_t n, cap;
} Cut;

static MtSqlPieceKind kind_of (const char *text, const MtRawToken *r)
{
   switch (r->kind) {
   case MT_RAW_STRING:
   case MT_RAW_ESTRING:
   case MT_RAW_BITS:
   case MT_RAW_DOLLAR: return MT_SQL_STRING;
   case MT_RAW_UNICODE: return memchr (text + r->start, '\'', 4) ? MT_SQL_STRING : MT_SQL_NAME;
   case MT_RAW_INTEGER:
   case MT_RAW_DECIMAL: return MT_SQL_NUMBER;
   case MT_RAW_COMMENT: return MT_SQL_COMMENT;
   case MT_RAW_IDENT:
   case MT_RAW_QUOTED: return MT_SQL_NAME;
   case MT_RAW_PUNCT:
      if (strchr ("([", text[r->start]))
         return MT_SQL_OPEN;
      return strchr (")]", text[r->start]) ? MT_SQL_CLOSE : MT_SQL_SIGN;
   case MT_RAW_PARAM:
   case MT_RAW_OPERATOR:
   case MT_RAW_JUNK:
   case MT_RAW_END: break;
   }
   return MT_SQL_SIGN;
}

static void add (Cut *c, MtSqlPieceKind kind, size_t start, size_t end, bool open)
{
   MT_GROW_IN (c->a, c->v, c->n, c->cap, 64);
   c->v[c->n++] = (MtSqlPiece) {kind, start, end, open};
}

/* Adds pieces for the comments between the offsets `from` and `to`, which are between two
 * tokens. */
static void add_comments (Cut *c, const char *text, size_t from, size_t to)
{
   while (from < to) {
      size_t end = from + 1;
      if (isspace ((unsigned char) text[from])) {
         from++;
         continue;
      }
      if (text[from] == '-') {
         const char *nl = memchr (text + from, '\n', to - from);
         end = nl ? (size_t) (nl - text) : to;
      } else {
         while (end < to && !(text[end] == '/' && text[end - 1] == '*' &&
                              (end + 1 == to || isspace ((unsigned char) text[end + 1]))))
            end++;
         end += end < to;
      }
      add (c, MT_SQL_COMMENT, from, end, false);
      from = end;
   }
}

static void cut (Cut *c, const char *text, size_t len)
{
   for (size_t pos = 0;;) {
      MtRawToken r = mt_lex_raw (text, len, pos);
      size_t start = r.kind == MT_RAW_END ? len : r.start;
      add_comments (c, text, pos, start);
      if (r.kind == MT_RAW_END || r.end <= pos)
         return;
      add (c, kind_of (text, &r), r.start, r.end, r.open);
      pos = r.end;
   }
}

/* State while keywords are marked: the pieces from index `at` on are the current statement. A name
 * becomes a keyword if the parser reads it as one. */
typedef struct Marks {
   Cut *cut;
   size_t at;
   MtStates states;
   bool ok;    /* the parser has accepted all tokens of the current statement so far */
   bool taken; /* the parser has accepted all tokens of the text so far */
} Marks;

static bool mark (void *ctx, const MtToken *t)
{
   Marks *m = ctx;
   bool name = false, before = false;
   if (t->code == MT_TK_SEMI)
      mt_states_begin (&m->states);
   m->ok = t->code == MT_TK_SEMI ||
           (m->ok && t->code && mt_states_feed (&m->states, t->code, &name, &before));
   m->taken &= m->ok || !t->code;
   if (before && m->at < m->cut->n)
      m->cut->v[m->at].kind = MT_SQL_NAME;
   while (m->at < m->cut->n && m->cut->v[m->at].start < (size_t) t->span.start)
      m->at++;
   if (m->at == m->cut->n || t->code == 0)
      return t->code != 0;
   MtSqlPiece *p = &m->cut->v[m->at];
   bool word = p->kind == MT_SQL_NAME && !t->quoted && t->code != MT_TK_ID && t->text;
   if (word && (!name || !m->ok))
      p->kind = MT_SQL_KEYWORD;
   return true;
}

/* Marks all reserved words as keywords, without the parser; used for text that can't be split into
 * tokens. */
static void mark_reserved (Cut *c, const char *text)
{
   for (size_t i = 0; i < c->n; i++) {
      MtSqlPiece *p = &c->v[i];
      if (p->kind == MT_SQL_NAME && mt_keyword_reserved (text + p->start, p->end - p->start))
         p->kind = MT_SQL_KEYWORD;
   }
}

/* Marks as keywords those names that the parser reads as keywords. Returns whether the text is
 * valid SQL as far as it goes. */
static bool mark_keywords (Cut *c, MtStr text, bool duckdb)
{
   MtError err;
   mt_error_clear (&err);
   Marks m = {.cut = c, .ok = true, .taken = true};
   MtLexer lx = {
      .a = c->a, .text = text.p, .len = text.n, .err = &err, .swap_at = -1, .extended = duckdb};
   mt_states_begin (&m.states);
   if (mt_utf8_valid (text.p, text.n) && !mt_parse_each (lx, mark, &m))
      mark_reserved (c, text.p);
   mt_states_free (&m.states);
   return m.taken;
}

void mt_parse_pieces (MtArena *a, const char *text, size_t len, MtSqlPiece **out, size_t *count)
{
   Cut c = {.a = a};
   MtStr all = {text, len};
   cut (&c, text, len);
   if (!mark_keywords (&c, all, false)) {
      c.n = 0;
      cut (&c, text, len);
      mark_keywords (&c, all, true);
   }
   *out = c.v;
   *count = c.n;
}
