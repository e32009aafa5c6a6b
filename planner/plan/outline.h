/* The steps of a plan as a tree, for EXPLAIN. */
#ifndef MT_OUTLINE_H
#define MT_OUTLINE_H

#include "planner/cut/candidate.h"
#include "engine/pipe.h"
#include "query/query.h"

struct MtCaps;
struct MtCandidate;

typedef struct MtOutlineNote {
   const char *label; /* the note's label, such as "Filter" */
   const char *text;
   struct MtOutlineNote *next;
} MtOutlineNote;

/* A step of the EXPLAIN tree. `inputs` are the steps that produce its input rows. In the planner's
 * arena. */
typedef struct MtOutline {
   const char *what; /* name of the operation: "Hash Left Join", "Sort" … */
   const char *of;   /* text after the name, such as " on calls using by_time, cut at ts", or "" */
   MtOutlineNote *notes;
   double rows; /* estimated number of rows; 0: not known */
   struct MtOutline *inputs;
   struct MtOutline *next; /* next input of the same parent step */
   /* The step's rows are the output of the first `end` stages of this pipe. end < 0: they come from
    * several pipelines. */
   const MtPipe *pipe;
   int end;
   /* Index of the stage ($lookup …) in the parent step's pipe that runs this step's pipe. -1: both
    * steps are in the same pipe, or the stage is unknown. */
   int run_by;
   /* For a sub-pipeline that runs for each row: the number of its first stages that run only once.
    * -1: unknown. */
   int kept;
   bool worth; /* EXPLAIN shows a tree instead of a list if some step has this flag */
   bool own;   /* the step reads a temporary table, which servers don't have */
   bool here;  /* the step runs in process, over documents from a server */
} MtOutline;

/* Makes a step that ends at the current last stage of pipe. Its input rows come from step `input`
 * (NULL: none). `what` and `of` are borrowed. */
MtOutline *mt_outline_step (MtArena *a, const char *what, const char *of, double rows,
                            const MtPipe *pipe, MtOutline *input);
/* Adds an input to step o, whose pipe is run by the last stage of o. input may be NULL. */
void mt_outline_add (MtOutline *o, MtOutline *input);
/* Adds the note "label: expression" to step o. q: the query block whose columns x names. x may be
 * NULL. */
void mt_outline_x (MtArena *a, MtOutline *o, const char *label, const MtX *x, const MtQuery *q);

/* Makes the step for reading a table by the layout and level that the planner has chosen. */
MtOutline *mt_outline_scan (MtArena *a, const MtQuery *q, const struct MtCandidate *chosen,
                            const MtPipe *pipe);
/* How a join step works: the rows of one side are read one by one; the other side is in memory, or
 * is looked up. */
typedef struct MtJoinStep {
   const MtRel *rel;
   /* the right side is read row by row, and the left side is in memory or looked up */
   bool swapped;
   bool looked_up; /* the server runs a $lookup for each row */
   double rows;
} MtJoinStep;
MtOutline *mt_outline_join (MtArena *a, const MtJoinStep *join, const MtPipe *pipe,
                            MtOutline *input, MtOutline *other);
/* Makes the step for a join whose right side runs again for each left row (LATERAL). */
MtOutline *mt_outline_apply (MtArena *a, const MtRel *rel, double rows, const MtPipe *pipe,
                             MtOutline *input, MtOutline *other);
/* Makes the step for a FROM item that is neither a table nor a join, such as VALUES. */
MtOutline *mt_outline_item (MtArena *a, const MtRel *rel, double rows, const MtPipe *pipe);
/* Make the steps of q after FROM, in this order: windows, grouping …. The input of each is the
 * preceding step. */
MtOutline *mt_outline_windows (MtArena *a, const MtQuery *q, double rows, const MtPipe *pipe,
                               MtOutline *input);
MtOutline *mt_outline_where (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
MtOutline *mt_outline_group (MtArena *a, const MtQuery *q, double rows, const MtPipe *pipe,
                             MtOutline *input);
MtOutline *mt_outline_sort (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
MtOutline *mt_outline_limit (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
/* Returns the step name of a set operation for EXPLAIN: "Append", "SetOp Except" … */
const char *mt_outline_set_name (const MtQuery *q);

/* Adds 1 to the stage indexes of all steps of `pipe`, after a stage was inserted at its front. o
 * may be NULL. */
void mt_outline_shift (MtOutline *o, const MtPipe *pipe);

/* Returns whether EXPLAIN should show the steps as a tree, rather than as a list of stages. */
bool mt_outline_worth (const MtOutline *o);
/* Sets `here` for each step that the server (with the capabilities caps) can't run. */
void mt_outline_place (MtArena *a, const struct MtCaps *caps, MtOutline *o);
/* Returns the text of the first step that runs in process, not on the server, such as "WindowAgg,
 * Window: (ORDER BY ts)"; without its first note if !note. NULL: the server runs all steps. */
const char *mt_outline_first_here (MtArena *a, const MtOutline *o, bool note);

#endif
