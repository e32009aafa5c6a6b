/* CREATE EXTENSION, ALTER EXTENSION. */
#include "parser/build_extension_int.h"
#include "parser/grammar.h"

static MtName version_name (MtToken t)
{
   if (t.code != MT_TK_SCONST)
      return mt_b_name (t);
   return (MtName) {.text = mt_b_str (t).p, .span = t.span};
}

MtStmt *mt_b_create_extension (MtParser *p, MtToken t, bool if_not_exists, MtToken name,
                               MtExtensionOptions o)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_CREATE_EXTENSION, t, o.end.span.len ? o.end.span : name.span);
   s->extension.name = mt_b_name (name);
   s->extension.if_not_exists = if_not_exists;
   s->extension.cascade = o.cascade;
   if (o.version.span.len)
      s->extension.version = version_name (o.version);
   return s;
}

MtStmt *mt_b_alter_extension (MtParser *p, MtToken t, MtToken name, MtToken end, MtToken version)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_ALTER_EXTENSION, t,
                          version.span.len ? version.span : end.span);
   s->extension.name = mt_b_name (name);
   if (version.span.len)
      s->extension.version = version_name (version);
   return s;
}
