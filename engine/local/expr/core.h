/* The executor's structures: what a pipeline is compiled to, and what a thread holds while it runs.
 *
 * A pipeline becomes a chain of nodes; a node is pushed one row and pushes rows on. A row is the
 * worker's array of slots. While compiling, the current document is a *shape*: stages rewrite
 * shapes, and only what is really asked for becomes a slot. A path into stored bytes becomes a
 * field of the *extraction* that runs when those bytes are bound: one pass over the elements,
 * stepping over what nobody wants by its length. */
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
/* A slot for the match language whose path met an array: len is the number of path components
 * already walked, p and the array as an MT_ARRAY value follow from the bytes at p. */
#define MT_DEFERRED 0x7E

/* ---- paths ---- */

typedef struct MtPath {
   const char **part; /* in the compile arena */
   uint32_t count;
} MtPath;

/* ---- extraction ---- */

typedef struct MtExtractField {
   const char *name;
   uint32_t len;   /* with the NUL */
   uint32_t value; /* slot for expressions, MT_NO_SLOT: not wanted; arrays on the way give arrays of
                      values */
   uint32_t
      match; /* slot for the match language: MT_DEFERRED when the way leads through an array */
   uint32_t
      raw; /* slot for $unwind: unverified bytes; missing when the way leads through an array */
   MtExtract *sub; /* what is wanted below; NULL: nothing */
} MtExtractField;

struct MtExtract {
   MtExtractField *fields;
   uint32_t count, cap;
   uint32_t id;    /* of its guesses in a worker */
   uint32_t depth; /* components above its fields */
};

/* Documents of one kind have their keys in one order: the key seen last time at a position, and
 * what was done with it. */
#define MT_GUESS_KEY 16
#define MT_GUESSES 24
typedef struct MtGuess {
   uint64_t mask, low; /* of the first 8 bytes of the key with its NUL */
   char key[MT_GUESS_KEY];
   uint16_t len;       /* with the NUL; 0: nothing yet */
   int16_t field;      /* -1: skipped */
   uint8_t type, size; /* of the value, when all values of the type have one size; otherwise 0 */
} MtGuess;

struct MtExecVar {
   uint32_t slot;
   int pos;            /* of the node that binds it */
   bool stored;        /* its bytes may lie in a block: through the reader */
   bool local;         /* of $let, $map…: paths are walked when they are read */
   bool whole;         /* wanted as a value: verified when bound */
   MtExtract *extract; /* NULL: nothing wanted below */
};

/* ---- shapes ---- */

typedef enum { MT_SH_MISSING, MT_SH_PATH, MT_SH_DOC, MT_SH_EXPR } MtShapeKind;

typedef struct MtShapeField {
   const char *name;
   MtShape *shape; /* MT_SH_MISSING: dropped */
   bool in_base;   /* takes the place that the base document has for this name */
   bool keep;      /* the base document's own value, as it is */
} MtShapeField;

struct MtShape {
   MtShapeKind kind;
   /* MT_SH_PATH: the value at a path below a variable; count 0: the variable itself */
   MtExecVar *var;
   MtPath path;
   uint32_t asked; /* slot + 1, once asked for */
   /* MT_SH_DOC: fields in order; those not listed come from base (an MT_SH_PATH) when keep_rest */
   MtShape *base;
   bool keep_rest;
   bool soft; /* a base that is no document stays as it is */
   MtShapeField *fields;
   uint32_t count, cap;
   /* MT_SH_EXPR: computed by `node`, once somebody asks; view: how paths below it resolve, NULL: by
    * extraction */
   MtExecExpr *expr;
   MtShape *root; /* what its field paths refer to */
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
   MtExecExpr *expr;   /* SET */
   struct MtProj *sub; /* TREE */
   uint32_t count;     /* of sub */
   bool has_set;       /* TREE: something is set below */
} MtProj;

struct MtExecExpr {
   MtEvalFn eval; /* set when bound */
   MtExprKind kind;
   bool bound;
   bool keep_rest; /* PROJ: fields that aren't listed stay */
   uint32_t argc;
   uint32_t slot; /* SLOT, WALK; MAP, FILTER, REDUCE, LET: the first local variable's */
   MtExecExpr **args;
   const char **names; /* DOC: keys; LET, MAP, …: variables; GETFIELD: operator for messages */
   const MtOpRow *row; /* OP */
   MtVal value;        /* CONST */
   const char *var;    /* FIELD: variable, "ROOT" and "CURRENT" are the document */
   MtPath path;        /* FIELD, WALK */
   MtShape *shape;     /* BUILD */
   MtProj *proj;       /* PROJ */
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

/* 1 yes, 0 no, -1: w->err is set */
typedef int (*MtMatchTest) (const MtMatch *m, MtVal v, MtWork *w);

struct MtMatch {
   MtMatchKind kind;
   MtMatchTest test; /* leaves: one value that isn't to be taken apart */
   MtMatch **kids;
   uint32_t count;
   uint32_t slot; /* leaves */
   MtPath path;   /* leaves: the whole path; from component `from` on it is walked */
   uint32_t from;
   MtVal value;
   MtVal *set; /* IN: constants, and an index over them */
   uint32_t set_count, set_mask;
   uint32_t *set_index;
   bool set_null;
   MtMatch **set_regex;
   uint32_t set_regex_count;
   MtStr pattern, options; /* REGEX */
   uint32_t regex;         /* REGEX: which of MtWork.regexes */
   int64_t mod, rest;
   uint32_t types[8]; /* TYPE: bits by BSON type byte */
   MtExecExpr *expr;  /* EXPR */
};

/* ---- nodes ---- */

typedef enum { MT_GO, MT_STOP, MT_FAIL } MtFlow;

struct MtExecNode {
   MtFlow (*push) (const MtExecNode *n, MtWork *w);
   MtFlow (*finish) (const MtExecNode *n,
                     MtWork *w); /* end of input, before the next node's; NULL: nothing to do */
   /* Sinks only: take in another worker's state; push what was gathered to n->next, some rows a
    * call. */
   MtFlow (*merge) (const MtExecNode *n, MtWork *into, MtWork *from);
   MtFlow (*drain) (const MtExecNode *n, MtWork *w, bool *done);
   /* Holds rows back: pushes some of those that may go on now (*any: there were some). Called
    * between the rows that come in, and after finish until there are none; push itself only takes
    * in. NULL: holds nothing. */
   MtFlow (*pump) (const MtExecNode *n, MtWork *w, bool *any);
   void (*drop) (const MtExecNode *n,
                 MtWork *w); /* releases w->state[id]; NULL: it is in an arena */
   void (*quit) (const MtExecNode *n,
                 MtWork *w); /* nobody asks for more: the cursors that it has open count, and are
                                closed; NULL: it has none */
   /* Called once everything is compiled: what it has to carry is known. NULL: nothing. */
   void (*seal) (MtExecNode *n, MtCompile *c);
   MtExecNode *next; /* as linked, only live ones */
   const char *stage;
   uint32_t at; /* which stage of the pipeline */
   int pos;
   uint32_t id;
   bool live;
   bool sink;
   bool serial; /* needs the rows in order: one thread */
   bool unwinds;
   bool marks_runs; /* $unwind: begins a run (MtWork.run) with each array; asked for by the sink
                       behind it */
   uint32_t only; /* $unwind: the slot of all that anybody wants of an element; MT_NO_SLOT: more, or
                     nothing */
   bool adds; /* $unwind: the sink right behind it only adds up `only`, so integers there may come
                 as their sum, for MtWork.rows of them */
   bool
      orders; /* keeps all rows of its input, to order them: reading is a third of the work then */
   bool counts; /* wants nothing of a row but that it is there: MtWork.rows may be any number of
                   them */
};

typedef struct MtCount {
   uint64_t in, bytes, ticks;
   uint64_t spilled; /* bytes written to temporary files */
   uint64_t stored;  /* of all_nodes: size of the documents that came in */
} MtCount;

struct MtWork {
   MtVal *slots;
   MtReader reader;   /* over the block being scanned */
   MtReader anywhere; /* over memory that needs no verifying */
   MtArena *arena;    /* of the current rows */
   MtEval ev;
   MtError err;
   const MtExec *exec;
   void **state;           /* by node id */
   MtGuess *guess;         /* MT_GUESSES an extraction */
   struct MtPcre *regexes; /* by MtMatch.regex; zeros: not compiled yet */
   MtCount *count;         /* by node id */
   bool timing;            /* want_stats */
   uint32_t timed;         /* whose time runs */
   uint64_t timed_since;
   uint64_t seq; /* grows with the rows' order, over blocks */
   uint64_t
      run; /* while it stays the same, no slot bound above the node that marks runs has changed */
   uint32_t rows;  /* how many rows the current one stands for: 1, but behind an $unwind that adds
                      (MtExecNode.adds), or MtExec.by_block */
   int stopped_at; /* pos of the last node that wants no more rows: what is held back before it need
                      not go on; 0: there is none */
   uint64_t epoch; /* changes whenever borrowed bytes may have moved or changed */
   uint32_t tick, next_poll, stride; /* rows; when mt_tick looks at the clock again, and how many
                                        lay between the last two looks */
   int64_t polled_us;
   const atomic_bool *stop; /* the flag of MtCancel, or one that is never set */
   uint64_t blocks_read, blocks_pruned;
   uint64_t sub_docs, sub_bytes, sub_total,
      sub_collections; /* read by pipelines within the pipeline */
   /* documents for the cursor */
   MtBw out;
   size_t out_at;
   FILE *overflow;  /* NULL: never needed */
   bool overflowed; /* documents wait in it, before those in out */
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
   int def;   /* pos of the node that fills it */
   int use;   /* the last pos that reads it, -1: nobody */
   int first; /* the first one */
} MtSlotInfo;

struct MtCompile {
   MtExec *exec;
   MtArena *arena;
   MtError *err;
   MtShape *root;      /* of the current document */
   MtExecNode **nodes; /* in order of pos; dead ones are left out when linking */
   uint32_t node_count, node_cap;
   MtSlotInfo *slots;
   uint32_t slot_count, slot_cap;
   uint32_t extract_count, regex_count;
   const MtExecScope *scope; /* variables from outside ($lookup's let) */
   int depth;
   MtMatch *prune;         /* leading $match on stored documents */
   MtExecVar *scan;        /* the stored document, NULL when the source isn't a collection */
   const char *stage;      /* being compiled */
   uint32_t at;            /* which one of the pipeline */
   size_t length;          /* of the pipeline */
   const MtExecNode *shut; /* the last node that lets no row through; NULL: there is none */
   int last_sink; /* pos of the last blocking stage, -1: none yet: bytes bound before it have been
                     verified */
   int in_elem;   /* within $elemMatch */
   bool failed;   /* a lazily bound expression failed: err is set */
};

/* The values of which the leading $match stages want one in a top-level field. */
typedef struct MtKeyProbe {
   const char *field; /* NULL: they don't */
   const MtVal *values;
   size_t count;
} MtKeyProbe;

/* Where a scan of blocks stands. */
typedef struct MtBlockScan {
   size_t block; /* the next one to open */
   size_t stop;  /* the first one not to open; 0: there is none */
   bool open;
   const uint8_t *p, *end;
   uint32_t ordinal;
   bool probing; /* only the documents `hits` of the block are looked at */
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
   MtCursor cursor; /* first: an MtCursor is what others hold */
   MtArena *arena;  /* plan and state */
   MtExecArgs args;
   MtExecHeld held;
   MtFrom from;
   MtSource *source;
   MtCursor *feed;     /* what args.next reads from, when it is this cursor's own */
   MtVal list;         /* MT_FROM_LIST: an array of documents */
   MtExecVar *root;    /* what the source binds */
   uint32_t *given;    /* slots of args.given */
   MtExecNode **nodes; /* live, in order; the last is the output */
   uint32_t node_count;
   uint32_t slot_count, extract_count, regex_count;
   uint32_t all_nodes; /* ids */
   bool by_block; /* documents are only counted, which was done when they were stored: a block is
                     one row */
   MtMatch *prune;
   MtLookup *lookup;  /* NULL: the leading $match stages have none */
   bool verify_later; /* whole documents are verified behind the leading $match stages */
   MtVal now;
   MtWork *main;
   int start; /* the run begins behind this node: the last one that lets no row through. -1: there
                 is none */
   /* running */
   int at;          /* index of the sink that is being drained, or start; -1: the source */
   bool input_over; /* it has no more rows, or nobody wants them */
   int finished;    /* index of the last node whose finish was called */
   bool ended;
   MtBlockScan scan;
   uint32_t list_at; /* bytes into the list */
   bson_t doc;       /* the one that the caller looks at */
   MtRunStats stats;
   MtStageStats *stage_stats;
   MtRunsWithin *within; /* by node id, with want_stats */
   size_t length;        /* of the pipeline, in stages */
   int64_t us;
   int64_t reported_ms;
   uint64_t rows_out;
   atomic_uint_least64_t bytes_done;
   const MtExecNode *ordering;          /* the first sink, if it orders; NULL: another one */
   atomic_uint_least64_t bytes_ordered; /* of the source: sorted, and given by it */
};

/* ---- running ---- */

bool mt_x_poll (MtWork *w); /* cancel; false: w->err is set */
/* For the progress alone: n has sorted, or given, what so many bytes of documents make. */
void mt_x_ordered (MtWork *w, const MtExecNode *n, double bytes);
/* Sets 53200: `what` needs more than `bytes` of memory. `what` is plural. Always false. */
bool mt_x_beyond_memory (MtError *err, const char *what, size_t bytes);
/* Whether to give back what `rows` rows gone by have left in the arena: few large values, or many
 * rows. */
static inline bool mt_rows_weigh (const MtArena *a, uint64_t rows)
{
   return (rows & 255) == 0 || mt_arena_bytes (a) > 4u << 20;
}
/* At each row. The flag of Ctrl-C is looked at always, the clock every few milliseconds, however
 * long a row takes. */
bool mt_x_ticked (MtWork *w);
static inline bool mt_tick (MtWork *w)
{
   return (++w->tick != w->next_poll && !atomic_load_explicit (w->stop, memory_order_relaxed)) ||
          mt_x_ticked (w);
}
/* With want_stats: from now on time is counted for node `id`. */
void mt_time_goes_to (MtWork *w, uint32_t id);
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
/* True when bytes at p stay where they are for the cursor's life: in the block that is being
 * scanned. */
static inline bool mt_x_lasting (const MtWork *w, const uint8_t *p)
{
   return (size_t) (p - w->reader.block.data) < w->reader.block.size;
}
/* XX001: bytes that were read are no BSON document. Always false. */
static inline bool mt_x_malformed (MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "malformed document");
}
/* Verifies a value's bytes where they lie in the block: what is kept is looked at when nobody
 * verifies any more. */
static inline bool mt_x_verify (MtWork *w, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   return !n || !mt_x_lasting (w, v.p) || mt_need (&w->reader, v.p, n);
}
MtVal mt_x_keep (MtWork *w, MtArena *a, MtVal v); /* a copy in a, unless it lasts anyway */

/* What doesn't fit in a stage's memory; counted. */
bool mt_spill_write (MtWork *w, FILE *f, const void *p, size_t n);
bool mt_spill_stream (MtWork *w, MtStreams *s, uint32_t number, const void *p, size_t n);
#define MT_SPILL_BLOCK_BYTES 4096u /* of streams that are written at once */

MtWork *mt_work_new (const MtExec *x);
void mt_work_free (MtWork *w);
#endif
