/* The executor's structures: what a pipeline is compiled to, and what a thread holds while it runs.
 *
 * A pipeline becomes a chain of nodes; a node is pushed one row and pushes rows on. A row is the worker's array of slots.
 * While compiling, the current document is a *shape*: stages rewrite shapes, and only what is really asked for becomes a
 * slot. A path into stored bytes becomes a field of the *extraction* that runs when those bytes are bound: one pass over
 * the elements, stepping over what nobody wants by its length. Private to engine/local. */
#ifndef MT_EXEC_CORE_H
#define MT_EXEC_CORE_H

#include "engine/implement.h"
#include "engine/local/exec.h"

#include "base/limits.h"
#include "base/streams.h"
#include "base/temporary.h"

#include <stdio.h>
#include <string.h>

typedef struct MtWork MtWork;
typedef struct MtExecNode MtExecNode;
typedef struct MtExecExpr MtExecExpr;
typedef struct MtShape MtShape;
typedef struct MtExecVar MtExecVar;
typedef struct MtExtract MtExtract;
typedef struct MtMatch MtMatch;
typedef struct MtCompile MtCompile;
typedef struct MtExec MtExec;

#define MT_NO_SLOT UINT32_MAX
/* A slot for the match language whose path met an array: len is the number of path components already walked, p and the
 * array as an MT_ARRAY value follow from the bytes at p. */
#define MT_DEFERRED 0x7E

/* A document under construction, in a growing buffer. */
typedef struct MtBw {
   uint8_t *p;
   size_t n, cap;
   MtArena *arena;       /* NULL: malloc */
   bool failed;          /* there was no memory: nothing is added any more, and the statement fails (base/memory.h) */
} MtBw;

/* ---- paths ---- */

typedef struct MtPath {
   const char **part; /* in the compile arena */
   uint32_t count;
} MtPath;

/* ---- extraction ---- */

typedef struct MtExtractField {
   const char *name;
   uint32_t len;         /* with the NUL */
   uint32_t value;       /* slot for expressions, MT_NO_SLOT: not wanted; arrays on the way give arrays of values */
   uint32_t match;       /* slot for the match language: MT_DEFERRED when the way leads through an array */
   uint32_t raw;         /* slot for $unwind: unverified bytes; missing when the way leads through an array */
   MtExtract *sub;       /* what is wanted below; NULL: nothing */
} MtExtractField;

struct MtExtract {
   MtExtractField *fields;
   uint32_t count, cap;
   uint32_t id;          /* of its guesses in a worker */
   uint32_t depth;       /* components above its fields */
};

/* Documents of one kind have their keys in one order: the key seen last time at a position, and what was done with it. */
#define MT_GUESS_KEY 16
#define MT_GUESSES 24
typedef struct MtGuess {
   uint64_t mask, low;   /* of the first 8 bytes of the key with its NUL */
   char key[MT_GUESS_KEY];
   uint16_t len;         /* with the NUL; 0: nothing yet */
   int16_t field;        /* -1: skipped */
   uint8_t type, size;   /* of the value, when all values of the type have one size; otherwise 0 */
} MtGuess;

struct MtExecVar {
   uint32_t slot;
   int pos;              /* of the node that binds it */
   bool stored;          /* its bytes may lie in a block: through the reader */
   bool local;           /* of $let, $map…: paths are walked when they are read */
   bool whole;           /* wanted as a value: verified when bound */
   MtExtract *extract;   /* NULL: nothing wanted below */
};

/* ---- shapes ---- */

typedef enum { MT_SH_MISSING, MT_SH_PATH, MT_SH_DOC, MT_SH_EXPR } MtShapeKind;

typedef struct MtShapeField {
   const char *name;
   MtShape *shape;       /* MT_SH_MISSING: dropped */
   bool in_base;         /* takes the place that the base document has for this name */
   bool keep;            /* the base document's own value, as it is */
} MtShapeField;

struct MtShape {
   MtShapeKind kind;
   /* MT_SH_PATH: the value at a path below a variable; count 0: the variable itself */
   MtExecVar *var;
   MtPath path;
   uint32_t asked;       /* slot + 1, once asked for */
   /* MT_SH_DOC: fields in order; those not listed come from base (an MT_SH_PATH) when keep_rest */
   MtShape *base;
   bool keep_rest;
   bool soft;            /* a base that is no document stays as it is */
   MtShapeField *fields;
   uint32_t count, cap;
   /* MT_SH_EXPR: computed by `node`, once somebody asks; view: how paths below it resolve, NULL: by extraction */
   MtExecExpr *expr;
   MtShape *root;        /* what its field paths refer to */
   MtExecNode *node;
   MtShape *view;
};

/* ---- expressions ---- */

typedef enum {
   MT_EX_CONST, MT_EX_FIELD, MT_EX_SLOT, MT_EX_WALK, MT_EX_BUILD, MT_EX_OP, MT_EX_AND, MT_EX_OR, MT_EX_NOT, MT_EX_COND,
   MT_EX_IFNULL, MT_EX_SWITCH, MT_EX_LET, MT_EX_MAP, MT_EX_FILTER, MT_EX_REDUCE, MT_EX_DOC, MT_EX_ARRAY, MT_EX_GETFIELD,
   MT_EX_SETFIELD, MT_EX_PROJ
} MtExprKind;

typedef bool (*MtEvalFn) (const MtExecExpr *e, MtWork *w, MtVal *out);

/* One step of a projection over a computed or nested document. */
typedef struct MtProj {
   const char *name;
   enum { MT_PROJ_KEEP, MT_PROJ_DROP, MT_PROJ_TREE, MT_PROJ_SET } action;
   MtExecExpr *expr;         /* SET */
   struct MtProj *sub;   /* TREE */
   uint32_t count;       /* of sub */
   bool has_set;         /* TREE: something is set below */
} MtProj;

struct MtExecExpr {
   MtEvalFn eval;        /* set when bound */
   MtExprKind kind;
   bool bound;
   bool keep_rest;       /* PROJ: fields that aren't listed stay */
   uint32_t argc;
   uint32_t slot;        /* SLOT, WALK; MAP, FILTER, REDUCE, LET: the first local variable's */
   MtExecExpr **args;
   const char **names;   /* DOC: keys; LET, MAP, …: variables; GETFIELD: operator for messages */
   const MtOpRow *row;   /* OP */
   MtVal value;          /* CONST */
   const char *var;      /* FIELD: variable, "ROOT" and "CURRENT" are the document */
   MtPath path;          /* FIELD, WALK */
   MtShape *shape;       /* BUILD */
   MtProj *proj;         /* PROJ */
   uint32_t proj_count;
   bool owns_stored;     /* scratch of specialised forms */
};

/* ---- match language ---- */

typedef enum {
   MT_M_AND, MT_M_OR, MT_M_NOR, MT_M_TRUE, MT_M_FALSE, MT_M_EXPR, MT_M_EQ, MT_M_LT, MT_M_LTE, MT_M_GT, MT_M_GTE, MT_M_IN,
   MT_M_EXISTS, MT_M_TYPE, MT_M_REGEX, MT_M_MOD, MT_M_SIZE, MT_M_ELEM_OBJECT, MT_M_ELEM_VALUE
} MtMatchKind;

/* 1 yes, 0 no, -1: w->err is set */
typedef int (*MtMatchTest) (const MtMatch *m, MtVal v, MtWork *w);

struct MtMatch {
   MtMatchKind kind;
   MtMatchTest test;     /* leaves: one value that isn't to be taken apart */
   MtMatch **kids;
   uint32_t count;
   uint32_t slot;        /* leaves */
   MtPath path;          /* leaves: the whole path; from component `from` on it is walked */
   uint32_t from;
   MtVal value;
   MtVal *set;           /* IN: constants, and an index over them */
   uint32_t set_count, set_mask;
   uint32_t *set_index;
   bool set_null;
   MtMatch **set_regex;
   uint32_t set_regex_count;
   MtStr pattern, options; /* REGEX */
   uint32_t regex;       /* REGEX: which of MtWork.regexes */
   int64_t mod, rest;
   uint32_t types[8];    /* TYPE: bits by BSON type byte */
   MtExecExpr *expr;         /* EXPR */
};

/* ---- nodes ---- */

typedef enum { MT_GO, MT_STOP, MT_FAIL } MtFlow;

struct MtExecNode {
   MtFlow (*push) (const MtExecNode *n, MtWork *w);
   MtFlow (*finish) (const MtExecNode *n, MtWork *w); /* end of input, before the next node's; NULL: nothing to do */
   /* Sinks only: take in another worker's state; push what was gathered to n->next, some rows a call. */
   MtFlow (*merge) (const MtExecNode *n, MtWork *into, MtWork *from);
   MtFlow (*drain) (const MtExecNode *n, MtWork *w, bool *done);
   /* Holds rows back: pushes some of those that may go on now (*any: there were some). Called between the rows that come in, and after
    * finish until there are none; push itself only takes in. NULL: holds nothing. */
   MtFlow (*pump) (const MtExecNode *n, MtWork *w, bool *any);
   void (*drop) (const MtExecNode *n, MtWork *w);     /* releases w->state[id]; NULL: it is in an arena */
   void (*quit) (const MtExecNode *n, MtWork *w);     /* nobody asks for more: the cursors that it has open count, and are closed; NULL: it has none */
   /* Called once everything is compiled: what it has to carry is known. NULL: nothing. */
   void (*seal) (MtExecNode *n, MtCompile *c);
   MtExecNode *next;         /* as linked, only live ones */
   const char *stage;
   uint32_t at;          /* which stage of the pipeline */
   int pos;
   uint32_t id;
   bool live;
   bool sink;
   bool serial;          /* needs the rows in order: one thread */
   bool unwinds;
   bool marks_runs;      /* $unwind: begins a run (MtWork.run) with each array; asked for by the sink behind it */
   uint32_t only;        /* $unwind: the slot of all that anybody wants of an element; MT_NO_SLOT: more, or nothing */
   bool adds;            /* $unwind: the sink right behind it only adds up `only`, so integers there may come as their sum, for
                            MtWork.rows of them */
   bool orders;          /* keeps all rows of its input, to order them: reading is a third of the work then */
   bool counts;          /* wants nothing of a row but that it is there: MtWork.rows may be any number of them */
};

typedef struct MtCount {
   uint64_t in, bytes, ticks;
   uint64_t spilled; /* bytes written to temporary files */
   uint64_t stored; /* of all_nodes: size of the documents that came in */
} MtCount;

struct MtWork {
   MtVal *slots;
   MtReader reader;      /* over the block being scanned */
   MtReader anywhere;    /* over memory that needs no verifying */
   MtArena *arena;       /* of the current rows */
   MtEval ev;
   MtError err;
   const MtExec *exec;
   void **state;         /* by node id */
   MtGuess *guess;       /* MT_GUESSES an extraction */
   struct MtPcre *regexes; /* by MtMatch.regex; zeros: not compiled yet */
   MtCount *count;       /* by node id */
   bool timing;          /* want_stats */
   uint32_t timed;       /* whose time runs */
   uint64_t timed_since;
   uint64_t seq;         /* grows with the rows' order, over blocks */
   uint64_t run;         /* while it stays the same, no slot bound above the node that marks runs has changed */
   uint32_t rows;        /* how many rows the current one stands for: 1, but behind an $unwind that adds (MtExecNode.adds), or MtExec.by_block */
   int stopped_at;       /* pos of the last node that wants no more rows: what is held back before it need not go on; 0: there is none */
   uint64_t epoch;       /* changes whenever borrowed bytes may have moved or changed */
   uint32_t tick, next_poll, stride; /* rows; when mt_tick looks at the clock again, and how many lay between the last two looks */
   int64_t polled_us;
   const atomic_bool *stop; /* the flag of MtCancel, or one that is never set */
   uint64_t blocks_read, blocks_pruned;
   uint64_t sub_docs, sub_bytes, sub_total, sub_collections; /* read by pipelines within the pipeline */
   /* documents for the cursor */
   MtBw out;
   size_t out_at;
   FILE *overflow;       /* NULL: never needed */
   bool overflowed;      /* documents wait in it, before those in out */
};

/* What the pipelines did that a node ran. */
typedef struct MtRunsWithin {
   MtRunStats *of[MT_WITHIN_COUNT]; /* NULL: there was none */
} MtRunsWithin;

/* ---- compiling ---- */

typedef struct MtExecScope {
   const char *name;
   MtShape *shape;
   const struct MtExecScope *up;
} MtExecScope;

typedef struct MtSlotInfo {
   int def;              /* pos of the node that fills it */
   int use;              /* the last pos that reads it, -1: nobody */
   int first;            /* the first one */
} MtSlotInfo;

struct MtCompile {
   MtExec *exec;
   MtArena *arena;
   MtError *err;
   MtShape *root;        /* of the current document */
   MtExecNode **nodes;       /* in order of pos; dead ones are left out when linking */
   uint32_t node_count, node_cap;
   MtSlotInfo *slots;
   uint32_t slot_count, slot_cap;
   uint32_t extract_count, regex_count;
   const MtExecScope *scope; /* variables from outside ($lookup's let) */
   int depth;
   MtMatch *prune;       /* leading $match on stored documents */
   MtExecVar *scan;          /* the stored document, NULL when the source isn't a collection */
   const char *stage;    /* being compiled */
   uint32_t at;          /* which one of the pipeline */
   size_t length;        /* of the pipeline */
   const MtExecNode *shut;   /* the last node that lets no row through; NULL: there is none */
   int last_sink;        /* pos of the last blocking stage, -1: none yet: bytes bound before it have been verified */
   int in_elem;          /* within $elemMatch */
   bool failed;          /* a lazily bound expression failed: err is set */
};

/* The values of which the leading $match stages want one in a top-level field. */
typedef struct MtKeyProbe {
   const char *field;    /* NULL: they don't */
   const MtVal *values;
   size_t count;
} MtKeyProbe;

/* Where a scan of blocks stands. */
typedef struct MtBlockScan {
   size_t block;         /* the next one to open */
   size_t stop;          /* the first one not to open; 0: there is none */
   bool open;
   const uint8_t *p, *end;
   uint32_t ordinal;
   bool probing;         /* only the documents `hits` of the block are looked at */
   size_t hit, hit_count;
   MtHit hits[MT_BLOCK_HITS];
} MtBlockScan;

/* Collections of another engine that stages named, read once. */
typedef struct MtExecHeld {
   MtArena *arena;
   const MtExecTable *tables;
} MtExecHeld;

typedef enum { MT_FROM_SOURCE, MT_FROM_NEXT, MT_FROM_LIST } MtFrom;

struct MtExec {
   MtCursor cursor;      /* first: an MtCursor is what others hold */
   MtArena *arena;       /* plan and state */
   MtExecArgs args;
   MtExecHeld held;
   MtFrom from;
   MtSource *source;
   MtCursor *feed;       /* what args.next reads from, when it is this cursor's own */
   MtVal list;           /* MT_FROM_LIST: an array of documents */
   MtExecVar *root;          /* what the source binds */
   uint32_t *given;      /* slots of args.given */
   MtExecNode **nodes;       /* live, in order; the last is the output */
   uint32_t node_count;
   uint32_t slot_count, extract_count, regex_count;
   uint32_t all_nodes;   /* ids */
   bool by_block;        /* documents are only counted, which was done when they were stored: a block is one row */
   MtMatch *prune;
   MtLookup *lookup;     /* NULL: the leading $match stages have none */
   bool verify_later;    /* whole documents are verified behind the leading $match stages */
   MtVal now;
   MtWork *main;
   int start;            /* the run begins behind this node: the last one that lets no row through. -1: there is none */
   /* running */
   int at;               /* index of the sink that is being drained, or start; -1: the source */
   bool input_over;      /* it has no more rows, or nobody wants them */
   int finished;         /* index of the last node whose finish was called */
   bool ended;
   MtBlockScan scan;
   uint32_t list_at;     /* bytes into the list */
   bson_t doc;           /* the one that the caller looks at */
   MtRunStats stats;
   MtStageStats *stage_stats;
   MtRunsWithin *within; /* by node id, with want_stats */
   size_t length;        /* of the pipeline, in stages */
   int64_t us;
   int64_t reported_ms;
   uint64_t rows_out;
   atomic_uint_least64_t bytes_done;
   const MtExecNode *ordering; /* the first sink, if it orders; NULL: another one */
   atomic_uint_least64_t bytes_ordered; /* of the source: sorted, and given by it */
};

/* ---- exec_bson.c: bytes ---- */

/* Writes a value with one store. Values are copied as wholes right after; written member by member, each such copy would
 * have to wait until the stores have left the core. */
static inline void mt_put (MtVal *out, uint8_t type, uint32_t len, uint64_t word)
{
   typedef uint64_t Pair __attribute__ ((vector_size (16)));
   Pair v = {type | (uint64_t) len << 32, word};
   _Static_assert (sizeof v == sizeof *out && offsetof (MtVal, len) == 4, "mt_put knows how values lie in memory");
   memcpy (out, &v, sizeof v);
}

static inline uint64_t mt_load64 (const uint8_t *p)
{
   uint64_t n;
   memcpy (&n, p, 8);
   return n;
}

static inline uint32_t mt_load32 (const uint8_t *p)
{
   uint32_t n;
   memcpy (&n, p, 4);
   return n;
}

/* Reads the value of an element (type byte, bytes after the key) that ends before `end`. Returns its size, or -1 when
 * it doesn't fit. Sub-documents are not descended into. */
int64_t mt_x_load (uint8_t type, const uint8_t *p, const uint8_t *end, MtVal *out);

/* The same with the frequent types in place. */
static inline int64_t mt_x_load_fast (uint8_t type, const uint8_t *p, const uint8_t *end, MtVal *out)
{
   size_t room = (size_t) (end - p);
   uint32_t n;
   if (type == MT_DOC || type == MT_ARRAY) {
      if (room < 5 || (n = mt_load32 (p)) < 5 || n > room)
         return -1;
      mt_put (out, type, n, (uintptr_t) p);
      return n;
   }
   if (type == MT_STRING) {
      if (room < 5 || (n = mt_load32 (p)) < 1 || n > room - 4)
         return -1;
      mt_put (out, type, n - 1, (uintptr_t) (p + 4));
      return (int64_t) n + 4;
   }
   if (room < 8 || (type != MT_INT64 && type != MT_DOUBLE && type != MT_DATE))
      return mt_x_load (type, p, end, out);
   mt_put (out, type, 0, mt_load64 (p));
   return 8;
}

/* Its size alone. */
static inline int64_t mt_x_size (uint8_t type, const uint8_t *p, const uint8_t *end)
{
   size_t room = (size_t) (end - p);
   MtVal v;
   if (type == MT_DOC || type == MT_ARRAY) {
      uint32_t n = room < 5 ? 0 : mt_load32 (p);
      return n >= 5 && n <= room ? (int64_t) n : -1;
   }
   if (type == MT_STRING) {
      uint32_t n = room < 5 ? 0 : mt_load32 (p);
      return n >= 1 && n <= room - 4 ? (int64_t) n + 4 : -1;
   }
   if (room >= 8 && (type == MT_INT64 || type == MT_DOUBLE || type == MT_DATE))
      return 8;
   return mt_x_load (type, p, end, &v);
}

bool mt_bw_reserve (MtBw *b, size_t more) __attribute__ ((warn_unused_result)); /* false: it has failed */
void mt_bw_add (MtBw *b, const void *p, size_t n);
size_t mt_bw_begin (MtBw *b);                    /* a document starts; gives its place for mt_bw_end */
void mt_bw_end (MtBw *b, size_t start);
size_t mt_bw_open (MtBw *b, uint8_t type, const char *key, size_t n); /* a sub-document starts */
void mt_bw_val (MtBw *b, const char *key, size_t n, MtVal v); /* MT_MISSING: nothing */
void mt_bw_index (MtBw *b, uint32_t i, MtVal v);
MtVal mt_bw_value (MtBw *b, size_t start, uint8_t type); /* what mt_bw_end finished, in place */

/* Memory that isn't an arena's; running out of it aborts with a message. mt_x_aligned's is zeroed. */
void *mt_x_calloc (size_t n, size_t size);
void *mt_x_realloc (void *p, size_t size);
void *mt_x_aligned (size_t align, size_t size);

/* A path in the expression language: through arrays an array of the values that are there. In w's arena. */
bool mt_x_walk (MtWork *w, MtVal v, const MtPath *path, uint32_t from, MtVal *out);
bool mt_x_is_index (const char *s, uint32_t *out);

/* ---- exec_extract.c ---- */

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
bool mt_extract_whole (MtWork *w, const MtExtract *x, const uint8_t *doc, uint32_t len, MtReader *r, MtCount *count);
static inline bool mt_bind (MtWork *w, const MtExecVar *var, MtCount *count)
{
   return !var->extract || mt_extract_doc (w, var->extract, w->slots[var->slot], var->stored, count);
}
static inline MtReader *mt_reader_of (MtWork *w, bool stored) { return stored ? &w->reader : &w->anywhere; }

/* ---- compile_shape.c ---- */

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
MtShape *mt_shape_with (MtCompile *c, MtShape *s, const MtPath *path, uint32_t from, MtShape *value, bool soft);
MtShapeField *mt_shape_find (const MtShape *doc, const char *name);
MtShape *mt_shape_get (MtCompile *c, MtShape *s, const char *name);
MtShape *mt_shape_path (MtCompile *c, MtShape *s, const MtPath *path);
/* Asks for the value of a shape at a place in the chain: a bound expression; NULL: c->err is set. */
MtExecExpr *mt_shape_ask (MtCompile *c, MtShape *s, int pos);
/* The slot of a shape's value; computes into one where there is none. */
uint32_t mt_shape_slot (MtCompile *c, MtShape *s, int pos);
/* That of a path of the documents so far, for a stage that is about to be added. MT_NO_SLOT: c->err is set. */
uint32_t mt_field_slot (MtCompile *c, const char *path, size_t n);
uint32_t mt_shape_match_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos);
uint32_t mt_shape_raw_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos);
uint32_t mt_slot_new (MtCompile *c, int def);
void mt_slot_use (MtCompile *c, uint32_t slot, int pos);
bool mt_path_parse (MtCompile *c, const char *text, MtPath *out);
MtPath mt_path_join (MtCompile *c, const MtPath *a, const MtPath *b);
bool mt_build_doc (MtWork *w, const MtShape *s, MtBw *b);

/* ---- compile.c ---- */

MtExecNode *mt_node_new (MtCompile *c, size_t size, const char *stage, MtFlow (*push) (const MtExecNode *, MtWork *));
bool mt_compile_stages (MtCompile *c, const bson_t *pipeline);
bool mt_compile_stage (MtCompile *c, const char *name, MtVal spec);
bool mt_bad (MtCompile *c, const char *fmt, ...) __attribute__ ((format (printf, 2, 3))); /* 22023 */

/* ---- expr_*.c ---- */

MtExecExpr *mt_expr_parse (MtCompile *c, MtVal v); /* NULL: c->err is set */
MtExecExpr *mt_expr_const (MtCompile *c, MtVal v);
MtExecExpr *mt_expr_field (MtCompile *c, const char *path); /* without the $ */
MtExecExpr *mt_expr_slot (MtCompile *c, uint32_t slot);
MtExecExpr *mt_expr_new (MtCompile *c, MtExprKind kind, MtEvalFn eval, uint32_t argc);
MtExecExpr *mt_expr_doc (MtCompile *c, MtVal doc);
/* Turns paths into slots. `root` is the document that field paths refer to. */
bool mt_expr_bind (MtCompile *c, MtExecExpr *e, MtShape *root, const MtExecScope *scope, int pos);
void mt_expr_specialise (MtExecExpr *e);
const MtOpRow *mt_op_find (MtCompile *c, const char *name);
static inline bool mt_eval (const MtExecExpr *e, MtWork *w, MtVal *out) { return e->eval (e, w, out); }
bool mt_truthy (MtVal v);
bool mt_proj_apply (const MtExecExpr *e, MtWork *w, MtVal base, MtVal *out);

MtFlow mt_eval_push (const MtExecNode *n, MtWork *w);
typedef struct MtEvalNode {
   MtExecNode n;
   MtShape *shape;
   MtExecExpr *expr;
   MtExecVar *var;
} MtEvalNode;

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
bool mt_ev_doc (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_array (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_getfield (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_setfield (const MtExecExpr *e, MtWork *w, MtVal *out);
bool mt_ev_proj (const MtExecExpr *e, MtWork *w, MtVal *out);

/* ---- match_*.c ---- */

MtMatch *mt_match_parse (MtCompile *c, MtVal doc);
bool mt_match_bind (MtCompile *c, MtMatch *m, MtShape *root, int pos);
/* 1 yes, 0 no, -1: w->err is set */
int mt_match_row (const MtMatch *m, MtWork *w);
/* False when no document of block `index` can match. */
bool mt_match_block (const MtMatch *m, const MtSource *s, size_t index, const MtExecVar *scan);
/* What of it blocks' keys can find; field NULL: nothing. */
MtKeyProbe mt_match_probe (const MtMatch *m);
/* As mt_match_row; paths from a value, or from `doc`: in $elemMatch. */
int mt_match_value (const MtMatch *m, MtVal v, const MtPath *path, uint32_t from, MtWork *w);
int mt_match_doc (const MtMatch *m, MtVal doc, MtWork *w);
bool mt_type_same_bracket (MtVal a, MtVal b);

/* ---- stages ---- */

bool mt_stage_match (MtCompile *c, MtVal spec);
bool mt_stage_project (MtCompile *c, MtVal spec);
bool mt_stage_add_fields (MtCompile *c, MtVal spec);
bool mt_stage_unset (MtCompile *c, MtVal spec);
bool mt_stage_replace (MtCompile *c, MtExecExpr *e);
bool mt_stage_unwind (MtCompile *c, MtVal spec);
bool mt_stage_group (MtCompile *c, MtVal spec);
bool mt_stage_sort (MtCompile *c, MtVal spec, uint64_t limit, uint64_t ties);
bool mt_stage_limit (MtCompile *c, MtVal spec);
bool mt_stage_limit_ties (MtCompile *c, MtVal spec);
bool mt_stage_until (MtCompile *c, MtVal spec);
bool mt_stage_recursive (MtCompile *c, MtVal spec);
bool mt_stage_with (MtCompile *c, MtVal spec);
bool mt_stage_read (MtCompile *c, MtVal spec);
bool mt_stage_skip (MtCompile *c, MtVal spec);
bool mt_stage_count (MtCompile *c, MtVal spec);
bool mt_stage_sort_by_count (MtCompile *c, MtVal spec);
bool mt_stage_bucket (MtCompile *c, MtVal spec);
bool mt_stage_union (MtCompile *c, MtVal spec);
bool mt_stage_lookup (MtCompile *c, MtVal spec);
bool mt_stage_facet (MtCompile *c, MtVal spec);
bool mt_stage_sample (MtCompile *c, MtVal spec);
bool mt_stage_documents (MtCompile *c, MtVal spec);
bool mt_stage_join (MtCompile *c, MtVal spec);
bool mt_stage_table (MtCompile *c, MtVal spec);
bool mt_stage_series (MtCompile *c, MtVal spec);
bool mt_stage_window (MtCompile *c, MtVal spec);
bool mt_stage_apply (MtCompile *c, MtVal spec);
bool mt_stage_asof (MtCompile *c, MtVal spec);
/* What $_mtJoin and $_mtApply do alike: the fields that come in are the document from here on (slots: each has one); then those of the other
 * row join them. */
bool mt_pair_input (MtCompile *c, MtVal names, bool slots);
bool mt_pair_output (MtCompile *c, MtExecVar *row, MtVal names);

/* ---- running ---- */

bool mt_x_poll (MtWork *w); /* cancel; false: w->err is set */
/* For the progress alone: n has sorted, or given, what so many bytes of documents make. */
void mt_x_ordered (MtWork *w, const MtExecNode *n, double bytes);
/* Sets 53200: `what` needs more than `bytes` of memory. `what` is plural. Always false. */
bool mt_x_beyond_memory (MtError *err, const char *what, size_t bytes);
/* Whether to give back what `rows` rows gone by have left in the arena: few large values, or many rows. */
static inline bool mt_rows_weigh (const MtArena *a, uint64_t rows) { return (rows & 255) == 0 || mt_arena_bytes (a) > 4u << 20; }
/* At each row. The flag of Ctrl-C is looked at always, the clock every few milliseconds, however long a row takes. */
bool mt_x_ticked (MtWork *w);
static inline bool mt_tick (MtWork *w)
{
   return (++w->tick != w->next_poll && !atomic_load_explicit (w->stop, memory_order_relaxed)) || mt_x_ticked (w);
}
MtFlow mt_next_timed (const MtExecNode *n, MtWork *w);
static inline MtFlow mt_next (const MtExecNode *n, MtWork *w)
{
   if (__builtin_expect (w->timing, 0))
      return mt_next_timed (n, w);
   return n->next->push (n->next, w);
}
/* What a node's push returns that wants no more rows itself. */
static inline MtFlow mt_stop (const MtExecNode *n, MtWork *w)
{
   w->stopped_at = n->pos > w->stopped_at ? n->pos : w->stopped_at;
   return MT_STOP;
}
MtFlow mt_output_push (const MtExecNode *n, MtWork *w);
/* True when bytes at p stay where they are for the cursor's life: in the block that is being scanned. */
static inline bool mt_x_lasting (const MtWork *w, const uint8_t *p)
{
   return (size_t) (p - w->reader.block.data) < w->reader.block.size;
}
uint32_t mt_bytes_len (MtVal v);
/* XX001: bytes that were read are no BSON document. Always false. */
static inline bool mt_x_malformed (MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "malformed document");
}
/* Verifies a value's bytes where they lie in the block: what is kept is looked at when nobody verifies any more. */
static inline bool mt_x_verify (MtWork *w, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   return !n || !mt_x_lasting (w, v.p) || mt_need (&w->reader, v.p, n);
}
MtVal mt_x_own (MtArena *a, MtVal v);  /* a copy in a; null when there is no memory, and the statement fails (base/memory.h) */
MtVal mt_x_keep (MtWork *w, MtArena *a, MtVal v); /* a copy in a, unless it lasts anyway */
bool mt_has_bytes (MtVal v);

/* Values as they go into temporary files. */
void mt_pack (MtBw *b, MtVal v);
bool mt_unpack (const uint8_t **p, const uint8_t *end, MtVal *out); /* borrows from the bytes */
/* What doesn't fit in a stage's memory; counted. */
bool mt_spill_write (MtWork *w, FILE *f, const void *p, size_t n);
bool mt_spill_stream (MtWork *w, MtStreams *s, uint32_t number, const void *p, size_t n);
#define MT_SPILL_BLOCK_BYTES 4096u /* of streams that are written at once */

MtWork *mt_work_new (const MtExec *x);
void mt_work_free (MtWork *w);
MtFlow mt_scan (MtWork *w, MtBlockScan *s, size_t docs, bool *done);
/* Runs the chain up to the first sink over all blocks, on several threads. */
MtFlow mt_run_parallel (MtExec *x, const MtExecNode *sink, unsigned threads);
/* A cursor of its own over documents that go through a pipeline: $facet, $lookup, $unionWith. */
bool mt_sub_open (const MtExec *x, const char *collection, MtNextDoc next, void *ctx, const bson_t *pipeline,
                  const MtExecScope *scope, MtCursor **out, MtError *err);
/* The same over the documents of the collection's own server, which runs the stages `remote` first (missing: as above). */
bool mt_sub_open_split (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline, MtCursor **out, MtError *err);
/* The same, for as long as the statement runs: x may end before. */
bool mt_sub_open_lasting (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline, MtCursor **out, MtError *err);
/* The same over documents that `next` supplies (NULL: the pipeline makes its own), with these variables instead of x's. */
bool mt_sub_open_given (const MtExec *x, const MtExecGiven *given, const char *collection, MtNextDoc next, void *ctx, const bson_t *pipeline, MtCursor **out, MtError *err);
/* Begins anew, with the variables' values as they are now; `next` has to begin anew, too. */
void mt_sub_rewind (MtCursor *cursor);
/* Whether its next document is made already. */
bool mt_sub_has_more (const MtCursor *cursor);
/* Closes it; what it read counts as read, and what it did as a part of node n. */
void mt_sub_close (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);
/* The same over a collection, with these tables instead of the pipeline's own. */
bool mt_sub_open_tables (const MtExec *x, const MtExecTable *tables, const char *collection, const bson_t *pipeline, MtCursor **out, MtError *err);

/* ---- exec_stats.c: what was done, for EXPLAIN ANALYZE ---- */

void mt_exec_stats (MtCursor *c, MtRunStats *out); /* a cursor's; borrowed for its life */
/* What a cursor did since it was opened or rewound: it counts as read, and with want_stats as a part of node n. */
void mt_sub_count (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);
/* With want_stats only: as a part of node n. */
void mt_sub_note (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);

/* Rows of a pipeline of its own that a node hands on in one call. */
#define MT_PUMP_ROWS 1000

#endif
