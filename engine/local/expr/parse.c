/* Parses expressions into a tree. Their paths are bound to slots (values in the row) later, when
 * the expression is used. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

#include <pthread.h>

MtExecExpr *mt_expr_new (MtCompile *c, MtExprKind kind, MtEvalFn eval, uint32_t argc)
{
   MtExecExpr *e = MT_NEW (c->arena, MtExecExpr);
   e->kind = kind;
   e->eval = eval;
   e->argc = (uint16_t) argc;
   e->args = argc ? MT_NEW_N (c->arena, MtExecExpr *, argc) : NULL;
   return e;
}

MtExecExpr *mt_expr_const (MtCompile *c, MtVal v)
{
   MtExecExpr *e = mt_expr_new (c, MT_EX_CONST, mt_ev_const, 0);
   e->value = mt_v_copy (c->arena, v);
   e->bound = true;
   return e;
}

MtExecExpr *mt_expr_slot (MtCompile *c, uint32_t slot)
{
   MtExecExpr *e = mt_expr_new (c, MT_EX_SLOT, mt_ev_slot, 0);
   e->slot = slot;
   e->bound = true;
   return e;
}

static void *null_error (MtCompile *c, int32_t code, const char *fmt, const char *name)
{
   mt_error_coded (c->err, MT_E_PARAMETER, code, fmt, name);
   return NULL;
}

MtExecExpr *mt_expr_field (MtCompile *c, const char *path)
{
   MtExecExpr *e = mt_expr_new (c, MT_EX_FIELD, NULL, 0);
   e->var = "CURRENT";
   return mt_path_parse (c, path, &e->path) ? e : NULL;
}

/* Parses a variable "$$name.path". `text` does not include the "$$". */
static MtExecExpr *parse_variable (MtCompile *c, const char *text)
{
   const char *dot = strchrnul (text, '.');
   char *name = mt_strndup (c->arena, text, (size_t) (dot - text));
   if (strcmp (name, "REMOVE") == 0)
      return mt_expr_const (c, mt_v_missing ());
   if (strcmp (name, "NOW") == 0)
      return mt_expr_const (c, c->exec->now);
   if (mt_refused (c, mt_printf (c->arena, "$$%s", name)))
      return NULL;
   MtExecExpr *e = mt_expr_new (c, MT_EX_FIELD, NULL, 0);
   e->var = name;
   if (!*name)
      return null_error (c, MT_CODE_FAILED_TO_PARSE, "empty variable names are not allowed%s", "");
   if (*dot && !mt_path_parse (c, dot + 1, &e->path))
      return NULL;
   return e;
}

static MtExecExpr *parse_string (MtCompile *c, MtVal v)
{
   if (v.len == 0 || v.p[0] != '$')
      return mt_expr_const (c, v);
   char *text = mt_strndup (c->arena, (const char *) v.p, v.len);
   if (strlen (text) != v.len)
      return null_error (c, 16411, "field path must not contain a NUL byte%s", "");
   return text[1] == '$' ? parse_variable (c, text + 2) : mt_expr_field (c, text + 1);
}

/* ---- operators with special arguments ---- */

typedef MtExecExpr *(*MtParseFn) (MtCompile *c, const char *name, MtVal arg);

/* Returns the arguments of an operator whose arguments have no names: the elements of `arg` if it
 * is an array, otherwise only `arg`. *n: their number. */
static MtVal *positional (MtCompile *c, MtVal arg, size_t *n)
{
   if (arg.type == MT_ARRAY)
      return mt_v_elements (c->arena, arg, n);
   MtVal *one = MT_NEW (c->arena, MtVal);
   *one = arg;
   *n = 1;
   return one;
}

static MtExecExpr *parse_all (MtCompile *c, MtExprKind kind, MtEvalFn eval, const MtVal *vals,
                              size_t n)
{
   /* The number of arguments fits in 32 bits, since the size of a document is limited. */
   MtExecExpr *e = mt_expr_new (c, kind, eval, (uint32_t) n);
   for (size_t i = 0; i < n; i++)
      if (!(e->args[i] = mt_expr_parse (c, vals[i])))
         return NULL;
   return e;
}

static MtExecExpr *parse_and (MtCompile *c, const char *name, MtVal arg)
{
   size_t n;
   MtVal *vals = positional (c, arg, &n);
   bool and = strcmp (name, "$and") == 0;
   return parse_all (c, and? MT_EX_AND : MT_EX_OR, and? mt_ev_and : mt_ev_or, vals, n);
}

static MtExecExpr *parse_not (MtCompile *c, const char *name, MtVal arg)
{
   size_t n;
   MtVal *vals = positional (c, arg, &n);
   if (n != 1)
      return null_error (c, 16020, "expression %s takes exactly 1 argument", name);
   return parse_all (c, MT_EX_NOT, mt_ev_not, vals, n);
}

static MtExecExpr *parse_ifnull (MtCompile *c, const char *name, MtVal arg)
{
   size_t n;
   MtVal *vals = positional (c, arg, &n);
   if (n < 2)
      return null_error (c, 1257300, "%s needs at least two arguments", name);
   return parse_all (c, MT_EX_IFNULL, mt_ev_ifnull, vals, n);
}

/* Stores the named arguments of operator `op` in `out`, in the order of `names`, in which '?' marks
 * optional ones. Absent arguments are MT_MISSING. */
static bool named (MtCompile *c, const char *op, MtVal arg, const char *const *names, size_t n,
                   MtVal *out)
{
   if (arg.type != MT_DOC)
      return mt_bad (c, mt_code_not_object (op), "%s only supports an object as its argument", op);
   MtDocIter it = mt_doc_iter (arg);
   MtStr key;
   MtVal v;
   for (size_t i = 0; i < n; i++)
      out[i] = mt_v_missing ();
   while (mt_doc_next (&it, &key, &v)) {
      size_t i = 0;
      while (i < n && !(strncmp (names[i], key.p, key.n) == 0 &&
                        (names[i][key.n] == 0 || names[i][key.n] == '?')))
         i++;
      if (i == n)
         return mt_bad (c, mt_code_unknown (op), "unrecognized parameter to %s: %.*s", op,
                        (int) key.n, key.p);
      out[i] = v;
   }
   for (size_t i = 0; i < n; i++)
      if (out[i].type == MT_MISSING && names[i][strlen (names[i]) - 1] != '?')
         return mt_bad (c, mt_code_missing (op, names[i]), "missing '%s' parameter to %s", names[i],
                        op);
   return true;
}

static MtExecExpr *parse_cond (MtCompile *c, const char *name, MtVal arg)
{
   static const char *const names[] = {"if", "then", "else"};
   MtVal got[3], *vals = got;
   size_t n = 3;
   if (arg.type == MT_ARRAY)
      vals = mt_v_elements (c->arena, arg, &n);
   else if (!named (c, name, arg, names, 3, got))
      return NULL;
   if (n != 3)
      return null_error (c, 16020, "expression %s takes exactly 3 arguments", name);
   return parse_all (c, MT_EX_COND, mt_ev_cond, vals, 3);
}

/* Parses $switch. The arguments of the expression are case, then, case, then, …, default. */
static MtExecExpr *parse_switch (MtCompile *c, const char *name, MtVal arg)
{
   static const char *const names[] = {"branches", "default?"};
   static const char *const branch[] = {"case", "then"};
   MtVal got[2], pair[2];
   if (!named (c, name, arg, names, 2, got))
      return NULL;
   size_t n;
   MtVal *list = mt_v_elements (c->arena, got[0], &n);
   if (got[0].type != MT_ARRAY || n == 0)
      return null_error (c, got[0].type == MT_ARRAY ? 40068 : 40061,
                         "%s requires at least one branch", name);
   bool has_default = got[1].type != MT_MISSING;
   MtExecExpr *e = mt_expr_new (c, MT_EX_SWITCH, mt_ev_switch, (uint32_t) (n * 2 + has_default));
   for (size_t i = 0; i < n; i++) {
      if (!named (c, "a branch of $switch", list[i], branch, 2, pair) ||
          !(e->args[2 * i] = mt_expr_parse (c, pair[0])) ||
          !(e->args[2 * i + 1] = mt_expr_parse (c, pair[1])))
         return NULL;
   }
   if (has_default && !(e->args[2 * n] = mt_expr_parse (c, got[1])))
      return NULL;
   return e;
}

/* Returns whether MongoDB accepts `name` for a variable of a user: it begins with a lower-case
 * letter or a character that is not ASCII, and the rest are letters, digits and underscores. */
static bool is_variable_name (MtStr name)
{
   for (size_t i = 0; i < name.n; i++) {
      unsigned char c = (unsigned char) name.p[i];
      bool other = c >= 128 || (c >= 'a' && c <= 'z');
      if (!other && (i == 0 || (c != '_' && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9'))))
         return mt_str_is (name, "CURRENT");
   }
   return name.n > 0;
}

/* Parses $let. The arguments of the expression are the values of the variables, then `in`. */
static MtExecExpr *parse_let (MtCompile *c, const char *name, MtVal arg)
{
   static const char *const names[] = {"vars", "in"};
   MtVal got[2];
   if (!named (c, name, arg, names, 2, got))
      return NULL;
   if (got[0].type != MT_DOC)
      return null_error (c, 10065, "the vars argument of %s must be an object", name);
   size_t n = mt_doc_count (got[0]), i = 0;
   MtExecExpr *e = mt_expr_new (c, MT_EX_LET, mt_ev_let, (uint32_t) n + 1);
   e->names = MT_NEW_N (c->arena, const char *, n + 1);
   MtDocIter it = mt_doc_iter (got[0]);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v)) {
      e->names[i] = mt_strndup (c->arena, key.p, key.n);
      if (!is_variable_name (key))
         return null_error (c, MT_CODE_FAILED_TO_PARSE, "'%s' is not a valid name for a variable",
                            e->names[i]);
      if (!(e->args[i++] = mt_expr_parse (c, v)))
         return NULL;
   }
   return (e->args[n] = mt_expr_parse (c, got[1])) ? e : NULL;
}

/* Returns the variable's name that the argument `arg` of an operator gives; `otherwise` if it is
 * missing. parameter: the argument's name, for errors. */
static const char *variable_name (MtCompile *c, const char *parameter, MtVal arg,
                                  const char *otherwise)
{
   MtStr name = {(const char *) arg.p, arg.len};
   if (arg.type == MT_MISSING)
      return otherwise;
   if (arg.type != MT_STRING || !is_variable_name (name))
      return null_error (c, MT_CODE_FAILED_TO_PARSE, "'%s' must be a variable's name", parameter);
   return mt_strndup (c->arena, name.p, name.n);
}

/* Sets the names of the variables of $map, $filter or $reduce: the element's, which may be given by
 * `as`, and the index's, which `index` may give. */
static MtExecExpr *element_names (MtCompile *c, MtExecExpr *e, MtVal as, MtVal index)
{
   if (!e)
      return NULL;
   e->names = MT_NEW_N (c->arena, const char *, 2);
   e->names[0] = variable_name (c, "as", as, "this");
   e->names[1] = variable_name (c, "arrayIndexAs", index, "IDX");
   if (!e->names[0] || !e->names[1])
      return NULL;
   if (strcmp (e->names[0], e->names[1]) == 0)
      return null_error (c, 9375802, "'as' and 'arrayIndexAs' are the same name: %s", e->names[0]);
   return e;
}

static MtExecExpr *parse_map (MtCompile *c, const char *name, MtVal arg)
{
   static const char *const names[] = {"input", "as?", "arrayIndexAs?", "in"};
   MtVal got[4];
   if (!named (c, name, arg, names, 4, got))
      return NULL;
   MtVal vals[2] = {got[0], got[3]};
   return element_names (c, parse_all (c, MT_EX_MAP, mt_ev_map, vals, 2), got[1], got[2]);
}

static MtExecExpr *parse_filter (MtCompile *c, const char *name, MtVal arg)
{
   static const char *const names[] = {"input", "as?", "arrayIndexAs?", "cond", "limit?"};
   MtVal got[5];
   if (!named (c, name, arg, names, 5, got))
      return NULL;
   MtVal vals[3] = {got[0], got[3], got[4]};
   uint32_t n = got[4].type == MT_MISSING ? 2 : 3;
   return element_names (c, parse_all (c, MT_EX_FILTER, mt_ev_filter, vals, n), got[1], got[2]);
}

static MtExecExpr *parse_reduce (MtCompile *c, const char *name, MtVal arg)
{
   static const char *const names[] = {"input", "initialValue", "in", "arrayIndexAs?"};
   MtVal got[4];
   if (!named (c, name, arg, names, 4, got))
      return NULL;
   return element_names (c, parse_all (c, MT_EX_REDUCE, mt_ev_reduce, got, 3), mt_v_missing (),
                         got[3]);
}

static MtExecExpr *parse_literal (MtCompile *c, const char *name, MtVal arg)
{
   return mt_expr_const (c, arg);
}

static MtExecExpr *parse_expr (MtCompile *c, const char *name, MtVal arg)
{
   return mt_expr_parse (c, arg);
}

static MtExecExpr *parse_getfield (MtCompile *c, const char *name, MtVal arg)
{
   static const char *const names[] = {"field", "input?"};
   MtVal got[2] = {arg, mt_v_missing ()};
   if (arg.type == MT_DOC && mt_doc_field (arg, "field").type != MT_MISSING) {
      if (!named (c, name, arg, names, 2, got))
         return NULL;
   }
   MtExecExpr *e = mt_expr_new (c, MT_EX_GETFIELD, mt_ev_getfield, 2);
   if (!(e->args[0] = mt_expr_parse (c, got[0])))
      return NULL;
   if (e->args[0]->kind == MT_EX_CONST && e->args[0]->value.type != MT_STRING)
      return null_error (c, 5654602, "%s requires 'field' to evaluate to a constant string", name);
   e->args[1] = got[1].type == MT_MISSING ? mt_expr_new (c, MT_EX_FIELD, NULL, 0)
                                          : mt_expr_parse (c, got[1]);
   if (!e->args[1])
      return NULL;
   if (got[1].type == MT_MISSING)
      e->args[1]->var = "CURRENT";
   return e;
}

static MtExecExpr *parse_setfield (MtCompile *c, const char *name, MtVal arg)
{
   static const char *const set[] = {"field", "input", "value"}, *const unset[] = {"field",
                                                                                   "input"};
   MtVal got[3] = {{0}};
   bool is_set = strcmp (name, "$setField") == 0;
   if (!named (c, name, arg, is_set ? set : unset, is_set ? 3 : 2, got))
      return NULL;
   MtExecExpr *e = parse_all (c, MT_EX_SETFIELD, mt_ev_setfield, got, is_set ? 3 : 2);
   if (e && (e->args[0]->kind != MT_EX_CONST || e->args[0]->value.type != MT_STRING))
      return null_error (c, e->args[0]->kind == MT_EX_CONST ? 4161107 : 4161106,
                         "%s requires 'field' to be a constant string", name);
   if (e && !is_set) {
      MtExecExpr *args[3] = {e->args[0], e->args[1], mt_expr_const (c, mt_v_missing ())};
      e = mt_expr_new (c, MT_EX_SETFIELD, mt_ev_setfield, 3);
      memcpy (e->args, args, sizeof args);
   }
   return e;
}

/* Parses $sigmoid: {$divide: [1, {$add: [1, {$exp: {$multiply: [-1, value]}}]}]}. */
static MtExecExpr *parse_sigmoid (MtCompile *c, const char *name, MtVal arg)
{
   MtBson b = {.arena = c->arena};
   size_t n, start = mt_bson_begin (&b);
   MtVal *vals = positional (c, arg, &n);
   if (n != 1)
      return null_error (c, 16020, "expression %s takes exactly 1 argument", name);
   mt_bson_printf (&b, "$divide: [1, {$add: [1, {$exp: {$multiply: [-1, %p]}}]}]", (void *) vals);
   mt_bson_end (&b, start);
   return mt_memory_check (c->err) ? mt_expr_parse (c, mt_bson_part (&b, start, MT_DOC)) : NULL;
}

static bool random_number (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   *out = mt_v_double ((double) (mt_op_random () >> 11) * 0x1p-53);
   return true;
}

/* The row of $rand. It has no example, because its value can't be predicted. */
static const MtOpRow random_row = {
   "$rand", 0, 0, NULL, 0, random_number, "a random number from 0 to less than 1", NULL, NULL};

static MtExecExpr *parse_rand (MtCompile *c, const char *name, MtVal arg)
{
   if ((arg.type != MT_DOC && arg.type != MT_ARRAY) || mt_doc_count (arg))
      return null_error (c, 3040501, "%s does not take arguments", name);
   MtExecExpr *e = mt_expr_new (c, MT_EX_OP, mt_ev_op, 0);
   e->row = &random_row;
   return e;
}

static bool new_oid (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   bson_oid_t *oid = MT_NEW (ev->arena, bson_oid_t);
   bson_oid_init (oid, NULL);
   *out = (MtVal) {.type = MT_OID, .p = oid->bytes};
   return true;
}

/* The row of $createObjectId, without an example for the same reason. */
static const MtOpRow new_oid_row = {"$createObjectId", 0,    0,   NULL, 0, new_oid,
                                    "a new ObjectId",  NULL, NULL};

static MtExecExpr *parse_new_oid (MtCompile *c, const char *name, MtVal arg)
{
   if (arg.type != MT_DOC || mt_doc_count (arg))
      return null_error (c, MT_CODE_FAILED_TO_PARSE, "%s takes the empty document only", name);
   MtExecExpr *e = mt_expr_new (c, MT_EX_OP, mt_ev_op, 0);
   e->row = &new_oid_row;
   return e;
}

/* ---- operators of the tables ---- */

#define BUILT_IN_TABLES 9
static const MtOpRow *built_in (size_t i)
{
   const MtOpRow *const tables[BUILT_IN_TABLES] = {
      mt_ops_arithmetic, mt_ops_compare, mt_ops_string, mt_ops_date,  mt_ops_convert,
      mt_ops_array,      mt_ops_stat,    mt_ops_hash,   mt_ops_encode};
   return tables[i];
}

/* The index of the built-in operators, which lives as long as the process. The member `arena` is
 * never read. It is there so that leak checkers find a pointer to the memory. */
static struct {
   MtArena *arena;
   const MtOpIndex *index;
} built_ins;

static void index_built_ins (void)
{
   const MtOpRow *tables[BUILT_IN_TABLES];
   built_ins.arena = mt_arena_new ("operators", NULL);
   for (size_t i = 0; i < BUILT_IN_TABLES; i++)
      tables[i] = built_in (i);
   built_ins.index = mt_op_index_new (built_ins.arena, tables, BUILT_IN_TABLES);
}

static const MtOpRow *op_find (MtCompile *c, const char *name)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   pthread_once (&once, index_built_ins);
   const MtOpRow *row = mt_op_index_find (c->exec->args.ops, name);
   c->exec->alone |= row && row->flags & MT_OP_ALONE;
   return row ? row : mt_op_index_find (built_ins.index, name);
}

static bool split_params (MtCompile *c, const char *params, const char **names, size_t *n)
{
   *n = 0;
   while (*params && *n < 16) {
      const char *end = strchrnul (params, ',');
      names[(*n)++] = mt_strndup (c->arena, params, (size_t) (end - params));
      params = *end ? end + 1 : end;
   }
   return true;
}

/* Returns whether an operator takes a date, or {date, timezone}, as $year does. */
static bool of_date (const MtOpRow *row) { return mt_code_missing (row->name, "date") == 40539; }

/* Checks the argument {date, timezone} of $year or a similar operator. */
static bool date_args (MtCompile *c, const MtOpRow *row, MtVal arg)
{
   static const char *const names[] = {"date", "timezone?"};
   MtVal got[2];
   MtStr key;
   MtVal v;
   MtDocIter it = mt_doc_iter (arg);
   bool op = arg.type == MT_DOC && mt_doc_next (&it, &key, &v) && key.n && key.p[0] == '$';
   return arg.type != MT_DOC || op || !of_date (row) || named (c, row->name, arg, names, 2, got);
}

static bool op_args (MtCompile *c, const MtOpRow *row, MtVal arg, MtVal **vals, size_t *n)
{
   if (row->params && (arg.type == MT_DOC || row->max_args != 1)) {
      const char *names[16];
      split_params (c, row->params, names, n);
      *vals = MT_NEW_N (c->arena, MtVal, 16);
      return named (c, row->name, arg, names, *n, *vals);
   }
   *vals = positional (c, arg, n);
   if (!date_args (c, row, arg))
      return false;
   if ((row->min_args >= 0 && *n < (size_t) row->min_args) ||
       (row->max_args >= 0 && *n > (size_t) row->max_args)) {
      if (of_date (row))
         return mt_bad (c, 40536, "%s takes exactly one argument in an array, but was given %zu",
                        row->name, *n);
      if (row->min_args == row->max_args)
         return mt_bad (c, 16020, "expression %s takes exactly %d arguments. %zu were passed in.",
                        row->name, row->min_args, *n);
      return mt_bad (c, 28667, "expression %s does not take %zu arguments", row->name, *n);
   }
   return true;
}

static MtExecExpr *fold (MtCompile *c, MtExecExpr *e)
{
   if (!(e->row->flags & MT_OP_FOLD))
      return e;
   MtVal args[32];
   if (e->argc > 32)
      return e;
   for (uint32_t i = 0; i < e->argc; i++) {
      if (e->args[i]->kind != MT_EX_CONST)
         return e;
      args[i] = e->args[i]->value;
   }
   MtError err = {0};
   MtEval ev = {.arena = c->arena, .err = &err, .user = e->row->user};
   MtVal out;
   /* If computing the constant fails, the call is kept. It then fails at run time, but only if it
    * is evaluated. */
   return e->row->fn (&ev, args, e->argc, &out) ? mt_expr_const (c, out) : e;
}

/* Makes a value of an optional argument that is missing differ from an absent argument: it becomes
 * null, or MT_UNDEFINED for onNull and onError (mt_op_otherwise). name: the argument's name. */
static MtExecExpr *given (MtCompile *c, const char *name, MtExecExpr *e)
{
   bool result = strcmp (name, "onNull?") == 0 || strcmp (name, "onError?") == 0;
   if (!e || name[strlen (name) - 1] != '?' ||
       (e->kind == MT_EX_CONST && e->value.type != MT_MISSING))
      return e;
   MtExecExpr *r = mt_expr_new (c, MT_EX_IFNULL, mt_ev_ifnull, 2);
   r->args[0] = e;
   r->args[1] = mt_expr_const (c, (MtVal) {.type = result ? MT_UNDEFINED : MT_NULL});
   return r;
}

/* Parses an operator whose row is in a table. */
static MtExecExpr *row_operator (MtCompile *c, const MtOpRow *row, MtVal arg)
{
   MtVal *vals;
   size_t n, params = 0;
   const char *names[16];
   if (!op_args (c, row, arg, &vals, &n))
      return NULL;
   if (row->params && (arg.type == MT_DOC || row->max_args != 1))
      split_params (c, row->params, names, &params);
   MtExecExpr *e = mt_expr_new (c, MT_EX_OP, mt_ev_op, (uint32_t) n);
   e->row = row;
   for (size_t i = 0; i < n; i++) {
      e->args[i] = vals[i].type == MT_MISSING ? mt_expr_const (c, vals[i])
                                              : mt_expr_parse (c, vals[i]);
      if (i < params && vals[i].type != MT_MISSING)
         e->args[i] = given (c, names[i], e->args[i]);
      if (!e->args[i])
         return NULL;
   }
   return fold (c, e);
}

/* Parses $similarityCosine or a similar operator, whose argument is {vectors, score}, or the
 * vectors alone. */
static MtExecExpr *parse_similarity (MtCompile *c, const char *name, MtVal arg)
{
   MtBson b = {.arena = c->arena};
   if (arg.type == MT_ARRAY) {
      size_t start = mt_bson_begin (&b);
      mt_bson_put (&b, "vectors", arg);
      mt_bson_end (&b, start);
      arg = mt_bson_part (&b, start, MT_DOC);
   }
   return mt_memory_check (c->err) ? row_operator (c, op_find (c, name), arg) : NULL;
}

static const struct {
   const char *name;
   MtParseFn parse;
} specials[] = {
   {"$and", parse_and},
   {"$or", parse_and},
   {"$not", parse_not},
   {"$cond", parse_cond},
   {"$ifNull", parse_ifnull},
   {"$switch", parse_switch},
   {"$let", parse_let},
   {"$map", parse_map},
   {"$filter", parse_filter},
   {"$reduce", parse_reduce},
   {"$literal", parse_literal},
   {"$const", parse_literal},
   {"$expr", parse_expr},
   {"$getField", parse_getfield},
   {"$setField", parse_setfield},
   {"$unsetField", parse_setfield},
   {"$rand", parse_rand},
   {"$createObjectId", parse_new_oid},
   {"$sigmoid", parse_sigmoid},
   {"$similarityCosine", parse_similarity},
   {"$similarityDotProduct", parse_similarity},
   {"$similarityEuclidean", parse_similarity},
};

static MtExecExpr *unknown_operator (MtCompile *c, const char *name)
{
   const char *names[1024];
   size_t n = 0;
   if (mt_refused (c, name))
      return NULL;
   for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
      names[n++] = specials[i].name;
   for (size_t t = 0; t < BUILT_IN_TABLES; t++)
      for (const MtOpRow *r = built_in (t); r->name && n < 1024; r++)
         names[n++] = r->name;
   mt_error_coded (c->err, MT_E_FEATURE, MT_CODE_OPERATOR, "unrecognized expression: \"%s\"", name);
   const char *near = mt_nearest (name, names, n);
   if (near)
      mt_error_hint (c->err, "Perhaps you meant \"%s\".", near);
   return NULL;
}

static MtExecExpr *parse_operator (MtCompile *c, const char *name, MtVal arg)
{
   for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
      if (strcmp (specials[i].name, name) == 0)
         return specials[i].parse (c, name, arg);
   const MtOpRow *row = op_find (c, name);
   return row ? row_operator (c, row, arg) : unknown_operator (c, name);
}

/* ---- literals ---- */

static bool all_const (const MtExecExpr *e)
{
   for (uint32_t i = 0; i < e->argc; i++)
      if (e->args[i]->kind != MT_EX_CONST)
         return false;
   return true;
}

static MtExecExpr *expr_doc (MtCompile *c, MtVal doc)
{
   size_t n = mt_doc_count (doc), i = 0;
   if (n > UINT16_MAX)
      return null_error (c, 0, "document has too many fields%s", "");
   MtExecExpr *e = mt_expr_new (c, MT_EX_DOC, mt_ev_literal, (uint32_t) n);
   e->names = MT_NEW_N (c->arena, const char *, n + 1);
   MtDocIter it = mt_doc_iter (doc);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v)) {
      e->names[i] = mt_strndup (c->arena, key.p, key.n);
      if (memchr (key.p, '.', key.n))
         return null_error (c, 16412, "FieldPath field names may not contain '.': \"%s\"",
                            e->names[i]);
      if (key.n && key.p[0] == '$')
         return null_error (
            c, 16410, "an object representing an expression must have exactly one field: \"%s\"",
            e->names[i]);
      if (!(e->args[i++] = mt_expr_parse (c, v)))
         return NULL;
   }
   return e;
}

static MtExecExpr *parse_doc (MtCompile *c, MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal arg;
   if (mt_doc_next (&it, &key, &arg) && key.n && key.p[0] == '$') {
      MtStr more;
      MtVal rest;
      char *name = mt_strndup (c->arena, key.p, key.n);
      if (mt_doc_next (&it, &more, &rest))
         return null_error (
            c, 15983,
            "an object representing an expression must have exactly one field: \"%s\" has company",
            name);
      return parse_operator (c, name, arg);
   }
   MtExecExpr *e = expr_doc (c, v);
   if (!e || !all_const (e))
      return e;
   MtStr *keys = MT_NEW_N (c->arena, MtStr, e->argc + 1u);
   MtVal *vals = MT_NEW_N (c->arena, MtVal, e->argc + 1u), out;
   for (uint32_t i = 0; i < e->argc; i++) {
      keys[i] = mt_str (e->names[i]);
      vals[i] = e->args[i]->value;
   }
   return mt_v_make_doc (c->arena, keys, vals, e->argc, &out, c->err) ? mt_expr_const (c, out)
                                                                      : NULL;
}

static MtExecExpr *parse_array (MtCompile *c, MtVal v)
{
   size_t n;
   MtVal *vals = mt_v_elements (c->arena, v, &n);
   MtExecExpr *e = parse_all (c, MT_EX_ARRAY, mt_ev_literal, vals, n);
   if (!e || !all_const (e))
      return e;
   MtVal *consts = MT_NEW_N (c->arena, MtVal, n + 1), out;
   for (size_t i = 0; i < n; i++)
      consts[i] = e->args[i]->value;
   return mt_v_make_array (c->arena, consts, n, &out, c->err) ? mt_expr_const (c, out) : NULL;
}

MtExecExpr *mt_expr_parse (MtCompile *c, MtVal v)
{
   if (++c->depth > MT_MAX_EXPR_DEPTH) {
      mt_error_coded (c->err, MT_E_TOO_COMPLEX, MT_CODE_OVERFLOW,
                      "expression is nested too deeply");
      return NULL;
   }
   MtExecExpr *e;
   if (v.type == MT_STRING)
      e = parse_string (c, v);
   else if (v.type == MT_DOC)
      e = parse_doc (c, v);
   else if (v.type == MT_ARRAY)
      e = parse_array (c, v);
   else
      e = mt_expr_const (c, v);
   c->depth--;
   return e;
}
