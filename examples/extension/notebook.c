/* A template for extensions: a function, an aggregate, an output format and a backslash command.
 *
 *    make && make install
 *    CREATE EXTENSION notebook;
 *
 * Adapt the parts that you need, and delete the others. Each part is a table, and mt_module at the
 * end lists the tables. include/mtsql_ext.h explains their columns. */
#include "mtsql_ext.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- a function: initials (text) ---- */

/* Returns the initials of a text. Arguments are never NULL, unless the function's row has
 * MT_F_NOT_STRICT. Memory from ev->arena is freed by mtsql. */
static bool initials (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   char *text = mt_alloc (ev->arena, args[0].len + 1);
   size_t n = 0;
   bool inside = false;
   for (uint32_t i = 0; i < args[0].len; i++) {
      unsigned char c = args[0].p[i];
      bool letter = isalpha (c) != 0;
      if (letter && !inside)
         text[n++] = (char) toupper (c);
      inside = letter || c >= 0x80;
   }
   *out = mt_v_str (text, n);
   return true;
}

static const MtFunc functions[] = {
   {.name = "initials",
    .signature = "text -> text",
    .flags = MT_F_NEVER_NULL,
    .op = MT_EXT_OP (initials),
    .summary = "the first letter of each word, in upper case",
    .example = "SELECT initials('time series') => TS"},
   {0},
};

/* ---- an aggregate: width (double precision), the largest value minus the smallest ---- */

/* The aggregate's state for one group. mtsql fills a new state with zeros, so zeros must mean "no
 * value yet". */
typedef struct Width {
   double low, high;
   bool any;
} Width;

static void widen (Width *s, double low, double high)
{
   s->low = s->any && s->low < low ? s->low : low;
   s->high = s->any && s->high > high ? s->high : high;
   s->any = true;
}

static bool width_step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   widen (state, args[0].d, args[0].d);
   return true;
}

static bool width_merge (MtEval *ev, void *into, const void *from)
{
   const Width *f = from;
   if (f->any)
      widen (into, f->low, f->high);
   return true;
}

static bool width_final (MtEval *ev, const void *state, MtVal *out)
{
   const Width *s = state;
   if (s->any)
      *out = mt_v_double (s->high - s->low);
   return true;
}

static const MtAggState width = {
   .size = sizeof (Width), .step = width_step, .merge = width_merge, .final = width_final};

static const MtAgg aggregates[] = {
   {.name = "width",
    .signature = "double precision -> double precision",
    .state = &width,
    .summary = "the largest value minus the smallest",
    .example = "SELECT width(x) FROM (VALUES (3), (10), (4)) AS t (x) => 7"},
   {0},
};

/* ---- an output format: \pset format yaml ---- */

static void quoted (MtBuf *out, MtStr s)
{
   mt_buf_addc (out, '"');
   for (size_t i = 0; i < s.n; i++) {
      unsigned char c = (unsigned char) s.p[i];
      if (c == '"' || c == '\\')
         mt_buf_printf (out, "\\%c", c);
      else if (c < 0x20 || c == 0x7f)
         mt_buf_printf (out, "\\x%02x", c);
      else
         mt_buf_addc (out, (char) c);
   }
   mt_buf_addc (out, '"');
}

static void yaml_begin (MtFmt *f) {}

static void yaml_row (MtFmt *f, const MtStr *cells)
{
   if (!f->n)
      mt_buf_adds (&f->out, "- {}\n");
   for (size_t i = 0; i < f->n; i++) {
      const MtFmtColumn *c = &f->columns[i];
      bool plain = !c->array && (c->kind == MT_CELL_NUMBER || c->kind == MT_CELL_BOOL);
      mt_buf_adds (&f->out, i ? "  " : "- ");
      quoted (&f->out, c->name);
      mt_buf_adds (&f->out, ": ");
      if (!cells[i].p)
         mt_buf_adds (&f->out, "null");
      else if (plain && c->kind == MT_CELL_BOOL)
         mt_buf_adds (&f->out, cells[i].p[0] == 't' ? "true" : "false");
      else if (plain && isdigit ((unsigned char) cells[i].p[cells[i].n - 1]))
         mt_buf_add (&f->out, cells[i].p, cells[i].n);
      else /* also NaN and Infinity */
         quoted (&f->out, cells[i]);
      mt_buf_addc (&f->out, '\n');
   }
}

static void yaml_finish (MtFmt *f, const char *const *footers)
{
   if (!f->rows)
      mt_buf_adds (&f->out, "[]\n");
}

static const MtFormat formats[] = {
   {.name = "yaml",
    .begin = yaml_begin,
    .row = yaml_row,
    .finish = yaml_finish,
    .summary = "a list of YAML"},
   {0},
};

/* ---- a backslash command: \peek TABLE [ROWS] ---- */

static bool peek (MtCall *c)
{
   char *end = NULL;
   long rows = c->argc > 1 ? strtol (c->argv[1], &end, 10) : 5;
   if (!c->argc)
      return c->tools->complain (c, "missing required argument");
   if (rows < 1 || rows > 1000 || (end && *end))
      return c->tools->complain (c, "the number of rows must be from 1 to 1000");
   MtBuf sql = {0};
   mt_buf_printf (&sql, "SELECT * FROM %s LIMIT %ld", c->argv[0], rows);
   bool ok = c->tools->run (c, sql.p);
   mt_buf_free (&sql);
   return ok;
}

/* `reach` says what a command can access: this one only the target. A command that opens files or
 * runs programs needs MT_REACHES_OUT, and is not available in restricted sessions. */
static const MtCommand commands[] = {
   {.group = "Notebook",
    .name = "peek",
    .args = "TABLE [ROWS]",
    .summary = "print the first rows of a table",
    .kind = MT_ARGS_WORDS,
    .completes = MT_COMPLETES_TABLES,
    .max_args = 2,
    .run = peek,
    .reach = MT_REACHES_TARGET},
   {0},
};

MT_MODULE (.name = "notebook", .version = "1.0", .doc = "A template of an extension",
           .functions = functions, .aggregates = aggregates, .formats = formats,
           .commands = commands);
