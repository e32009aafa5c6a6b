/* candlestick_agg: the first, highest, lowest and last price of a period, and the traded volume. */
#include "functions/timeseries/timepoints.h"

#include "functions/core/rows.h"
#include "types/datetime.h"

#include <math.h>

typedef struct Candle {
   MtTimePoint open, high, low, close;
   bool rows;               /* false: no prices yet */
   bool traded;             /* each price has a volume */
   double volume, turnover; /* turnover: the sum of volume * price */
} Candle;

/* ---- states ---- */

/* Returns whether point p (a time and a price) comes before q. At the same time the lower price
 * comes first, so that the result does not depend on the order of rows. */
static bool before (MtTimePoint p, MtTimePoint q)
{
   return p.ms < q.ms || (p.ms == q.ms && p.v < q.v);
}

/* Returns whether price p is higher than q; of equal prices, the earlier one counts as higher. */
static bool higher (MtTimePoint p, MtTimePoint q)
{
   return p.v > q.v || (p.v == q.v && p.ms < q.ms);
}
static bool lower (MtTimePoint p, MtTimePoint q)
{
   return p.v < q.v || (p.v == q.v && p.ms < q.ms);
}

static bool merge (MtEval *ev, void *into, const void *from)
{
   Candle *c = into;
   const Candle *f = from;
   (void) ev;
   if (!f->rows)
      return true;
   if (!c->rows) {
      *c = *f;
      return true;
   }
   c->open = before (f->open, c->open) ? f->open : c->open;
   c->close = before (c->close, f->close) ? f->close : c->close;
   c->high = higher (f->high, c->high) ? f->high : c->high;
   c->low = lower (f->low, c->low) ? f->low : c->low;
   c->traded &= f->traded;
   c->volume += f->volume;
   c->turnover += f->turnover;
   return true;
}

static bool write_candle (MtEval *ev, const void *state, MtBson *b)
{
   const Candle *c = state;
   (void) ev;
   mt_timepoint_write (b, "open", c->open);
   mt_timepoint_write (b, "high", c->high);
   mt_timepoint_write (b, "low", c->low);
   mt_timepoint_write (b, "close", c->close);
   if (c->traded) {
      mt_bson_put (b, "volume", mt_v_double (c->volume));
      mt_bson_put (b, "turnover", mt_v_double (c->turnover));
   }
   return c->rows;
}

static void read_candle (MtEval *ev, MtSummaryReader *r, void *state)
{
   Candle *c = state;
   (void) ev;
   *c = (Candle) {.open = mt_timepoint_read (r, "open"),
                  .high = mt_timepoint_read (r, "high"),
                  .low = mt_timepoint_read (r, "low"),
                  .close = mt_timepoint_read (r, "close"),
                  .rows = true,
                  .traded = mt_doc_field (r->doc, "volume").type != MT_MISSING};
   if (c->traded) {
      c->volume = mt_read_double (r, "volume");
      c->turnover = mt_read_double (r, "turnover");
   }
   r->ok &= c->open.ms <= c->close.ms && c->low.v <= c->high.v;
}

static const MtStateKind CANDLE = {MT_T_CANDLESTICK, sizeof (Candle), merge, write_candle,
                                   read_candle};

/* Checks a time and `count` prices. Fails with 22008 for an infinite time, and with 22003 for a NaN
 * price. */
static bool check (MtEval *ev, int64_t ms, const MtVal *prices, int count)
{
   if (!mt_ts_is_finite (ms))
      return mt_error (ev->err, MT_E_DATETIME_RANGE, "a price must have a finite time");
   for (int i = 0; i < count; i++)
      if (isnan (prices[i].d))
         return mt_error (ev->err, MT_E_NUMERIC_RANGE, "a price must not be NaN");
   return true;
}

/* Adds a row to the state. Arguments: time, price [, volume]. Rows without a time or a price are
 * ignored. */
static bool step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   if (mt_any_null (args, 2))
      return true;
   if (!check (ev, args[0].i, args + 1, 1))
      return false;
   MtTimePoint p = {args[0].i, args[1].d};
   Candle one = {p, p, p, p, .rows = true, .traded = argc > 2 && !mt_is_nullish (args[2])};
   one.volume = one.traded ? args[2].d : 0;
   one.turnover = one.volume * p.v;
   return merge (ev, state, &one);
}

/* ---- functions ---- */

/* Computes candlestick, which makes a state of one period. Arguments: time, open, high, low, close,
 * volume. Only the volume may be NULL. */
static bool fn_candlestick (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   (void) n;
   *out = mt_v_null ();
   if (mt_any_null (a, 5))
      return true;
   if (!check (ev, a[0].i, a + 1, 4))
      return false;
   if (a[3].d > a[2].d || a[1].d > a[2].d || a[1].d < a[3].d || a[4].d > a[2].d || a[4].d < a[3].d)
      return mt_error (ev->err, MT_E_PARAMETER, "open and close must lie between low and high");
   Candle c = {{a[0].i, a[1].d}, {a[0].i, a[2].d}, {a[0].i, a[3].d},
               {a[0].i, a[4].d}, .rows = true,     .traded = !mt_is_nullish (a[5])};
   c.volume = c.traded ? a[5].d : 0;
   c.turnover = c.volume * (a[2].d + a[3].d + a[4].d) / 3; /* the typical price */
   return mt_summary_write (ev, &CANDLE, &c, out);
}

typedef enum What { OPEN, HIGH, LOW, CLOSE, VOLUME, VWAP } What;
#define TIME_OF 64 /* the time of that price */

static bool fn_candle (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Candle c = {0};
   What what = (What) (MT_USER (ev) & ~TIME_OF);
   (void) n;
   *out = mt_v_null ();
   if (!mt_summary_read (ev, &CANDLE, a[0], &c))
      return false;
   if (what == VOLUME || what == VWAP) {
      if (c.traded && what == VOLUME)
         *out = mt_v_double (c.volume);
      else if (c.traded && c.volume > 0 && isfinite (c.turnover))
         *out = mt_v_double (c.turnover / c.volume);
      return true;
   }
   const MtTimePoint points[] = {
      [OPEN] = c.open, [HIGH] = c.high, [LOW] = c.low, [CLOSE] = c.close};
   *out = MT_USER (ev) & TIME_OF ? mt_v_date (points[what].ms) : mt_v_double (points[what].v);
   return true;
}

/* ---- rows ---- */

#define TRADES \
   "FROM (VALUES (timestamptz '2020-01-01 09:00', 10, 100), ('2020-01-01 09:01', 12, 50), " \
   "('2020-01-01 09:02', 9, 50)) AS t (ts, price, volume) => "
#define CANDLE_ROW(name_, what_, ret_, doc_, r_) \
   MT_ROW (name_, "state candlestick -> " ret_, 0, NULL, \
           MT_OPN ("candlestick_" name_, candle, what_), doc_, \
           "SELECT " name_ "(candlestick_agg(ts, price, volume)) " TRADES r_)
#define PRICE(name_, what_, doc_, r_, t_) \
   CANDLE_ROW (name_, what_, "float8", doc_, r_), \
      CANDLE_ROW (name_ "_time", (what_) | TIME_OF, "timestamptz", "time of the " doc_, t_)

const MtFunc mt_fn_candlestick[] = {
   PRICE ("open", OPEN, "first price", "10", "2020-01-01 09:00:00+00"),
   PRICE ("high", HIGH, "highest price", "12", "2020-01-01 09:01:00+00"),
   PRICE ("low", LOW, "lowest price", "9", "2020-01-01 09:02:00+00"),
   PRICE ("close", CLOSE, "last price", "9", "2020-01-01 09:02:00+00"),
   CANDLE_ROW ("volume", VOLUME, "float8", "volume; NULL if a price has none", "200"),
   CANDLE_ROW ("vwap", VWAP, "float8", "average price, weighted by volume", "10.25"),
   MT_ROW ("candlestick",
           "ts timestamptz, open float8, high float8, low float8, close float8, volume float8 -> "
           "candlestick",
           MT_F_NOT_STRICT, NULL, MT_OPN ("candlestick", candlestick, 0),
           "state of a period whose prices are known",
           "SELECT high(candlestick('2020-01-01', 10, 12, 9, 11, NULL)) => 12"),
   {.name = NULL},
};

#define AGG(name_, sig_, call_) \
   { \
      .name = name_, .signature = sig_ " -> candlestick", .flags = MT_F_NOT_STRICT, \
      .summary = "state of the prices of a period: open, high, low, close, the time of each " \
                 "(open_time), volume, vwap", \
      .example = "SELECT high(" call_ ") " TRADES "12", .state = &(const MtAggState) \
      { \
         .size = sizeof (Candle), .step = step, .merge = mt_summary_merge, \
         .final = mt_summary_save, .save = mt_summary_save, .load = mt_summary_load, \
         .user = (void *) (uintptr_t) &CANDLE \
      } \
   }

const MtAgg mt_agg_candlestick[] = {
   AGG ("candlestick_agg", "ts timestamptz, price float8, volume float8",
        "candlestick_agg(ts, price, volume)"),
   AGG ("ohlc", "ts timestamptz, price float8", "ohlc(ts, price)"),
   MT_SUMMARY_ROLLUP ("candlestick", Candle, CANDLE,
                      "SELECT close(rollup(s)) FROM (SELECT ohlc(ts, v) AS s FROM "
                      "(VALUES (1, timestamptz '2020-01-01', 5), (2, '2020-01-02', 8)) AS t (g, "
                      "ts, v) GROUP BY g) AS u => 8"),
   {.name = NULL},
};
