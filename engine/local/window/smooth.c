/* Exponential smoothing: the window functions $ema and $holtWinters. Each row's result is computed
 * from the state after the preceding row, so no rows are kept.
 *
 *    $ema          {value, n: [alpha]}: the average after the row
 *    $holtWinters  {value, n: [period, alpha, beta, gamma]}: the forecast of the row's value
 *
 * $holtWinters is the additive method of Holt and Winters (Hyndman, Athanasopoulos: Forecasting:
 * Principles and Practice, 8.3). v is the row's value, l the level, b the trend, and s the seasonal
 * share of the row one period earlier:
 *
 *    forecast  f = l + b + s
 *    level     l' = alpha (v - s) + (1 - alpha) (l + b)
 *    trend     b' = beta (l' - l) + (1 - beta) b
 *    season    s' = gamma (v - l - b) + (1 - gamma) s
 *
 * The initial state is computed from the first two periods: l is the average of the first period, b
 * the average change per row from the first to the second period, and s each row's difference from
 * l. Then the state learns from the second period. The first two periods have no forecasts. */
#include "engine/local/window/window_int.h"

#include "types/numeric.h"

#include <stdlib.h>

/* The maximum period, to limit the memory: no real season has so many rows. */
#define MOST_PERIOD 100000

static bool number_of (MtVal v, double *out)
{
   MtNum n;
   if (v.type == MT_DOUBLE)
      *out = v.d;
   else if (mt_num_from_val (v, &n))
      *out = mt_num_to_double (n);
   else
      return false;
   return true;
}

void mt_win_smooth_begin (MtWinSmooth *s)
{
   s->begun = false;
   s->seen = 0;
   s->at = 0;
}

/* ---- parameters ---- */

static bool share_at (MtVal list, size_t i, double *out)
{
   return number_of (mt_doc_at (list, i), out) && *out >= 0 && *out <= 1;
}

static bool begin (const MtWinFunc *f, MtWinSmooth *s, MtVal n, MtWork *w)
{
   double period;
   s->begun = true;
   if (f->kind == MT_WK_EMA)
      return share_at (n, 0, &s->alpha) ||
             mt_error (&w->err, MT_E_PARAMETER, "alpha of $ema must be between 0 and 1");
   if (!number_of (mt_doc_at (n, 0), &period) || !(period >= 2 && period <= MOST_PERIOD))
      return mt_error (&w->err, MT_E_PARAMETER, "the period of $holtWinters must be from 2 to %d",
                       MOST_PERIOD);
   s->period = (uint32_t) period;
   if (s->period * 2 > s->season_cap) {
      s->season_cap = s->period * 2;
      s->season = mt_x_realloc (s->season, s->season_cap * sizeof *s->season);
   }
   return (share_at (n, 1, &s->alpha) && share_at (n, 2, &s->beta) && share_at (n, 3, &s->gamma)) ||
          mt_error (&w->err, MT_E_PARAMETER,
                    "alpha, beta and gamma of $holtWinters must be between 0 and 1");
}

/* ---- the functions ---- */

/* Adds a value to the average of $ema and returns the average. A NULL does not change it. */
static MtVal average (MtWinSmooth *s, bool null, double v)
{
   if (!null)
      s->level = s->seen++ ? s->alpha * v + (1 - s->alpha) * s->level : v;
   return s->seen ? mt_v_double (s->level) : mt_v_null ();
}

static void learn (MtWinSmooth *s, double v)
{
   double *season = &s->season[s->at], before = s->level + s->trend, level;
   level = s->alpha * (v - *season) + (1 - s->alpha) * before;
   s->trend = s->beta * (level - s->level) + (1 - s->beta) * s->trend;
   *season = s->gamma * (v - before) + (1 - s->gamma) * *season;
   s->level = level;
   s->at = (s->at + 1) % s->period;
}

/* Computes the initial level, trend and seasonal shares from the values of the first two
 * periods. */
static void settle (MtWinSmooth *s)
{
   double *v = s->season, p = s->period, sum = 0, rise = 0;
   for (uint32_t i = 0; i < s->period; i++) {
      sum += v[i];
      rise += (v[s->period + i] - v[i]) / p;
   }
   s->level = sum / p;
   s->trend = rise / p;
   s->at = 0;
   for (uint32_t i = 0; i < s->period; i++)
      v[i] -= s->level;
   for (uint32_t i = 0; i < s->period; i++)
      learn (s, v[s->period + i]);
}

/* Returns the forecast for the current row, and then learns its value v. A NULL within the first
 * two periods starts them again. A later NULL is learned as if it equalled the forecast. */
static MtVal forecast (MtWinSmooth *s, bool null, double v)
{
   if (s->seen < s->period * 2ull) {
      if (null)
         s->seen = 0;
      else
         s->season[s->seen++] = v;
      if (s->seen == s->period * 2ull)
         settle (s);
      return mt_v_null ();
   }
   double expected = s->level + s->trend + s->season[s->at];
   learn (s, null ? expected : v);
   return mt_v_double (expected);
}

bool mt_win_smooth (const MtWinFunc *f, MtWinSmooth *s, MtVal value, MtVal n, MtWork *w, MtVal *out)
{
   double v = 0;
   if (!s->begun && !begin (f, s, n, w))
      return false;
   bool null = !number_of (value, &v);
   *out = f->kind == MT_WK_EMA ? average (s, null, v) : forecast (s, null, v);
   return true;
}
