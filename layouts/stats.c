#include "layouts/stats.h"

#include <string.h>

/* Adds the counts of NULLs in `more` to `into`. If either is unknown, the result is unknown
 * (NULL). */
static void add_nulls (MtArena *a, MtStoreStats *into, const MtStoreStats *more)
{
   const uint64_t *old = into->nulls;
   into->nulls = NULL;
   if (!old || !more->nulls || into->null_columns != more->null_columns)
      return;
   into->nulls = MT_NEW_N (a, uint64_t, more->null_columns);
   for (size_t i = 0; i < more->null_columns; i++)
      into->nulls[i] = old[i] + more->nulls[i];
}

void mt_stats_add (MtArena *a, const MtStoreDesc *s, MtStoreStats *into, const MtStoreStats *more)
{
   if (!more->present)
      return;
   if (!into->present || !into->nodes) {
      MtStoreStats x = *more;
      x.nodes = MT_NEW_N (a, MtNodeStats, s->node_count);
      memcpy (x.nodes, more->nodes, s->node_count * sizeof *x.nodes);
      *into = x;
      return;
   }
   into->documents += more->documents;
   into->bytes += more->bytes;
   into->records += more->records;
   into->spans_ms += more->spans_ms;
   for (size_t i = 0; i < s->node_count; i++) {
      into->nodes[i].cells += more->nodes[i].cells;
      into->nodes[i].bytes += more->nodes[i].bytes;
   }
   add_nulls (a, into, more);
   if (more->has_time) {
      into->min_ms = !into->has_time || more->min_ms < into->min_ms ? more->min_ms : into->min_ms;
      into->max_ms = !into->has_time || more->max_ms > into->max_ms ? more->max_ms : into->max_ms;
      into->has_time = true;
   }
}

void mt_stats_scale (const MtStoreDesc *s, MtStoreStats *stats, double factor)
{
   stats->documents *= factor;
   stats->bytes *= factor;
   stats->records *= factor;
   stats->spans_ms *= factor;
   for (size_t i = 0; i < s->node_count; i++) {
      stats->nodes[i].cells *= factor;
      stats->nodes[i].bytes *= factor;
   }
}

static double less_by (double from, double less) { return from > less ? from - less : 0; }

void mt_stats_take (const MtStoreDesc *s, MtStoreStats *from, const MtStoreStats *less)
{
   if (!from->present || !from->nodes || !less->nodes)
      return;
   from->documents = less_by (from->documents, less->documents);
   from->bytes = less_by (from->bytes, less->bytes);
   from->records = less_by (from->records, less->records);
   from->spans_ms = less_by (from->spans_ms, less->spans_ms);
   for (size_t i = 0; i < s->node_count; i++) {
      from->nodes[i].cells = less_by (from->nodes[i].cells, less->nodes[i].cells);
      from->nodes[i].bytes = less_by (from->nodes[i].bytes, less->nodes[i].bytes);
   }
}
