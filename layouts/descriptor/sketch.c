/* Sketches: tables made from the columns that a descriptor names. CREATE LAYOUT checks a descriptor
 * against its sketch, and rejects a descriptor that fits no table. When a table uses the layout,
 * the checks that depend on types are made again. */
#include "engine/engine.h"
#include "layouts/descriptor/descriptor_int.h"

#include <string.h>

/* Pairs of facts about a column that contradict each other. `is` and `was` are the texts for an
 * error message: what the new fact states, and what the earlier fact stated. */
static const struct {
   unsigned fact, other;
   const char *is, *was;
} contradictions[] = {
   {MT_SK_TIME, MT_SK_NO_TIME, "is kept as a time here, and as something else elsewhere",
    "is kept as a time elsewhere"},
   {MT_SK_MEASURE, MT_SK_BOUND, "is a measure here, and is bound elsewhere",
    "is a measure elsewhere, and measures aren't bound"},
};

bool mt_sketch_column (MtParse *p, MtStr name, int *out)
{
   MtTable *t = &p->sketch->table;
   for (size_t i = 0; i < t->column_count; i++)
      if (mt_str_is (name, t->columns[i].name) && (int) i != t->time_column) {
         *out = (int) i;
         return true;
      }
   if (!name.n || name.n > MT_MAX_IDENTIFIER_BYTES || memchr (name.p, 0, name.n) ||
       !mt_utf8_valid (name.p, name.n))
      return MT_BAD (p, "\"%.*s\" can't be the name of a column",
                     (int) (name.n < 200 ? name.n : 200), name.p);
   if (t->column_count - (t->time_column >= 0) >= MT_MAX_COLUMNS)
      return MT_BAD (p, "more than %d columns are named", MT_MAX_COLUMNS);
   *out = (int) t->column_count;
   t->columns[t->column_count++] = (MtColumn) {
      .name = mt_strndup (p->a, name.p, name.n),
      .type = {.id = MT_T_UNKNOWN, .mod1 = -1, .mod2 = -1}};
   return true;
}

int mt_sketch_time (MtParse *p)
{
   MtTable *t = p->sketch ? &p->sketch->table : NULL;
   if (t && t->time_column < 0) {
      t->time_column = (int) t->column_count;
      t->columns[t->column_count++] = (MtColumn) {
         .name = "the time",
         .type = {.id = MT_T_TIMESTAMPTZ, .mod1 = -1, .mod2 = -1},
         .role = MT_COL_TIME};
   }
   return p->t->time_column;
}

bool mt_sketch_note (MtParse *p, int column, unsigned fact)
{
   if (!p->sketch || column < 0 || column == p->t->time_column)
      return true;
   unsigned *known = &p->sketch->facts[column];
   for (size_t i = 0; i < sizeof contradictions / sizeof contradictions[0]; i++) {
      if ((fact & contradictions[i].fact) && (*known & contradictions[i].other))
         return MT_BAD (p, "column \"%s\" %s", p->t->columns[column].name, contradictions[i].is);
      if ((fact & contradictions[i].other) && (*known & contradictions[i].fact))
         return MT_BAD (p, "column \"%s\" %s", p->t->columns[column].name, contradictions[i].was);
   }
   *known |= fact;
   if (fact & MT_SK_MEASURE)
      p->sketch->table.columns[column].role = MT_COL_MEASURE;
   return true;
}

bool mt_sketch_may_be_time (const MtTable *t, int column)
{
   return t->sketch && column != t->time_column &&
          !(t->sketch->facts[column] & (MT_SK_NO_TIME | MT_SK_MEASURE));
}
