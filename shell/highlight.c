#include "shell/highlight.h"
#include "base/memory.h"

#include "parser/expect.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* At most this many backslash commands in a text are coloured, because the rest of the text must be
 * parsed again after each. */
enum { MAX_COMMANDS = 20 };

typedef struct Colours {
   MtArena *a;
   char *text; /* a copy, in which spaces stand for backslash commands */
   size_t n, cursor;
   uint8_t *styles;
   MtSqlPiece *v;
   size_t count;
} Colours;

static void paint (const Colours *c, size_t from, size_t to, MtStyle style)
{
   memset (c->styles + from, style, to - from);
}

/* ---- backslash commands ---- */

static const MtSqlPiece *find_backslash (const Colours *c)
{
   for (size_t i = 0; i < c->count; i++)
      if (c->v[i].kind == MT_SQL_SIGN && c->text[c->v[i].start] == '\\')
         return &c->v[i];
   return NULL;
}

/* Colours the backslash commands, which extend to the ends of their lines, and splits the remaining
 * text into pieces (tokens). */
static void take_commands (Colours *c)
{
   const MtSqlPiece *p;
   mt_parse_pieces (c->a, c->text, c->n, &c->v, &c->count);
   for (int i = 0; i < MAX_COMMANDS && (p = find_backslash (c)); i++) {
      size_t start = p->start, word = start + 1;
      const char *nl = memchr (c->text + start, '\n', c->n - start);
      size_t end = nl ? (size_t) (nl - c->text) : c->n;
      while (word < end && !isspace ((unsigned char) c->text[word]))
         word++;
      paint (c, start, word, MT_STYLE_COMMAND);
      memset (c->text + start, ' ', end - start);
      mt_parse_pieces (c->a, c->text, c->n, &c->v, &c->count);
   }
}

/* ---- brackets ---- */

static bool at_cursor (const Colours *c, size_t i)
{
   return c->v[i].start == c->cursor || c->v[i].end == c->cursor;
}

static void paint_brackets (const Colours *c)
{
   size_t *open = mt_malloc ("brackets", (c->count + 1) * sizeof *open), depth = 0;
   for (size_t i = 0; i < c->count; i++) {
      const MtSqlPiece *p = &c->v[i];
      if (p->kind == MT_SQL_OPEN)
         open[depth++] = i;
      if (p->kind != MT_SQL_CLOSE)
         continue;
      char wanted = c->text[p->start] == ')' ? '(' : '[';
      if (!depth || c->text[c->v[open[depth - 1]].start] != wanted) {
         paint (c, p->start, p->end, MT_STYLE_BAD);
         continue;
      }
      size_t partner = open[--depth];
      if (at_cursor (c, i) || at_cursor (c, partner)) {
         paint (c, p->start, p->end, MT_STYLE_MATCH);
         paint (c, c->v[partner].start, c->v[partner].end, MT_STYLE_MATCH);
      }
   }
   while (depth) {
      const MtSqlPiece *p = &c->v[open[--depth]];
      paint (c, p->start, p->end, MT_STYLE_BAD);
   }
   free (open);
}

/* ---- words ---- */

/* Returns whether token i of the text is the colon of a variable reference such as :name. */
static bool is_variable (const Colours *c, size_t i)
{
   const MtSqlPiece *p = &c->v[i];
   return c->text[p->start] == ':' && p->end - p->start == 1 && i + 1 < c->count &&
          c->v[i + 1].start == p->end &&
          (c->v[i + 1].kind == MT_SQL_NAME || c->v[i + 1].kind == MT_SQL_KEYWORD ||
           c->v[i + 1].kind == MT_SQL_STRING);
}

static void paint_words (const Colours *c)
{
   static const MtStyle styles[] = {
      [MT_SQL_NAME] = MT_STYLE_PLAIN,      [MT_SQL_KEYWORD] = MT_STYLE_KEYWORD,
      [MT_SQL_STRING] = MT_STYLE_STRING,   [MT_SQL_NUMBER] = MT_STYLE_NUMBER,
      [MT_SQL_COMMENT] = MT_STYLE_COMMENT, [MT_SQL_OPEN] = MT_STYLE_PLAIN,
      [MT_SQL_CLOSE] = MT_STYLE_PLAIN,     [MT_SQL_SIGN] = MT_STYLE_PLAIN};
   for (size_t i = 0; i < c->count; i++) {
      const MtSqlPiece *p = &c->v[i];
      if (styles[p->kind] != MT_STYLE_PLAIN)
         paint (c, p->start, p->end, styles[p->kind]);
      if (p->open && p->kind != MT_SQL_COMMENT)
         paint (c, p->start, p->start + 1, MT_STYLE_BAD);
      if (is_variable (c, i)) {
         paint (c, p->start, c->v[i + 1].end, MT_STYLE_COMMAND);
         i++;
      }
   }
}

void mt_highlight (const char *text, size_t n, size_t cursor, uint8_t *styles)
{
   Colours c = {.a = mt_arena_new ("colours", NULL), .n = n, .cursor = cursor, .styles = styles};
   c.text = mt_strndup (c.a, text, n);
   take_commands (&c);
   paint_words (&c);
   paint_brackets (&c);
   mt_arena_free (c.a);
}
