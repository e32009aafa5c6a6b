/* Finds out whether a pipeline can read columns. It can if it needs only plain fields of the
 * documents, and of the lists that the $unwind at its beginning read. */
#include "engine/local/exec/columns_int.h"
#include "engine/local/exec/stages.h"
#include "engine/local/expr/bounds.h"
#include "engine/local/expr/expr.h"

/* Adds the fields of a level to the plan. Returns false if it needs parts of a field. `raw`: the
 * slot of the only array that $unwind reads; MT_NO_SLOT: there is none. */
static bool add_fields (MtColumnPlan *p, const MtExtract *e, const char **list, uint32_t *raw)
{
   *raw = MT_NO_SLOT;
   for (uint32_t i = 0; e && i < e->count; i++) {
      const MtExtractField *f = &e->fields[i];
      if (f->sub || (f->raw != MT_NO_SLOT && *raw != MT_NO_SLOT))
         return false;
      if (f->raw != MT_NO_SLOT) {
         *raw = f->raw;
         *list = f->name;
      }
      if (f->value == MT_NO_SLOT && f->match == MT_NO_SLOT)
         continue;
      if (p->fields->count == MT_COLUMN_FIELDS)
         return false;
      p->field[p->fields->count] = (MtColumnField) {.level = p->levels - 1};
      p->fields->fields[p->fields->count++] = *f;
   }
   return true;
}

/* Adds a $match to the plan. Returns false if none of its conditions can be tested on columns. */
static bool add_match (MtColumnPlan *p, const MtMatch *m, uint32_t node)
{
   bool all = mt_column_testable (p->fields, m);
   if (p->match_count == MT_COLUMN_MATCHES || (!all && m->kind != MT_M_AND))
      return false;
   p->matches[p->match_count++] = (MtColumnMatch) {m, node, p->levels - 1, mt_column_leaves (m),
                                                   !all};
   return true;
}

/* Takes the nodes at the beginning of the pipeline that columns replace. Returns false if they
 * don't suffice. */
static bool take_nodes (MtColumnPlan *p, const MtExec *x)
{
   uint32_t raw, from;
   if (!add_fields (p, x->root->extract, &p->list[1], &raw))
      return false;
   for (uint32_t i = 0; i + 1 < x->node_count; i++) {
      const MtMatch *m = mt_match_of (x->nodes[i]);
      const MtExecVar *element;
      p->first = i;
      if (m) {
         if (!add_match (p, m, i) || p->matches[p->match_count - 1].partly)
            break;
      } else {
         if (!mt_unwind_of (x->nodes[i], &from, &element) || raw == MT_NO_SLOT || from != raw ||
             element->whole || p->levels == MT_COLUMN_LEVELS - 1)
            break;
         p->unwind[p->levels++] = x->nodes[i];
         if (x->nodes[i]->marks_runs)
            p->runs = p->levels - 1;
         if (!add_fields (p, element->extract, &p->list[p->levels], &raw))
            return false;
      }
      p->first = i + 1;
   }
   return raw == MT_NO_SLOT;
}

/* Returns whether a node behind the plan unwinds an element, or a list once more. */
static bool unwinds_again (const MtColumnPlan *p, const MtExec *x)
{
   for (uint32_t i = p->first; i < x->node_count; i++) {
      uint32_t from = mt_unwind_slot (x->nodes[i]);
      for (uint32_t k = 1; k < p->levels && from != MT_NO_SLOT; k++) {
         uint32_t list;
         const MtExecVar *element;
         mt_unwind_of (p->unwind[k], &list, &element);
         if (from == list || from == element->slot)
            return true;
      }
   }
   return false;
}

/* Returns the position of the first node that keeps rows. Before, each row is used at once. */
static int last_fleeting (const MtExec *x)
{
   uint32_t i = 0;
   while (i + 1 < x->node_count && !x->nodes[i]->sink && !x->nodes[i]->pump)
      i++;
   return x->nodes[i]->pos;
}

static uint32_t last_use (const MtCompile *c, uint32_t slot)
{
   return slot == MT_NO_SLOT || c->slots[slot].use < 0 ? 0 : (uint32_t) c->slots[slot].use;
}

/* Sets how long the values of a field are needed. */
static void set_until (MtColumnPlan *p, uint32_t i, const MtCompile *c)
{
   const MtExtractField *f = &p->fields->fields[i];
   MtColumnField *out = &p->field[i];
   uint32_t first = (uint32_t) c->exec->nodes[p->first]->pos;
   if (f->value != MT_NO_SLOT) {
      const MtSlotInfo *s = &c->slots[f->value];
      out->sized = s->uses == s->sizes && s->use <= last_fleeting (c->exec) &&
                   f->match == MT_NO_SLOT;
   }
   out->until = out->level;
   if (last_use (c, f->value) >= first || last_use (c, f->match) >= first)
      out->until = p->levels - 1;
   for (uint32_t k = 0; k < p->match_count; k++)
      if (p->matches[k].level > out->until && mt_column_reads (p->matches[k].match, f->match))
         out->until = p->matches[k].level;
}

const MtColumnPlan *mt_columns_plan (MtCompile *c)
{
   MtExec *x = c->exec;
   if (x->from != MT_FROM_SOURCE || x->args.reading.documents || x->root->whole)
      return NULL;
   MtColumnPlan *p = MT_NEW (c->arena, MtColumnPlan);
   p->fields = MT_NEW (c->arena, MtExtract);
   p->fields->fields = MT_NEW_N (c->arena, MtExtractField, MT_COLUMN_FIELDS);
   p->field = MT_NEW_N (c->arena, MtColumnField, MT_COLUMN_FIELDS);
   p->levels = 1;
   if (!take_nodes (p, x) || unwinds_again (p, x) || (p->levels == 1 && !x->root->extract))
      return NULL;
   for (uint32_t i = 0; i < p->fields->count; i++)
      set_until (p, i, c);
   return p;
}

/* ---- ranges of blocks ---- */

int mt_columns_field (const MtColumnPlan *p, uint32_t slot)
{
   for (uint32_t i = 0; i < p->fields->count; i++)
      if (p->fields->fields[i].value == slot)
         return (int) i;
   return -1;
}

bool mt_columns_parts (const MtExec *x, size_t block, uint32_t field, MtRangeParts *out)
{
   const MtColumnPlan *p = x->by_columns;
   const char *path[MT_COLUMN_LEVELS + 1];
   uint32_t depth = p->field[field].level;
   for (uint32_t i = 0; i < depth; i++)
      path[i] = p->list[i + 1];
   path[depth] = p->fields->fields[field].name;
   return mt_block_column_range (x->source, block, path, depth + 1, out);
}

/* Returns whether a row of the block may match a condition. */
static bool may_match (const MtExec *x, size_t block, const MtMatch *m)
{
   uint32_t yes = 0;
   for (uint32_t i = 0; i < m->count && (m->kind == MT_M_AND || m->kind == MT_M_OR); i++)
      yes += may_match (x, block, m->kids[i]);
   if (m->kind == MT_M_AND || m->kind == MT_M_OR)
      return m->kind == MT_M_AND ? yes == m->count : yes > 0;
   MtRangeParts p;
   int field = m->test ? mt_column_tested (x->by_columns->fields, m) : -1;
   if (field < 0 || !mt_columns_parts (x, block, (uint32_t) field, &p))
      return true;
   MtExprBounds b = mt_parts_bounds (&p);
   return mt_match_between (m, b.lo, b.hi);
}

bool mt_columns_none (const MtExec *x, size_t block)
{
   const MtColumnPlan *p = x->by_columns;
   for (uint32_t i = 0; i < p->match_count; i++)
      if (!may_match (x, block, p->matches[i].match))
         return true;
   return false;
}
