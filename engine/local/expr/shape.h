/* Shapes: the current document, as far as it is known while a pipeline is compiled. Also
 * extraction. */
#ifndef MT_SHAPE_OF_DOCUMENT_H
#define MT_SHAPE_OF_DOCUMENT_H

#include "engine/local/expr/core.h"

/* Gets the value at a path by the rules of expressions: through an array, an array of the values
 * that exist. In w's arena. */
bool mt_x_walk (MtWork *w, MtVal v, const MtPath *path, uint32_t from, MtVal *out);
/* Returns whether the name is an array index, and gets it. */
bool mt_x_is_index (const char *s, uint32_t *out);

/* ---- extraction (extract.c) ---- */

/* Returns whether the key at `key` is the guessed one. */
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
   memcpy (&low, g->key + len - 8, 8); /* the last eight bytes overlap the first ones */
   memcpy (&high, key + len - 8, 8);
   return low == high;
}

/* Fills the slots of an extraction from a document. stored: its bytes may lie in a block. */
bool mt_extract_doc (MtWork *w, const MtExtract *x, MtVal v, bool stored, MtCount *count);
/* Like mt_extract_doc, for a document whose bytes are all verified. */
bool mt_extract_whole (MtWork *w, const MtExtract *x, const uint8_t *doc, uint32_t len, MtReader *r,
                       MtCount *count);
/* Extracts the fields of a variable whose slot was set. */
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

/* Creates a variable with a new slot, which the node at `pos` fills. */
MtExecVar *mt_var_new (MtCompile *c, int pos, bool stored);
/* Returns the shape of a variable's value. */
MtShape *mt_shape_var (MtCompile *c, MtExecVar *var);
MtShape *mt_shape_missing (MtCompile *c);
/* Returns the shape of a document without listed fields. base may be NULL. */
MtShape *mt_shape_doc (MtCompile *c, MtShape *base, bool keep_rest);
MtShape *mt_shape_const (MtCompile *c, MtVal v);
/* Creates a computed value. Its node takes its place in the chain now, and becomes live at the
 * first use of the value. */
MtShape *mt_shape_expr (MtCompile *c, MtExecExpr *e, MtShape *root);
/* Adds a field to a document's shape, or replaces its value. */
void mt_shape_put (MtCompile *c, MtShape *doc, const char *name, MtShape *value, bool in_base);
/* Creates the shape of an expression over `root`. Paths and literal documents need no node. */
MtShape *mt_shape_of (MtCompile *c, MtExecExpr *e, MtShape *root);
/* Returns a computed shape as a variable, and other shapes unchanged. NULL with c->err set on
 * failure. */
MtShape *mt_shape_solid (MtCompile *c, MtShape *s);
MtShape *mt_shape_copy (MtCompile *c, const MtShape *s);
/* Returns `s` with the value at a path replaced. soft: only if all values along the path are
 * documents. */
MtShape *mt_shape_with (MtCompile *c, MtShape *s, const MtPath *path, uint32_t from, MtShape *value,
                        bool soft);
/* Returns a listed field of a document's shape, or NULL. */
MtShapeField *mt_shape_find (const MtShape *doc, const char *name);
/* Returns the shape of a field. */
MtShape *mt_shape_get (MtCompile *c, MtShape *s, const char *name);
/* Returns the shape at a path. */
MtShape *mt_shape_path (MtCompile *c, MtShape *s, const MtPath *path);
/* Uses the value of a shape at a place in the chain. Returns a bound expression, or NULL with
 * c->err set. */
MtExecExpr *mt_shape_use (MtCompile *c, MtShape *s, int pos);
/* Uses the value of a shape, and computes it into a slot if needed. Returns the slot, or
 * MT_NO_SLOT. */
uint32_t mt_shape_slot (MtCompile *c, MtShape *s, int pos);
/* Like mt_shape_slot, for a path of the current document and a stage that is about to be added.
 * MT_NO_SLOT: c->err is set. */
uint32_t mt_field_slot (MtCompile *c, const char *path, size_t n);
/* Returns the slot for the match language at a path below a variable. */
uint32_t mt_shape_match_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos);
/* Returns the slot for $unwind at a path below a variable. */
uint32_t mt_shape_raw_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos);
/* Creates a slot, which the node at `def` fills. */
uint32_t mt_slot_new (MtCompile *c, int def);
/* Records that the node at `pos` reads the slot. */
void mt_slot_use (MtCompile *c, uint32_t slot, int pos);
/* Splits a path at its dots. */
bool mt_path_parse (MtCompile *c, const char *text, MtPath *out);
MtPath mt_path_join (MtCompile *c, const MtPath *a, const MtPath *b);
/* Writes the fields of a document's shape. Its values must have been used (mt_shape_use). */
bool mt_build_doc (MtWork *w, const MtShape *s, MtBw *b);

/* ---- nodes ---- */

/* Appends a node of `size` bytes to the chain. stage NULL: the stage being compiled. */
MtExecNode *mt_node_new (MtCompile *c, size_t size, const char *stage,
                         MtFlow (*push) (const MtExecNode *, MtWork *));
/* Sets 22023 with a message. Returns false. */
bool mt_bad (MtCompile *c, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));

/* Evaluates the expression of an MtEvalNode into its variable. */
MtFlow mt_eval_push (const MtExecNode *n, MtWork *w);
typedef struct MtEvalNode {
   MtExecNode n;
   MtShape *shape;
   MtExecExpr *expr;
   MtExecVar *var;
} MtEvalNode;

#endif
