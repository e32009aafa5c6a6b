/* SQL/JSON paths (PostgreSQL's jsonpath): parsing from text, and evaluation on a jsonb value
 * (types/jsonb.h). */
#ifndef MT_JSON_PATH_H
#define MT_JSON_PATH_H

#include "engine/local/expr/op.h"

typedef enum MtJsonPathKind {
   MT_PATH_ROOT,
   MT_PATH_CURRENT,
   MT_PATH_LAST,
   MT_PATH_VARIABLE,   /* name */
   MT_PATH_LITERAL,    /* value; JSON's null is MT_NULL */
   MT_PATH_MEMBER,     /* name */
   MT_PATH_ANY_MEMBER, /* .* */
   MT_PATH_ANY_DEPTH,  /* .**{first to last} */
   MT_PATH_ELEMENTS,   /* [*] */
   MT_PATH_SUBSCRIPTS, /* subs */
   MT_PATH_FILTER,     /* left: a predicate */
   MT_PATH_METHOD,     /* method, and its name */
   MT_PATH_ADD,
   MT_PATH_SUB,
   MT_PATH_MUL,
   MT_PATH_DIV,
   MT_PATH_MOD, /* left, right */
   MT_PATH_PLUS,
   MT_PATH_MINUS, /* left */
   /* predicates: their result is true, false or null (unknown) */
   MT_PATH_AND,
   MT_PATH_OR, /* left, right */
   MT_PATH_NOT,
   MT_PATH_IS_UNKNOWN,
   MT_PATH_EXISTS, /* left */
   MT_PATH_EQ,
   MT_PATH_NE,
   MT_PATH_LT,
   MT_PATH_LE,
   MT_PATH_GT,
   MT_PATH_GE,          /* left, right */
   MT_PATH_STARTS_WITH, /* left, right */
   MT_PATH_LIKE_REGEX   /* left; value: the pattern; name: the flags for regexp_like */
} MtJsonPathKind;

/* The methods of MT_PATH_METHOD. */
typedef enum MtPathMethod {
   MT_METHOD_TYPE,
   MT_METHOD_SIZE,
   MT_METHOD_DOUBLE,
   MT_METHOD_CEILING,
   MT_METHOD_FLOOR,
   MT_METHOD_ABS
} MtPathMethod;

#define MT_PATH_END (-1) /* "last" as a depth in .**{…} */

typedef struct MtJsonPath MtJsonPath;

typedef struct MtJsonPathRange {
   MtJsonPath *from, *to; /* [from to to]; `to` NULL: the single element `from` */
   struct MtJsonPathRange *next;
} MtJsonPathRange;

struct MtJsonPath {
   MtJsonPathKind kind;
   MtPathMethod method;
   MtStr name;
   MtVal value;
   MtJsonPath *left, *right;
   /* The next step of the path, which is applied to each item that this step finds. NULL: this is
    * the last step. */
   MtJsonPath *next;
   MtJsonPathRange *subs;
   int first, last;
};

static inline bool mt_path_is_predicate (const MtJsonPath *p) { return p->kind >= MT_PATH_AND; }

/* Parses a path into *out, allocated in arena a. *lax is true if the path is in lax mode. Fails
 * with 42601 or 22P02 if the path is invalid, and with 0A000 for .datetime () and .keyvalue (). */
bool mt_json_path_parse (MtArena *a, MtStr text, bool *lax, MtJsonPath **out, MtError *err);

typedef struct MtJsonFound {
   MtVal *items; /* the resulting items, an array */
   size_t count;
   bool any;
   /* The evaluation failed, and MT_PATH_SILENT suppressed the error. The items are those found
    * before. */
   bool failed;
} MtJsonFound;

#define MT_PATH_SILENT 1 /* suppress errors, as the argument silent => true does */
/* The caller needs only to know whether an item exists (`any`), so a lax path stops at its first
 * item. */
#define MT_PATH_ANY 2

/* Evaluates a path on the jsonb value `target`. `vars` is a jsonb object with the path's variables,
 * or NULL. `how`: the flags MT_PATH_SILENT and MT_PATH_ANY. */
bool mt_json_path_query (MtEval *ev, MtVal target, MtStr path, MtVal vars, int how,
                         MtJsonFound *out);

#endif
