/* The builders of constraints. */
#include "parser/build_constraint_int.h"
#include "parser/grammar.h"

static MtCheckDef *new_check (MtParser *p, MtToken t, MtExpr *e, MtToken end)
{
   MtCheckDef *c = MT_NEW (p->a, MtCheckDef);
   c->expr = e;
   c->span = mt_b_join_spans (t.span, end.span);
   return c;
}

void mt_b_column_check (MtParser *p, MtColumnDef *c, MtToken t, MtExpr *e, MtToken end)
{
   MtCheckDef **last = &c->checks;
   while (*last)
      last = &(*last)->next;
   *last = new_check (p, t, e, end);
   (*last)->name = c->constraint;
   c->constraint = (MtName) {0};
   c->span = mt_b_join_spans (c->span, end.span);
}

void mt_b_column_constraint (MtColumnDef *c, MtToken name) { c->constraint = mt_b_name (name); }

static void refuse_foreign (MtParser *p, MtToken t, const char *what)
{
   mt_b_refuse (p, t, what);
   mt_error_hint (p->err, "Leave it out: mtsql does not check references between tables.");
}

void mt_b_column_references (MtParser *p, MtToken t) { refuse_foreign (p, t, "REFERENCES"); }

static MtKeyDef *new_key (MtParser *p, MtKeyDefKind kind, MtNameList *columns, MtSpan span)
{
   MtKeyDef *k = MT_NEW (p->a, MtKeyDef);
   *k = (MtKeyDef) {.kind = kind, .columns = columns, .span = span};
   return k;
}

void mt_b_column_key (MtParser *p, MtColumnDef *c, MtKeyDefKind kind, MtSpan span, bool nulls_equal)
{
   MtKeyDef **last = &c->keys;
   while (*last)
      last = &(*last)->next;
   MtNameList *column = MT_NEW (p->a, MtNameList);
   column->name = c->name;
   *last = new_key (p, kind, column, span);
   (*last)->name = c->constraint;
   (*last)->nulls_equal = nulls_equal;
   c->constraint = (MtName) {0};
   c->span = mt_b_join_spans (c->span, span);
}

MtKey mt_b_key (MtParser *p, MtToken t, MtNames names, MtToken end, MtKeyDefKind kind)
{
   MtSpan span = mt_b_join_spans (t.span, end.span);
   return (MtKey) {.key = new_key (p, kind, names.first, t.span), .span = span};
}

MtKey mt_b_key_nulls (MtKey k, bool nulls_equal)
{
   k.key->nulls_equal = nulls_equal;
   return k;
}

void mt_b_deferrable (MtParser *p, MtToken t)
{
   mt_b_refuse (p, t, "DEFERRABLE");
   mt_error_hint (p->err, "Leave it out: constraints are checked by each statement.");
}

MtKey mt_b_key_not_valid (MtParser *p, MtKey k, MtToken t, MtToken end)
{
   if (k.check) {
      k.check->not_valid = true;
      k.check->span = k.span = mt_b_join_spans (k.span, end.span);
   } else if (k.key)
      mt_b_fail (p, mt_b_join_spans (t.span, end.span), MT_E_FEATURE,
                 "%s constraints cannot be marked NOT VALID",
                 k.key->kind == MT_KEYDEF_PRIMARY ? "PRIMARY KEY" : "UNIQUE");
   return k;
}

MtKey mt_b_key_foreign (MtParser *p, MtToken t)
{
   refuse_foreign (p, t, "FOREIGN KEY");
   return (MtKey) {.span = t.span};
}

MtKey mt_b_key_check (MtParser *p, MtToken t, MtExpr *e, MtToken end)
{
   MtCheckDef *c = new_check (p, t, e, end);
   return (MtKey) {.check = c, .span = c->span};
}

MtKey mt_b_key_named (MtKey k, MtToken t, MtToken name)
{
   if (k.check) {
      k.check->name = mt_b_name (name);
      k.check->span = k.span = mt_b_join_spans (t.span, k.span);
   }
   if (k.key) {
      k.key->name = mt_b_name (name);
      k.key->span = t.span;
      k.span = mt_b_join_spans (t.span, k.span);
   }
   return k;
}

MtTableItems mt_b_items_check (MtTableItems items, MtCheckDef *check)
{
   if (items.last_check)
      items.last_check->next = check;
   else
      items.checks = check;
   items.last_check = check;
   return items;
}

MtStmt *mt_b_alter_constraint (MtParser *p, MtToken t, MtKey k)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_ALTER_TABLE, t, k.span);
   s->alter_table.action = k.check ? MT_ALTER_ADD_CHECK : MT_ALTER_ADD_KEY;
   s->alter_table.check = k.check;
   s->alter_table.key = k.key;
   return s;
}

MtStmt *mt_b_alter_if_exists (MtStmt *s)
{
   s->alter_table.action_if_exists = true;
   return s;
}

MtStmt *mt_b_alter_rename_constraint (MtStmt *s)
{
   s->alter_table.action = MT_ALTER_RENAME_CONSTRAINT;
   return s;
}

MtStmt *mt_b_alter_split_key (MtParser *p, MtStmt *s)
{
   MtKeyDef **at = &s->alter_table.column->keys;
   while (*at && (*at)->kind != MT_KEYDEF_PRIMARY)
      at = &(*at)->next;
   if (!*at || s->alter_table.action_if_exists)
      return s;
   MtStmt *add = MT_NEW (p->a, MtStmt);
   MtKeyDef *key = *at;
   *at = key->next;
   *add = *s;
   add->alter_table.action = MT_ALTER_ADD_KEY;
   add->alter_table.column = NULL;
   add->alter_table.name = (MtName) {0};
   add->alter_table.key = key;
   key->next = NULL;
   key->columns = MT_NEW (p->a, MtNameList);
   key->columns->name = s->alter_table.column->name;
   s->alter_table.next = add;
   return s;
}
