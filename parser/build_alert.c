/* CREATE ALERT, ALTER ALERT. */
#include "parser/build_alert_int.h"
#include "parser/grammar.h"

MtAlertClauses mt_b_alert_clause (MtParser *p, MtAlertClauses list, MtToken clause, MtToken text)
{
   MtTypedText *at = &list.notify;
   if (clause.code == MT_TK_FOR_LA)
      at = &list.lasting;
   else if (clause.code == MT_TK_EVERY_LA)
      at = &list.every;
   if (at->str.p)
      mt_b_fail (p, clause.span, MT_E_SYNTAX, "conflicting or redundant options");
   *at = (MtTypedText) {.str = mt_b_str (text), .span = text.span};
   list.end = text.span;
   return list;
}

static MtStmt *about_alert (MtParser *p, MtStmtKind kind, MtToken t, MtQualified name, MtSpan end)
{
   MtStmt *s = mt_b_stmt (p, kind, t, end);
   s->alert.name = name.name;
   s->alert.if_exists = name.flag;
   return s;
}

static void set_clauses (MtStmt *s, const MtAlertClauses *c)
{
   s->alert.lasting = c->lasting;
   s->alert.every = c->every;
   s->alert.notify = c->notify;
}

MtStmt *mt_b_create_alert (MtParser *p, MtToken t, bool or_replace, MtQualified name,
                           MtSelect *query, MtAlertClauses clauses)
{
   MtSpan end = clauses.end.len ? clauses.end : query->span;
   MtStmt *s = about_alert (p, MT_STMT_CREATE_ALERT, t, name, end);
   s->alert.or_replace = or_replace;
   s->alert.query = query;
   set_clauses (s, &clauses);
   if (or_replace && name.flag)
      mt_b_fail (p, name.name.span, MT_E_SYNTAX, "OR REPLACE and IF NOT EXISTS cannot be combined");
   return s;
}

MtStmt *mt_b_alter_alert (MtParser *p, MtToken t, MtQualified name, MtAlertClauses clauses)
{
   MtStmt *s = about_alert (p, MT_STMT_ALTER_ALERT, t, name, clauses.end);
   set_clauses (s, &clauses);
   return s;
}

MtStmt *mt_b_rename_alert (MtParser *p, MtToken t, MtQualified name, MtToken to)
{
   MtStmt *s = about_alert (p, MT_STMT_ALTER_ALERT, t, name, to.span);
   s->alert.new_name = mt_b_name (to);
   return s;
}

MtStmt *mt_b_switch_alert (MtParser *p, MtToken t, MtQualified name, MtAlertSwitch to, MtToken end)
{
   MtStmt *s = about_alert (p, MT_STMT_ALTER_ALERT, t, name, end.span);
   s->alert.enable = to;
   return s;
}
