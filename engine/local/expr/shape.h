/* Shapes: what is known of the current document while a pipeline is compiled; and extraction. */
#ifndef MT_SHAPE_OF_DOCUMENT_H
#define MT_SHAPE_OF_DOCUMENT_H

#include "engine/local/expr/core.h"

/* A path in the expression language: through arrays an array of the values that are there. In w's
 * arena. */
bool mt_x_walk (MtWork *w, MtVal v, const MtPath *path, uint32_t from, MtVal *out);
bool mt_x_is_index (const char *s, uint32_t *out);

/* ---- extraction (extract.c) ---- */

/* Whether the key at `key` is the one that stood there last time. */
static inline bool mt_guessed (const MtGuess *g, const uint8_t *key, const uint8_t *end)
{
   uint64_t low, high;
   size_t room = (size_t) (end - key), len = g->len;
   if (room < 8) {
      for (size_t i = 0; i < len && i < room; i++)
         if ((uint8_t) g->key[i] != key[i])
            return false;
      return len && len <= room;
   }
   memcpy (&low, key, 8);
   if (((low ^ g->low) & g->mask) != 0)
      return false;
   if (len <= 8)
      return len != 0;
   if (len > room)
      return false;
   memcpy (&low, g->key + len - 8, 8); /* the last eight overlap the first ones */
   memcpy (&high, key + len - 8, 8);
   return low == high;
}

bool mt_extract_doc (MtWork *w, const MtExtract *x, MtVal v, bool stored, MtCount *count);
/* The same for a document whose bytes are all verified. */
bool mt_extract_whole (MtWork *w, const MtExtract *x, const uint8_t *doc, uint32_t len, MtReader *r,
                       MtCount *count);
static inline bool mt_bind (MtWork *w, const MtExecVar *var, MtCount *count)
{
   return !var->extract ||
          mt_extract_doc (w, var->extract, w->slots[var->slot], var->stored, count);
}
static inline MtReader *mt_reader_of (MtWork *w, bool stored)
{
   return stored ? &w->reader : &w->anywhere;
}

/* ---- shapes (shape.c) ---- */

MtExecVar *mt_var_new (MtCompile *c, int pos, bool stored);
MtShape *mt_shape_var (MtCompile *c, MtExecVar *var);
MtShape *mt_shape_missing (MtCompile *c);
MtShape *mt_shape_doc (MtCompile *c, MtShape *base, bool keep_rest);
MtShape *mt_shape_const (MtCompile *c, MtVal v);
/* A computed value, whose node takes its place in the chain now and lives once somebody asks. */
MtShape *mt_shape_expr (MtCompile *c, MtExecExpr *e, MtShape *root);
void mt_shape_put (MtCompile *c, MtShape *doc, const char *name, MtShape *value, bool in_base);
/* The same from an expression over `root`; paths and literal documents need no node. */
MtShape *mt_shape_of (MtCompile *c, MtExecExpr *e, MtShape *root);
/* A computed shape as a variable, others as they are; NULL: c->err is set. */
MtShape *mt_shape_solid (MtCompile *c, MtShape *s);
MtShape *mt_shape_copy (MtCompile *c, const MtShape *s);
/* `s` with the value at a path replaced; soft: only where documents lead to it. */
MtShape *mt_shape_with (MtCompile *c, MtShape *s, const MtPath *path, uint32_t from, MtShape *value,
                        bool soft);
MtShapeField *mt_shape_find (const MtShape *doc, const char *name);
MtShape *mt_shape_get (MtCompile *c, MtShape *s, const char *name);
MtShape *mt_shape_path (MtCompile *c, MtShape *s, const MtPath *path);
/* Asks for the value of a shape at a place in the chain: a bound expression; NULL: c->err is
 * set. */
MtExecExpr *mt_shape_ask (MtCompile *c, MtShape *s, int pos);
/* The slot of a shape's value; computes into one where there is none. */
uint32_t mt_shape_slot (MtCompile *c, MtShape *s, int pos);
/* That of a path of the documents so far, for a stage that is about to be added. MT_NO_SLOT: c->err
 * is set. */
uint32_t mt_field_slot (MtCompile *c, const char *path, size_t n);
uint32_t mt_shape_match_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos);
uint32_t mt_shape_raw_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos);
uint32_t mt_slot_new (MtCompile *c, int def);
void mt_slot_use (MtCompile *c, uint32_t slot, int pos);
bool mt_path_parse (MtCompile *c, const char *text, MtPath *out);
MtPath mt_path_join (MtCompile *c, const MtPath *a, const MtPath *b);
bool mt_build_doc (MtWork *w, const MtShape *s, MtBw *b);

/* ---- nodes ---- */

MtExecNode *mt_node_new (MtCompile *c, size_t size, const char *stage,
                         MtFlow (*push) (const MtExecNode *, MtWork *));
bool mt_bad (MtCompile *c, const char *fmt, ...)
   __attribute__ ((format (printf, 2, 3))); /* 22023 */

MtFlow mt_eval_push (const MtExecNode *n, MtWork *w);
typedef struct MtEvalNode {
   MtExecNode n;
   MtShape *shape;
   MtExecExpr *expr;
   MtExecVar *var;
} MtEvalNode;

#endif
