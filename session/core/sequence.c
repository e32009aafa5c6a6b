#include "session/core/sequence.h"
#include "session/core/schemas.h"

#include "engine/pipe.h"

#include <string.h>

#define SEQUENCE "sequence"
#define STATE "sequence_state"

/* ---- definitions ---- */

static int64_t number_of (const bson_t *body, const char *name)
{
   MtVal v = mt_doc_field (mt_v_doc (body), name);
   return v.type == MT_INT64 || v.type == MT_INT32 ? v.i : 0;
}

static const char *text_of (MtArena *a, const bson_t *body, const char *name)
{
   const char *text = mt_field_text (body, name);
   return *text ? mt_strdup (a, text) : NULL;
}

static void load (MtArena *a, const MtCatalogObject *o, MtSequence *out)
{
   const bson_t *b = o->body;
   MtVal cycle = mt_doc_field (mt_v_doc (b), "cycle"),
         identity = mt_doc_field (mt_v_doc (b), "identity");
   *out = (MtSequence) {.name = mt_strdup (a, o->name),
                        .made = text_of (a, b, "made"),
                        .type = MT_T_INT8,
                        .start = number_of (b, "start"),
                        .increment = number_of (b, "increment"),
                        .least = number_of (b, "min"),
                        .most = number_of (b, "max"),
                        .cache = number_of (b, "cache"),
                        .cycle = cycle.type == MT_BOOL && cycle.i,
                        .table = text_of (a, b, "table"),
                        .column = text_of (a, b, "column"),
                        .identity = identity.type == MT_BOOL && identity.i};
   mt_type_by_name (mt_str (mt_field_text (b, "type")), &out->type);
}

/* Returns the name in the catalog of the relation that `text` names; NULL: its schema does not
 * exist. */
static const char *plain_name (MtSession *s, MtArena *a, MtStr text)
{
   MtName schema, name;
   bool missing = false;
   MtError ignored;
   mt_read_relation (a, text, &schema, &name);
   return mt_place_name (s, a, &schema, &name, &missing, &ignored) && !missing ? name.text : NULL;
}

bool mt_sequence_find (MtSession *s, MtArena *a, MtStr name, bool exact, MtSequence **out,
                       MtError *err)
{
   const MtCatalogObject *o = NULL;
   const char *plain = exact ? mt_strndup (a, name.p, name.n) : plain_name (s, a, name);
   *out = NULL;
   if (plain)
      mt_catalog_find_object (s->catalog, SEQUENCE, plain, &o);
   if (!o)
      return true;
   *out = MT_NEW (a, MtSequence);
   load (a, o, *out);
   return (*out)->increment != 0 ||
          mt_error (err, MT_E_CORRUPT, "sequence \"%s\" in the catalog is damaged", (*out)->name);
}

/* Returns whether a name in SQL syntax is qualified by a schema. */
static bool has_schema (MtStr name)
{
   bool quoted = false;
   for (size_t i = 0; i < name.n; i++) {
      quoted ^= name.p[i] == '"';
      if (name.p[i] == '.' && !quoted)
         return true;
   }
   return false;
}

bool mt_parse_default (MtStatement *st, const MtColumn *c, MtExpr **out, MtError *err)
{
   if (!mt_parse_expr (st->arena, c->default_sql, strlen (c->default_sql), out, err))
      return false;
   bool next = (*out)->kind == MT_EXPR_CALL && strncmp (c->default_sql, "nextval('", 9) == 0;
   MtExpr *name = next && (*out)->call.args ? (*out)->call.args->expr : NULL;
   if (name && name->kind == MT_EXPR_STRING && !has_schema (name->str))
      name->str = mt_str (mt_printf (st->arena, "public.%.*s", (int) name->str.n, name->str.p));
   return true;
}

MtSequence *mt_sequence_list (MtSession *s, MtArena *a, size_t *count)
{
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, SEQUENCE, count);
   MtSequence *list = MT_NEW_N (a, MtSequence, *count + 1);
   for (size_t i = 0; i < *count; i++)
      load (a, &all[i], &list[i]);
   return list;
}

bool mt_is_sequence (MtSession *s, const char *name)
{
   const MtCatalogObject *o;
   mt_catalog_find_object (s->catalog, SEQUENCE, name, &o);
   return o != NULL;
}

bool mt_sequence_save (MtStatement *st, const MtSequence *q, MtError *err)
{
   bson_t *body = mt_doc_new (st->arena);
   const char *made = q->made;
   if (!made) {
      bson_oid_t id;
      char text[25];
      bson_oid_init (&id, NULL);
      bson_oid_to_string (&id, text);
      made = mt_strdup (st->arena, text);
   }
   mt_doc_add_text (body, "made", made);
   mt_doc_add_text (body, "type", mt_type_info (q->type)->name);
   mt_doc_add (body, "start", mt_v_int64 (q->start));
   mt_doc_add (body, "increment", mt_v_int64 (q->increment));
   mt_doc_add (body, "min", mt_v_int64 (q->least));
   mt_doc_add (body, "max", mt_v_int64 (q->most));
   mt_doc_add (body, "cache", mt_v_int64 (q->cache));
   mt_doc_add (body, "cycle", mt_v_bool (q->cycle));
   if (q->table) {
      mt_doc_add_text (body, "table", q->table);
      mt_doc_add_text (body, "column", q->column);
      mt_doc_add (body, "identity", mt_v_bool (q->identity));
   }
   return mt_catalog_save_object (st->session->catalog, SEQUENCE, q->name, body, err);
}

/* ---- the current value ---- */

static bool is_temporary (const MtSequence *q) { return q->table && mt_is_temporary (q->table); }

MtVal mt_sequence_state (MtArena *a, const MtSequence *q)
{
   return mt_catalog_object_id (a, STATE, q->name);
}

static const char *state_collection (const MtSequence *q)
{
   return is_temporary (q) ? MT_TEMPORARY_CATALOG : MT_CATALOG_COLLECTION;
}

bool mt_sequence_is_shared (const MtSession *s, const MtSequence *q)
{
   return mt_engine_target_caps (s->engine)->adjusts && !is_temporary (q);
}

static bool gone (const MtSequence *q, MtError *err)
{
   return mt_error (err, MT_E_UNDEFINED_TABLE, "relation \"%s\" does not exist", q->name);
}

static bool read_state (MtSession *s, MtArena *a, const MtSequence *q, int64_t *last, bool *called,
                        MtError *err)
{
   bson_t *doc;
   if (!mt_engine_find_id (s->engine, a, state_collection (q), mt_sequence_state (a, q), &doc, err))
      return false;
   MtVal v = doc ? mt_doc_field (mt_v_doc (doc), "last") : mt_v_missing (),
         c = doc ? mt_doc_field (mt_v_doc (doc), "called") : mt_v_missing ();
   if (v.type != MT_INT64 || c.type != MT_BOOL)
      return gone (q, err);
   *last = v.i;
   *called = c.i;
   return true;
}

bool mt_sequence_read (MtSession *s, const MtSequence *q, int64_t *last, bool *called, MtError *err)
{
   MtArena *a = mt_arena_new ("sequence", NULL);
   bool ok = read_state (s, a, q, last, called, err);
   mt_arena_free (a);
   return ok;
}

bool mt_sequence_store (MtSession *s, const MtSequence *q, int64_t last, bool called, MtError *err)
{
   MtArena *a = mt_arena_new ("sequence", NULL);
   bson_t *doc = mt_doc_new (a);
   mt_doc_add (doc, "_id", mt_sequence_state (a, q));
   mt_doc_add_text (doc, "kind", STATE);
   mt_doc_add_text (doc, "name", q->name);
   mt_doc_add (doc, "last", mt_v_int64 (last));
   mt_doc_add (doc, "called", mt_v_bool (called));
   bool ok = mt_engine_replace (s->engine, state_collection (q), doc, err);
   mt_arena_free (a);
   return ok;
}

bool mt_sequence_remove (MtStatement *st, const MtSequence *q, MtError *err)
{
   bool dropped;
   return mt_catalog_drop_object (st->session->catalog, SEQUENCE, q->name, &dropped, err) &&
          mt_engine_delete_id (st->session->engine, state_collection (q),
                               mt_catalog_object_id (st->arena, STATE, q->name), &dropped, err);
}

/* ---- sequences owned by columns ---- */

typedef bool (*Each) (MtStatement *st, MtSequence *q, const char *to, MtError *err);

static bool each_owned (MtStatement *st, const char *table, const char *column, Each what,
                        const char *to, MtError *err)
{
   size_t n;
   MtSequence *list = mt_sequence_list (st->session, st->arena, &n);
   for (size_t i = 0; i < n; i++)
      if (list[i].table && strcmp (list[i].table, table) == 0 &&
          (!column || strcmp (list[i].column, column) == 0) && !what (st, &list[i], to, err))
         return false;
   return true;
}

static bool own_by_table (MtStatement *st, MtSequence *q, const char *to, MtError *err)
{
   q->table = to;
   return mt_sequence_save (st, q, err);
}

static bool own_by_column (MtStatement *st, MtSequence *q, const char *to, MtError *err)
{
   q->column = to;
   return mt_sequence_save (st, q, err);
}

static bool drop_owned (MtStatement *st, MtSequence *q, const char *to, MtError *err)
{
   return mt_sequence_remove (st, q, err);
}

static bool restart_owned (MtStatement *st, MtSequence *q, const char *to, MtError *err)
{
   return mt_sequence_write (st->session, q, q->start, false, err);
}

bool mt_sequences_rename_table (MtStatement *st, const char *table, const char *to, MtError *err)
{
   return each_owned (st, table, NULL, own_by_table, to, err);
}
bool mt_sequences_rename_column (MtStatement *st, const char *table, const char *column,
                                 const char *to, MtError *err)
{
   return each_owned (st, table, column, to ? own_by_column : drop_owned, to, err);
}
bool mt_sequences_drop (MtStatement *st, const char *table, MtError *err)
{
   return each_owned (st, table, NULL, drop_owned, NULL, err);
}
bool mt_sequences_restart (MtStatement *st, const char *table, MtError *err)
{
   return each_owned (st, table, NULL, restart_owned, NULL, err);
}
