#include "layouts/descriptor/reshape.h"

#include "layouts/cell_state.h"
#include "layouts/descriptor/descriptor.h"

#include <stdlib.h>
#include <string.h>

/* Copies layout l into *out, for a table whose columns changed. It writes the descriptor with the
 * columns of table `written`, and parses it with the columns of table `read`, which also checks the
 * new layout. */
static bool copy (MtArena *a, const MtTable *written, const MtTable *read, const MtLayout *l,
                  MtLayout *out, MtError *err)
{
   bson_t doc = BSON_INITIALIZER;
   bool ok = mt_layout_to_bson (written, l, &doc, err);
   ok = ok && (mt_is_preset (l->preset) ? mt_layout_parse_preset
                                        : mt_layout_parse) (a, read, l->name, &doc, out, err);
   bson_destroy (&doc);
   if (!ok)
      return false;
   out->preset = l->preset;
   out->options_text = l->options_text;
   out->attached = l->attached;
   out->clean = l->clean;
   out->expiry = l->expiry;
   return true;
}

/* ---- ADD COLUMN ---- */

/* Sets error 0A000, because layout l can't store the new column, and returns false. `why` completes
 * the sentence "layout …, which …". */
static bool no_place (const MtLayout *l, const MtColumn *c, const char *why, MtError *err)
{
   mt_error (err, MT_E_FEATURE, "column \"%s\" has no place in layout \"%s\", which %s", c->name,
             l->name, why);
   return mt_error_hint (err, "Drop the layout, add the column, and add the layout again.");
}

/* Returns the field path for a new column in the stored records. If all fields of records have
 * numbers as names, as presets give them, it is the next number; else it is the column's own field
 * name. */
static const char *path_for (MtArena *a, const MtRaw *r, const MtColumn *c)
{
   long most = -1;
   for (size_t i = 0; i < r->count; i++) {
      char *end;
      long n = strtol (r->paths[i], &end, 10);
      if (*end || !*r->paths[i])
         return c->field;
      most = n > most ? n : most;
   }
   return r->many && most >= 0 ? mt_printf (a, "%ld", most + 1) : c->field;
}

/* Adds column c, with index `column`, to the stored records of node n. 0A000 if these records can't
 * have another column. */
static bool add_to_records (MtArena *a, const MtLayout *l, MtNode *n, const MtColumn *c, int column,
                            MtError *err)
{
   MtRaw *r = &n->raw;
   for (size_t i = 0; i < r->count; i++)
      if (!*r->paths[i])
         return no_place (l, c, "keeps one value a record", err);
   if (mt_is_flat (n))
      return no_place (l, c, "keeps records as arrays", err);
   int *columns = MT_NEW_N (a, int, r->count + 1);
   const char **paths = MT_NEW_N (a, const char *, r->count + 1);
   MtEncoding *encodings = MT_NEW_N (a, MtEncoding, r->count + 1);
   if (r->count) {
      memcpy (columns, r->columns, r->count * sizeof *columns);
      memcpy (paths, r->paths, r->count * sizeof *paths);
      memcpy (encodings, r->encodings, r->count * sizeof *encodings);
   }
   columns[r->count] = column;
   paths[r->count] = path_for (a, r, c);
   encodings[r->count] = (MtEncoding) {.kind = MT_ENC_NATIVE};
   r->columns = columns;
   r->paths = paths;
   r->encodings = encodings;
   r->count++;
   return true;
}

bool mt_layout_add_column (MtArena *a, const MtTable *t, MtTable *next, size_t layout, MtError *err)
{
   const MtLayout *l = &t->layouts[layout];
   MtLayout changed;
   int column = (int) next->column_count - 1;
   const MtColumn *c = &next->columns[column];
   if (l->keeps == MT_KEEPS_ROLLUP) /* a roll-up does not store the new column */
      return copy (a, next, next, l, &next->layouts[layout], err);
   if (l->keeps != MT_KEEPS_RECORDS)
      return no_place (
         l, c, l->keeps == MT_KEEPS_LATEST ? "keeps only the newest records" : "keeps no records",
         err);
   if (!copy (a, t, t, l, &changed, err))
      return false;
   for (size_t s = 0; s < changed.store_count; s++)
      for (size_t i = 0; i < changed.stores[s].node_count; i++) {
         MtNode *n = changed.stores[s].nodes[i];
         if (n->raw.present && !add_to_records (a, l, n, c, column, err))
            return false;
      }
   return copy (a, next, next, &changed, &next->layouts[layout], err);
}

/* ---- DROP COLUMN ---- */

/* Sets error 2BP01, because the layout depends on the column, and returns false. */
static bool depends (const MtTable *t, const MtLayout *l, int gone, MtError *err)
{
   mt_error (err, MT_E_DEPENDENT_OBJECTS,
             "cannot drop column %s of table %s because other objects depend on it",
             t->columns[gone].name, t->name);
   mt_error_detail (err, "layout \"%s\" of table %s is built on column %s", l->name, t->name,
                    t->columns[gone].name);
   return mt_error_hint (err, "Drop the layout first.");
}

/* Returns the new index of a column after column `gone` was removed. */
static int moved (int column, int gone) { return column > gone ? column - 1 : column; }

static void drop_from_records (MtRaw *r, int gone)
{
   size_t n = 0;
   for (size_t i = 0; i < r->count; i++) {
      if (r->columns[i] == gone)
         continue;
      r->columns[n] = moved (r->columns[i], gone);
      r->paths[n] = r->paths[i];
      r->encodings[n++] = r->encodings[i];
   }
   r->count = n;
}

static void drop_from_sums (MtPreagg *g, int gone)
{
   size_t n = 0;
   for (size_t i = 0; i < g->measure_count; i++) {
      if (g->measures[i].column == gone)
         continue;
      g->measures[n] = g->measures[i];
      g->measures[n++].column = moved (g->measures[i].column, gone);
   }
   g->measure_count = n;
}

static void drop_from_states (MtPreagg *g, int gone)
{
   size_t n = 0;
   for (size_t i = 0; i < g->state_count; i++) {
      if (mt_cell_state_uses (&g->states[i], gone))
         continue;
      g->states[n] = g->states[i];
      for (int k = 0; k < g->states[n].argc; k++)
         g->states[n].args[k].column = moved (g->states[n].args[k].column, gone);
      n++;
   }
   g->state_count = n;
}

static bool shards (const MtStoreDesc *s, const char *at)
{
   for (size_t i = 0; i < s->shard_count; i++)
      if (at && strcmp (at, s->shard[i].at) == 0)
         return true;
   return false;
}

static bool shards_records (const MtStoreDesc *s, const MtRaw *r, int gone)
{
   for (size_t i = 0; i < r->count; i++)
      if (r->columns[i] == gone && shards (s, r->paths[i]))
         return true;
   return false;
}

static bool keeps_there (const MtNode *n, int column)
{
   for (size_t i = 0; i < n->raw.count; i++)
      if (n->raw.columns[i] == column)
         return true;
   for (size_t i = 0; i < n->agg.measure_count; i++)
      if (n->agg.measures[i].column == column)
         return true;
   return false;
}

/* Removes column `gone` from node n. If n binds the column, this is an error (2BP01), unless
 * documents are single rows and the column is an ordinary field of them. */
static bool drop_from_node (const MtTable *t, const MtLayout *l, const MtStoreDesc *s, MtNode *n,
                            int gone, MtError *err)
{
   size_t kept = 0;
   for (size_t i = 0; i < n->bind_count; i++) {
      MtBinding *b = &n->binds[i];
      if (b->column == gone && (!mt_store_is_rows (s) || b->kind != MT_BIND_COLUMN ||
                                mt_path_in_id (b->at) || shards (s, b->at)))
         return depends (t, l, gone, err);
      if (b->column == gone)
         continue;
      b->column = moved (b->column, gone);
      n->binds[kept++] = *b;
   }
   n->bind_count = kept;
   bool sums = n->agg.measure_count > 0 || n->agg.state_count > 0;
   if (shards_records (s, &n->raw, gone) || (mt_is_flat (n) && keeps_there (n, gone)))
      return depends (t, l, gone, err);
   drop_from_records (&n->raw, gone);
   drop_from_sums (&n->agg, gone);
   drop_from_states (&n->agg, gone);
   return !sums || n->agg.measure_count || n->agg.state_count || n->agg.n ||
          depends (t, l, gone, err); /* without the column, the level would store nothing */
}

static bool drop_from_store (const MtTable *t, const MtLayout *l, MtStoreDesc *s, int gone,
                             MtError *err)
{
   for (size_t i = 0; i < s->id_count; i++) {
      if (s->id[i].literal)
         continue;
      if (s->id[i].bind.column == gone)
         return depends (t, l, gone, err);
      s->id[i].bind.column = moved (s->id[i].bind.column, gone);
   }
   for (size_t i = 0; i < s->node_count; i++)
      if (!drop_from_node (t, l, s, s->nodes[i], gone, err))
         return false;
   return true;
}

bool mt_layout_drop_column (MtArena *a, const MtTable *t, MtTable *next, size_t layout, int gone,
                            MtError *err)
{
   const MtLayout *l = &t->layouts[layout];
   MtLayout changed;
   if (!copy (a, t, t, l, &changed, err))
      return false;
   if (l->keeps == MT_KEEPS_LATEST) /* without the column, other records may be the newest */
      return depends (t, l, gone, err);
   for (size_t i = 0; i < changed.key_count; i++) {
      if (changed.key[i] == gone)
         return depends (t, l, gone, err);
      changed.key[i] = moved (changed.key[i], gone);
   }
   for (size_t s = 0; s < changed.store_count; s++)
      if (!drop_from_store (t, l, &changed.stores[s], gone, err))
         return false;
   return copy (a, next, next, &changed, &next->layouts[layout], err);
}

/* ---- RENAME COLUMN ---- */

bool mt_layout_rename_column (MtArena *a, const MtTable *t, MtTable *next, size_t layout,
                              MtError *err)
{
   return copy (a, next, next, &t->layouts[layout], &next->layouts[layout], err);
}
