/* Handles names, patterns and queries in the arguments of commands. */
#include "shell/commands/command_int.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>

char *mt_unquote_name (const char *s)
{
   MtBuf b = {0};
   for (; *s; s++) {
      if (*s != '"')
         mt_buf_addc (&b, *s);
      else if (s[1] == '"')
         mt_buf_addc (&b, *s++);
   }
   return b.p ? b.p : mt_heap_strdup ("");
}

bool mt_pattern_match (const char *pattern, const char *name)
{
   const char *star = NULL, *again = NULL;
   while (*name) {
      if (*pattern == '*') {
         star = pattern++;
         again = name;
      } else if (*pattern == '?' ||
                 tolower ((unsigned char) *pattern) == tolower ((unsigned char) *name)) {
         pattern++;
         name++;
      } else if (star) {
         pattern = star + 1;
         name = ++again;
      } else {
         return false;
      }
   }
   while (*pattern == '*')
      pattern++;
   return !*pattern;
}

char *mt_call_query (MtCall *c)
{
   MtBuf text = {0}, line = {0};
   MtTextScan scan = {0};
   size_t pos = 0;
   if (c->src->query.n)
      mt_buf_add (&text, c->src->query.p, c->src->query.n);
   if (c->argc) {
      mt_buf_adds (&line, c->argv[0]);
      while (mt_scan_line (&scan, &c->sh->vars, &line, &pos, &text) == MT_SCAN_BACKSLASH)
         mt_buf_addc (&text, '\\');
   } else if (!text.n && c->sh->previous.n) {
      mt_buf_add (&text, c->sh->previous.p, c->sh->previous.n);
   }
   mt_buf_free (&line);
   if (!text.n) {
      mt_complain (c->sh, "\\%s: there is no query", c->name);
      return NULL;
   }
   mt_buf_clear (&c->sh->previous);
   mt_buf_add (&c->sh->previous, text.p, text.n);
   mt_buf_clear (&c->src->query);
   c->src->scan = (MtTextScan) {0};
   return text.p;
}
