/* Finds which fields of stored documents a pipeline reads, by tracing the fields through its
 * stages.
 *
 * A value is a part of a stored document, a document that the pipeline makes, or anything else. A
 * stage such as $project only gives values new names. A field counts as read when its value is
 * used: in a computation, a condition, a key, or the result of the pipeline. Array elements are not
 * distinguished from the array, because paths of MongoDB do not distinguish them, either. */
#include "engine/fields.h"

#include <stdlib.h>

typedef enum ValueKind {
   OTHER,  /* a computed value; the fields that it is made of are already noted as read */
   STORED, /* the part at `path` of a stored document */
   MADE,   /* a new document: `fields`, and the fields of `base` that are not replaced */
   EITHER  /* one of two values, known only when the pipeline runs */
} ValueKind;

typedef struct Value Value;
typedef struct Field {
   MtStr name;
   Value *value;
   struct Field *next;
} Field;

struct Value {
   ValueKind kind;
   size_t collection; /* STORED: the index of the collection in the list of collections */
   const char *path;
   Field *fields;
   Value *base;   /* MADE: the document extended, or NULL; EITHER: one of the values */
   Value *second; /* EITHER: the second value */
   bool used;
};

/* A variable of an expression (as of $let), linked to the variables of enclosing expressions. */
typedef struct Variable {
   MtStr name;
   Value *value;
   const struct Variable *outer;
} Variable;

/* The name under which the pipeline of $_mtRecursive reads its own rows, linked to the names of
 * enclosing recursions. */
typedef struct Work {
   const char *name;
   const struct Work *outer;
} Work;

typedef struct Follow {
   MtArena *a;
   MtFieldsRead *out;
   Value *root; /* the current document */
   Value *other;
   const Work *work; /* NULL: the pipeline is not within a recursion */
} Follow;

static Value *eval (Follow *f, MtVal e, const Variable *v);
static void run (Follow *f, MtVal stages);
static Value *within (Follow *f, const char *collection, MtVal spec);

/* ---- values ---- */

static void add_path (MtArena *a, MtFieldsOf *of, const char *path)
{
   for (size_t i = 0; i < of->count; i++)
      if (strcmp (of->paths[i], path) == 0)
         return;
   const char **paths = MT_NEW_N (a, const char *, of->count + 1);
   if (of->count)
      memcpy (paths, of->paths, of->count * sizeof *paths);
   paths[of->count++] = path;
   of->paths = paths;
}

static void record (Follow *f, const Value *v, const char *path)
{
   add_path (f->a, &f->out->list[v->collection], path);
}

static Value *new_value (Follow *f, ValueKind kind)
{
   Value *v = MT_NEW (f->a, Value);
   v->kind = kind;
   return v;
}

static Value *either (Follow *f, Value *x, Value *y)
{
   if (x->kind == OTHER || x == y)
      return y;
   if (y->kind == OTHER)
      return x;
   Value *v = new_value (f, EITHER);
   v->base = x;
   v->second = y;
   return v;
}

/* Records that value v is read as a whole. */
static void use (Follow *f, Value *v)
{
   if (v->used)
      return;
   v->used = true;
   if (v->kind == STORED)
      record (f, v, v->path);
   for (Field *i = v->fields; i; i = i->next)
      use (f, i->value);
   if (v->base)
      use (f, v->base);
   if (v->second)
      use (f, v->second);
}

/* Records that only the names or the number of the elements of v are read, not the elements
 * themselves. */
static void visit (Follow *f, const Value *v)
{
   if (v->kind == STORED)
      record (f, v, mt_printf (f->a, "%s[]", v->path));
   if (v->kind == EITHER) {
      visit (f, v->base);
      visit (f, v->second);
   }
}

static Value *get (Follow *f, Value *v, MtStr name)
{
   switch (v->kind) {
   case OTHER: return v;
   case EITHER: return either (f, get (f, v->base, name), get (f, v->second, name));
   case STORED: {
      Value *part = new_value (f, STORED);
      part->collection = v->collection;
      part->path = mt_printf (f->a, "%s%s%.*s", v->path, *v->path ? "." : "", (int) name.n, name.p);
      return part;
   }
   case MADE: break;
   }
   for (Field *i = v->fields; i; i = i->next)
      if (mt_str_eq (i->name, name))
         return i->value;
   return v->base ? get (f, v->base, name) : f->other;
}

static Value *get_path (Follow *f, Value *v, const char *path)
{
   MtStr name;
   while (*path && mt_path_next (&path, &name))
      v = get (f, v, name);
   return v;
}

/* Makes a new document value. Its fields are those that are set later, and the remaining fields of
 * `base`, which may be NULL. */
static Value *made (Follow *f, Value *base)
{
   Value *v = new_value (f, MADE);
   v->base = base;
   return v;
}

static void put (Follow *f, Value *doc, MtStr name, Value *value)
{
   Field *i = MT_NEW (f->a, Field);
   *i = (Field) {name, value, doc->fields};
   doc->fields = i;
}

/* Sets the field at `path` of `doc` to `value`. If `doc` has a base document, nested documents on
 * the path also keep their other fields. */
static void put_path (Follow *f, Value *doc, const char *path, Value *value)
{
   MtStr name;
   while (mt_path_next (&path, &name)) {
      if (!*path) {
         put (f, doc, name, value);
         return;
      }
      Value *old = get (f, doc, name);
      Value *sub = made (f, doc->base || old->kind == MADE ? old : NULL);
      put (f, doc, name, sub);
      doc = sub;
   }
}

/* ---- expressions ---- */

static const char *text_of (Follow *f, MtVal v)
{
   return v.type == MT_STRING ? mt_strndup (f->a, (const char *) v.p, v.len) : "";
}

static Value *path_value (Follow *f, MtVal e, const Variable *v)
{
   const char *path = text_of (f, e) + 1;
   MtStr name;
   if (*path != '$')
      return get_path (f, f->root, path);
   path++;
   if (!*path || !mt_path_next (&path, &name))
      return f->other;
   for (; v; v = v->outer)
      if (mt_str_eq (v->name, name))
         return get_path (f, v->value, path);
   if (mt_str_is (name, "ROOT") || mt_str_is (name, "CURRENT"))
      return get_path (f, f->root, path);
   return f->other;
}

/* Returns a value that may be any of the operator's arguments, for operators such as $ifNull. */
static Value *any_of (Follow *f, MtVal args, const Variable *v)
{
   Value *out = f->other;
   MtDocIter it = mt_doc_iter (args);
   MtStr key;
   MtVal arg;
   if (args.type != MT_ARRAY)
      return eval (f, args, v);
   while (mt_doc_next (&it, &key, &arg))
      out = either (f, out, eval (f, arg, v));
   return out;
}

/* Evaluates an operator that is not in the table `operators`: everything that its arguments name
 * counts as read. */
static Value *computed (Follow *f, MtVal args, const Variable *v)
{
   MtDocIter it = mt_doc_iter (mt_doc_field (args, "sortBy"));
   MtStr key;
   MtVal arg;
   while (mt_doc_next (&it, &key, &arg))
      use (f, get_path (f, f->root, mt_strndup (f->a, key.p, key.n)));
   it = mt_doc_iter (args);
   if (args.type != MT_ARRAY && args.type != MT_DOC)
      use (f, eval (f, args, v));
   else if (args.type == MT_DOC && mt_doc_next (&it, &key, &arg) && key.n && *key.p == '$')
      use (f, eval (f, args, v));
   else
      for (it = mt_doc_iter (args); mt_doc_next (&it, &key, &arg);)
         use (f, eval (f, arg, v));
   return f->other;
}

/* Returns the value of the first argument, for operators that return a part of it. The other
 * arguments count as read. */
static Value *first_of (Follow *f, MtVal args, const Variable *v)
{
   MtDocIter it = mt_doc_iter (args);
   MtStr key;
   MtVal arg;
   if (args.type != MT_ARRAY || !mt_doc_next (&it, &key, &arg))
      return eval (f, args, v);
   Value *out = eval (f, arg, v);
   while (mt_doc_next (&it, &key, &arg))
      use (f, eval (f, arg, v));
   return out;
}

static Value *let (Follow *f, MtVal args, const Variable *v)
{
   MtDocIter it = mt_doc_iter (mt_doc_field (args, "vars"));
   const Variable *inner = v;
   MtStr name;
   MtVal value;
   while (mt_doc_next (&it, &name, &value)) {
      Variable *one = MT_NEW (f->a, Variable);
      *one = (Variable) {name, eval (f, value, v), inner};
      inner = one;
   }
   return eval (f, mt_doc_field (args, "in"), inner);
}

/* Evaluates $map or $filter. */
static Value *each (Follow *f, MtVal args, const Variable *v)
{
   MtVal as = mt_doc_field (args, "as"), in = mt_doc_field (args, "in");
   Variable one = {MT_STR ("this"), eval (f, mt_doc_field (args, "input"), v), v};
   if (as.type == MT_STRING)
      one.name = (MtStr) {(const char *) as.p, as.len};
   visit (f, one.value);
   if (in.type != MT_MISSING)
      return eval (f, in, &one);
   use (f, eval (f, mt_doc_field (args, "cond"), &one));
   use (f, eval (f, mt_doc_field (args, "limit"), v));
   return one.value;
}

static Value *reduce (Follow *f, MtVal args, const Variable *v)
{
   Value *input = eval (f, mt_doc_field (args, "input"), v);
   Value *start = eval (f, mt_doc_field (args, "initialValue"), v);
   Variable this = {MT_STR ("this"), input, v};
   Variable both = {MT_STR ("value"), start, &this};
   visit (f, input);
   use (f, start);
   Value *out = eval (f, mt_doc_field (args, "in"), &both);
   both.value = out; /* evaluated again, since the next element's $$value is this result */
   return either (f, out, eval (f, mt_doc_field (args, "in"), &both));
}

static Value *cond (Follow *f, MtVal args, const Variable *v)
{
   bool list = args.type == MT_ARRAY;
   use (f, eval (f, list ? mt_doc_at (args, 0) : mt_doc_field (args, "if"), v));
   Value *yes = eval (f, list ? mt_doc_at (args, 1) : mt_doc_field (args, "then"), v);
   return either (f, yes, eval (f, list ? mt_doc_at (args, 2) : mt_doc_field (args, "else"), v));
}

static Value *switch_of (Follow *f, MtVal args, const Variable *v)
{
   Value *out = eval (f, mt_doc_field (args, "default"), v);
   MtDocIter it = mt_doc_iter (mt_doc_field (args, "branches"));
   MtStr key;
   MtVal branch;
   while (mt_doc_next (&it, &key, &branch)) {
      use (f, eval (f, mt_doc_field (branch, "case"), v));
      out = either (f, out, eval (f, mt_doc_field (branch, "then"), v));
   }
   return out;
}

/* Evaluates $objectToArray. The field values of the document become the field v of the result. The
 * field names are only listed, so they don't count as read. */
static Value *entries (Follow *f, MtVal args, const Variable *v)
{
   Value *map = any_of (f, args, v), *out = made (f, NULL);
   visit (f, map);
   put (f, out, MT_STR ("k"), f->other);
   put (f, out, MT_STR ("v"), get (f, map, MT_STR ("*")));
   return out;
}

/* Evaluates $size or $type, which need the number or the type of their argument, but no values
 * inside it. */
static Value *visited (Follow *f, MtVal args, const Variable *v)
{
   visit (f, any_of (f, args, v));
   return f->other;
}

static Value *get_field (Follow *f, MtVal args, const Variable *v)
{
   MtVal name = mt_doc_field (args, "field"), input = mt_doc_field (args, "input");
   if (args.type == MT_STRING)
      return get (f, f->root, mt_str (text_of (f, args)));
   if (name.type == MT_DOC && mt_doc_field (name, "$literal").type == MT_STRING)
      name = mt_doc_field (name, "$literal");
   Value *doc = input.type == MT_MISSING ? f->root : eval (f, input, v);
   if (name.type == MT_STRING && name.len && *name.p != '$')
      return get (f, doc, mt_str (text_of (f, name)));
   use (f, eval (f, name, v));
   visit (f, doc);
   return get (f, doc, MT_STR ("*"));
}

static Value *literal (Follow *f, MtVal args, const Variable *v)
{
   (void) args;
   (void) v;
   return f->other;
}

/* Operators that return parts of their arguments, or that do not read all of them. All operators
 * that are not listed read their arguments as a whole. */
static const struct Operator {
   const char *name;
   Value *(*eval) (Follow *f, MtVal args, const Variable *v);
} operators[] = {{"$literal", literal},
                 {"$let", let},
                 {"$map", each},
                 {"$filter", each},
                 {"$reduce", reduce},
                 {"$cond", cond},
                 {"$switch", switch_of},
                 {"$ifNull", any_of},
                 {"$mergeObjects", any_of},
                 {"$concatArrays", any_of},
                 {"$objectToArray", entries},
                 {"$getField", get_field},
                 {"$arrayElemAt", first_of},
                 {"$first", first_of},
                 {"$last", first_of},
                 {"$slice", first_of},
                 {"$reverseArray", first_of},
                 {"$size", visited},
                 {"$type", visited},
                 {"$isArray", visited},
                 {NULL, NULL}};

static Value *call (Follow *f, MtStr name, MtVal args, const Variable *v)
{
   const struct Operator *o = operators;
   while (o->name && !mt_str_is (name, o->name))
      o++;
   return o->name ? o->eval (f, args, v) : computed (f, args, v);
}

static Value *eval (Follow *f, MtVal e, const Variable *v)
{
   MtDocIter it = mt_doc_iter (e);
   MtStr name;
   MtVal value;
   if (e.type == MT_STRING)
      return e.len > 1 && *e.p == '$' ? path_value (f, e, v) : f->other;
   if (e.type == MT_ARRAY)
      return any_of (f, e, v);
   if (e.type != MT_DOC)
      return f->other;
   Value *doc = made (f, NULL);
   while (mt_doc_next (&it, &name, &value)) {
      if (name.n && *name.p == '$')
         return call (f, name, value, v);
      put (f, doc, name, eval (f, value, v));
   }
   return doc;
}

/* ---- stages ---- */

/* Traces a condition of $match (or of $elemMatch) on document `of`: the fields that it tests count
 * as read. */
static void match (Follow *f, MtVal condition, Value *of)
{
   MtDocIter it = mt_doc_iter (condition);
   MtStr name;
   MtVal value;
   while (mt_doc_next (&it, &name, &value)) {
      MtVal inner = mt_doc_field (value, "$elemMatch");
      if (mt_str_is (name, "$expr")) {
         use (f, eval (f, value, NULL));
      } else if (value.type == MT_ARRAY && name.n && *name.p == '$') { /* $and, $or, $nor */
         MtDocIter parts = mt_doc_iter (value);
         MtVal part;
         while (mt_doc_next (&parts, &name, &part))
            match (f, part, of);
      } else if (name.n && *name.p != '$') {
         Value *field = get_path (f, of, mt_strndup (f->a, name.p, name.n));
         if (inner.type == MT_DOC)
            match (f, inner, field);
         else if (mt_doc_count (value) == 1 && mt_doc_field (value, "$type").type != MT_MISSING)
            visit (f, field);
         else
            use (f, field);
      } else {
         use (f, of);
      }
   }
}

static void stage_match (Follow *f, MtVal spec) { match (f, spec, f->root); }

static bool is_flag (MtVal v) { return v.type == MT_BOOL || mt_is_number (v); }

static bool is_on (MtVal v) { return v.type == MT_DOUBLE ? v.d != 0 : v.i != 0; }

/* Returns whether a $project excludes fields, as $unset does. */
static bool leaves_out (MtVal spec)
{
   MtDocIter it = mt_doc_iter (spec);
   MtStr name;
   MtVal value;
   while (mt_doc_next (&it, &name, &value))
      if (!mt_str_is (name, "_id") || mt_doc_count (spec) == 1)
         return is_flag (value) && !is_on (value);
   return false;
}

static void project_into (Follow *f, MtVal spec, Value *from, Value *to)
{
   MtDocIter it = mt_doc_iter (spec);
   MtStr name, first;
   MtVal value;
   while (mt_doc_next (&it, &name, &value)) {
      const char *path = mt_strndup (f->a, name.p, name.n);
      MtDocIter inner = mt_doc_iter (value);
      MtVal ignored;
      if (is_flag (value)) {
         put_path (f, to, path, is_on (value) ? get_path (f, from, path) : f->other);
      } else if (value.type == MT_DOC && mt_doc_next (&inner, &first, &ignored) &&
                 !(first.n && *first.p == '$')) {
         Value *sub = made (f, to->base ? get_path (f, from, path) : NULL);
         project_into (f, value, get_path (f, from, path), sub);
         put_path (f, to, path, sub);
      } else {
         put_path (f, to, path, eval (f, value, NULL));
      }
   }
}

static void stage_project (Follow *f, MtVal spec)
{
   Value *doc = made (f, leaves_out (spec) ? f->root : NULL);
   if (!doc->base && mt_doc_field (spec, "_id").type == MT_MISSING)
      put (f, doc, MT_STR ("_id"), get (f, f->root, MT_STR ("_id")));
   project_into (f, spec, f->root, doc);
   f->root = doc;
}

static void stage_add_fields (Follow *f, MtVal spec)
{
   Value *doc = made (f, f->root);
   MtDocIter it = mt_doc_iter (spec);
   MtStr name;
   MtVal value;
   while (mt_doc_next (&it, &name, &value))
      put_path (f, doc, mt_strndup (f->a, name.p, name.n), eval (f, value, NULL));
   f->root = doc;
}

static void stage_unset (Follow *f, MtVal spec)
{
   Value *doc = made (f, f->root);
   MtDocIter it = mt_doc_iter (spec);
   MtStr key;
   MtVal name;
   if (spec.type == MT_STRING)
      put_path (f, doc, text_of (f, spec), f->other);
   while (mt_doc_next (&it, &key, &name))
      put_path (f, doc, text_of (f, name), f->other);
   f->root = doc;
}

static void stage_replace (Follow *f, MtVal spec)
{
   MtVal root = mt_doc_field (spec, "newRoot");
   f->root = eval (f, root.type == MT_MISSING ? spec : root, NULL);
}

static void stage_unwind (Follow *f, MtVal spec)
{
   MtVal path = spec.type == MT_DOC ? mt_doc_field (spec, "path") : spec;
   MtVal index = mt_doc_field (spec, "includeArrayIndex");
   visit (f, eval (f, path, NULL));
   if (index.type == MT_STRING) {
      Value *doc = made (f, f->root);
      put_path (f, doc, text_of (f, index), f->other);
      f->root = doc;
   }
}

static void stage_group (Follow *f, MtVal spec)
{
   MtDocIter it = mt_doc_iter (spec);
   MtStr name;
   MtVal value;
   while (mt_doc_next (&it, &name, &value)) {
      MtDocIter inner = mt_doc_iter (value);
      MtStr op;
      MtVal args = value;
      /* In $group, {"$first": …} is an accumulator, not the operator $first of expressions. So its
       * argument counts as read. */
      if (!mt_str_is (name, "_id") && mt_doc_next (&inner, &op, &args))
         computed (f, args, NULL);
      else
         use (f, eval (f, value, NULL));
   }
   f->root = f->other;
}

static void stage_sort (Follow *f, MtVal spec)
{
   MtDocIter it = mt_doc_iter (spec);
   MtStr name;
   MtVal value;
   while (mt_doc_next (&it, &name, &value))
      use (f, get_path (f, f->root, mt_strndup (f->a, name.p, name.n)));
}

static void stage_count (Follow *f, MtVal spec)
{
   (void) spec;
   f->root = f->other;
}

static void stage_keep (Follow *f, MtVal spec) { computed (f, spec, NULL); }

/* Traces $unionWith: the result has the documents of both pipelines. */
static void stage_union (Follow *f, MtVal spec)
{
   MtVal name = spec.type == MT_STRING ? spec : mt_doc_field (spec, "coll");
   f->root = either (f, f->root, within (f, text_of (f, name), spec));
}

static void stage_lookup (Follow *f, MtVal spec)
{
   MtVal local = mt_doc_field (spec, "localField");
   if (local.type == MT_STRING)
      use (f, get_path (f, f->root, text_of (f, local)));
   computed (f, mt_doc_field (spec, "let"), NULL);
   use (f, within (f, text_of (f, mt_doc_field (spec, "from")), spec));
   Value *doc = made (f, f->root);
   put_path (f, doc, text_of (f, mt_doc_field (spec, "as")), f->other);
   f->root = doc;
}

/* Sets the fields listed in `names` of the new document `to` to the fields of the same names of
 * `from`. */
static void pick (Follow *f, MtVal names, Value *from, Value *to)
{
   MtDocIter it = mt_doc_iter (names);
   MtStr key;
   MtVal name;
   while (mt_doc_next (&it, &key, &name))
      put_path (f, to, text_of (f, name), get_path (f, from, text_of (f, name)));
}

/* Traces $_mtJoin or $_mtApply. The result has the input's fields that `input` lists, and the other
 * pipeline's fields that `fields` lists. */
static void stage_pairs (Follow *f, MtVal spec)
{
   static const char *const parts[] = {"left", "let", "on", "when"};
   for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      computed (f, mt_doc_field (spec, parts[i]), NULL);
   use (f, within (f, text_of (f, mt_doc_field (spec, "coll")), spec));
   Value *doc = made (f, NULL);
   pick (f, mt_doc_field (spec, "fields"), f->other, doc);
   pick (f, mt_doc_field (spec, "input"), f->root, doc);
   f->root = doc;
}

static void stage_asof (Follow *f, MtVal spec)
{
   static const char *const parts[] = {"keys", "time", "other"};
   for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      computed (f, mt_doc_field (spec, parts[i]), NULL);
   Value *doc = made (f, NULL);
   pick (f, mt_doc_field (spec, "fields"), f->root, doc);
   pick (f, mt_doc_field (spec, "input"), f->root, doc);
   f->root = doc;
}

static void stage_with (Follow *f, MtVal spec)
{
   MtDocIter it = mt_doc_iter (spec);
   MtStr key;
   MtVal one;
   while (mt_doc_next (&it, &key, &one))
      use (f, within (f, text_of (f, mt_doc_field (one, "coll")), one));
}

/* Traces $_mtRecursive. All fields of its input rows, and of the rows that its pipeline returns,
 * count as read, because the pipeline may read these rows again. */
static void stage_recursive (Follow *f, MtVal spec)
{
   Work work = {text_of (f, mt_doc_field (spec, "as")), f->work};
   Follow inner = *f;
   inner.work = &work;
   use (f, f->root);
   use (f, within (&inner, text_of (f, mt_doc_field (spec, "coll")), spec));
   f->root = f->other;
}

static void stage_facet (Follow *f, MtVal spec)
{
   Value *root = f->root;
   MtDocIter it = mt_doc_iter (spec);
   MtStr name;
   MtVal stages;
   while (mt_doc_next (&it, &name, &stages)) {
      f->root = root;
      run (f, stages);
      use (f, f->root);
   }
   f->root = f->other;
}

/* Traces a stage that is not in the table: the whole document counts as read. */
static void stage_unknown (Follow *f, MtVal spec)
{
   computed (f, spec, NULL);
   use (f, f->root);
}

static const struct Stage {
   const char *name;
   void (*follow) (Follow *f, MtVal spec);
} stages_known[] = {{"$match", stage_match},          {"$project", stage_project},
                    {"$addFields", stage_add_fields}, {"$set", stage_add_fields},
                    {"$unset", stage_unset},          {"$replaceRoot", stage_replace},
                    {"$replaceWith", stage_replace},  {"$unwind", stage_unwind},
                    {"$group", stage_group},          {"$sort", stage_sort},
                    {"$limit", stage_keep},           {"$skip", stage_keep},
                    {"$sample", stage_keep},          {"$_mtUntil", stage_keep},
                    {"$count", stage_count},          {"$documents", stage_count},
                    {"$unionWith", stage_union},      {"$lookup", stage_lookup},
                    {"$_mtJoin", stage_pairs},        {"$_mtApply", stage_pairs},
                    {"$_mtAsof", stage_asof},         {"$_mtWith", stage_with},
                    {"$_mtRead", stage_count},        {"$_mtRecursive", stage_recursive},
                    {"$facet", stage_facet},          {NULL, NULL}};

static void run (Follow *f, MtVal stages)
{
   MtDocIter it = mt_doc_iter (stages);
   MtStr key, name;
   MtVal stage, spec;
   while (mt_doc_next (&it, &key, &stage)) {
      MtDocIter one = mt_doc_iter (stage);
      if (!mt_doc_next (&one, &name, &spec))
         continue;
      const struct Stage *s = stages_known;
      while (s->name && !mt_str_is (name, s->name))
         s++;
      (s->name ? s->follow : stage_unknown) (f, spec);
   }
}

/* ---- pipelines ---- */

static bool is_work (const Follow *f, const char *name)
{
   const Work *w = f->work;
   while (w && strcmp (w->name, name) != 0)
      w = w->outer;
   return w != NULL;
}

/* Returns a value for the stored documents of a collection. For the name "", or the name of a
 * recursion's own rows, returns a value without stored fields. */
static Value *stored (Follow *f, const char *collection)
{
   MtFieldsRead *out = f->out;
   Value *v = new_value (f, STORED);
   if (!*collection || is_work (f, collection))
      return f->other;
   v->path = "";
   while (v->collection < out->count &&
          strcmp (out->list[v->collection].collection, collection) != 0)
      v->collection++;
   if (v->collection == out->count) {
      MT_GROW_IN (f->a, out->list, out->count, out->cap, 4);
      out->list[out->count++] = (MtFieldsOf) {collection, NULL, 0};
   }
   return v;
}

/* Traces the pipeline that a stage with specification `spec` runs over `collection`. Returns the
 * value of the documents that this pipeline returns. */
static Value *within (Follow *f, const char *collection, MtVal spec)
{
   static const char *const parts[] = {"$_mtRemote", "prepare", "pipeline"};
   MtVal foreign = mt_doc_field (spec, "foreignField");
   Follow inner = *f;
   inner.root = stored (f, collection);
   if (foreign.type == MT_STRING)
      use (&inner, get_path (&inner, inner.root, text_of (f, foreign)));
   for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      run (&inner, mt_doc_field (spec, parts[i]));
   computed (&inner, mt_doc_field (spec, "right"), NULL);
   return inner.root;
}

/* Returns whether path x is y, or a path below y. */
static bool lies_within (const char *x, const char *y)
{
   size_t n = strlen (y);
   return !n || (strncmp (x, y, n) == 0 && (!x[n] || x[n] == '.' || strcmp (x + n, "[]") == 0));
}

static int order (const void *x, const void *y)
{
   return strcmp (*(const char *const *) x, *(const char *const *) y);
}

/* Returns the length of a path without a trailing "[]". *entries: the path has it. */
static size_t path_length (const char *path, bool *entries)
{
   size_t n = strlen (path);
   *entries = n > 1 && strcmp (path + n - 2, "[]") == 0;
   return *entries ? n - 2 : n;
}

/* Returns whether path i is needless, since path k (which is a prefix, or more specific than "[]")
 * already includes what it says. */
static bool is_needless (const MtFieldsOf *of, size_t i, size_t k)
{
   const char *path = of->paths[i], *other = of->paths[k];
   bool entries;
   size_t n = path_length (path, &entries);
   if (i == k)
      return false;
   return lies_within (path, other) ||
          (entries && strncmp (other, path, n) == 0 && other[n] == '.');
}

/* Sorts the paths, and removes those that other paths make needless. */
static void tidy (MtFieldsOf *of)
{
   size_t n = 0;
   const char **kept = of->paths;
   if (of->count)
      qsort (of->paths, of->count, sizeof *of->paths, order);
   for (size_t i = 0; i < of->count; i++) {
      bool needless = false;
      for (size_t k = 0; k < of->count && !needless; k++)
         needless = is_needless (of, i, k);
      if (!needless)
         kept[n++] = of->paths[i];
   }
   of->count = n;
}

void mt_fields_read (MtArena *a, const char *collection, const bson_t *stages, const bson_t *more,
                     MtFieldsRead *out)
{
   Value other = {.kind = OTHER};
   Follow f = {.a = a, .out = out, .other = &other};
   f.root = stored (&f, collection ? collection : "");
   if (stages)
      run (&f, mt_v_array (stages));
   if (more)
      run (&f, mt_v_array (more));
   use (&f, f.root);
   for (size_t i = 0; i < out->count; i++)
      tidy (&out->list[i]);
}

const MtFieldsOf *mt_fields_of (const MtFieldsRead *r, const char *collection)
{
   for (size_t i = 0; i < r->count; i++)
      if (strcmp (r->list[i].collection, collection) == 0)
         return &r->list[i];
   return NULL;
}

void mt_fields_join (MtArena *a, MtFieldsOf *to, const MtFieldsOf *from)
{
   for (size_t i = 0; i < from->count; i++)
      add_path (a, to, from->paths[i]);
   tidy (to);
}

/* Returns the number of names in `path` if it is a prefix of the path `part`, an array of n names.
 * SIZE_MAX: it is not. */
static size_t leads_over (MtStr path, const MtStr *part, size_t n)
{
   size_t i = 0;
   for (; path.n && i < n; i++) {
      const char *dot = memchr (path.p, '.', path.n);
      size_t length = dot ? (size_t) (dot - path.p) : path.n;
      MtStr name = {path.p, length};
      if (!mt_str_is (name, "*") && !mt_str_eq (name, part[i]))
         return SIZE_MAX;
      length += dot != NULL;
      path = (MtStr) {path.p + length, path.n - length};
   }
   return path.n ? SIZE_MAX : i;
}

MtPartUse mt_part_use (const MtFieldsOf *f, const MtStr *path, size_t n)
{
   MtPartUse use = MT_PART_UNREAD;
   for (size_t i = 0; f && i < f->count; i++) {
      bool entries;
      size_t length = path_length (f->paths[i], &entries),
             names = leads_over ((MtStr) {f->paths[i], length}, path, n);
      if (!entries && names <= n)
         return MT_PART_READ;
      if (entries && names == n)
         use = MT_PART_ENTRIES;
   }
   return use;
}
