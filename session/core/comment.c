/* COMMENT ON. The comments of a relation are in one catalog object: {text, columns: {name:
 * text}}. */
#include "engine/pipe.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/state/session.h"

#include <string.h>

static const bson_t *comments_of (MtSession *s, const char *table)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, "comment", &n);
   for (size_t i = 0; i < n; i++)
      if (strcmp (all[i].name, table) == 0)
         return all[i].body;
   return NULL;
}

const char *mt_comment_on (MtSession *s, MtArena *a, const char *table, const char *column)
{
   const bson_t *body = comments_of (s, table);
   bson_iter_t it, each;
   if (!body || !bson_iter_init_find (&it, body, column ? "columns" : "text"))
      return NULL;
   if (!column)
      return BSON_ITER_HOLDS_UTF8 (&it) ? mt_strdup (a, bson_iter_utf8 (&it, NULL)) : NULL;
   bool found = bson_iter_recurse (&it, &each) && bson_iter_find (&each, column) &&
                BSON_ITER_HOLDS_UTF8 (&each);
   return found ? mt_strdup (a, bson_iter_utf8 (&each, NULL)) : NULL;
}

/* Returns a copy of `old`, the comments on columns, in which the comment on `column` is replaced by
 * `text` for column `to`; text NULL: it is removed. */
static bson_t *columns_with (MtArena *a, const bson_t *old, const char *column, const char *to,
                             const char *text)
{
   bson_t *columns = mt_doc_new (a);
   bson_iter_t it, each;
   if (old && bson_iter_init_find (&it, old, "columns") && bson_iter_recurse (&it, &each))
      while (bson_iter_next (&each))
         if (!column || strcmp (bson_iter_key (&each), column) != 0)
            mt_doc_add (columns, bson_iter_key (&each), mt_v_from_iter (&each));
   if (column && text)
      mt_doc_add_text (columns, to, text);
   return columns;
}

static bool save_comments (MtSession *s, MtArena *a, const char *table, const char *text,
                           const bson_t *columns, MtError *err)
{
   bson_t *body = mt_doc_new (a);
   bool dropped;
   if (!text && bson_empty (columns))
      return mt_catalog_drop_object (s->catalog, "comment", table, &dropped, err);
   if (text)
      mt_doc_add_text (body, "text", text);
   mt_doc_add_doc (body, "columns", columns);
   return mt_catalog_save_object (s->catalog, "comment", table, body, err);
}

/* ---- the statement ---- */

/* Finds the relation and column that the statement names, and sets *table and *column to their
 * exact names. *column is NULL if the comment is on a relation. */
static bool commented_object (MtStatement *st, const char **table, const char **column,
                              MtError *err)
{
   const MtStmt *s = st->stmt;
   const MtName *name = &s->comment.name;
   const MtCatalogObject *view;
   const MtTable *t;
   int at;
   *column = NULL;
   if (!mt_find_table (st->session, &s->comment.schema, name, &t, err))
      return false;
   mt_catalog_find_object (st->session->catalog, "view", name->text, &view);
   if (!t && !view)
      return mt_error (err, MT_E_UNDEFINED_TABLE, "relation \"%s\" does not exist", name->text);
   if ((s->comment.on == MT_COMMENT_VIEW && t) || (s->comment.on == MT_COMMENT_TABLE && !t))
      return mt_error (err, MT_E_WRONG_OBJECT, "\"%s\" is not a %s", name->text,
                       t ? "view" : "table");
   *table = t ? mt_table_id (st->arena, t) : mt_strdup (st->arena, view->name);
   if (s->comment.on != MT_COMMENT_COLUMN)
      return true;
   if (!t)
      return mt_error (err, MT_E_FEATURE, "comments on columns of views are not supported");
   if (!mt_need_column (t, &s->comment.column, &at, err)) {
      err->span = MT_NO_SPAN;
      return false;
   }
   *column = t->columns[at].name;
   return true;
}

bool mt_run_comment (MtStatement *st, MtError *err)
{
   const char *table = NULL, *column = NULL;
   MtStr given = st->stmt->comment.text;
   mt_result_set_tag (st->result, "COMMENT");
   if (!commented_object (st, &table, &column, err))
      return false;
   const char *text = given.p && given.n ? mt_strndup (st->arena, given.p, given.n) : NULL;
   const bson_t *old = comments_of (st->session, table);
   bson_t *columns = columns_with (st->arena, old, column, column, text);
   return save_comments (st->session, st->arena, table,
                         column ? mt_comment_on (st->session, st->arena, table, NULL) : text,
                         columns, err);
}

/* ---- changes of the table ---- */

bool mt_comments_rename (MtStatement *st, const char *table, const char *to, MtError *err)
{
   const bson_t *old = comments_of (st->session, table);
   if (!old)
      return true;
   const char *text = mt_comment_on (st->session, st->arena, table, NULL);
   bson_t *columns = columns_with (st->arena, old, NULL, NULL, NULL);
   return mt_comments_drop (st->session, table, err) &&
          save_comments (st->session, st->arena, to, text, columns, err);
}

bool mt_comments_rename_column (MtStatement *st, const char *table, const char *column,
                                const char *to, MtError *err)
{
   const char *text = mt_comment_on (st->session, st->arena, table, column);
   if (!text)
      return true;
   bson_t *columns = columns_with (st->arena, comments_of (st->session, table), column, to,
                                   to ? text : NULL);
   return save_comments (st->session, st->arena, table,
                         mt_comment_on (st->session, st->arena, table, NULL), columns, err);
}

bool mt_comments_drop (MtSession *s, const char *table, MtError *err)
{
   bool dropped;
   return !comments_of (s, table) ||
          mt_catalog_drop_object (s->catalog, "comment", table, &dropped, err);
}
