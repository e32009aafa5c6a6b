#include "shell/commands/command.h"
#include "shell/core/output.h"
#include "shell/complete_int.h"
#include "base/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool mt_word_char (char c)
{
   return isalnum ((unsigned char) c) || c == '_' || (unsigned char) c >= 0x80;
}

void mt_choice (MtChoices *c, const char *s)
{
   MT_GROW ("completions", c->v, c->n, c->cap, 64);
   c->v[c->n++] = s;
}

void mt_choice_if (MtChoices *c, const char *s, const char *prefix)
{
   if (strncasecmp (s, prefix, strlen (prefix)) == 0)
      mt_choice (c, mt_strdup (c->arena, s));
}

void mt_choice_list (MtChoices *c, const char *words, const char *prefix)
{
   for (const char *p = words; *p;) {
      size_t n = strcspn (p, " |");
      mt_choice_if (c, mt_strndup (c->arena, p, n), prefix);
      p += n + strspn (p + n, " |");
   }
}

void mt_choice_tables (MtShell *sh, MtChoices *c, const char *prefix)
{
   MtTableInfo *t;
   MtError err = {0};
   size_t n;
   if (!mt_tables (sh->session, c->arena, &t, &n, &err))
      return;
   for (size_t i = 0; i < n; i++)
      if (!t[i].hidden)
         mt_choice_if (c, t[i].name, prefix);
}

bool mt_choice_tables_of (MtShell *sh, MtChoices *c, const char *schema, const char *prefix)
{
   MtTableInfo *t;
   MtError err = {0};
   size_t n;
   bool any = false;
   if (!mt_tables (sh->session, c->arena, &t, &n, &err))
      return false;
   for (size_t i = 0; i < n; i++)
      if (strcasecmp (t[i].schema, schema) == 0) {
         any = true;
         mt_choice_if (c, t[i].name, prefix);
      }
   return any;
}

void mt_choice_functions (MtShell *sh, MtChoices *c, const char *prefix, const char *suffix)
{
   MtFunctionInfo *f;
   MtError err = {0};
   size_t n;
   if (!mt_functions (sh->session, c->arena, &f, &n, &err))
      return;
   for (size_t i = 0; i < n; i++)
      if (mt_word_char (f[i].name[0]) && strncasecmp (f[i].name, prefix, strlen (prefix)) == 0)
         mt_choice (c, mt_printf (c->arena, "%s%s", f[i].name, suffix));
}

void mt_choice_variables (MtShell *sh, MtChoices *c, const char *prefix)
{
   for (size_t i = 0; i < sh->vars.n; i++)
      mt_choice_if (c, sh->vars.v[i].name, prefix);
}

void mt_choice_query (MtShell *sh, MtChoices *c, const char *sql, const char *prefix)
{
   MtResult *r = NULL;
   MtError err = {0};
   bool more = true;
   if (mt_transaction_state (sh->session) == MT_TRANSACTION_FAILED ||
       !mt_query (sh->session, sql, -1, &r, &err))
      return;
   while (mt_result_next (r, &more, &err) && more) {
      const char *text = mt_result_text (r, 0, NULL);
      if (text)
         mt_choice_if (c, text, prefix);
   }
   mt_result_free (r);
}

/* ---- files ---- */

void mt_choice_files (const MtShell *sh, MtChoices *c, const char *line, const char *end)
{
   if (sh->open.restricted)
      return;
   size_t n = strlen (line), start = n;
   while (start && !isspace ((unsigned char) line[start - 1]) && line[start - 1] != '\'')
      start--;
   c->start = start;
   const char *word = line + start, *slash = strrchr (word, '/');
   char *folder = slash ? mt_strndup (c->arena, word, (size_t) (slash + 1 - word))
                        : mt_strdup (c->arena, "");
   const char *prefix = slash ? slash + 1 : word, *home = getenv ("HOME");
   const char *real = *folder ? folder : ".";
   if (strncmp (folder, "~/", 2) == 0 && home)
      real = mt_printf (c->arena, "%s%s", home, folder + 1);
   DIR *d = opendir (real);
   for (struct dirent *e; d && (e = readdir (d));) {
      if (strncmp (e->d_name, prefix, strlen (prefix)) != 0 ||
          (e->d_name[0] == '.' && *prefix != '.'))
         continue;
      struct stat st;
      bool dir = stat (mt_printf (c->arena, "%s/%s", real, e->d_name), &st) == 0 &&
                 S_ISDIR (st.st_mode);
      mt_choice (c, mt_printf (c->arena, "%s%s%s", folder, e->d_name, dir ? "/" : end));
   }
   if (d)
      closedir (d);
}

static int order (const void *a, const void *b)
{
   return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void sort (MtChoices *c)
{
   size_t kept = 0;
   if (c->n)
      qsort (c->v, c->n, sizeof *c->v, order);
   for (size_t i = 0; i < c->n; i++) {
      if (!kept || strcmp (c->v[i], c->v[kept - 1]) != 0)
         c->v[kept++] = c->v[i];
   }
   c->n = kept;
}

/* Returns the last backslash of the line that is outside of quotes; NULL: there is none. */
static const char *backslash (const char *line)
{
   const char *found = NULL;
   bool quoted = false;
   for (const char *p = line; *p; p++) {
      quoted ^= *p == '\'';
      if (*p == '\\' && !quoted)
         found = p;
   }
   return found;
}

void mt_complete (MtShell *sh, const char *text, size_t cursor, MtChoices *out)
{
   *out = (MtChoices) {.arena = mt_arena_new ("completion", NULL)};
   mt_progress_begin (sh);
   const char *up_to = mt_strndup (out->arena, text, cursor), *nl = strrchr (up_to, '\n'),
              *b = backslash (nl ? nl + 1 : up_to);
   size_t n = cursor;
   while (n && mt_word_char (up_to[n - 1]))
      n--;
   out->start = n;
   if (b)
      mt_complete_command (sh, out, up_to, b);
   else if (n && up_to[n - 1] == ':' && (n < 2 || up_to[n - 2] != ':'))
      mt_choice_variables (sh, out, up_to + n);
   else
      mt_complete_sql (sh, text, cursor, out);
   sort (out);
}
