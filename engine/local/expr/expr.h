/* Expressions and the match language: parsing, binding, evaluating. */
#ifndef MT_EXPR_H
#define MT_EXPR_H

#include "engine/local/expr/core.h"

/* Parses an expression. Returns NULL with c->err set. */
MtExecExpr *mt_expr_parse (MtCompile *c, MtVal v);
/* Sets error 0A000 if `name` is a stage, an operator or a variable ("$$NAME") of MongoDB that this
 * engine refuses, and returns true. Otherwise returns false. */
bool mt_refused (MtCompile *c, const char *name);
/* Makes an expression for a constant. The next three functions make other kinds of expressions. */
MtExecExpr *mt_expr_const (MtCompile *c, MtVal v);
MtExecExpr *mt_expr_field (MtCompile *c, const char *path); /* `path` without the $ */
MtExecExpr *mt_expr_slot (MtCompile *c, uint32_t slot);
MtExecExpr *mt_expr_new (MtCompile *c, MtExprKind kind, MtEvalFn eval, uint32_t argc);
/* Binds an expression that the node at position `pos` evaluates: replaces its paths by slots
 * (values in the row). Field paths begin at the shape `root`. */
bool mt_expr_bind (MtCompile *c, MtExecExpr *e, MtShape *root, const MtExecScope *scope, int pos);
/* Replaces the evaluation function of a bound expression by a faster one for its special form, if
 * there is one. */
void mt_expr_specialise (MtExecExpr *e);
/* Adds a bound expression to the table in which equal expressions are found. Call it after
 * mt_expr_specialise, and after the arguments of e were added. */
void mt_repeat_add (MtCompile *c, MtExecExpr *e);
/* Records that a stage evaluates expression e, so that repeated uses are counted. */
void mt_repeat_use (MtExecExpr *e);
/* Returns the expression that e equals if no value is NaN. For {$cond: [{$eq: [x, NaN]}, a, b]},
 * this is b. */
const MtExecExpr *mt_expr_without_nan (const MtExecExpr *e);
/* Returns whether the value of a bound expression depends on at most one slot, and on nothing else.
 * *slot must be MT_NO_SLOT at first; it is set to this slot. */
bool mt_expr_one_slot (const MtExecExpr *e, uint32_t *slot);
/* Call it after all expressions were bound. Makes expressions that occur several times cache their
 * last value. Returns the number of caches per worker (thread). */
uint32_t mt_repeat_end (MtCompile *c);
static inline bool mt_eval (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   return e->eval (e, w, out);
}
/* Returns whether v is true in MongoDB's sense: not false, 0, null or missing. */
bool mt_truthy (MtVal v);

/* Evaluates a constant expression. The next functions evaluate the other kinds of expressions. */
bool mt_ev_const (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_slot (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_walk (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_build (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_op (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_op1 (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_op2 (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_and (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_or (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_not (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_cond (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_ifnull (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_switch (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_let (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_map (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_filter (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_reduce (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_literal (const MtExecExpr *e, MtWork *w, MtVal *out); /* of a document or an array */
bool mt_ev_getfield (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_setfield (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_proj (const MtExecExpr *e, MtWork *w, MtVal *out);

/* ---- the match language ---- */

MtMatch *mt_match_parse (MtCompile *c, MtVal doc);
bool mt_match_bind (MtCompile *c, MtMatch *m, MtShape *root, int pos);
/* Tests the condition m on the current row. Returns 1 for a match, 0 for no match, or -1 with
 * w->err set. */
int mt_match_row (const MtMatch *m, MtWork *w);
/* Returns false if a condition on one path is false for all values from min to max. */
bool mt_match_between (const MtMatch *m, MtVal min, MtVal max);
/* Returns false if no document of block `index` can match condition m, as the ranges of the block's
 * values show. scan: the variable of the stored document. */
bool mt_match_block (const MtMatch *m, const MtSource *s, size_t index, const MtExecVar *scan);
/* Returns a part of condition m for which an index can find the documents: a top-level field has
 * one of some values. The result's `field` is NULL if there is no such part. */
MtKeyProbe mt_match_probe (const MtMatch *m);
/* Finds a range of dates or integers in which condition m requires a top-level field to be. Returns
 * false if there is none. *out borrows from m. */
bool mt_match_span (const MtMatch *m, MtFieldSpan *out);
/* Returns whether the match language ($match) compares values of these two types with each
 * other. */
bool mt_type_same_bracket (MtVal a, MtVal b);

#endif
