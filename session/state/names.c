/* Writes names, texts and column defaults as SQL. */
#include "session/state/session.h"

#include <ctype.h>
#include <string.h>

const char *mt_quoted (MtArena *a, const char *name)
{
   bool plain = !isdigit ((unsigned char) *name) && *name;
   /* Capitals need no quotes: a name keeps its case, and is found in any case. */
   for (const char *p = name; *p && plain; p++)
      plain = isalnum ((unsigned char) *p) || *p == '_';
   if (plain && !mt_keyword_restricted (name, strlen (name)))
      return name;
   MtBuf b = {0};
   mt_buf_quoted (&b, '"', mt_str (name));
   const char *text = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return text;
}

const char *mt_quoted_text (MtArena *a, const char *text)
{
   MtBuf b = {0};
   mt_buf_quoted (&b, '\'', mt_str (text));
   const char *out = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return out;
}

/* Returns the end of the string literal with which p begins; NULL: p does not begin with one. */
static const char *literal_end (const char *p)
{
   if (*p++ != '\'')
      return NULL;
   for (; *p; p++)
      if (*p == '\'' && *++p != '\'')
         return p;
   return NULL;
}

const char *mt_default_shown (MtArena *a, const MtColumn *c)
{
   const char *sql = c->default_sql;
   if (!sql)
      return NULL;
   /* PostgreSQL shows the argument of nextval as 'name'::regclass. */
   const char *after = strncmp (sql, "nextval('", 9) == 0 ? literal_end (sql + 8) : NULL;
   if (after && strcmp (after, ")") == 0)
      return mt_printf (a, "%.*s::regclass)", (int) (after - sql), sql);
   const char *end = literal_end (sql);
   if (end && !*end)
      return mt_printf (a, "%s::%s", sql, mt_type_display (a, mt_type (c->type.id)));
   if (*sql == '-' && sql[1] && !sql[1 + strspn (sql + 1, "0123456789")])
      return mt_printf (a, "'%s'::integer", sql);
   return sql;
}

const char *mt_field_text (const bson_t *doc, const char *name)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, doc, name) && BSON_ITER_HOLDS_UTF8 (&it)
             ? bson_iter_utf8 (&it, NULL)
             : "";
}
