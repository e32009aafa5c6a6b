/* Reads Readline's start-up file, to find whether the user wants vi's keys. */
#include "shell/core/input.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 32 };

/* The open $if blocks; on[i] is whether the lines of block i apply. */
typedef struct Blocks {
   bool on[MOST_NESTED];
   size_t n;
} Blocks;

/* Returns the next word of the line, and advances *line to its end. */
static MtStr next_word (const char **line)
{
   *line += strspn (*line, " \t");
   MtStr word = {*line, strcspn (*line, " \t\r\n")};
   *line += word.n;
   return word;
}

static bool counts (const Blocks *b)
{
   for (size_t i = 0; i < b->n; i++)
      if (!b->on[i])
         return false;
   return true;
}

/* Handles $if, $else and $endif. Only blocks for psql and mtsql apply; those for terminals, modes
 * and other programs do not. Returns false if the line is none of these three. */
static bool take_condition (Blocks *b, MtStr word, const char *line)
{
   if (mt_str_ieq (word, MT_STR ("$if"))) {
      MtStr test = next_word (&line);
      if (b->n < MOST_NESTED)
         b->on[b->n++] = mt_str_ieq (test, MT_STR ("psql")) || mt_str_ieq (test, MT_STR ("mtsql"));
   } else if (mt_str_ieq (word, MT_STR ("$else"))) {
      if (b->n)
         b->on[b->n - 1] ^= true;
   } else if (mt_str_ieq (word, MT_STR ("$endif"))) {
      b->n -= b->n > 0;
   } else {
      return false;
   }
   return true;
}

static FILE *open_file (void)
{
   const char *path = getenv ("INPUTRC"), *home = getenv ("HOME");
   if (path && *path)
      return fopen (path, "re");
   if (!home)
      return NULL;
   MtBuf b = {0};
   mt_buf_printf (&b, "%s/.inputrc", home);
   FILE *f = fopen (b.p, "re");
   mt_buf_free (&b);
   return f;
}

bool mt_inputrc_wants_vi (void)
{
   FILE *f = open_file ();
   char *text = NULL;
   size_t cap = 0;
   Blocks blocks = {0};
   bool vi = false;
   while (f && getline (&text, &cap, f) > 0) {
      const char *line = text;
      MtStr word = next_word (&line);
      if (take_condition (&blocks, word, line) || !counts (&blocks) ||
          !mt_str_ieq (word, MT_STR ("set")) ||
          !mt_str_ieq (next_word (&line), MT_STR ("editing-mode")))
         continue;
      vi = mt_str_ieq (next_word (&line), MT_STR ("vi"));
   }
   free (text);
   if (f)
      fclose (f);
   return vi;
}
