/* The command line, with one row of a table for each option. --help is made from these rows. */
#include "shell/commands/command.h"
#include "shell/program.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_CONNECTIONS = 10000 };

typedef struct Parse {
   MtShell *sh;
   MtOptions *o;
} Parse;

typedef struct Option {
   char letter;      /* the short option -letter; 0: none */
   const char *name; /* the long option --name; NULL: none */
   const char *arg;  /* the name of the option's argument; NULL: the option has no argument */
   const char *summary;
   bool (*set) (Parse *p, const char *value);
} Option;

static bool display (Parse *p, const char *name, const char *value)
{
   return mt_display_set (p->sh, name, value, true);
}

static bool add_action (Parse *p, bool file, const char *arg)
{
   p->o->actions[p->o->action_count++] = (MtAction) {file, arg};
   return true;
}
static bool set_command (Parse *p, const char *v) { return add_action (p, false, v); }
static bool set_file (Parse *p, const char *v) { return add_action (p, true, v); }

static bool set_variable (Parse *p, const char *v)
{
   const char *eq = strchr (v, '=');
   size_t n = eq ? (size_t) (eq - v) : strlen (v);
   if (!mt_var_name_ok (v, n)) {
      fprintf (stderr, "mtsql: error: invalid variable name: \"%.*s\"\n", (int) n, v);
      return false;
   }
   char *name = mt_heap_strndup (v, n);
   if (eq)
      mt_var_set (&p->sh->vars, name, eq + 1);
   else
      mt_var_unset (&p->sh->vars, name);
   free (name);
   return true;
}

static bool set_pset (Parse *p, const char *v)
{
   const char *eq = strchr (v, '=');
   if (strncmp (v, "format=", 7) == 0 && !mt_format_find (v + 7, NULL)) {
      p->o->format = v + 7; /* perhaps the target has an extension with this format */
      return true;
   }
   char *name = mt_heap_strndup (v, eq ? (size_t) (eq - v) : strlen (v));
   bool ok = display (p, name, eq ? eq + 1 : NULL);
   free (name);
   return ok;
}

static bool set_arrow (Parse *p, const char *v) { return display (p, "format", "arrow"); }
static bool set_unaligned (Parse *p, const char *v) { return display (p, "format", "unaligned"); }
static bool set_csv (Parse *p, const char *v) { return display (p, "format", "csv"); }
static bool set_json (Parse *p, const char *v) { return display (p, "format", "json"); }
static bool set_jsonl (Parse *p, const char *v) { return display (p, "format", "jsonl"); }
static bool set_html (Parse *p, const char *v) { return display (p, "format", "html"); }
static bool set_separator (Parse *p, const char *v) { return display (p, "fieldsep", v); }
static bool set_record (Parse *p, const char *v) { return display (p, "recordsep", v); }
static bool set_tuples (Parse *p, const char *v) { return display (p, "tuples_only", "on"); }
static bool set_expanded (Parse *p, const char *v) { return display (p, "expanded", "on"); }
static bool set_zero (Parse *p, const char *v) { return display (p, "fieldsep_zero", NULL); }
static bool set_record_zero (Parse *p, const char *v)
{
   return display (p, "recordsep_zero", NULL);
}

static bool set_echo (Parse *p, const char *v)
{
   mt_var_set (&p->sh->vars, "ECHO", "queries");
   return true;
}
static bool set_echo_all (Parse *p, const char *v)
{
   mt_var_set (&p->sh->vars, "ECHO", "all");
   return true;
}
static bool set_echo_errors (Parse *p, const char *v)
{
   mt_var_set (&p->sh->vars, "ECHO", "errors");
   return true;
}
static bool set_quiet (Parse *p, const char *v)
{
   mt_var_set (&p->sh->vars, "QUIET", "on");
   return true;
}
static bool set_no_rc (Parse *p, const char *v) { return p->o->no_rc = true; }
static bool set_single (Parse *p, const char *v) { return p->o->single = true; }
static bool set_output (Parse *p, const char *v)
{
   p->o->output = v;
   return true;
}
static bool set_catalog (Parse *p, const char *v)
{
   p->sh->open.catalog = v;
   return true;
}
static bool set_no_password (Parse *p, const char *v) { return p->sh->no_password = true; }
static bool set_read_only (Parse *p, const char *v) { return p->sh->open.read_only = true; }
static bool set_restricted (Parse *p, const char *v) { return p->sh->open.restricted = true; }
static bool set_aggregate (Parse *p, const char *v)
{
   p->o->aggregate.collection = v;
   return true;
}
static bool set_explain (Parse *p, const char *v)
{
   p->o->aggregate.explain = "executionStats";
   return true;
}
static bool set_relaxed (Parse *p, const char *v) { return p->o->aggregate.relaxed = true; }
static bool set_dump (Parse *p, const char *v)
{
   p->o->dump_folder = v;
   return true;
}
static bool set_check_alerts (Parse *p, const char *v) { return p->o->check_alerts = true; }
static bool set_dashboard (Parse *p, const char *v)
{
   p->o->dashboard = v;
   return true;
}
static bool set_maintain (Parse *p, const char *v) { return p->o->maintain = true; }
static bool set_listen (Parse *p, const char *v)
{
   p->o->listen.address = v;
   return true;
}
static bool set_users (Parse *p, const char *v)
{
   p->o->listen.users = v;
   return true;
}
static bool set_tls_cert (Parse *p, const char *v)
{
   p->o->listen.tls_cert = v;
   return true;
}
static bool set_tls_key (Parse *p, const char *v)
{
   p->o->listen.tls_key = v;
   return true;
}
static bool set_max_connections (Parse *p, const char *v)
{
   char *end;
   unsigned long n = strtoul (v, &end, 10);
   if (*v < '0' || *v > '9' || *end || n < 1 || n > MOST_CONNECTIONS) {
      fprintf (stderr, "mtsql: error: --max-connections must be between 1 and %d\n",
               MOST_CONNECTIONS);
      return false;
   }
   p->o->listen.max_connections = (uint32_t) n;
   return true;
}
static bool set_trust (Parse *p, const char *v) { return p->o->listen.trust = true; }
static bool set_user_add (Parse *p, const char *v)
{
   p->o->user_add = v;
   return true;
}
static bool set_gzip (Parse *p, const char *v) { return p->o->gzip = true; }
static bool set_salvage (Parse *p, const char *v)
{
   p->o->salvage_folder = v;
   return true;
}
static bool set_service (Parse *p, const char *v)
{
   MtBuf b = {0};
   mt_buf_printf (&b, "service=%s", v);
   if (p->sh->target) {
      fprintf (stderr, "mtsql: error: more than one target: \"%s\"\n", b.p);
      mt_buf_free (&b);
      return false;
   }
   p->sh->target = b.p;
   return true;
}
static bool set_version (Parse *p, const char *v)
{
   puts ("mtsql " MTSQL_VERSION);
   return p->o->done = true;
}
static bool set_help (Parse *p, const char *v);

/* To add an option, add a row here. */
static const Option options[] = {
   {'c', "command", "SQL", "run SQL or one backslash command; may be repeated, also with -f",
    set_command},
   {'f', "file", "FILE", "run a file; - means standard input", set_file},
   {'v', "variable", "NAME=VALUE", "set a variable, as \\set does", set_variable},
   {0, "set", "NAME=VALUE", "the same as -v", set_variable},
   {0, "csv", NULL, "print comma-separated values", set_csv},
   {0, "json", NULL, "print a JSON array of objects", set_json},
   {0, "jsonl", NULL, "print one JSON object per line", set_jsonl},
   {0, "arrow", NULL, "write an Arrow IPC stream", set_arrow},
   {'A', "no-align", NULL, "print values with a separator between them", set_unaligned},
   {'H', "html", NULL, "print HTML", set_html},
   {'F', "field-separator", "TEXT", "field separator of unaligned output (default |)",
    set_separator},
   {'R', "record-separator", "TEXT", "record separator of unaligned output (default: a line feed)",
    set_record},
   {'z', "field-separator-zero", NULL, "separate fields of unaligned output by a zero byte",
    set_zero},
   {'0', "record-separator-zero", NULL, "separate records of unaligned output by a zero byte",
    set_record_zero},
   {'P', "pset", "NAME[=VALUE]", "set a display option, as \\pset does", set_pset},
   {'t', "tuples-only", NULL, "print rows only, without headers and footers", set_tuples},
   {'x', "expanded", NULL, "print each column on a line of its own", set_expanded},
   {'o', "output", "FILE", "send results to a file, or to |COMMAND", set_output},
   {'q', "quiet", NULL, "print results only, without tags and greeting", set_quiet},
   {'a', "echo-all", NULL, "print all input", set_echo_all},
   {'e', "echo-queries", NULL, "print each statement before it runs", set_echo},
   {'1', "single-transaction", NULL, "run -c, -f or standard input as one transaction", set_single},
   {'b', "echo-errors", NULL, "print each statement that fails", set_echo_errors},
   {'X', "no-rc", NULL, "don't run the start-up file ~/.mtsqlrc", set_no_rc},
   {0, "service", "NAME", "use a target of the file ~/.mtsql_service.conf", set_service},
   {0, "catalog", "FILE", "keep the tables of a read-only target in FILE", set_catalog},
   {'w', "no-password", NULL, "never ask for a password", set_no_password},
   {'r', "read-only", NULL, "refuse changes of the target", set_read_only},
   {0, "restricted", NULL, "refuse LOAD, files and commands", set_restricted},
   {0, "aggregate", "COLLECTION PIPELINE", "run a pipeline; print one document per line",
    set_aggregate},
   {0, "explain", NULL, "run the pipeline of --aggregate, and print MongoDB's explain",
    set_explain},
   {0, "relaxed", NULL, "print relaxed extended JSON with --aggregate", set_relaxed},
   {0, "dump", "FOLDER", "write all collections in mongodump's format", set_dump},
   {0, "gzip", NULL, "compress the files of --dump", set_gzip},
   {0, "check-alerts", NULL, "run the alerts that are due; TARGET is followed by their names",
    set_check_alerts},
   {0, "dashboard", "FILE", "draw a dashboard again and again; -o FILE.html writes a page",
    set_dashboard},
   {0, "maintain", NULL, "remove expired rows, refresh continuous views, vacuum", set_maintain},
   {0, "listen", "ADDRESS", "serve PostgreSQL's clients at [HOST:]PORT or unix:FOLDER", set_listen},
   {0, "users", "FILE", "the users of --listen, made by --user-add", set_users},
   {0, "tls-cert", "FILE", "the certificate of --listen, for TLS", set_tls_cert},
   {0, "tls-key", "FILE", "the key of the certificate", set_tls_key},
   {0, "max-connections", "N", "clients of --listen at the same time (default 100)",
    set_max_connections},
   {0, "trust", NULL, "--listen on a loopback address without passwords", set_trust},
   {0, "user-add", "NAME", "add a user to the file of --users; -r: one who may only read",
    set_user_add},
   {0, "salvage", "FOLDER NEWFOLDER", "copy the undamaged parts of a store to a new store",
    set_salvage},
   {'V', "version", NULL, "print the version", set_version},
   {'?', "help", NULL, "print this help", set_help},
   {0},
};

static bool set_help (Parse *p, const char *v)
{
   puts ("mtsql: a SQL shell for time series in MongoDB and in embedded stores\n\n"
         "Usage:\n  mtsql [OPTION]… [TARGET]\n\n"
         "TARGET is a mongodb:// URI, or the path of a store, which the first write creates.\n"
         "It can also be a folder of mongodump, a .bson or a .jsonl file, which are read only.\n"
         "service=NAME is a target of the file ~/.mtsql_service.conf. Without TARGET, mtsql uses\n"
         "that of the variable MTSQL_URI, or a temporary store.\n\nOptions:");
   for (const Option *o = options; o->summary; o++) {
      char left[64];
      snprintf (left, sizeof left, "%c%c%s --%s%s%s", o->letter ? '-' : ' ',
                o->letter ? o->letter : ' ', o->letter ? "," : " ", o->name, o->arg ? " " : "",
                o->arg ? o->arg : "");
      printf ("  %-36s %s\n", left, o->summary);
   }
   puts ("\nWithout -c and -f, statements are read from standard input.\n\n"
         "Exit status: 0 success, 1 wrong usage, 2 no connection, 3 a statement failed, "
         "4 an alert fires.\n"
         "Batch input stops at the first error, unless -v ON_ERROR_STOP=0 is given.");
   return p->o->done = true;
}

static int usage (const char *fmt, const char *what)
{
   fputs ("mtsql: error: ", stderr);
   fprintf (stderr, fmt, what);
   fputs ("\n", stderr);
   return MT_EXIT_USAGE;
}

static int unknown_long (const char *name, size_t n)
{
   char *copy = mt_heap_strndup (name, n);
   const char *near = mt_nearest_of_rows (copy, &options->name, sizeof *options);
   usage ("unrecognized option \"--%s\"", copy);
   if (near)
      fprintf (stderr, "HINT:  Perhaps you meant --%s.\n", near);
   else
      fputs ("Try \"mtsql --help\" for more information.\n", stderr);
   free (copy);
   return MT_EXIT_USAGE;
}

static const Option *by_letter (char c)
{
   for (const Option *o = options; o->summary; o++) {
      if (o->letter == c && c)
         return o;
   }
   return NULL;
}

/* The arguments of the command line, and the index of the current one. */
typedef struct Args {
   int i, n;
   char **v;
} Args;

static int apply (Parse *p, const Option *o, const char *value, Args *args)
{
   if (o->arg && !value) {
      if (args->i + 1 >= args->n) {
         fprintf (stderr, "mtsql: error: option --%s needs an argument: %s\n", o->name, o->arg);
         return MT_EXIT_USAGE;
      }
      value = args->v[++args->i];
   }
   if (!o->set (p, value))
      return MT_EXIT_USAGE;
   if (!o->arg || !strchr (o->arg, ' '))
      return 0;
   if (args->i + 1 >= args->n) {
      fprintf (stderr, "mtsql: error: option --%s needs two arguments: %s\n", o->name, o->arg);
      return MT_EXIT_USAGE;
   }
   *(strcmp (o->name, "salvage") == 0 ? &p->o->salvage_to
                                      : &p->o->aggregate.text) = args->v[++args->i];
   return 0;
}

static int long_option (Parse *p, const char *s, Args *args)
{
   const char *eq = strchr (s, '=');
   size_t n = eq ? (size_t) (eq - s) : strlen (s);
   for (const Option *o = options; o->summary; o++) {
      if (strlen (o->name) != n || strncmp (o->name, s, n) != 0)
         continue;
      if (eq && !o->arg)
         return usage ("option --%s takes no argument", o->name);
      return apply (p, o, eq ? eq + 1 : NULL, args);
   }
   return unknown_long (s, n);
}

static int letters (Parse *p, const char *s, Args *args)
{
   while (*s) {
      const Option *o = by_letter (*s);
      if (!o) {
         char text[2] = {*s, 0};
         usage ("unrecognized option \"-%s\"", text);
         fputs ("Try \"mtsql --help\" for more information.\n", stderr);
         return MT_EXIT_USAGE;
      }
      s++;
      int rc = apply (p, o, o->arg && *s ? s : NULL, args);
      if (rc || p->o->done || o->arg)
         return rc;
   }
   return 0;
}

/* Returns the name of an option that is only allowed with --listen; NULL: none was given. */
static const char *needs_listen (const MtListen *l)
{
   const struct {
      bool given;
      const char *name;
   } rows[] = {{l->tls_cert != NULL, "tls-cert"},
               {l->tls_key != NULL, "tls-key"},
               {l->max_connections > 0, "max-connections"},
               {l->trust, "trust"}};
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (rows[i].given)
         return rows[i].name;
   return NULL;
}

int mt_options_parse (MtShell *sh, MtOptions *o, int argc, char **argv)
{
   Parse p = {sh, o};
   bool only_targets = false;
   *o = (MtOptions) {.actions = mt_calloc ("options", (size_t) argc + 1, sizeof (MtAction)),
                     .names = mt_calloc ("options", (size_t) argc + 1, sizeof (char *))};
   for (Args args = {1, argc, argv}; args.i < argc && !o->done; args.i++) {
      const char *s = argv[args.i];
      int rc = 0;
      if (!only_targets && strcmp (s, "--") == 0)
         only_targets = true;
      else if (!only_targets && strncmp (s, "--", 2) == 0)
         rc = long_option (&p, s + 2, &args);
      else if (!only_targets && s[0] == '-' && s[1])
         rc = letters (&p, s + 1, &args);
      else if (sh->target)
         o->names[o->name_count++] = s;
      else
         sh->target = mt_heap_strdup (s);
      if (rc)
         return rc;
   }
   if (!o->done && o->name_count && !o->check_alerts)
      return usage ("more than one target: \"%s\"", o->names[0]);
   bool others = o->action_count || o->aggregate.collection || o->dump_folder ||
                 o->salvage_folder || o->single;
   if (!o->done && o->check_alerts && (others || o->maintain))
      return usage ("option --%s cannot be used with other actions", "check-alerts");
   if (!o->done && o->dashboard && (others || o->check_alerts || o->maintain))
      return usage ("option --%s cannot be used with other actions", "dashboard");
   if (!o->done && o->maintain && others)
      return usage ("option --%s cannot be used with other actions", "maintain");
   if (!o->done && o->aggregate.collection && o->action_count)
      return usage ("option --%s cannot be used with -c or -f", "aggregate");
   if (!o->done && !o->aggregate.collection && (o->aggregate.explain || o->aggregate.relaxed))
      return usage ("option --%s needs --aggregate", o->aggregate.explain ? "explain" : "relaxed");
   if (!o->done && o->single &&
       (o->aggregate.collection || o->dump_folder || (!o->action_count && sh->terminal_in)))
      return usage ("option --%s needs -c, -f or a batch on standard input", "single-transaction");
   if (!o->done && o->dump_folder && (o->action_count || o->aggregate.collection))
      return usage ("option --%s cannot be used with other actions", "dump");
   if (!o->done && o->salvage_folder &&
       (sh->target || o->action_count || o->aggregate.collection || o->dump_folder || o->single))
      return usage ("option --%s cannot be used with other actions or with a target", "salvage");
   const char *of_listen = needs_listen (&o->listen);
   if (!o->done && !o->listen.address && of_listen)
      return usage ("option --%s needs --listen", of_listen);
   if (!o->done && o->listen.users && !o->listen.address && !o->user_add)
      return usage ("option --%s needs --listen or --user-add", "users");
   if (!o->done && (o->listen.address || o->user_add) &&
       (others || o->check_alerts || o->maintain || o->dashboard || o->salvage_folder ||
        (o->listen.address && o->user_add)))
      return usage ("option --%s cannot be used with other actions",
                    o->listen.address ? "listen" : "user-add");
   if (!o->done && o->user_add && !o->listen.users)
      return usage ("option --%s needs --users", "user-add");
   if (!o->done && o->gzip && !o->dump_folder)
      return usage ("option --%s needs --dump", "gzip");
   return 0;
}
