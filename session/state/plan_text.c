#include "session/state/plan_text.h"

#include <string.h>

void mt_stages_text (const char *before, const bson_t *stages, MtShellStyle style,
                     const char *after, MtBuf *out)
{
   style.indent = 2;
   mt_buf_printf (out, "%s[\n", before);
   mt_shell_pipeline (stages, style, out);
   mt_buf_printf (out, "]%s\n", after);
}

/* If mongosh does not accept all stages of the pipeline, prints which first stages it accepts. */
static void pastes_text (const bson_t *stages, MtBuf *out)
{
   size_t count = mt_doc_count (mt_v_array (stages)), n = mt_shell_pastes (stages);
   if (n == count)
      return;
   mt_buf_adds (out, "Pastes into mongosh: ");
   if (n > 1)
      mt_buf_printf (out, "stages 1 to %zu of %zu\n", n, count);
   else if (n)
      mt_buf_printf (out, "stage 1 of %zu\n", count);
   else
      mt_buf_adds (out, "no stage\n");
}

static bool is_same (const bson_t *a, const bson_t *b)
{
   return a == b || (a && b && bson_equal (a, b));
}

/* Returns how many of the `behind` arms after this one have the same pipelines and differ only in
 * their collection. (An arm is a part of a plan that reads one source.) */
static int same_arms_behind (const MtPlanArm *arm, int behind)
{
   int n = 0;
   while (n < behind && !arm->arm_count && !arm[n + 1].arm_count && arm[n + 1].collection &&
          is_same (arm->remote, arm[n + 1].remote) && is_same (arm->local, arm[n + 1].local))
      n++;
   return n;
}

static void arm_text (MtEngine *e, const MtPlanArm *arm, bool whole, MtBuf *out)
{
   for (int i = 0; i < arm->arm_count; i++) {
      mt_buf_adds (out, i ? "And: " : "");
      arm_text (e, &arm->arms[i], whole, out);
      int more = whole ? 0 : same_arms_behind (&arm->arms[i], arm->arm_count - 1 - i);
      if (more <= MT_UNIONS_SHOWN)
         continue;
      i += more;
      mt_buf_adds (out, "And: ");
      mt_shell_more ((size_t) more, mt_str (arm->arms[i].collection), out);
      mt_buf_addc (out, '\n');
   }
   if (arm->arm_count) {
      if (arm->local)
         mt_stages_text ("Then, over all, in process: ", arm->local,
                         (MtShellStyle) {.whole = whole}, "", out);
      return;
   }
   bool here = mt_is_temporary (arm->collection);
   mt_buf_adds (out, here ? "in process, " : "");
   if (arm->collection)
      mt_buf_printf (out, "db.getCollection(\"%s\").aggregate(", arm->collection);
   else
      mt_buf_adds (out, "db.aggregate(");
   mt_stages_text ("", arm->remote, (MtShellStyle) {.whole = whole, .mark = !here},
                   arm->collection && mt_engine_is_collated (e, arm->collection)
                      ? ", {collation: {locale: \"simple\"}})"
                      : ")",
                   out);
   if (!here)
      pastes_text (arm->remote, out);
   if (arm->local)
      mt_stages_text ("Then, in process: ", arm->local, (MtShellStyle) {.whole = whole}, "", out);
}

void mt_plan_text (MtEngine *e, const MtPlan *p, bool whole, MtBuf *out)
{
   MtPlanArm all = mt_whole_plan (p);
   arm_text (e, &all, whole, out);
}
