/* Shapes describe the current document of a pipeline while the pipeline is compiled: which
 * fields it has, and where their values come from. Also declares extraction, the reading of
 * fields from BSON bytes. */
#ifndef MT_SHAPE_OF_DOCUMENT_H
#define MT_SHAPE_OF_DOCUMENT_H

#include "engine/local/expr/codes.h"
#include "engine/local/expr/core.h"

/* Gets the value at a path by MongoDB's rules for expressions: if the path leads through an
 * array, *out is an array of the values that exist. Follows the path from component `from` on.
 * Allocates in the arena of w. */
bool mt_x_walk (MtWork *w, MtVal v, const MtPath *path, uint32_t from, MtVal *out);
/* Returns whether the name `s` is an array index, and sets *out to the index. */
bool mt_x_is_index (const char *s, uint32_t *out);

/* ---- extraction (extract.c) ---- */

/* Returns whether the BSON key at `key` is the key that the guess `g` expects. */
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
   /* compare the last eight bytes of the key, too; they may overlap the first ones */
   memcpy (&low, g->key + len - 8, 8);
   memcpy (&high, key + len - 8, 8);
   return low == high;
}

/* Reads the fields of an extraction from the document `v` into their slots. `stored`: the
 * document may be in a block whose bytes are not verified yet. */
bool mt_extract_doc (MtWork *w, const MtExtract *x, MtVal v, bool stored, MtCount *count);
/* Reads the fields of an extraction from a document whose bytes are all verified. */
bool mt_extract_whole (MtWork *w, const MtExtract *x, const uint8_t *doc, uint32_t len, MtReader *r,
                       MtCount *count);
/* Reads the needed fields of a variable into their slots, after the variable's own slot was set. */
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

/* Creates a variable with a new slot, which the node at position `pos` of the chain fills. */
MtExecVar *mt_var_new (MtCompile *c, int pos, bool stored);
/* Returns the shape of a variable's value. */
MtShape *mt_shape_var (MtCompile *c, MtExecVar *var);
MtShape *mt_shape_missing (MtCompile *c);
/* Creates the shape of a document that has no listed fields yet. `base`: the shape of the
 * document whose other fields are kept, if keep_rest; may be NULL. */
MtShape *mt_shape_doc (MtCompile *c, MtShape *base, bool keep_rest);
MtShape *mt_shape_const (MtCompile *c, MtVal v);
/* Creates the shape of a value that is computed by `e`. Its node is placed in the chain now, but
 * runs only if the value is used. */
MtShape *mt_shape_expr (MtCompile *c, MtExecExpr *e, MtShape *root);
/* Adds a field to the shape of a document, or replaces the field's value. */
void mt_shape_put (MtCompile *c, MtShape *doc, const char *name, MtShape *value, bool in_base);
/* Creates the shape of an expression whose field paths start at `root`. Paths and literal
 * documents need no node. */
MtShape *mt_shape_of (MtCompile *c, MtExecExpr *e, MtShape *root);
/* Returns a shape to which paths can be applied: a variable with the value if `s` is computed,
 * otherwise `s` itself. Returns NULL with c->err set on failure. */
MtShape *mt_shape_solid (MtCompile *c, MtShape *s);
MtShape *mt_shape_copy (MtCompile *c, const MtShape *s);
/* Returns a copy of the shape `s` in which the value at a path is replaced. `soft`: replaces the
 * value only if all values along the path are documents. */
MtShape *mt_shape_with (MtCompile *c, MtShape *s, const MtPath *path, uint32_t from, MtShape *value,
                        bool soft);
/* Returns the field that a document's shape lists under this name, or NULL. */
MtShapeField *mt_shape_find (const MtShape *doc, const char *name);
/* Returns the shape of the field `name` of a value with shape `s`. */
MtShape *mt_shape_get (MtCompile *c, MtShape *s, const char *name);
/* Returns the shape of the value at a path below a value with shape `s`. */
MtShape *mt_shape_path (MtCompile *c, MtShape *s, const MtPath *path);
/* Returns an expression for the value of a shape, for use by the node at position `pos` of the
 * chain. Returns NULL with c->err set on failure. */
MtExecExpr *mt_shape_use (MtCompile *c, MtShape *s, int pos);
/* Returns a slot with the value of a shape, for use by the node at position `pos`. Computes the
 * value into a slot if needed. Returns MT_NO_SLOT with c->err set on failure. */
uint32_t mt_shape_slot (MtCompile *c, MtShape *s, int pos);
/* Returns the slot of the value at a path of the current document, for the stage that is added
 * next. Returns MT_NO_SLOT with c->err set on failure. */
uint32_t mt_field_slot (MtCompile *c, const char *path, size_t n);
/* Returns the slot of the value at a path below a variable, by the rules of the match language
 * ($match). */
uint32_t mt_shape_match_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos);
/* Returns the slot of the value at a path below a variable, as $unwind needs it: unverified
 * bytes. */
uint32_t mt_shape_raw_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos);
/* Records that the node at position `pos` of the chain reads the slot. */
void mt_slot_use (MtCompile *c, uint32_t slot, int pos);
/* Splits a path at its dots into its components. */
bool mt_path_parse (MtCompile *c, const char *text, MtPath *out);
/* Writes a document by its shape. Call mt_shape_use for its values while the pipeline is
 * compiled. */
bool mt_build_doc (MtWork *w, const MtShape *s, MtBson *b);
/* The same, as a value in the worker's arena. */
bool mt_build_here (MtWork *w, const MtShape *s, MtVal *out);
/* Gets the value of a field by its shape; missing if it has none. A document is built in the
 * worker's arena. */
bool mt_build_value (MtWork *w, const MtShape *s, MtVal *out);

/* ---- nodes ---- */

/* Appends a node of `size` bytes to the chain of nodes. `stage`: the stage's name; NULL: the
 * stage that is being compiled. */
MtExecNode *mt_node_new (MtCompile *c, size_t size, const char *stage,
                         MtFlow (*push) (const MtExecNode *, MtWork *));
/* Sets error 22023 (invalid parameter) with MongoDB's number of the error (0: none) and a message.
 * Returns false. */
bool mt_bad (MtCompile *c, int32_t code, const char *fmt, ...)
   __attribute__ ((format (printf, 3, 4)));

/* Evaluates the expression of an MtEvalNode for the current row, and stores the value in the
 * node's variable. */
MtFlow mt_eval_push (const MtExecNode *n, MtWork *w);
typedef struct MtEvalNode {
   MtExecNode n;
   MtShape *shape;
   MtExecExpr *expr;
   MtExecVar *var;
} MtEvalNode;

#endif
