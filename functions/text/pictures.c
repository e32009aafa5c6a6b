/* Draws numbers as text: bar, as in DuckDB. (sparkline is in agg_results.c.) */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include <math.h>

enum { EIGHTHS = 8, WIDEST = 1000 };

/* Sets *eighths to the length of a bar in eighths of a character. a[] is the value, the values of
 * an empty and of a full bar, and the width in characters, which is copied to *width. */
static bool bar_length (MtEval *ev, const MtVal *a, double *width, size_t *eighths)
{
   double x = a[0].d, min = a[1].d, max = a[2].d, share;
   *width = a[3].d;
   if (!(*width >= 1 && *width <= WIDEST))
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "the width of a bar must be from 1 to %d",
                       WIDEST);
   if (isnan (x) || isnan (min) || isnan (max) || x <= min)
      share = 0;
   else
      share = x >= max ? 1 : (x - min) / (max - min);
   if (isnan (share)) /* min is -Infinity, or max is Infinity */
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "the limits of a bar must not be infinite");
   *eighths = (size_t) (*width * share * EIGHTHS);
   return true;
}

static bool fn_bar (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
   double width = 0;
   size_t eighths = 0, used = 0;
   MtBuf buf = {0};
   (void) n;
   if (!bar_length (ev, a, &width, &eighths))
      return false;
   for (; used < eighths / EIGHTHS; used++)
      mt_buf_adds (&buf, "█");
   mt_buf_adds (&buf, parts[eighths % EIGHTHS]);
   for (used += eighths % EIGHTHS != 0; (double) used < width; used++)
      mt_buf_addc (&buf, ' ');
   *out = mt_text_result (ev, &buf);
   return true;
}

const MtFunc mt_fn_pictures[] = {
   {.name = "bar",
    .signature = "x float8, min float8, max float8, width float8 -> text",
    .flags = MT_NN,
    .op = MT_OP (bar),
    .defaults = (const char *const[]) {NULL, NULL, NULL, "80"},
    .summary = "a bar from min (empty) to max (`width` characters), filled up with spaces",
    .example = "SELECT bar(5, 0, 8, 4) || '|' => ██▌ |"},
   {.name = NULL},
};
