/* The shell's functions that commands of extensions can call. */
#include "shell/commands/command_int.h"

#include <stdarg.h>
#include <string.h>

static bool run (MtCall *c, const char *sql) { return mt_run_statement (c->sh, sql, strlen (sql)); }

static void print (MtCall *c, const char *format, ...)
{
   va_list args;
   va_start (args, format);
   if (vfprintf (mt_output (c->sh), format, args) < 0)
      mt_output_failed (c->sh, mt_output (c->sh));
   va_end (args);
}

static bool complain (MtCall *c, const char *format, ...)
{
   char text[1024];
   va_list args;
   va_start (args, format);
   vsnprintf (text, sizeof text, format, args);
   va_end (args);
   mt_complain (c->sh, "\\%s: %s", c->name, text);
   return false;
}

static bool report (MtCall *c, const MtError *err, const char *sql)
{
   mt_report_error (c->sh, err, sql, sql ? strlen (sql) : 0);
   return false;
}

const MtCallTools mt_call_tools = {
   .run = run, .print = print, .complain = complain, .report = report, .query = mt_call_query};
