/* \? and \h. */
#include "shell/commands/command_int.h"
#include "shell/format/width.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* the width in characters of the first column of \?, a command with its arguments */
enum { NAME_WIDTH = 26 };

bool mt_cmd_help (MtCall *c)
{
   MtOut out;
   if (!mt_out_begin (c->sh, &out))
      return false;
   const MtCommand *k;
   for (size_t i = 0; (k = mt_command_at (i)); i++) {
      char head[96];
      int wide;
      if (k->group)
         mt_out_printf (&out, "%s%s\n", i ? "\n" : "", k->group);
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

static const char *signature (const MtFunctionInfo *f) { return f->signature ? f->signature : ""; }

/* Returns a number by which the forms (overloads) of a function are sorted: forms with timestamptz
 * come first, and shorter signatures before longer ones. */
static size_t unusual (const MtFunctionInfo *f)
{
   return (strstr (signature (f), "timestamptz") ? 0 : 1000) + strlen (signature (f));
}

/* Prints the first form of function `name` in the order of `unusual`, with its example, and the
 * signatures of its other forms. Returns the number of forms. */
static size_t functions (MtOut *out, const MtFunctionInfo *f, size_t n, const char *name)
{
   const MtFunctionInfo *usual = NULL;
   size_t found = 0;
   for (size_t i = 0; i < n; i++) {
      if (strcasecmp (f[i].name, name) != 0)
         continue;
      found++;
      usual = !usual || unusual (&f[i]) < unusual (usual) ? &f[i] : usual;
   }
   if (!found)
      return 0;
   mt_out_printf (out, "%s:    %s\nSignature:   %s\nDescription: %s\nExample:     %s\n",
                  usual->kind && strcmp (usual->kind, "agg") == 0 ? "Aggregate" : "Function ",
                  usual->name, signature (usual), usual->summary ? usual->summary : "",
                  usual->example ? usual->example : "");
   const char *label = "Also:        ";
   for (size_t i = 0; i < n; i++)
      if (&f[i] != usual && strcasecmp (f[i].name, name) == 0) {
         mt_out_printf (out, "%s%s\n", label, signature (&f[i]));
         label = "             ";
      }
   mt_out_printf (out, "\n");
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

static void chart_words (MtOut *out)
{
   mt_out_printf (out, "Kinds:\n");
   for (const MtChartKindRow *k = mt_chart_kinds; k->name; k++)
      mt_out_printf (out, "   %-9s %s\n", k->name, k->summary);
   mt_out_printf (out, "Options:\n");
   for (const MtChartOption *o = mt_chart_option_rows; o->name; o++) {
      char text[64];
      snprintf (text, sizeof text, "%s=%s", o->name, o->value);
      mt_out_printf (out, "   %s%*s %s\n", text, 31 - mt_text_width (text, strlen (text)), "",
                     o->summary);
   }
   mt_out_printf (out, "Example:     SELECT time, watts FROM power \\chart line y=watts\n");
}

/* Prints the help for a backslash command, whose name may begin with a backslash, or for an output
 * format. Returns how many were found. */
static size_t of_shell (MtOut *out, const char *name)
{
   const MtCommand *k;
   const MtFormat *f = mt_format_named (name);
   size_t found = f != NULL;
   const char *bare = name + (*name == '\\');
   if (f)
      mt_out_printf (out, "Format:      %s\nDescription: %s\nExample:     \\pset format %s\n\n",
                     f->name, f->summary, f->name);
   for (size_t i = 0; (k = mt_command_at (i)); i++)
      if (strcmp (k->name, bare) == 0) {
         found++;
         mt_out_printf (out, "Command:     \\%s%s %s\nDescription: %s\n", k->name,
                        k->plus ? "[+]" : "", k->args, k->summary);
         if (k->completes == MT_COMPLETES_CHART)
            chart_words (out);
         mt_out_printf (out, "\n");
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

/* Prints that there is no help for `name`, and the nearest name of a statement, preset, level or
 * function. */
static void no_help (MtOut *out, MtArena *a, const char *name, const MtFunctionInfo *f, size_t n)
{
   const MtPresetInfo *p;
   size_t presets;
   MtNear near = {.name = name};
   mt_presets (a, &p, &presets);
   for (const MtSqlHelp *h = mt_sql_help; h->name; h++)
      mt_near_try (&near, h->name);
   for (size_t i = 0; i < presets; i++)
      mt_near_try (&near, p[i].name);
   for (const MtLevelHelp *l = mt_level_help; l->name; l++)
      mt_near_try (&near, l->name);
   for (size_t i = 0; i < n; i++)
      mt_near_try (&near, f[i].name);
   mt_out_printf (out, "No help available for \"%s\".\n", name);
   if (near.found)
      mt_out_printf (out, "Perhaps you meant \"%s\".\n", near.found);
   mt_out_printf (out, "Try \\h with no arguments to see available help.\n");
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
      found = of_shell (&out, name);
   if (len && !found)
      no_help (&out, a, name, f, n);
   mt_out_end (&out);
   mt_arena_free (a);
   return true;
}
