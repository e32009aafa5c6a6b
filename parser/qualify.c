/* Adds the table's name to all column names in an expression over one table. */
#include "parser/parser.h"

static bool qualify_list (MtArena *a, MtExprList *list, const char *table)
{
   for (; list; list = list->next)
      if (!mt_qualify_expr (a, list->expr, table))
         return false;
   return true;
}

static void qualify_column (MtArena *a, MtExpr *e, const char *table)
{
   MtNameList *owner = MT_NEW (a, MtNameList);
   owner->name = (MtName) {table, true, e->span};
   owner->next = e->column.parts;
   if (!e->column.parts->next)
      e->column.parts = owner;
}

static bool qualify_call (MtArena *a, MtExpr *e, const char *table)
{
   return !e->call.over && !e->call.order && !e->call.within_group && !e->call.filter &&
          qualify_list (a, e->call.args, table);
}

bool mt_qualify_expr (MtArena *a, MtExpr *e, const char *table)
{
   if (!e)
      return true;
   switch (e->kind) {
   case MT_EXPR_NULL:
   case MT_EXPR_BOOL:
   case MT_EXPR_INTEGER:
   case MT_EXPR_DECIMAL:
   case MT_EXPR_STRING:
   case MT_EXPR_BITSTRING:
   case MT_EXPR_TYPED_STRING: return true;
   case MT_EXPR_COLUMN: qualify_column (a, e, table); return true;
   case MT_EXPR_AT_TIME_ZONE:
   case MT_EXPR_OPERATOR:
      return mt_qualify_expr (a, e->op.left, table) && mt_qualify_expr (a, e->op.right, table);
   case MT_EXPR_AND:
   case MT_EXPR_OR: return qualify_list (a, e->list, table);
   case MT_EXPR_NOT: return mt_qualify_expr (a, e->arg, table);
   case MT_EXPR_IS:
      return mt_qualify_expr (a, e->is.left, table) && mt_qualify_expr (a, e->is.right, table);
   case MT_EXPR_BETWEEN:
      return mt_qualify_expr (a, e->between.value, table) &&
             mt_qualify_expr (a, e->between.low, table) &&
             mt_qualify_expr (a, e->between.high, table);
   case MT_EXPR_IN:
      return !e->in.subquery && mt_qualify_expr (a, e->in.value, table) &&
             qualify_list (a, e->in.list, table);
   case MT_EXPR_LIKE:
      return mt_qualify_expr (a, e->like.value, table) &&
             mt_qualify_expr (a, e->like.pattern, table) &&
             mt_qualify_expr (a, e->like.escape, table);
   case MT_EXPR_CALL: return qualify_call (a, e, table);
   case MT_EXPR_CAST: return mt_qualify_expr (a, e->cast.arg, table);
   default: return false;
   }
}
