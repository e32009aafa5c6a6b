/* The table of keywords, from keywords.def. */
#include "parser/grammar.h"
#include "parser/lexer_int.h"

#include <string.h>

#define FREE MT_KW_FREE
#define COLUMN MT_KW_COLUMN
#define TYPE MT_KW_TYPE
#define RESERVED MT_KW_RESERVED
#define BARE true
#define AS false
#define KEYWORD(word, token, where, bare) {word, MT_TK_##token, where, bare},
static const MtKeyword table[] = {
#include "parser/keywords.def"
};
#undef KEYWORD

#define COUNT (sizeof (table) / sizeof (table[0]))
#define LONGEST 20

const MtKeyword *mt_keyword_find (const char *word, size_t n)
{
   char low[LONGEST + 1];
   if (n == 0 || n > LONGEST)
      return NULL;
   for (size_t i = 0; i < n; i++)
      low[i] = (char) (word[i] >= 'A' && word[i] <= 'Z' ? word[i] | 0x20 : word[i]);
   low[n] = 0;
   size_t lo = 0, hi = COUNT;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      int order = low[0] - table[mid].word[0];
      if (order == 0)
         order = strcmp (low, table[mid].word);
      if (order == 0)
         return &table[mid];
      if (order < 0)
         hi = mid;
      else
         lo = mid + 1;
   }
   return NULL;
}

const MtKeyword *mt_keyword_table (size_t *n)
{
   *n = COUNT;
   return table;
}

bool mt_keyword_at (size_t i, const char **word, char *where, bool *bare)
{
   static const char codes[] = {
      [MT_KW_FREE] = 'U', [MT_KW_COLUMN] = 'C', [MT_KW_TYPE] = 'T', [MT_KW_RESERVED] = 'R'};
   if (i >= COUNT)
      return false;
   *word = table[i].word;
   *where = codes[table[i].where];
   *bare = table[i].bare;
   return true;
}

bool mt_keyword_reserved (const char *word, size_t n)
{
   const MtKeyword *k = mt_keyword_find (word, n);
   return k && (k->where == MT_KW_RESERVED || k->where == MT_KW_TYPE);
}

bool mt_keyword_restricted (const char *word, size_t n)
{
   const MtKeyword *k = mt_keyword_find (word, n);
   return k && k->where != MT_KW_FREE;
}
