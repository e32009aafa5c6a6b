/* The builders of the statements of types and domains. */
#include "parser/build_type_int.h"

static MtLabel *label_of (MtParser *p, MtToken t)
{
   MtLabel *l = MT_NEW (p->a, MtLabel);
   *l = (MtLabel) {.text = mt_b_str (t), .span = t.span};
   return l;
}

MtLabels mt_b_labels (MtParser *p, MtLabels list, MtToken label)
{
   MtLabel *l = label_of (p, label);
   if (list.last)
      list.last->next = l;
   else
      list.first = l;
   list.last = l;
   return list;
}

static MtStmt *type_stmt (MtParser *p, MtStmtKind kind, MtToken t, MtQualified name, MtToken end)
{
   MtStmt *s = mt_b_stmt (p, kind, t, end.span);
   s->type.schema = name.schema;
   s->type.name = name.name;
   return s;
}

MtStmt *mt_b_create_enum (MtParser *p, MtToken t, MtQualified name, MtLabels labels, MtToken end)
{
   MtStmt *s = type_stmt (p, MT_STMT_CREATE_TYPE, t, name, end);
   s->type.labels = labels.first;
   return s;
}

MtStmt *mt_b_add_label (MtParser *p, MtToken t, MtQualified name, MtToken label)
{
   MtStmt *s = type_stmt (p, MT_STMT_ALTER_TYPE, t, name, label);
   s->type.change = MT_TYPE_ADD_VALUE;
   s->type.labels = label_of (p, label);
   return s;
}

MtStmt *mt_b_label_at (MtParser *p, MtStmt *s, bool before, MtToken other)
{
   s->type.other = label_of (p, other);
   s->type.before = before;
   s->span = mt_b_join_spans (s->span, other.span);
   return s;
}

MtStmt *mt_b_rename_label (MtParser *p, MtToken t, MtQualified name, MtToken from, MtToken to)
{
   MtStmt *s = mt_b_label_at (p, mt_b_add_label (p, t, name, from), false, to);
   s->type.change = MT_TYPE_RENAME_VALUE;
   return s;
}

MtStmt *mt_b_rename_type (MtParser *p, MtToken t, MtQualified name, MtToken to)
{
   MtStmt *s = type_stmt (p, MT_STMT_ALTER_TYPE, t, name, to);
   s->type.change = MT_TYPE_RENAME;
   s->type.new_name = mt_b_name (to);
   return s;
}

/* ---- domains ---- */

MtColumnDef *mt_b_domain_def (MtParser *p, MtTypeName *type)
{
   MtToken none = MT_NO_TOKEN;
   none.span = type ? type->span : MT_NO_SPAN;
   none.text = "VALUE";
   MtColumnDef *d = MT_NEW (p->a, MtColumnDef);
   d->name = mt_b_name (none);
   d->type = type;
   d->span = none.span;
   return d;
}

MtStmt *mt_b_domain (MtParser *p, MtStmtKind kind, MtToken t, MtQualified name, MtColumnDef *def)
{
   MtStmt *s = mt_b_stmt (p, kind, t, def->span.len ? def->span : name.span);
   s->domain.schema = name.schema;
   s->domain.name = name.name;
   s->domain.def = def;
   return s;
}

MtStmt *mt_b_alter_domain (MtParser *p, MtToken t, MtQualified name, MtDomainChange change,
                           MtToken end)
{
   MtStmt *s = mt_b_domain (p, MT_STMT_ALTER_DOMAIN, t, name, mt_b_domain_def (p, NULL));
   s->domain.change = change;
   s->span = mt_b_join_spans (t.span, end.span);
   return s;
}
