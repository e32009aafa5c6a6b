/* The structures of the local executor: the compiled pipeline, and the state of a thread that runs
 * it.
 *
 * A pipeline is compiled into a chain of nodes. A node receives one row at a time, and pushes rows
 * to the next node. A row is an array of values (slots), which belongs to the thread. At compile
 * time, a *shape* describes the current document, and stages change the shape. A value gets a slot
 * only if a node reads it. A path into stored documents becomes a field of an *extraction*: a
 * single pass over the elements of a document, which skips values that are not needed by their
 * length. */
#ifndef MT_EXEC_CORE_H
#define MT_EXEC_CORE_H

#include "engine/implement.h"
#include "engine/local/expr/args.h"

#include "base/limits.h"
#include "base/streams.h"
#include "base/temporary.h"
#include "engine/local/expr/bson_value.h"
#include "engine/local/expr/collation.h"

#include <stdio.h>
#include <string.h>

typedef struct MtWork MtWork;
typedef struct MtExecNode MtExecNode;
typedef struct MtExecExpr MtExecExpr;
typedef struct MtShape MtShape;
typedef struct MtExecVar MtExecVar;
typedef struct MtExtract MtExtract;
typedef struct MtMatch MtMatch;
typedef struct MtMatchBits MtMatchBits;
typedef struct MtRepeat MtRepeat;
typedef struct MtRepeats MtRepeats;
typedef struct MtCompile MtCompile;
typedef struct MtExec MtExec;
typedef struct MtTop MtTop;               /* the order of blocks, see ../exec/top.h */
typedef struct MtColumnScan MtColumnScan; /* reading a block's columns, see ../exec/columns.h */
typedef struct MtColumnPlan MtColumnPlan; /* which columns, see ../exec/columns.h */

#define MT_NO_SLOT UINT32_MAX
/* The type of a slot for $match whose path leads to an array. $match then follows the rest of the
 * path inside the array. `sub` is the number of path components before the array; len and p are
 * those of the array, an MT_ARRAY value. */
#define MT_DEFERRED 0x7E

/* ---- paths ---- */

typedef struct MtPath {
   const char **part; /* allocated in the arena of the compilation */
   uint32_t count;
} MtPath;

/* ---- extraction ---- */

typedef struct MtExtractField {
   const char *name;
   uint32_t len; /* length of the name with its NUL */
   /* The slot that expressions read; MT_NO_SLOT: none. If the path leads through an array, the
    * slot gets an array of values. */
   uint32_t value;
   /* The slot that the match language ($match) reads; MT_NO_SLOT: none. If the path leads
    * through an array, the slot gets MT_DEFERRED. */
   uint32_t match;
   /* The slot that $unwind reads; MT_NO_SLOT: none. It gets unverified bytes, or missing if the
    * path leads through an array. */
   uint32_t raw;
   MtExtract *sub; /* needed fields of the nested document; NULL: none */
} MtExtractField;

struct MtExtract {
   MtExtractField *fields;
   uint32_t count, cap;
   uint32_t id;    /* number of the extraction, which is the index of its guesses */
   uint32_t depth; /* how many path components lead to the document of these fields */
};

/* A guess of the key at one position in documents: the key that was there in the last document, and
 * its field in the extraction. Similar documents have the same keys in the same order. */
#define MT_GUESS_KEY 16
#define MT_GUESSES 24
typedef struct MtGuess {
   uint64_t mask, low; /* mask and value of the first 8 bytes of the key with its NUL */
   char key[MT_GUESS_KEY];
   uint16_t len;  /* length of the key with its NUL; 0: no guess yet */
   int16_t field; /* index of the field in the extraction; -1: the key is not needed */
   /* type and size of the value, if all values of this type have the same size; otherwise size
    * is 0 */
   uint8_t type, size;
} MtGuess;

struct MtExecVar {
   uint32_t slot;
   int pos;     /* position of the node that sets the variable */
   bool stored; /* the value may be in a block, whose bytes the reader must verify */
   bool local;  /* a variable of $let, $map, …: paths below it are followed at each use */
   /* all bytes of the value are needed, so they are verified when the variable is set */
   bool whole;
   MtExtract *extract; /* the fields to read from the value; NULL: none */
};

/* ---- shapes ---- */

typedef enum { MT_SH_MISSING, MT_SH_PATH, MT_SH_DOC, MT_SH_EXPR } MtShapeKind;

typedef struct MtShapeField {
   const char *name;
   MtShape *shape; /* shape of the field; kind MT_SH_MISSING: the field is removed */
   /* the field stays where the base document has a field with this name */
   bool in_base;
   bool keep; /* the value is the base document's value, unchanged */
} MtShapeField;

struct MtShape {
   MtShapeKind kind;
   /* For MT_SH_PATH: the value is at `path` below variable `var`. path.count 0: it is the
    * variable's value itself. */
   MtExecVar *var;
   MtPath path;
   uint32_t used; /* number of the value's slot + 1; 0: the value is not used yet */
   /* For MT_SH_DOC: a document with `fields` in this order. keep_rest: other fields are those of
    * `base` (an MT_SH_PATH). */
   MtShape *base;
   bool keep_rest;
   bool soft; /* if the base is not a document, the value is the base unchanged */
   MtShapeField *fields;
   uint32_t count, cap;
   /* For MT_SH_EXPR: `node` computes `expr`, if the value is used. `view` is a shape in which paths
    * below the value are looked up. NULL: such paths are extracted from the computed value. */
   MtExecExpr *expr;
   MtShape *root; /* the shape at which field paths of `expr` start */
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

/* A field of a projection that is applied to a computed or nested document at run time. */
typedef struct MtProj {
   const char *name;
   enum { MT_PROJ_KEEP, MT_PROJ_DROP, MT_PROJ_TREE, MT_PROJ_SET } action;
   MtExecExpr *expr;   /* the new value, for MT_PROJ_SET */
   struct MtProj *sub; /* projections of nested fields, for MT_PROJ_TREE */
   uint32_t count;     /* number of elements of `sub` */
   bool has_set;       /* MT_PROJ_TREE: some nested field is set to a new value */
} MtProj;

struct MtExecExpr {
   /* the function that evaluates the expression; set when its paths are bound to slots (values in
    * the row) */
   MtEvalFn eval;
   MtExprKind kind;
   bool bound;
   bool keep_rest; /* MT_EX_PROJ: fields that are not listed are kept */
   uint32_t argc;
   /* the value's slot (MT_EX_SLOT, MT_EX_WALK), or the first local variable's slot (MAP, FILTER,
    * REDUCE, LET) */
   uint32_t slot;
   MtExecExpr **args;
   /* MT_EX_DOC: keys. LET, MAP, …: names of variables. GETFIELD: name of the operator for
    * messages. */
   const char **names;
   const MtOpRow *row; /* the operator, for MT_EX_OP */
   MtVal value;        /* the constant, for MT_EX_CONST */
   /* MT_EX_FIELD: name of the variable; "ROOT" and "CURRENT" are the document */
   const char *var;
   MtPath path;    /* the path, for MT_EX_FIELD and MT_EX_WALK */
   MtShape *shape; /* the shape of the document, for MT_EX_BUILD */
   MtProj *proj;   /* the projections, for MT_EX_PROJ */
   uint32_t proj_count;
   /* The set of expressions of the pipeline that equal this one (repeat.c), so that its last value
    * is cached. NULL: its values can't be cached. `compute` evaluates the expression if the cached
    * value is not valid. */
   MtRepeat *repeat;
   MtExecExpr *twin; /* the next one of `repeat` */
   MtEvalFn compute;
};

/* The cached last value of an expression that a pipeline has more than once, and the values of the
 * slots from which it was computed. */
#define MT_MEMO_SLOTS 3
typedef struct MtMemo {
   bool has;
   MtVal value, in[MT_MEMO_SLOTS];
} MtMemo;

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
   MT_M_BITS,
   MT_M_ELEM_OBJECT,
   MT_M_ELEM_VALUE
} MtMatchKind;

/* Returns 1 for a match, 0 for none, or -1 with w->err set. */
typedef int (*MtMatchTest) (const MtMatch *m, MtVal v, MtWork *w);

struct MtMatch {
   MtMatchKind kind;
   MtMatchTest test; /* the function that tests a value, for conditions on one path */
   MtMatch **kids;
   uint32_t count;
   uint32_t slot; /* slot of the tested value, for conditions on one path */
   /* the whole path of the tested value; the slot has the value at the first `from` components, and
    * $match follows the remaining components */
   MtPath path;
   uint32_t from;
   MtVal value;
   MtVal *set; /* MT_M_IN: the constants; set_index is a hash table of them */
   uint32_t set_count, set_mask;
   uint32_t *set_index;
   bool set_null;
   MtMatch **set_regex;
   uint32_t set_regex_count;
   MtStr pattern, options; /* the regular expression and its options, for MT_M_REGEX */
   uint32_t regex;         /* MT_M_REGEX: index in MtWork.regexes */
   int64_t mod, rest;
   MtMatchBits *bits; /* MT_M_BITS: the wanted bits */
   uint32_t types[8]; /* MT_M_TYPE: a bit for each accepted BSON type */
   MtExecExpr *expr;  /* the expression, for MT_M_EXPR */
};

/* ---- nodes ---- */

typedef enum { MT_GO, MT_STOP, MT_FAIL } MtFlow;

struct MtExecNode {
   MtFlow (*push) (const MtExecNode *n, MtWork *w);
   /* Called when the input has ended, before the function `finish` of the next node. NULL: nothing
    * to do. */
   MtFlow (*finish) (const MtExecNode *n, MtWork *w);
   /* For sinks (blocking nodes, which read all input before they push rows). If several workers
    * (threads) read the input, settle is called by each worker after its last row, in its thread.
    * NULL: nothing to do. merge adds the state of worker `from` to that of worker `into`. drain
    * pushes some of the collected rows to the next node at each call, and sets *done when there are
    * no more. */
   MtFlow (*settle) (const MtExecNode *n, MtWork *w);
   MtFlow (*merge) (const MtExecNode *n, MtWork *into, MtWork *from);
   MtFlow (*drain) (const MtExecNode *n, MtWork *w, bool *done);
   /* For nodes that hold back rows, whose `push` only stores them. pump pushes some of the stored
    * rows to the next node, and sets *any if there were some. It is called between input rows, and
    * after `finish` until no rows are left. NULL: the node holds back no rows. */
   MtFlow (*pump) (const MtExecNode *n, MtWork *w, bool *any);
   /* Frees the node's state, w->state[id]. NULL: the state is in an arena. */
   void (*drop) (const MtExecNode *n, MtWork *w);
   /* Called when no more rows are needed. Closes the node's open cursors, and adds their work to
    * the statistics. NULL: the node has no cursors. */
   void (*quit) (const MtExecNode *n, MtWork *w);
   /* Called after the whole pipeline was compiled, because only then it is known which slots later
    * nodes read. NULL: nothing to do. */
   void (*seal) (MtExecNode *n, MtCompile *c);
   MtExecNode *next; /* the next live node; set when the chain is linked */
   const char *stage;
   uint32_t at; /* index of the node's stage in the pipeline */
   int pos;
   uint32_t id;
   bool live;
   bool sink;
   bool serial; /* needs the rows in order, so everything before it runs on one thread */
   bool unwinds;
   /* For $unwind: it must increment MtWork.run for each new array. The next sink sets this flag. */
   bool marks_runs;
   /* For $unwind: the only slot of an array element that later nodes read. MT_NO_SLOT: they read
    * several, or none. */
   uint32_t only;
   /* For $unwind: the next sink only adds up the slot `only`. So $unwind may push a single row with
    * the sum of several integers, which stands for MtWork.rows rows. */
   bool adds;
   /* The node sorts all input rows. The progress report then counts reading as a third of the
    * work. */
   bool orders;
   /* The node only counts rows, so a single row may stand for many (MtWork.rows). */
   bool counts;
};

typedef struct MtCount {
   uint64_t in, bytes, ticks;
   uint64_t spilled; /* bytes that were written to temporary files */
   uint64_t stored;  /* size of the documents that came in; only in the element MtExec.all_nodes */
} MtCount;

struct MtWork {
   MtVal *slots;
   MtReader reader;   /* reads the block that is being scanned */
   MtReader anywhere; /* reads memory that needs no verification */
   MtArena *arena;    /* memory of the current rows, reset from time to time */
   MtArena *lasting;  /* arrays of the variables in args.given; NULL: none */
   MtEval ev;
   MtError err;
   const MtExec *exec;
   void **state;           /* the state of each node, by MtExecNode.id */
   MtColumnScan *columns;  /* NULL: no block was read from its columns yet */
   MtArena *scan;          /* memory of `columns` */
   MtGuess *guess;         /* MT_GUESSES guesses of keys for each extraction */
   MtMemo *memos;          /* kept values of expressions, by MtRepeat.memo */
   struct MtPcre *regexes; /* compiled patterns, by MtMatch.regex; zeros: not compiled yet */
   MtCount *count;         /* what each node has counted, by MtExecNode.id */
   bool timing;            /* measure the time of each node; set by want_stats */
   uint32_t timed;         /* id of the node to which the current time is counted */
   uint64_t timed_since;
   uint64_t seq; /* number that ascends in the order of the rows, over all blocks */
   /* While this number stays the same, rows come from elements of the same array. Then all slots
    * that were set before the $unwind with marks_runs are unchanged, too. */
   uint64_t run;
   /* How many rows the current row stands for. It is 1, except after an $unwind that adds up
    * integers (MtExecNode.adds), or if MtExec.by_block is set. */
   uint32_t rows;
   /* The position of the last node that needs no more input rows. Nodes before it need not push the
    * rows that they hold back. 0: all nodes need rows. */
   int stopped_at;
   uint64_t epoch; /* changes each time that borrowed bytes may have moved or changed */
   /* `tick` counts rows. When it reaches `next_poll`, mt_tick reads the clock. `stride` is the
    * number of rows between the last two times. */
   uint32_t tick, next_poll, stride;
   int64_t polled_us;
   /* the flag that cancels the statement, or a flag that is never set */
   const atomic_bool *stop;
   uint64_t blocks_read, blocks_pruned;
   /* The numbers of documents, bytes and collections that sub-pipelines have read. */
   uint64_t sub_docs, sub_bytes, sub_total, sub_collections;
   /* Documents that the cursor returns next, from offset out_at on. */
   MtBson out;
   size_t out_at;
   FILE *overflow;  /* file for the output that does not fit in memory; NULL: never needed */
   bool overflowed; /* the file has documents, which come before the documents in `out` */
};

/* Statistics of the sub-pipelines that a node has run. */
typedef struct MtRunsWithin {
   /* statistics by the purpose of the sub-pipeline (MtWithin); NULL: there was none for this
    * purpose */
   MtRunStats *of[MT_WITHIN_COUNT];
} MtRunsWithin;

/* ---- compiling ---- */

typedef struct MtExecScope {
   const char *name;
   MtShape *shape;
   const struct MtExecScope *up;
} MtExecScope;

typedef struct MtSlotInfo {
   int def;   /* position of the node that fills the slot */
   int use;   /* position of the last node that reads the slot; -1: none */
   int first; /* position of the first node that reads the slot */
   uint32_t uses;
   uint32_t sizes; /* how many of the uses are in $size */
} MtSlotInfo;

struct MtCompile {
   MtExec *exec;
   MtArena *arena;
   MtError *err;
   MtShape *root;      /* the shape of the current document */
   MtExecNode **nodes; /* all nodes by position; linking removes the nodes that are not live */
   uint32_t node_count, node_cap;
   MtSlotInfo *slots;
   uint32_t slot_count, slot_cap;
   uint32_t extract_count, regex_count;
   MtRepeats *repeats;       /* the expressions that may be kept; NULL: none yet */
   const MtExecScope *scope; /* variables of the enclosing pipelines (the `let` of $lookup) */
   int depth;
   MtMatch *prune; /* condition of the first $match stages on stored documents */
   /* the variable of the stored document; NULL: the source is not a collection */
   MtExecVar *scan;
   const char *stage; /* the stage being compiled */
   uint32_t at;       /* index of `stage` in the pipeline */
   size_t length;     /* number of stages in the pipeline */
   /* the last node that certainly pushes no row, such as a $match with a false condition; NULL:
    * none */
   const MtExecNode *shut;
   /* The position of the last blocking node; -1: none. All bytes in slots that were set before it
    * have been verified. */
   int last_sink;
   int in_elem; /* depth of nested $elemMatch */
   bool failed; /* binding an expression to slots failed at its first use; err is set */
};

/* A condition in the $match stages at the beginning: a top-level field has one of `count`
 * values. */
typedef struct MtKeyProbe {
   const char *field; /* name of the field; NULL: the stages have no such condition */
   const MtVal *values;
   size_t count;
} MtKeyProbe;

/* The position of a scan over the blocks of a source. */
typedef struct MtBlockScan {
   size_t block; /* index of the next block to open; with MtExec.top, its place in that order */
   size_t stop;  /* index of the block before which the scan ends; 0: the scan reads all blocks */
   bool open;
   bool by_columns; /* the open block is read from its columns */
   const uint8_t *p, *end;
   uint32_t ordinal;
   bool probing; /* the scan reads only the documents in `hits` */
   size_t hit, hit_count;
   MtHit hits[MT_BLOCK_HITS];
} MtBlockScan;

/* Collections of another engine that stages name, and that were read into memory. */
typedef struct MtExecHeld {
   MtArena *arena;
   const MtExecTable *tables;
} MtExecHeld;

typedef enum { MT_FROM_SOURCE, MT_FROM_NEXT, MT_FROM_LIST, MT_FROM_STREAM } MtFrom;

struct MtExec {
   /* the first member, because the caller uses a pointer to MtExec as an MtCursor */
   MtCursor cursor;
   MtArena *arena; /* memory of the compiled pipeline and its state */
   MtExecArgs args;
   MtExecHeld held;
   MtFrom from;
   bool alone; /* an operator must run on the thread of the cursor (MT_OP_ALONE) */
   MtSource *source;
   /* the cursor from which args.next reads, if this pipeline owns it */
   MtCursor *feed;
   MtVal list;           /* the input for MT_FROM_LIST: an array of documents */
   const char *streamed; /* the collection of MT_FROM_STREAM; in the arena */
   MtDocStream *stream;  /* the open stream; NULL: it is opened when its first document is needed */
   MtExecVar *root;      /* the variable with the source's current document */
   MtExecVar **given;    /* the variables in args.given */
   MtExecNode **nodes;   /* the live nodes in order; the last one is the output */
   uint32_t node_count;
   uint32_t slot_count, extract_count, regex_count, memo_count;
   uint32_t all_nodes; /* number of node ids, including nodes that are not live */
   /* The pipeline only counts documents, and the store has their number. So a single row is pushed
    * for each block. */
   bool by_block;
   /* how blocks are read from their columns where they have them; NULL: their documents are read */
   const MtColumnPlan *by_columns;
   MtMatch *prune;
   /* finds documents by an indexed field; NULL: the $match stages at the beginning have no
    * condition for this */
   MtLookup *lookup;
   bool spans; /* `span` is a condition of the first $match stages */
   MtFieldSpan span;
   bool verify_later; /* documents are verified as a whole only after the first $match stages */
   MtVal now;
   MtWork *main;
   /* The index of the last node that certainly pushes no row. The pipeline starts running after
    * this node. -1: there is none, so it starts with the source. */
   int start;
   /* The following members are the state of the running pipeline. */
   /* index of the sink that is pushing its rows, or `start`; -1: the source is being read */
   int at;
   bool input_over; /* the input has ended, or no more input is needed */
   int finished;    /* index of the last node whose `finish` was called */
   bool ended;
   MtBlockScan scan;
   MtTop *top;       /* NULL: blocks are read in the store's order */
   bool planned;     /* `top` was planned */
   uint32_t list_at; /* offset of the next document in `list` */
   bson_t doc;       /* the document that the cursor returned last */
   bool by_rows;     /* the caller reads rows (mt_cursor_row) */
   /* The shapes (descriptions) of the columns of result rows. An element NULL: the column is
    * missing in all rows. `columns` NULL: the results are documents. */
   const MtShape **columns;
   size_t column_count;
   MtRunStats stats;
   MtStageStats *stage_stats;
   /* statistics of the sub-pipelines of each node, by node id; only if want_stats is set */
   MtRunsWithin *within;
   size_t length; /* number of stages in the pipeline */
   int64_t us;
   int64_t reported_ms;
   uint64_t rows_out;
   atomic_uint_least64_t bytes_done;
   /* the first sink (blocking node) if it sorts rows; otherwise NULL */
   const MtExecNode *ordering;
   /* how many bytes of documents `ordering` has sorted or pushed */
   atomic_uint_least64_t bytes_ordered;
};

/* ---- running ---- */

/* Checks whether the statement was cancelled, and reports progress. Returns false with w->err set
 * if it was cancelled. */
bool mt_x_poll (MtWork *w);
/* Adds `bytes` to the progress: node n, which sorts, has sorted or pushed documents of this
 * size. */
void mt_x_ordered (MtWork *w, const MtExecNode *n, double bytes);
/* Sets the error 53200, "`what` exceed work_mem", with a hint to raise work_mem. what: a plural
 * noun; bytes: the value of work_mem. Always returns false. */
bool mt_x_beyond_memory (MtError *err, const char *what, size_t bytes);
/* Returns whether the arena of rows should be reset after `rows` rows: there were many rows, or the
 * arena is large. */
static inline bool mt_rows_weigh (const MtArena *a, uint64_t rows)
{
   return (rows & 255) == 0 || mt_arena_bytes (a) > 4u << 20;
}
/* Checks whether the statement was cancelled, and reports progress. Also sets after how many rows
 * mt_tick calls this function again: every few milliseconds, however long a row takes. Returns
 * false with w->err set if the statement was cancelled. */
bool mt_x_ticked (MtWork *w);
static inline bool mt_tick (MtWork *w)
{
   return (++w->tick != w->next_poll && !atomic_load_explicit (w->stop, memory_order_relaxed)) ||
          mt_x_ticked (w);
}
/* From now on, counts time for the node with this id. Call it only if want_stats is set. */
void mt_time_goes_to (MtWork *w, uint32_t id);
MtFlow mt_next_timed (const MtExecNode *n, MtWork *w);
static inline MtFlow mt_next (const MtExecNode *n, MtWork *w)
{
   if (__builtin_expect (w->timing, 0))
      return mt_next_timed (n, w);
   return n->next->push (n->next, w);
}
/* Records in w->stopped_at that node n needs no more rows. Returns MT_STOP, for the node's function
 * `push`. */
static inline MtFlow mt_stop (const MtExecNode *n, MtWork *w)
{
   w->stopped_at = n->pos > w->stopped_at ? n->pos : w->stopped_at;
   return MT_STOP;
}
/* Returns whether the bytes at p stay valid as long as the cursor, because they are in the current
 * block or its columns. */
static inline bool mt_x_lasting (const MtWork *w, const uint8_t *p)
{
   return (size_t) (p - w->reader.block.lasting) < w->reader.block.lasting_bytes;
}
/* Returns whether the bytes at p are in a document of the current block, so that they may not have
 * been verified yet. */
static inline bool mt_x_stored (const MtWork *w, const uint8_t *p)
{
   return (size_t) (p - w->reader.block.data) < w->reader.block.size;
}
/* Sets error XX001 (data corrupted): the bytes are not a BSON document. Returns false. */
static inline bool mt_x_malformed (MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "malformed document");
}
/* Verifies the bytes of v if they are in the current block. Call it before a value is stored for
 * later, because later reads do not verify it. */
static inline bool mt_x_verify (MtWork *w, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   return !n || !mt_x_stored (w, v.p) || mt_need (&w->reader, v.p, n);
}
/* Returns a value that stays valid as long as the cursor: v itself if its bytes are in the current
 * block, otherwise a copy in arena `a`. */
MtVal mt_x_keep (MtWork *w, MtArena *a, MtVal v);

/* Writes n bytes to a temporary file, and counts the bytes for the statistics. */
bool mt_spill_write (MtWork *w, FILE *f, const void *p, size_t n);
bool mt_spill_stream (MtWork *w, MtStreams *s, uint32_t number, const void *p, size_t n);
/* The buffer size of each stream, if many streams of a temporary file are written at the same
 * time. */
#define MT_SPILL_BLOCK_BYTES 4096u

MtWork *mt_work_new (const MtExec *x);
void mt_work_free (MtWork *w);
#endif
