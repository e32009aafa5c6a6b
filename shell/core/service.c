#include "shell/core/service.h"
#include "shell/core/vars.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *mt_service_name (const char *target)
{
   static const char prefix[] = "service=";
   return target && strncmp (target, prefix, strlen (prefix)) == 0 ? target + strlen (prefix)
                                                                   : NULL;
}

void mt_service_free (MtService *s)
{
   free (s->target);
   *s = (MtService) {0};
}

static bool fail (char **why, MtBuf *b)
{
   *why = b->p ? b->p : mt_heap_strdup ("");
   return false;
}

/* Removes blanks at both ends of a text, in place. Returns its new beginning. */
static char *trimmed (char *s)
{
   s += strspn (s, " \t\r\n");
   size_t n = strlen (s);
   while (n && isspace ((unsigned char) s[n - 1]))
      s[--n] = 0;
   return s;
}

/* Reads a line "key = value" of a section into *s. Returns false after an error, with its text in
 * `why`. */
static bool take (MtService *s, char *line, MtBuf *why)
{
   char *eq = strchr (line, '=');
   if (!eq) {
      mt_buf_printf (why, "syntax error in service file: \"%s\"", line);
      return false;
   }
   *eq = 0;
   const char *key = trimmed (line), *value = trimmed (eq + 1);
   if (strcmp (key, "target") == 0) {
      free (s->target);
      s->target = mt_heap_strdup (value);
      return true;
   }
   if (strcmp (key, "read_only") == 0 && mt_parse_bool (value, &s->read_only))
      return true;
   mt_buf_printf (why,
                  strcmp (key, "read_only") == 0
                     ? "option \"%s\" of the service file needs on or off"
                     : "unrecognized option \"%s\" in the service file; there are target and "
                       "read_only",
                  key);
   return false;
}

/* Reads the section [name] of the service file into *out. *found: the file has it. */
static bool read_section (FILE *f, const char *name, MtService *out, bool *found, MtBuf *why)
{
   char *line = NULL;
   size_t size = 0;
   bool ok = true, within = false;
   while (ok && getline (&line, &size, f) > 0) {
      char *text = trimmed (line), *end = strchr (text, ']');
      if (*text == '[' && end) {
         *end = 0;
         within = !*found && strcmp (trimmed (text + 1), name) == 0;
         *found |= within;
      } else if (within && *text && *text != '#') {
         ok = take (out, text, why);
      }
   }
   free (line);
   return ok;
}

bool mt_service_find (const char *name, MtService *out, char **why)
{
   const char *set = getenv ("MTSQL_SERVICEFILE"), *home = getenv ("HOME");
   MtBuf path = {0}, reason = {0};
   *out = (MtService) {0};
   if (set)
      mt_buf_adds (&path, set);
   else
      mt_buf_printf (&path, "%s/.mtsql_service.conf", home ? home : "");
   FILE *f = fopen (path.p, "re");
   bool found = false, ok = f && read_section (f, name, out, &found, &reason);
   if (!f)
      mt_buf_printf (&reason, "could not read service file \"%s\": %s", path.p, strerror (errno));
   else if (ok && !found)
      mt_buf_printf (&reason, "definition of service \"%s\" not found in \"%s\"", name, path.p);
   else if (ok && !out->target)
      mt_buf_printf (&reason, "service \"%s\" has no target", name);
   if (f)
      fclose (f);
   mt_buf_free (&path);
   if (!reason.n)
      return true;
   mt_service_free (out);
   return fail (why, &reason);
}
