/* The executor's structures: the compiled pipeline, and the state of a thread that runs it.
 *
 * A pipeline becomes a chain of nodes. A node is pushed one row and pushes rows to the next node. A
 * row is the worker's array of slots. While compiling, the current document is a *shape*. Stages
 * rewrite shapes; a value gets a slot only if it is used. A path into stored bytes becomes a field
 * of an *extraction*. It runs when these bytes are bound: one pass over the elements, which skips
 * unused values by their length. */
#ifndef MT_EXEC_CORE_H
#define MT_EXEC_CORE_H

#include "engine/implement.h"
#include "engine/local/expr/args.h"

#include "base/limits.h"
#include "base/streams.h"
#include "base/temporary.h"
#include "engine/local/expr/bson_value.h"

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
/* The type of a slot for the match language whose path met an array. `sub` is the number of path
 * components before the array; len and p belong to the array, an MT_ARRAY value. */
#define MT_DEFERRED 0x7E

/* ---- paths ---- */

typedef struct MtPath {
   const char **part; /* in the compile arena */
   uint32_t count;
} MtPath;

/* ---- extraction ---- */

typedef struct MtExtractField {
   const char *name;
   uint32_t len; /* with the NUL */
   /* Slot for expressions; MT_NO_SLOT: not wanted. If the path leads through an array, it gets an
    * array of values. */
   uint32_t value;
   /* Slot for the match language. If the path leads through an array, it gets MT_DEFERRED. */
   uint32_t match;
   /* Slot for $unwind: unverified bytes. Missing if the path leads through an array. */
   uint32_t raw;
   MtExtract *sub; /* wanted fields below; NULL: none */
} MtExtractField;

struct MtExtract {
   MtExtractField *fields;
   uint32_t count, cap;
   uint32_t id;    /* of its guesses in a worker */
   uint32_t depth; /* number of path components above its fields */
};

/* A guess for the key at one position of a document, since similar documents have the same keys in
 * the same order: the key found there last time, and the field that it belongs to. */
#define MT_GUESS_KEY 16
#define MT_GUESSES 24
typedef struct MtGuess {
   uint64_t mask, low; /* of the first 8 bytes of the key with its NUL */
   char key[MT_GUESS_KEY];
   uint16_t len;       /* with the NUL; 0: no guess yet */
   int16_t field;      /* -1: not wanted */
   uint8_t type, size; /* of the value, if all values of the type have one size; otherwise 0 */
} MtGuess;

struct MtExecVar {
   uint32_t slot;
   int pos;            /* of the node that binds it */
   bool stored;        /* its bytes may lie in a block, and need the reader */
   bool local;         /* a variable of $let, $map…: paths are followed at each use */
   bool whole;         /* wanted as a whole value: verified when bound */
   MtExtract *extract; /* NULL: no fields wanted */
};

/* ---- shapes ---- */

typedef enum { MT_SH_MISSING, MT_SH_PATH, MT_SH_DOC, MT_SH_EXPR } MtShapeKind;

typedef struct MtShapeField {
   const char *name;
   MtShape *shape; /* MT_SH_MISSING: dropped */
   bool in_base;   /* stands where the base document has this name */
   bool keep;      /* the base document's own value, unchanged */
} MtShapeField;

struct MtShape {
   MtShapeKind kind;
   /* MT_SH_PATH: the value at a path below a variable; count 0: the variable itself. */
   MtExecVar *var;
   MtPath path;
   uint32_t used; /* slot + 1, once it is used */
   /* MT_SH_DOC: fields in order. With keep_rest, unlisted fields come from base (an MT_SH_PATH). */
   MtShape *base;
   bool keep_rest;
   bool soft; /* a base that is not a document stays unchanged */
   MtShapeField *fields;
   uint32_t count, cap;
   /* MT_SH_EXPR: computed by `node`, once it is used. view: resolves paths below it; NULL: by
    * extraction. */
   MtExecExpr *expr;
   MtShape *root; /* its field paths start here */
   MtExecNode *node;
   MtShape *view;
};

/* ---- expressions ---- */

typedef enum {
   MT_EX_CONST,
   MT_EX_FIELD,
   MT_EX_SLOT,
   MT_EX_WALK,
   MT_EX_BUILD,
   MT_EX_OP,
   MT_EX_AND,
   MT_EX_OR,
   MT_EX_NOT,
   MT_EX_COND,
   MT_EX_IFNULL,
   MT_EX_SWITCH,
   MT_EX_LET,
   MT_EX_MAP,
   MT_EX_FILTER,
   MT_EX_REDUCE,
   MT_EX_DOC,
   MT_EX_ARRAY,
   MT_EX_GETFIELD,
   MT_EX_SETFIELD,
   MT_EX_PROJ
} MtExprKind;

typedef bool (*MtEvalFn) (const MtExecExpr *e, MtWork *w, MtVal *out);

/* One step of a projection over a computed or nested document. */
typedef struct MtProj {
   const char *name;
   enum { MT_PROJ_KEEP, MT_PROJ_DROP, MT_PROJ_TREE, MT_PROJ_SET } action;
   MtExecExpr *expr;   /* for SET */
   struct MtProj *sub; /* for TREE */
   uint32_t count;     /* of sub */
   bool has_set;       /* TREE: it sets a field below */
} MtProj;

struct MtExecExpr {
   MtEvalFn eval; /* set by binding */
   MtExprKind kind;
   bool bound;
   bool keep_rest; /* PROJ: unlisted fields stay */
   uint32_t argc;
   uint32_t slot; /* SLOT, WALK; MAP, FILTER, REDUCE, LET: the first local variable's */
   MtExecExpr **args;
   const char **names; /* DOC: keys; LET, MAP, …: variables; GETFIELD: operator for messages */
   const MtOpRow *row; /* for OP */
   MtVal value;        /* for CONST */
   const char *var;    /* FIELD: the variable; "ROOT" and "CURRENT" are the document */
   MtPath path;        /* for FIELD and WALK */
   MtShape *shape;     /* for BUILD */
   MtProj *proj;       /* for PROJ */
   uint32_t proj_count;
   bool owns_stored; /* scratch of specialised forms */
};

/* ---- match language ---- */

typedef enum {
   MT_M_AND,
   MT_M_OR,
   MT_M_NOR,
   MT_M_TRUE,
   MT_M_FALSE,
   MT_M_EXPR,
   MT_M_EQ,
   MT_M_LT,
   MT_M_LTE,
   MT_M_GT,
   MT_M_GTE,
   MT_M_IN,
   MT_M_EXISTS,
   MT_M_TYPE,
   MT_M_REGEX,
   MT_M_MOD,
   MT_M_SIZE,
   MT_M_ELEM_OBJECT,
   MT_M_ELEM_VALUE
} MtMatchKind;

/* Returns 1 for a match, 0 for none, or -1 with w->err set. */
typedef int (*MtMatchTest) (const MtMatch *m, MtVal v, MtWork *w);

struct MtMatch {
   MtMatchKind kind;
   MtMatchTest test; /* leaves: tests one value as a whole */
   MtMatch **kids;
   uint32_t count;
   uint32_t slot; /* for leaves */
   MtPath path;   /* leaves: the whole path; it is walked from component `from` on */
   uint32_t from;
   MtVal value;
   MtVal *set; /* IN: constants, with a hash index */
   uint32_t set_count, set_mask;
   uint32_t *set_index;
   bool set_null;
   MtMatch **set_regex;
   uint32_t set_regex_count;
   MtStr pattern, options; /* for REGEX */
   uint32_t regex;         /* REGEX: index in MtWork.regexes */
   int64_t mod, rest;
   uint32_t types[8]; /* TYPE: bits by BSON type byte */
   MtExecExpr *expr;  /* for EXPR */
};

/* ---- nodes ---- */

typedef enum { MT_GO, MT_STOP, MT_FAIL } MtFlow;

struct MtExecNode {
   MtFlow (*push) (const MtExecNode *n, MtWork *w);
   /* Called at the end of the input, before the next node's finish. NULL: nothing to do. */
   MtFlow (*finish) (const MtExecNode *n, MtWork *w);
   /* For sinks (blocking nodes). merge takes in another worker's state. drain pushes the gathered
    * rows to n->next, some in each call. */
   MtFlow (*merge) (const MtExecNode *n, MtWork *into, MtWork *from);
   MtFlow (*drain) (const MtExecNode *n, MtWork *w, bool *done);
   /* For nodes that hold rows. pump pushes some of the rows that may go on now; *any: there were
    * some. It is called between input rows, and after finish until there are none. push itself only
    * takes rows in. NULL: holds none. */
   MtFlow (*pump) (const MtExecNode *n, MtWork *w, bool *any);
   /* Frees w->state[id]. NULL: it is in an arena. */
   void (*drop) (const MtExecNode *n, MtWork *w);
   /* Called when no more rows are wanted: counts and closes the node's open cursors. NULL: it has
    * none. */
   void (*quit) (const MtExecNode *n, MtWork *w);
   /* Called when everything is compiled, so that the slots to carry are known. NULL: nothing to
    * do. */
   void (*seal) (MtExecNode *n, MtCompile *c);
   MtExecNode *next; /* as linked; only live nodes */
   const char *stage;
   uint32_t at; /* index of the stage in the pipeline */
   int pos;
   uint32_t id;
   bool live;
   bool sink;
   bool serial; /* needs the rows in order, so runs on one thread */
   bool unwinds;
   /* $unwind: begins a run (MtWork.run) with each array. The sink behind it sets this. */
   bool marks_runs;
   /* $unwind: the slot of the only value that is wanted of an element. MT_NO_SLOT: several, or
    * none. */
   uint32_t only;
   /* $unwind: the sink behind it only adds `only` up. So several integers may come as their sum, in
    * one row that stands for MtWork.rows rows. */
   bool adds;
   /* Keeps all input rows to order them. Reading is then a third of the work for the progress
    * report. */
   bool orders;
   /* Only counts rows: MtWork.rows may be any number. */
   bool counts;
};

typedef struct MtCount {
   uint64_t in, bytes, ticks;
   uint64_t spilled; /* bytes written to temporary files */
   uint64_t stored;  /* for all_nodes: size of the documents that came in */
} MtCount;

struct MtWork {
   MtVal *slots;
   MtReader reader;   /* over the block that is scanned */
   MtReader anywhere; /* over memory that needs no verification */
   MtArena *arena;    /* of the current rows */
   MtEval ev;
   MtError err;
   const MtExec *exec;
   void **state;           /* by node id */
   MtGuess *guess;         /* MT_GUESSES for each extraction */
   struct MtPcre *regexes; /* by MtMatch.regex; zeros: not compiled yet */
   MtCount *count;         /* by node id */
   bool timing;            /* want_stats */
   uint32_t timed;         /* the node that time is counted for */
   uint64_t timed_since;
   uint64_t seq; /* grows with the order of the rows, over all blocks */
   /* While it is unchanged, no slot bound before the node that marks runs has changed. */
   uint64_t run;
   /* The number of rows that the current one stands for: 1, except behind an $unwind that adds up
    * (MtExecNode.adds), or with MtExec.by_block. */
   uint32_t rows;
   /* pos of the last node that wants no more rows: nodes before it need not hand on held rows. 0:
    * there is none. */
   int stopped_at;
   uint64_t epoch; /* changes whenever borrowed bytes may have moved or changed */
   /* tick counts rows. next_poll: when mt_tick reads the clock again. stride: rows between the last
    * two reads. */
   uint32_t tick, next_poll, stride;
   int64_t polled_us;
   const atomic_bool *stop; /* the flag of MtCancel, or one that is never set */
   uint64_t blocks_read, blocks_pruned;
   /* Read by pipelines within the pipeline. */
   uint64_t sub_docs, sub_bytes, sub_total, sub_collections;
   /* Documents for the cursor. */
   MtBw out;
   size_t out_at;
   FILE *overflow;  /* NULL: never needed */
   bool overflowed; /* it has documents, which come before those in `out` */
};

/* Figures of the pipelines that a node ran. */
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
   int def;   /* pos of the node that fills it */
   int use;   /* pos of the last node that reads it; -1: none */
   int first; /* pos of the first one */
} MtSlotInfo;

struct MtCompile {
   MtExec *exec;
   MtArena *arena;
   MtError *err;
   MtShape *root;      /* of the current document */
   MtExecNode **nodes; /* in the order of pos; linking leaves out dead ones */
   uint32_t node_count, node_cap;
   MtSlotInfo *slots;
   uint32_t slot_count, slot_cap;
   uint32_t extract_count, regex_count;
   const MtExecScope *scope; /* variables of enclosing pipelines ($lookup's let) */
   int depth;
   MtMatch *prune;         /* leading $match on stored documents */
   MtExecVar *scan;        /* the stored document; NULL if the source is not a collection */
   const char *stage;      /* the stage being compiled */
   uint32_t at;            /* its index in the pipeline */
   size_t length;          /* of the pipeline */
   const MtExecNode *shut; /* the last node that lets no row through; NULL: none */
   /* pos of the last blocking stage; -1: none. Bytes bound before it were verified. */
   int last_sink;
   int in_elem; /* within $elemMatch */
   bool failed; /* an expression failed to bind when it was first used; err is set */
};

/* A top-level field and values: the leading $match stages want one of these values. */
typedef struct MtKeyProbe {
   const char *field; /* NULL: there is no condition */
   const MtVal *values;
   size_t count;
} MtKeyProbe;

/* The place of a scan over blocks. */
typedef struct MtBlockScan {
   size_t block; /* the next one to open */
   size_t stop;  /* the first one not to open; 0: none */
   bool open;
   const uint8_t *p, *end;
   uint32_t ordinal;
   bool probing; /* reads only the documents `hits` of the block */
   size_t hit, hit_count;
   MtHit hits[MT_BLOCK_HITS];
} MtBlockScan;

/* Collections of another engine, read once because stages named them. */
typedef struct MtExecHeld {
   MtArena *arena;
   const MtExecTable *tables;
} MtExecHeld;

typedef enum { MT_FROM_SOURCE, MT_FROM_NEXT, MT_FROM_LIST } MtFrom;

struct MtExec {
   MtCursor cursor; /* first: the caller holds it as an MtCursor */
   MtArena *arena;  /* plan and state */
   MtExecArgs args;
   MtExecHeld held;
   MtFrom from;
   MtSource *source;
   MtCursor *feed;     /* cursor behind args.next, if this pipeline owns it */
   MtVal list;         /* MT_FROM_LIST: an array of documents */
   MtExecVar *root;    /* the variable that the source binds */
   uint32_t *given;    /* slots of args.given */
   MtExecNode **nodes; /* live ones, in order; the last is the output */
   uint32_t node_count;
   uint32_t slot_count, extract_count, regex_count;
   uint32_t all_nodes; /* number of ids */
   /* Documents are only counted, and the store has their number: a block is one row. */
   bool by_block;
   MtMatch *prune;
   MtLookup *lookup;  /* NULL: the leading $match stages have none */
   bool verify_later; /* whole documents are verified behind the leading $match stages */
   MtVal now;
   MtWork *main;
   /* The run begins behind this node: the last one that lets no row through. -1: none. */
   int start;
   /* State of the run. */
   int at;          /* index of the sink that drains, or start; -1: the source */
   bool input_over; /* the input has ended, or no more is wanted */
   int finished;    /* index of the last node whose finish was called */
   bool ended;
   MtBlockScan scan;
   uint32_t list_at; /* offset in the list */
   bson_t doc;       /* the caller's current document */
   MtRunStats stats;
   MtStageStats *stage_stats;
   MtRunsWithin *within; /* by node id, with want_stats */
   size_t length;        /* of the pipeline, in stages */
   int64_t us;
   int64_t reported_ms;
   uint64_t rows_out;
   atomic_uint_least64_t bytes_done;
   const MtExecNode *ordering;          /* the first sink, if it orders rows; otherwise NULL */
   atomic_uint_least64_t bytes_ordered; /* bytes of documents that it has sorted and handed on */
};

/* ---- running ---- */

/* Polls the cancel flag and reports progress. Returns false with w->err set. */
bool mt_x_poll (MtWork *w);
/* Counts for the progress report: n has sorted, or handed on, rows of this many bytes of
 * documents. */
void mt_x_ordered (MtWork *w, const MtExecNode *n, double bytes);
/* Sets 53200: `what` (plural) need more than `bytes` of memory. Returns false. */
bool mt_x_beyond_memory (MtError *err, const char *what, size_t bytes);
/* Returns whether the arena should be reset after `rows` rows: many rows, or large values. */
static inline bool mt_rows_weigh (const MtArena *a, uint64_t rows)
{
   return (rows & 255) == 0 || mt_arena_bytes (a) > 4u << 20;
}
/* Called for each row. Polls the cancel flag; reads the clock every few milliseconds, however long
 * a row takes. */
bool mt_x_ticked (MtWork *w);
static inline bool mt_tick (MtWork *w)
{
   return (++w->tick != w->next_poll && !atomic_load_explicit (w->stop, memory_order_relaxed)) ||
          mt_x_ticked (w);
}
/* With want_stats: counts time for node `id` from now on. */
void mt_time_goes_to (MtWork *w, uint32_t id);
MtFlow mt_next_timed (const MtExecNode *n, MtWork *w);
static inline MtFlow mt_next (const MtExecNode *n, MtWork *w)
{
   if (__builtin_expect (w->timing, 0))
      return mt_next_timed (n, w);
   return n->next->push (n->next, w);
}
/* The result of push for a node that wants no more rows. */
static inline MtFlow mt_stop (const MtExecNode *n, MtWork *w)
{
   w->stopped_at = n->pos > w->stopped_at ? n->pos : w->stopped_at;
   return MT_STOP;
}
/* Returns whether the bytes at p last as long as the cursor: they lie in the block that is
 * scanned. */
static inline bool mt_x_lasting (const MtWork *w, const uint8_t *p)
{
   return (size_t) (p - w->reader.block.data) < w->reader.block.size;
}
/* Sets XX001: the bytes are not a BSON document. Returns false. */
static inline bool mt_x_malformed (MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "malformed document");
}
/* Verifies a value's bytes in the block. Needed before a value is kept, since later reads do not
 * verify. */
static inline bool mt_x_verify (MtWork *w, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   return !n || !mt_x_lasting (w, v.p) || mt_need (&w->reader, v.p, n);
}
/* Returns the value, copied into a unless its bytes last as long as the cursor. */
MtVal mt_x_keep (MtWork *w, MtArena *a, MtVal v);

/* Writes to temporary files, and counts the bytes. */
bool mt_spill_write (MtWork *w, FILE *f, const void *p, size_t n);
bool mt_spill_stream (MtWork *w, MtStreams *s, uint32_t number, const void *p, size_t n);
/* The block size of streams that are all written at once. */
#define MT_SPILL_BLOCK_BYTES 4096u

MtWork *mt_work_new (const MtExec *x);
void mt_work_free (MtWork *w);
#endif
