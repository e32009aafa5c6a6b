/* Conditions on array columns in $match, which searches arrays: $all for @>, and $in for &&. If a
 * column's arrays can have several dimensions, SQL searches nested arrays, and $match does not. For
 * such a column the condition only excludes documents, and an $expr decides. */
#include "planner/emit/emit_int.h"

#include "query/condition.h"
#include "query/x.h"

/* ---- recognizing conditions ---- */

static MtFuncKind swapped (MtFuncKind op)
{
   switch (op) {
   case MT_FN_ARRAY_CONTAINS: return MT_FN_ARRAY_WITHIN;
   case MT_FN_ARRAY_WITHIN: return MT_FN_ARRAY_CONTAINS;
   default: return op;
   }
}

static void read_values (MtEmit *e, const MtX *constant, MtArrayMatch *out)
{
   MtTypeId t = mt_type_element (constant->type.id);
   int count = 0;
   MtVal v;
   for (MtArrayIter it = mt_array_iter (constant->value, t); mt_array_next (&it, &v);)
      count++;
   MtVal *values = MT_NEW_N (e->a, MtVal, (size_t) count + 1);
   for (MtArrayIter it = mt_array_iter (constant->value, t); mt_array_next (&it, &v);)
      if (mt_is_nullish (v))
         out->null = true;
      else
         values[out->count++] = v;
   out->values = values;
}

bool mt_array_match (MtEmit *e, const MtX *x, MtArrayMatch *out)
{
   MtFuncKind op = x->kind == MT_X_CALL ? x->call.fn->kind : MT_FN_OTHER;
   if (op != MT_FN_ARRAY_CONTAINS && op != MT_FN_ARRAY_WITHIN && op != MT_FN_ARRAY_OVERLAP)
      return false;
   bool swap = x->call.args[0]->kind == MT_X_CONST;
   const MtX *column = x->call.args[swap], *constant = x->call.args[!swap];
   const MtPlace *p = mt_emit_place (e, column);
   MtTypeId element = mt_type_element (column->type.id);
   if (constant->kind != MT_X_CONST || mt_is_nullish (constant->value) || !p || !p->path ||
       !p->can_match || p->encode || p->expr || !mt_plain_equality (element, element))
      return false;
   *out = (MtArrayMatch) {
      .path = p->path, .op = swap ? swapped (op) : op, .flat = mt_type_is_flat (column->type)};
   read_values (e, constant, out);
   if (out->op == MT_FN_ARRAY_CONTAINS && !out->count && !out->null)
      /* true for every array, even {NULL}, which no condition on elements tells from NULL */
      return false;
   return out->flat || (out->op != MT_FN_ARRAY_WITHIN && out->count > 0 && !out->null);
}

/* ---- appending conditions ---- */

static void add_values (bson_t *out, const char *op, const MtArrayMatch *m)
{
   bson_t list;
   mt_array_begin (out, op, &list);
   for (int i = 0; i < m->count; i++)
      mt_doc_push (&list, m->values[i]);
   mt_array_end (out, &list);
}

/* Appends the condition for a column whose arrays have one dimension. */
static void write_flat (const MtArrayMatch *m, bson_t *out)
{
   bson_t doc, not, each;
   bool contains = m->op == MT_FN_ARRAY_CONTAINS;
   mt_doc_begin (out, m->path, &doc);
   if (contains && m->null)
      add_values (&doc, "$in", &(MtArrayMatch) {0});
   else if (m->op != MT_FN_ARRAY_WITHIN)
      add_values (&doc, contains ? "$all" : "$in", m);
   else {
      mt_doc_add (&doc, "$ne", mt_v_null ());
      mt_doc_begin (&doc, "$not", &not);
      mt_doc_begin (&not, "$elemMatch", &each);
      add_values (&each, "$nin", m);
      mt_doc_end (&not, &each);
      mt_doc_end (&doc, &not);
   }
   mt_doc_end (out, &doc);
}

/* Appends the condition that some element is an array itself. */
static void write_nested (const MtArrayMatch *m, bson_t *out)
{
   mt_doc_printf (out, "%s: {$elemMatch: {$type: 'array'}}", m->path);
}

bool mt_emit_array_match (MtEmit *e, const MtX *x, const MtArrayMatch *m, bson_t *out)
{
   bson_t all, any, one, each;
   if (m->flat) {
      write_flat (m, out);
      return true;
   }
   mt_array_begin (out, "$and", &all);
   mt_doc_begin (&all, "0", &one);
   mt_array_begin (&one, "$or", &any);
   mt_doc_begin (&any, "0", &each);
   write_flat (m, &each);
   mt_doc_end (&any, &each);
   mt_doc_begin (&any, "1", &each);
   write_nested (m, &each);
   mt_doc_end (&any, &each);
   mt_array_end (&one, &any);
   mt_doc_end (&all, &one);
   mt_doc_begin (&all, "1", &one);
   bool ok = mt_emit_truth (e, x, true, &one, "$expr");
   mt_doc_end (&all, &one);
   mt_array_end (out, &all);
   return ok;
}
