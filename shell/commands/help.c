/* \? and \h. */
#include "shell/commands/command_int.h"
#include "shell/format/width.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* the width of a command and its arguments in \? */
enum { NAME_WIDTH = 26 };

bool mt_cmd_help (MtCall *c)
{
   MtOut out;
   if (!mt_out_begin (c->sh, &out))
      return false;
   for (const MtCommand *k = mt_commands; k->name; k++) {
      char head[96];
      int wide;
      if (k->group)
         mt_out_printf (&out, "%s%s\n", k == mt_commands ? "" : "\n", k->group);
      snprintf (head, sizeof head, "\\%s%s %s", k->name, k->plus ? "[+]" : "", k->args);
      wide = mt_text_width (head, strlen (head));
      if (wide > NAME_WIDTH) /* the summary has a line of its own */
         mt_out_printf (&out, "  %s\n  %*s  %s\n", head, NAME_WIDTH, "", k->summary);
      else
         mt_out_printf (&out, "  %s%*s  %s\n", head, NAME_WIDTH - wide, "", k->summary);
   }
   mt_out_end (&out);
   return true;
}

static void statement (MtOut *out, const MtSqlHelp *h)
{
   mt_out_printf (out, "Command:     %s\nDescription: %s\nSyntax:\n%s\n\n", h->name, h->summary,
                  h->synopsis);
}

static size_t functions (MtOut *out, const MtFunctionInfo *f, size_t n, const char *name)
{
   size_t found = 0;
   for (size_t i = 0; i < n; i++) {
      if (strcasecmp (f[i].name, name) != 0)
         continue;
      found++;
      mt_out_printf (out, "%s:    %s\nSignature:   %s\nDescription: %s\n",
                     f[i].kind && strcmp (f[i].kind, "agg") == 0 ? "Aggregate" : "Function ",
                     f[i].name, f[i].signature ? f[i].signature : "",
                     f[i].summary ? f[i].summary : "");
      mt_out_printf (out, "Example:     %s\n\n", f[i].example ? f[i].example : "");
   }
   return found;
}

static size_t presets (MtOut *out, MtArena *a, const char *name)
{
   const MtPresetInfo *p;
   size_t n, found = 0;
   mt_presets (a, &p, &n);
   for (size_t i = 0; i < n; i++) {
      if (strcasecmp (p[i].name, name) != 0)
         continue;
      found++;
      mt_out_printf (out, "Preset:      %s\nDescription: %s\nExample:     %s\nOptions:\n",
                     p[i].name, p[i].summary, p[i].example);
      for (size_t k = 0; k < p[i].option_count; k++) {
         const MtPresetOptionInfo *o = &p[i].options[k];
         mt_out_printf (out, "   %s = %s\n      %s; otherwise: %s\n", o->name, o->type, o->summary,
                        o->otherwise);
      }
      mt_out_printf (out, "\n");
   }
   return found;
}

static size_t levels (MtOut *out, const char *name)
{
   size_t found = 0;
   for (const MtLevelHelp *l = mt_level_help; l->name; l++)
      if (strcasecmp (l->name, name) == 0) {
         found++;
         mt_out_printf (out, "Level:       %s\nDescription: %s\n\nExample: %s\n%s\n\n", l->name,
                        l->summary, l->document, l->example);
      }
   return found;
}

enum { LIST_WIDTH = sizeof "REFRESH MATERIALIZED VIEW" - 1 }; /* the longest name */

static void list (MtOut *out, MtArena *a)
{
   const MtPresetInfo *p;
   size_t n;
   mt_presets (a, &p, &n);
   mt_out_printf (out, "Available help:\n");
   for (const MtSqlHelp *h = mt_sql_help; h->name; h++)
      mt_out_printf (out, "  %-*s %s\n", LIST_WIDTH, h->name, h->summary);
   mt_out_printf (out, "Presets of layouts:\n");
   for (size_t i = 0; i < n; i++)
      mt_out_printf (out, "  %-*s %s\n", LIST_WIDTH, p[i].name, p[i].summary);
   mt_out_printf (out, "Levels of layouts:\n");
   for (const MtLevelHelp *l = mt_level_help; l->name; l++)
      mt_out_printf (out, "  %-*s %s\n", LIST_WIDTH, l->name, l->summary);
   mt_out_printf (out, "\\df lists the functions. \\h NAME explains a function.\n");
}

bool mt_cmd_sql_help (MtCall *c)
{
   MtOut out;
   MtError err = {0};
   MtArena *a = mt_arena_new ("help", NULL);
   MtFunctionInfo *f = NULL;
   size_t n = 0, found = 0;
   char *name = c->argc ? c->argv[0] : (char[]) {""};
   size_t len = strlen (name);
   while (len && strchr ("; ()", name[len - 1]))
      name[--len] = 0;
   if (!mt_out_begin (c->sh, &out)) {
      mt_arena_free (a);
      return false;
   }
   if (!len)
      list (&out, a);
   for (const MtSqlHelp *h = mt_sql_help; len && h->name; h++) {
      if (strcmp (name, "*") == 0 || strncasecmp (h->name, name, len) == 0) {
         statement (&out, h);
         found++;
      }
   }
   if (len)
      found += presets (&out, a, name) + levels (&out, name);
   if (len && !found && mt_functions (c->sh->session, a, &f, &n, &err))
      found = functions (&out, f, n, name);
   if (len && !found)
      mt_out_printf (
         &out, "No help available for \"%s\".\nTry \\h with no arguments to see available help.\n",
         name);
   mt_out_end (&out);
   mt_arena_free (a);
   return true;
}
