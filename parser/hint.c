/* Finds hints such as 'Perhaps you meant "select".' for syntax errors. A syntax error is often
 * caused by a misspelt keyword, which is at the error or one or two words before it. In FORM t, for
 * example, FORM is read as a column's alias, and the error is at t. A keyword is suggested only if
 * the parser gets further with it. */
#include "parser/grammar.h"
#include "parser/parse_int.h"

#include <string.h>

#define LOOK_BACK 3
#define CANDIDATES 6
#define MAX_BYTES (64u << 10) /* longer statements get no hint */

/* The last unquoted words up to the syntax error; the nearest is first. */
typedef struct Words {
   MtToken word[LOOK_BACK + 1];
   int n;
} Words;

static Words words_before (const MtParser *p, MtArena *a)
{
   MtToken ring[LOOK_BACK + 1] = {{.code = 0}};
   MtError ignored;
   MtLexer lx = mt_lexer_of (p, a, &ignored);
   unsigned count = 0;
   while (mt_lex (&lx, &ring[count % (LOOK_BACK + 1)])) {
      MtToken *t = &ring[count++ % (LOOK_BACK + 1)];
      if (t->code == 0 || t->span.start >= p->error_span.start)
         break;
   }
   Words w = {.n = 0};
   for (unsigned back = 0; back <= LOOK_BACK && back < count; back++) {
      MtToken t = ring[(count - 1 - back) % (LOOK_BACK + 1)];
      bool wordlike = t.code && !t.quoted &&
                      mt_lex_raw (p->text, p->len, (size_t) t.span.start).kind == MT_RAW_IDENT;
      if (wordlike && t.n >= 2)
         w.word[w.n++] = t;
   }
   return w;
}

static bool parses_farther (const MtParser *p, MtArena *a, int first_code, int32_t at, int code)
{
   MtError ignored;
   MtParser q = {.a = a, .text = p->text, .len = p->len, .err = &ignored};
   MtLexer lx = mt_lexer_of (p, a, &ignored);
   lx.swap_at = at;
   lx.swap_code = code;
   mt_error_clear (&ignored);
   if (mt_parse_run (&q, lx, first_code))
      return true;
   return q.syntax_error && q.error_span.start > p->error_span.start;
}

/* Sets `out` to the keywords that have a token of their own in the grammar; returns their
 * number. */
static size_t needed (const char **out)
{
   size_t n, m = 0;
   const MtKeyword *k = mt_keyword_table (&n);
   for (size_t i = 0; i < n; i++)
      if (k[i].code != MT_TK_ID)
         out[m++] = k[i].word;
   return m;
}

static bool try_word (const MtParser *p, MtArena *a, int first_code, MtToken t)
{
   const char *names[512];
   size_t n = needed (names);
   /* The grammar allows a name here, so the keyword is not misspelt. */
   if (t.code != MT_TK_ID && parses_farther (p, a, first_code, t.span.start, MT_TK_ID))
      return false;
   for (int i = 0; i < CANDIDATES; i++) {
      const char *near = mt_nearest (t.text, names, n);
      if (!near)
         return false;
      if (!mt_ieq (near, t.text) && parses_farther (p, a, first_code, t.span.start,
                                                    mt_keyword_find (near, strlen (near))->code)) {
         mt_error_hint (p->err, "Perhaps you meant \"%s\".", near);
         return true;
      }
      for (size_t j = 0; j < n; j++) {
         if (names[j] == near) {
            memmove (&names[j], &names[j + 1], (n - j - 1) * sizeof (names[0]));
            n--;
            break;
         }
      }
   }
   return false;
}

void mt_parse_hint (const MtParser *p, int first_code)
{
   if (p->len > MAX_BYTES)
      return;
   MtArena *a = mt_arena_new ("parser hint", NULL);
   Words w = words_before (p, a);
   for (int i = 0; i < w.n; i++)
      if (try_word (p, a, first_code, w.word[i]))
         break;
   mt_arena_free (a);
}
