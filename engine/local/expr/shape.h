/* Shapes describe the current document of a pipeline at compile time: which fields it has, and
 * where their values come from. Also declares extraction, which reads fields from BSON bytes. */
#ifndef MT_SHAPE_OF_DOCUMENT_H
#define MT_SHAPE_OF_DOCUMENT_H

#include "engine/local/expr/codes.h"
#include "engine/local/expr/core.h"

/* Finds the value at a path of v, from component `from` of the path on, by MongoDB's rules for
 * expressions: if the path leads through an array, *out is an array of the values in its elements,
 * without missing ones. Allocates in the arena of w. */
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

/* Reads the fields of extraction x from document v, and stores them in their slots. stored: the
 * document is in a block, and its bytes may not be verified yet. */
bool mt_extract_doc (MtWork *w, const MtExtract *x, MtVal v, bool stored, MtCount *count);
/* Like mt_extract_doc, for a document whose bytes are all verified. */
bool mt_extract_whole (MtWork *w, const MtExtract *x, const uint8_t *doc, uint32_t len, MtReader *r,
                       MtCount *count);
/* Call it after the slot of variable `var` was set. Reads the fields that nodes need from its
 * value, and stores them in their slots. */
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

/* Makes a variable with a new slot, which the node at position `pos` of the chain fills. stored:
 * its value may be in a block, whose bytes must be verified. */
MtExecVar *mt_var_new (MtCompile *c, int pos, bool stored);
/* Returns the shape of a variable's value. */
MtShape *mt_shape_var (MtCompile *c, MtExecVar *var);
MtShape *mt_shape_missing (MtCompile *c);
/* Makes the shape of a document without listed fields. base: the shape of a document, may be NULL.
 * keep_rest: fields that are not listed are those of `base`. */
MtShape *mt_shape_doc (MtCompile *c, MtShape *base, bool keep_rest);
MtShape *mt_shape_const (MtCompile *c, MtVal v);
/* Makes the shape of the value that expression e computes; its field paths begin at shape `root`.
 * Its node gets its position in the chain now, but runs only if the value is used. */
MtShape *mt_shape_expr (MtCompile *c, MtExecExpr *e, MtShape *root);
/* Adds a field to the shape of a document, or replaces it. in_base: it stays where the base
 * document has a field with this name. */
void mt_shape_put (MtCompile *c, MtShape *doc, const char *name, MtShape *value, bool in_base);
/* Makes the shape of the value of expression e, whose field paths begin at shape `root`. Paths and
 * literal documents need no node. */
MtShape *mt_shape_of (MtCompile *c, MtExecExpr *e, MtShape *root);
/* Returns a shape below which paths can be looked up: `s` itself, or if it is computed, the shape
 * of a variable with its value. Returns NULL with c->err set on failure. */
MtShape *mt_shape_solid (MtCompile *c, MtShape *s);
MtShape *mt_shape_copy (MtCompile *c, const MtShape *s);
/* Returns a copy of shape s in which the value at `path` (from component `from` on) is replaced by
 * `value`. soft: it is replaced only if all values along the path are documents. */
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
/* Returns the slot that has the value of shape s, for the node at position `pos`. If necessary,
 * adds a node that computes the value. Returns MT_NO_SLOT with c->err set on failure. */
uint32_t mt_shape_slot (MtCompile *c, MtShape *s, int pos);
/* Returns the slot that has the value at a path of the current document, for the next node that is
 * added. The path has n bytes. Returns MT_NO_SLOT with c->err set on failure. */
uint32_t mt_field_slot (MtCompile *c, const char *path, size_t n);
/* Returns the slot that has the value at a path below a variable, as $match needs it: MT_DEFERRED
 * if the path leads through an array. pos: the position of the node that reads it. */
uint32_t mt_shape_match_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos);
/* Returns the slot that has the value at a path below a variable, as $unwind needs it: its bytes
 * are not verified. pos: the position of the node that reads it. */
uint32_t mt_shape_raw_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos);
/* Records that the node at position `pos` of the chain reads the slot. */
void mt_slot_use (MtCompile *c, uint32_t slot, int pos);
/* Splits the dotted path `text` into its components. */
bool mt_path_parse (MtCompile *c, const char *text, MtPath *out);
/* Builds the document that shape s describes, and appends it to b. mt_shape_use must have been
 * called for its values at compile time. */
bool mt_build_doc (MtWork *w, const MtShape *s, MtBson *b);
/* Like mt_build_doc, but makes the document a value in the worker's arena. */
bool mt_build_here (MtWork *w, const MtShape *s, MtVal *out);
/* Stores the value that shape s describes in *out; MT_MISSING if there is none. A document is built
 * in the worker's arena. */
bool mt_build_value (MtWork *w, const MtShape *s, MtVal *out);

/* ---- nodes ---- */

/* Appends a node of `size` bytes to the chain of nodes. stage: the name of its stage; NULL: the
 * stage that is being compiled. push: its function that receives rows. */
MtExecNode *mt_node_new (MtCompile *c, size_t size, const char *stage,
                         MtFlow (*push) (const MtExecNode *, MtWork *));
/* Sets the error 22023 (invalid parameter) with MongoDB's error code (0: none) and a message.
 * Always returns false. */
bool mt_bad (MtCompile *c, int32_t code, const char *fmt, ...)
   __attribute__ ((format (printf, 3, 4)));

/* The function `push` of an MtEvalNode: evaluates its expression, stores the value in its variable,
 * and passes on the row. */
MtFlow mt_eval_push (const MtExecNode *n, MtWork *w);
typedef struct MtEvalNode {
   MtExecNode n;
   MtShape *shape;
   MtExecExpr *expr;
   MtExecVar *var;
} MtEvalNode;

#endif
