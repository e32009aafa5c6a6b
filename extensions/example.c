/* An extension in one file: distance on the earth, and counting words.
 *
 *    LOAD 'example.so';
 *    SELECT haversine_km (52.52, 13.405, 48.137, 11.575);
 *    SELECT word_count ('to be or not'); */
#include "mtsql_ext.h"

#include <math.h>

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
           .doc = "Distances and words, as an example of an extension", .functions = functions);
