/* Prints the steps of a plan as a tree, as in PostgreSQL: the inputs of a step are below it. Rows
 * and times of a step are sums over all its runs. The time of a step includes its inputs. */
#include "planner/plan/outline.h"
#include "session/inspect/inspect.h"
#include "session/state/session.h"

#include <string.h>

/* The statistics of all runs of a pipeline. Stage $_mtApply runs a pipeline in up to three ways:
 * once, and its result is kept; and for each row, over the kept result or over all documents. */
typedef struct Runs {
   const MtRunStats *of[MT_WITHIN_COUNT];
   int kept; /* the member `kept` of the MtOutline of the pipeline's last step */
} Runs;

typedef struct Measured {
   bool known;
   uint64_t rows, us, spilled;
} Measured;

/* Adds to *m the rows that come out of the first `end` stages of a run, and the time of these
 * stages. Stages are counted in the whole pipeline; its first `before` stages ran elsewhere. Bytes
 * written to disk are added only from stage `from` on, the first stage of the step. */
static void measure (const MtRunStats *run, int from, int end, int before, Measured *m)
{
   uint64_t rows = run->docs_in;
   if (before < 0 || end < before)
      return;
   m->us += run->source_us;
   for (size_t i = 0; i < run->stage_count && (int) run->stages[i].at < end - before; i++) {
      rows = run->stages[i].docs_out;
      m->us += run->stages[i].us;
      m->spilled += (int) run->stages[i].at >= from - before ? run->stages[i].spilled : 0;
   }
   m->rows += rows;
   m->known = true;
}

/* Returns the number of stages after which the rows of step o are counted. If a server ran the
 * whole step, and its later stages on the server keep the number of rows, the rows are counted as
 * they are received, after stage `before`. */
static int same_until (const MtOutline *o, int before)
{
   bson_iter_t it, stage;
   int n = 0;
   bool same = true;
   for (bson_iter_init (&it, o->pipe->stages); bson_iter_next (&it) && n < before && same; n++)
      if (n >= o->end && bson_iter_recurse (&it, &stage) && bson_iter_next (&stage)) {
         const char *name = bson_iter_key (&stage);
         same = strcmp (name, "$project") == 0 || strcmp (name, "$addFields") == 0 ||
                strcmp (name, "$sort") == 0;
      }
   return same && o->end < before ? before : o->end;
}

/* Returns the rows, time and spilled bytes of step o. The runs of a kept result have stages at
 * their end that the plan lacks (parts of split conditions, a list of the needed fields); their
 * number is `more`. */
static Measured measured (const MtOutline *o, const Runs *runs)
{
   Measured m = {.known = false};
   const MtRunStats *each = runs->of[MT_WITHIN_ONCE], *kept = runs->of[MT_WITHIN_KEPT],
                    *direct = runs->of[MT_WITHIN_DIRECT];
   int whole = o->pipe->count, more = direct ? (int) direct->length - whole : 0;
   int from = o->inputs && o->inputs->pipe == o->pipe && o->inputs->end > 0 ? o->inputs->end : 0;
   if (o->end < 0)
      return m;
   if (direct && runs->kept >= 0)
      measure (direct, from, o->end <= runs->kept ? o->end : o->end + more, 0, &m);
   if (kept && o->end <= runs->kept)
      measure (kept, from, o->end, 0, &m);
   else if (each)
      measure (each, from, same_until (o, whole - (int) each->length), whole - (int) each->length,
               &m);
   return m;
}

/* Returns the runs of the pipeline of `input`, a step that ran inside a stage of its parent's
 * pipeline. `runs`: the runs of the parent's pipeline. */
static Runs runs_within (const MtOutline *parent, const MtOutline *input, const Runs *runs)
{
   Runs r = {{NULL}, input->kept};
   for (int k = 0; k < MT_WITHIN_COUNT && input->run_by >= 0; k++) {
      const MtRunStats *run = runs->of[k];
      int at = run ? input->run_by - (parent->pipe->count - (int) run->length) : -1;
      for (size_t i = 0; run && at >= 0 && i < run->stage_count; i++)
         if ((int) run->stages[i].at == at)
            memcpy (r.of, run->stages[i].within, sizeof r.of);
   }
   return r;
}

static Runs runs_of (const MtOutline *parent, const MtOutline *input, const Runs *runs)
{
   return input->pipe == parent->pipe ? *runs : runs_within (parent, input, runs);
}

/* ---- text ---- */

static void figures_text (const MtOutline *o, const MtOutlineStyle *s, const Measured *m,
                          MtBuf *out)
{
   if (s->server)
      mt_buf_adds (out, o->here ? "  [in process]" : "  [server]");
   if (s->costs && o->rows > 0)
      mt_buf_printf (out, "  (rows=%.0f)", o->rows);
   if (!m->known)
      return;
   mt_buf_printf (out, "  (actual rows=%llu", (unsigned long long) m->rows);
   if (s->timing)
      mt_buf_printf (out, " time=%.3f ms", (double) m->us / 1000.0);
   mt_buf_addc (out, ')');
}

static void step_text (const MtOutline *o, const MtOutlineStyle *s, const Runs *runs, int depth,
                       MtBuf *out)
{
   Measured m = measured (o, runs);
   int indent = depth * 6 + 3;
   mt_buf_printf (out, depth ? "%*s->  %s%s" : "%*s%s%s", depth ? indent - 4 : indent, "", o->what,
                  o->of);
   figures_text (o, s, &m, out);
   mt_buf_addc (out, '\n');
   for (const MtOutlineNote *n = o->notes; n; n = n->next)
      mt_buf_printf (out, "%*s%s: %s\n", indent + 2, "", n->label, n->text);
   if (m.spilled)
      mt_buf_printf (out, "%*sDisk: %llukB\n", indent + 2, "",
                     (unsigned long long) (m.spilled + 1023) / 1024);
   for (const MtOutline *i = o->inputs; i; i = i->next) {
      Runs below = runs_of (o, i, runs);
      step_text (i, s, &below, depth + 1, out);
   }
}

void mt_outline_text (const MtOutline *o, const MtOutlineStyle *s, MtBuf *out)
{
   Runs runs = {{s->run}, 0};
   if (!o || !mt_outline_worth (o))
      return;
   mt_buf_adds (out, "Plan:\n");
   step_text (o, s, &runs, 0, out);
}

/* ---- JSON ---- */

static void json_text (const char *name, const char *value, MtBuf *out)
{
   mt_buf_printf (out, "\"%s\": ", name);
   mt_json_string (out, value, strlen (value));
}

static void step_json (const MtOutline *o, const MtOutlineStyle *s, const Runs *runs, int indent,
                       MtBuf *out)
{
   Measured m = measured (o, runs);
   mt_buf_adds (out, "{");
   json_text ("node", o->what, out);
   if (*o->of) {
      mt_buf_adds (out, ", ");
      json_text ("of", o->of + 1, out);
   }
   if (s->server)
      mt_buf_printf (out, ", \"in_process\": %s", o->here ? "true" : "false");
   if (s->costs && o->rows > 0)
      mt_buf_printf (out, ", \"rows\": %.0f", o->rows);
   if (m.known)
      mt_buf_printf (out, ", \"actual_rows\": %llu", (unsigned long long) m.rows);
   if (m.known && s->timing)
      mt_buf_printf (out, ", \"actual_ms\": %.3f", (double) m.us / 1000.0);
   if (m.spilled)
      mt_buf_printf (out, ", \"disk_bytes\": %llu", (unsigned long long) m.spilled);
   for (const MtOutlineNote *n = o->notes; n; n = n->next) {
      mt_buf_adds (out, n == o->notes ? ", \"notes\": [{" : ", {");
      json_text (n->label, n->text, out);
      mt_buf_adds (out, n->next ? "}" : "}]");
   }
   for (const MtOutline *i = o->inputs; i; i = i->next) {
      Runs below = runs_of (o, i, runs);
      mt_buf_printf (out, "%s\n%*s", i == o->inputs ? ", \"inputs\": [" : ",", indent + 2, "");
      step_json (i, s, &below, indent + 2, out);
   }
   mt_buf_adds (out, o->inputs ? "]}" : "}");
}

void mt_outline_json (const MtOutline *o, const MtOutlineStyle *s, int indent, MtBuf *out)
{
   Runs runs = {{s->run}, 0};
   step_json (o, s, &runs, indent, out);
}
