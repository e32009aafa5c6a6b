/* The views that read relations which DROP removes, and DROP VIEW. */
#include "session/ddl/dependents.h"

#include "analyze/bind.h"
#include "engine/pipe.h"
#include "session/core/index.h"
#include "session/core/objects.h"
#include "session/ddl/ddl.h"

#include <string.h>

const char *mt_relation_word (MtRelationKind kind)
{
   static const char *const words[] = {"view", "materialized view", "table", "sequence"};
   return words[kind];
}

void mt_relations_add (MtArena *a, MtRelationRefs *r, MtRelationKind kind, const char *name)
{
   MT_GROW_IN (a, r->list, r->count, r->cap, 8);
   r->list[r->count++] = (MtRelationRef) {kind, mt_strdup (a, name)};
}

/* ---- what views read ---- */

/* A view, and the names of the relations that it reads. */
typedef struct Reader {
   MtRelationRef view;
   const MtNameList *reads;
} Reader;

/* Analyzes the query of a view to find the relations that it reads. If the query can't be analyzed
 * any more, these are the ones before the error. */
static const MtNameList *read_by (MtStatement *st, const char *sql)
{
   MtStmt *stmt = NULL;
   MtQuery *q;
   MtError ignored;
   MtNameList *reads = NULL;
   MtSharing sharing = {.reads = &reads};
   MtStatement look = *st;
   look.env.sharing = &sharing;
   look.env.stored = true;
   bool before = mt_look_begin (&look);
   if (mt_parse (st->arena, sql, strlen (sql), &stmt, &ignored) && stmt &&
       stmt->kind == MT_STMT_SELECT)
      mt_bind_select (st->arena, &look.env, stmt->select, &q, &ignored);
   mt_look_end (&look, before);
   return reads;
}

static Reader *readers_of_kind (MtStatement *st, MtRelationKind kind, Reader *out)
{
   size_t n;
   const MtCatalogObject *o = mt_catalog_objects (
      st->session->catalog, kind == MT_RELATION_VIEW ? "view" : "matview", &n);
   for (size_t i = 0; i < n; i++)
      *out++ = (Reader) {{kind, mt_strdup (st->arena, o[i].name)},
                         read_by (st, mt_strdup (st->arena, mt_field_text (o[i].body, "sql")))};
   return out;
}

static bool is_among (const MtRelationRefs *r, const char *name)
{
   for (size_t i = 0; i < r->count; i++)
      if (strcmp (r->list[i].name, name) == 0)
         return true;
   return false;
}

/* Returns the relation that a reader reads; NULL: none. Of several it is the last one of the list,
 * because a view stands behind the relations that it reads. */
static const MtRelationRef *last_read (const MtRelationRefs *r, const MtNameList *reads)
{
   for (size_t i = r->count; i-- > 0;)
      for (const MtNameList *n = reads; n; n = n->next)
         if (strcmp (r->list[i].name, n->name.text) == 0)
            return &r->list[i];
   return NULL;
}

/* Adds the readers that read one of the relations. Returns whether any was added. */
static bool add_round (MtStatement *st, const Reader *readers, size_t n, MtRelationRefs *r,
                       MtBuf *lines)
{
   bool added = false;
   for (size_t i = 0; i < n; i++) {
      const MtRelationRef *v = &readers[i].view, *on = last_read (r, readers[i].reads);
      if (!on || is_among (r, v->name))
         continue;
      if (lines)
         mt_buf_printf (lines, "%s%s %s depends on %s %s", lines->n ? "\n" : "",
                        mt_relation_word (v->kind), v->name, mt_relation_word (on->kind), on->name);
      mt_relations_add (st->arena, r, v->kind, v->name);
      added = true;
   }
   return added;
}

void mt_add_readers (MtStatement *st, MtRelationRefs *r, MtBuf *lines)
{
   size_t views, matviews;
   mt_catalog_objects (st->session->catalog, "view", &views);
   mt_catalog_objects (st->session->catalog, "matview", &matviews);
   Reader *readers = MT_NEW_N (st->arena, Reader, views + matviews + 1);
   readers_of_kind (st, MT_RELATION_MATVIEW, readers_of_kind (st, MT_RELATION_VIEW, readers));
   while (add_round (st, readers, views + matviews, r, lines))
      ;
}

/* ---- dropping several relations ---- */

static bool drop_view (MtStatement *st, const char *name, MtError *err)
{
   bool dropped;
   return mt_comments_drop (st->session, name, err) &&
          mt_catalog_drop_object (st->session->catalog, "view", name, &dropped, err);
}

static bool drop_table (MtStatement *st, const char *name, MtError *err)
{
   const MtTable *t;
   return mt_index_table (st->session, name, &t, err) &&
          (!t || (mt_drop_one_table (st, t, err) &&
                  mt_catalog_refresh (st->session->catalog, NULL, err)));
}

static bool drop_sequence (MtStatement *st, const char *name, MtError *err)
{
   MtNameList list = {.name = {name, true, MT_NO_SPAN}};
   MtStmt drop = {.kind = MT_STMT_DROP_SEQUENCE, .drop = {.names = &list, .cascade = true}};
   MtStatement one = *st;
   one.stmt = &drop;
   return mt_run_drop_sequence (&one, err);
}

bool mt_drop_relations (MtStatement *st, const MtRelationRefs *r, MtError *err)
{
   static bool (*const drops[]) (MtStatement *st, const char *name,
                                 MtError *err) = {[MT_RELATION_VIEW] = drop_view,
                                                  [MT_RELATION_MATVIEW] = drop_table,
                                                  [MT_RELATION_TABLE] = drop_table,
                                                  [MT_RELATION_SEQUENCE] = drop_sequence};
   for (MtRelationKind k = MT_RELATION_VIEW; k <= MT_RELATION_SEQUENCE; k++)
      for (size_t i = 0; i < r->count; i++)
         if (r->list[i].kind == k && !drops[k](st, r->list[i].name, err))
            return false;
   return true;
}

void mt_report_cascade (MtStatement *st, const MtRelationRefs *r)
{
   if (r->count == 1)
      mt_notice (st->session, "NOTICE", NULL, "drop cascades to %s %s",
                 mt_relation_word (r->list->kind), r->list->name);
   else if (r->count)
      mt_notice (st->session, "NOTICE", NULL, "drop cascades to %zu other objects", r->count);
}

/* ---- DROP ---- */

static bool report_readers (const MtRelationRefs *named, const MtBuf *lines, MtError *err)
{
   if (named->count == 1)
      mt_error (err, MT_E_DEPENDENT_OBJECTS, "cannot drop %s %s because other objects depend on it",
                mt_relation_word (named->list->kind), named->list->name);
   else
      mt_error (err, MT_E_DEPENDENT_OBJECTS,
                "cannot drop desired object(s) because other objects depend on them");
   mt_error_detail (err, "%s", lines->p);
   return mt_error_hint (err, "Use DROP ... CASCADE to drop the dependent objects too.");
}

bool mt_drop_named (MtStatement *st, MtRelationKind kind, MtFindDropped *find, MtError *err)
{
   MtRelationRefs all = {0};
   MtBuf lines = {0};
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      const char *name = NULL;
      if (!find (st, &n->name, &name, err))
         return false;
      if (name && !is_among (&all, name))
         mt_relations_add (st->arena, &all, kind, name);
   }
   MtRelationRefs named = all;
   mt_add_readers (st, &all, &lines);
   MtRelationRefs readers = {.list = all.list + named.count, .count = all.count - named.count};
   bool ok = !readers.count || st->stmt->drop.cascade || report_readers (&named, &lines, err);
   mt_buf_free (&lines);
   if (!ok)
      return false;
   mt_report_cascade (st, &readers);
   return mt_drop_relations (st, &all, err);
}

/* ---- DROP VIEW ---- */

static bool find_view (MtStatement *st, const MtName *name, const char **out, MtError *err)
{
   const MtTable *t;
   const MtCatalogObject *o = mt_view_object (st->session, name->text);
   if (o) {
      *out = o->name;
      return true;
   }
   if (!mt_catalog_find (st->session->catalog, name->text, false, &t, err))
      return false;
   if (t) {
      mt_error (err, MT_E_WRONG_OBJECT, "\"%s\" is not a view", name->text);
      return mt_error_hint (err, "Use DROP TABLE to remove a table.");
   }
   if (!st->stmt->drop.if_exists)
      return mt_error (err, MT_E_UNDEFINED_TABLE, "view \"%s\" does not exist", name->text) ||
             mt_object_near (st, "view", name->text, err);
   mt_notice (st->session, "NOTICE", NULL, "view \"%s\" does not exist, skipping", name->text);
   return true;
}

bool mt_run_drop_view (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "DROP VIEW");
   return mt_drop_named (st, MT_RELATION_VIEW, find_view, err);
}
