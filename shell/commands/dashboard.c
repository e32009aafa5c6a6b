/* \dashboard, \panel and \default, the commands in the file of a dashboard. If the file is run as a
 * script, they only print the titles. */
#include "shell/commands/command_int.h"
#include "shell/dashboard/board.h"

#include <string.h>

/* Prints a title between the results of a script, unless the output format is for programs or QUIET
 * is set. */
static bool print_title (MtShell *sh, const char *title)
{
   const MtFmtOptions *o = &sh->display.o;
   if (o->format->for_programs || o->tuples_only || mt_var_bool (&sh->vars, "QUIET", false))
      return true;
   fprintf (mt_output (sh), "%s\n", title);
   fflush (mt_output (sh));
   return true;
}

static bool has_title (const MtCall *c)
{
   if (c->argc && *c->argv[0])
      return true;
   mt_complain (c->sh, "\\%s: missing required argument", c->name);
   return false;
}

static bool unknown_option (const MtCall *c, const char *option, const char *hint)
{
   mt_complain (c->sh, "\\%s: unknown option \"%s\"", c->name, option);
   fprintf (stderr, "HINT:  %s\n", hint);
   return false;
}

bool mt_cmd_dashboard (MtCall *c)
{
   double refresh_s = 0;
   if (!has_title (c))
      return false;
   for (size_t i = 1; i < c->argc; i++) {
      if (strncmp (c->argv[i], "refresh=", 8) != 0)
         return unknown_option (c, c->argv[i],
                                "The option is refresh. Quote a title of several words.");
      if (!mt_board_interval (c->argv[i] + 8, &refresh_s)) {
         mt_complain (c->sh, "\\dashboard: invalid value for refresh: \"%s\"", c->argv[i] + 8);
         fputs ("HINT:  The value is 100ms to 24h, for example 30s or 5min.\n", stderr);
         return false;
      }
   }
   return c->sh->board ? mt_board_begin (c->sh, c->argv[0], refresh_s)
                       : print_title (c->sh, c->argv[0]);
}

bool mt_cmd_panel (MtCall *c)
{
   bool wide = false;
   if (!has_title (c))
      return false;
   for (size_t i = 1; i < c->argc; i++) {
      if (strcmp (c->argv[i], "wide") != 0)
         return unknown_option (c, c->argv[i],
                                "The option is wide. Quote a title of several words.");
      wide = true;
   }
   return c->sh->board ? mt_board_panel (c->sh, c->argv[0], wide) : print_title (c->sh, c->argv[0]);
}

bool mt_cmd_default (MtCall *c)
{
   if (c->argc < 2) {
      mt_complain (c->sh, "\\default: missing required argument");
      return false;
   }
   if (!mt_var_get (&c->sh->vars, c->argv[0]) && !mt_cmd_set (c))
      return false;
   return !c->sh->board || mt_board_variable (c->sh, c->argv[0]);
}
