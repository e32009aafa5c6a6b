/* Parses the text of the setting search_path: a list of names. */
#include "session/state/search_path.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>

const char *mt_next_schema (MtArena *a, const char **at)
{
   MtBuf b = {0};
   const char *p = *at + strspn (*at, " \t\n,");
   bool quoted = *p == '"';
   *at = p;
   if (!*p)
      return NULL;
   if (quoted)
      for (p++; *p && (*p != '"' || p[1] == '"'); p++) {
         p += *p == '"';
         mt_buf_addc (&b, *p);
      }
   else
      for (; *p && *p != ',' && !isspace ((unsigned char) *p); p++)
         mt_buf_addc (&b, (char) (*p >= 'A' && *p <= 'Z' ? *p | 0x20 : *p));
   bool ok = !quoted || *p == '"';
   p += quoted && ok;
   p += strspn (p, " \t\n");
   ok = ok && (!*p || *p == ',');
   const char *name = ok ? mt_strndup (a, b.p ? b.p : "", b.n) : NULL;
   if (ok)
      *at = p;
   mt_buf_free (&b);
   return name;
}

bool mt_check_search_path (const char *text, MtError *err)
{
   MtArena *a = mt_arena_new ("path", NULL);
   const char *p = text, *name;
   bool first = true, late = false;
   while ((name = mt_next_schema (a, &p))) {
      late |= !first && (strcmp (name, "pg_temp") == 0);
      first = false;
   }
   bool ok = !*p;
   mt_arena_free (a);
   if (!ok) {
      mt_error (err, MT_E_PARAMETER, "invalid value for parameter \"search_path\": \"%s\"", text);
      return mt_error_detail (err, "List syntax is invalid.");
   }
   if (!late)
      return true;
   mt_error (err, MT_E_FEATURE, "pg_temp behind another schema in search_path is not supported");
   return mt_error_hint (err, "Temporary tables are always found first.");
}
