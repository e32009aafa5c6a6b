/* An extension in one file: functions (distance on the earth, counting words) and aggregates
 * (geometric mean, joining words).
 *
 *    LOAD 'example';
 *    SELECT haversine_km (52.52, 13.405, 48.137, 11.575);
 *    SELECT word_count ('to be or not');
 *    SELECT geometric_mean (x) FROM generate_series (1, 9) x; */
#include "mtsql_ext.h"

#include <math.h>
#include <string.h>

static double radians (double degrees) { return degrees * 0.017453292519943295; }

static bool haversine_km (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   double lat1 = radians (args[0].d), lat2 = radians (args[2].d), dlat = lat2 - lat1,
          dlon = radians (args[3].d - args[1].d);
   if (fabs (args[0].d) > 90 || fabs (args[2].d) > 90)
      return mt_error (ev->err, "22003", "latitude out of range");
   double h = sin (dlat / 2) * sin (dlat / 2) +
              cos (lat1) * cos (lat2) * sin (dlon / 2) * sin (dlon / 2);
   *out = mt_v_double (2 * 6371.0088 * asin (sqrt (h)));
   return true;
}

static bool word_count (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   int32_t words = 0;
   bool inside = false;
   for (uint32_t i = 0; i < args[0].len; i++) {
      bool space = args[0].p[i] == ' ' || args[0].p[i] == '\t' || args[0].p[i] == '\n';
      words += !space && !inside;
      inside = !space;
   }
   *out = mt_v_int32 (words);
   return true;
}

/* ---- geometric_mean: a state without pointers ---- */

typedef struct Mean {
   double logs; /* the sum of the logarithms */
   int64_t count;
} Mean;

static bool mean_step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   Mean *s = state;
   if (!(args[0].d > 0))
      return mt_error (ev->err, "22003", "the geometric mean needs numbers above 0");
   s->logs += log (args[0].d);
   s->count++;
   return true;
}

static bool mean_merge (MtEval *ev, void *into, const void *from)
{
   Mean *s = into;
   const Mean *f = from;
   s->logs += f->logs;
   s->count += f->count;
   return true;
}

static bool mean_final (MtEval *ev, const void *state, MtVal *out)
{
   const Mean *s = state;
   if (s->count)
      *out = mt_v_double (exp (s->logs / (double) s->count));
   return true;
}

static const MtAggState mean = {
   .size = sizeof (Mean), .step = mean_step, .merge = mean_merge, .final = mean_final};

/* ---- join_words: a state with memory, whose result depends on the order of the rows ---- */

typedef struct Text {
   char *p;
   uint32_t len, cap;
} Text;

/* Appends a space and a text to s. The memory is from ev->arena, which mtsql frees as a whole. */
static bool text_add (MtEval *ev, Text *s, const char *p, uint32_t len)
{
   uint32_t more = s->p ? len + 1 : len;
   if (more > (1u << 24) - s->len)
      return mt_error (ev->err, "54000", "joined words are longer than 16 MB");
   if (!s->p || s->len + more > s->cap) {
      uint32_t cap = 2 * (s->len + more) + 16;
      char *grown = mt_alloc (ev->arena, cap);
      if (s->len)
         memcpy (grown, s->p, s->len);
      s->p = grown;
      s->cap = cap;
   }
   if (more > len)
      s->p[s->len++] = ' ';
   if (len)
      memcpy (s->p + s->len, p, len);
   s->len += len;
   return true;
}

static bool words_step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   return text_add (ev, state, (const char *) args[0].p, args[0].len);
}

static bool words_merge (MtEval *ev, void *into, const void *from)
{
   const Text *f = from;
   return !f->p || text_add (ev, into, f->p, f->len);
}

static bool words_final (MtEval *ev, const void *state, MtVal *out)
{
   const Text *s = state;
   if (s->p)
      *out = mt_v_str (s->p, s->len);
   return true;
}

/* Restores a state from its saved form: the text, or null if there were no rows yet. */
static bool words_load (MtEval *ev, void *state, MtVal saved)
{
   return saved.type == MT_NULL || (saved.type == MT_STRING && words_step (ev, state, &saved, 1));
}

static const MtAggState words = {.size = sizeof (Text),
                                 .step = words_step,
                                 .merge = words_merge,
                                 .final = words_final,
                                 .save = words_final,
                                 .load = words_load,
                                 .ordered = true};

static const MtAgg aggregates[] = {
   {.name = "geometric_mean",
    .signature = "double precision -> double precision",
    .state = &mean,
    .summary = "geometric mean of numbers above 0",
    .example =
       "SELECT round(geometric_mean(x)::numeric, 6) FROM (VALUES (1), (3), (9)) AS t (x) => 3.000000"},
   {.name = "join_words",
    .signature = "text -> text",
    .state = &words,
    .summary = "texts with a space between them",
    .example =
       "SELECT join_words(x ORDER BY x) FROM (VALUES ('world'), ('hello')) AS t (x) => hello world"},
   {0},
};

/* ---- rows ---- */

static const MtFunc functions[] = {
   {.name = "haversine_km",
    .signature = "lat1 double precision, lon1 double precision, lat2 double precision, "
                 "lon2 double precision -> double precision",
    .flags = MT_F_NEVER_NULL,
    .op = MT_EXT_OP (haversine_km),
    .summary = "distance of two points on the earth in kilometres",
    .example = "SELECT round(haversine_km(52.52, 13.405, 48.137, 11.575)::numeric) => 504"},
   {.name = "word_count",
    .signature = "text -> integer",
    .flags = MT_F_NEVER_NULL,
    .op = MT_EXT_OP (word_count),
    .summary = "number of words",
    .example = "SELECT word_count('to be or not') => 4"},
   {0},
};

MT_MODULE (.name = "example", .version = "1.0",
           .doc = "Distances and words, as an example of an extension", .functions = functions,
           .aggregates = aggregates);
