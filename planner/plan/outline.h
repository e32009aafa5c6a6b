/* The steps of a plan as a tree, for EXPLAIN. */
#ifndef MT_OUTLINE_H
#define MT_OUTLINE_H

#include "planner/cut/candidate.h"
#include "engine/pipe.h"
#include "query/query.h"

struct MtCaps;
struct MtCandidate;

typedef struct MtOutlineNote {
   const char *label; /* name of the note: "Filter" */
   const char *text;
   struct MtOutlineNote *next;
} MtOutlineNote;

/* One step of the EXPLAIN tree, with the steps that produce its input rows. In the planner's
 * arena. */
typedef struct MtOutline {
   const char *what; /* the operation: "Hash Left Join", "Sort" … */
   const char *of;   /* text after the operation: " on calls using by_time, cut at ts"; "" */
   MtOutlineNote *notes;
   double rows; /* estimated number of rows; 0: not known */
   struct MtOutline *inputs;
   struct MtOutline *next; /* the next input of the same parent */
   /* The first `end` stages of this pipe produce the step's rows. end < 0: several pipelines do. */
   const MtPipe *pipe;
   int end;
   /* The index of the stage, in the parent step's pipe, that runs this step's pipe ($lookup …). -1:
    * both steps are in the same pipe, or the stage is not known. */
   int run_by;
   /* For a sub-pipeline that runs for each row: the number of its first stages that run only once.
    * -1: not known. */
   int kept;
   bool worth; /* EXPLAIN draws a tree, not a list, if any step has this flag */
   bool own;   /* the step reads a temporary table, which servers don't have */
   bool here;  /* the step runs in process, over documents from a server */
} MtOutline;

/* Makes a step whose input rows come from `input` (NULL: none). The step ends at the current last
 * stage of pipe. Borrows what and of. */
MtOutline *mt_outline_step (MtArena *a, const char *what, const char *of, double rows,
                            const MtPipe *pipe, MtOutline *input);
/* Adds an input to step o. The last stage of o runs the input's pipe. input may be NULL. */
void mt_outline_add (MtOutline *o, MtOutline *input);
/* Adds the line "label: expression" below step o. q: the block with the column names. x may be
 * NULL. */
void mt_outline_x (MtArena *a, MtOutline *o, const char *label, const MtX *x, const MtQuery *q);

/* Makes the step that reads a table by the layout and level that the planner chose. */
MtOutline *mt_outline_scan (MtArena *a, const MtQuery *q, const struct MtCandidate *chosen,
                            const MtPipe *pipe);
/* How a join step works: one side streams; the other side is kept in memory or looked up. */
typedef struct MtJoinStep {
   const MtRel *rel;
   bool swapped;   /* the right side streams, not the left one */
   bool looked_up; /* the server runs $lookup for each row */
   double rows;
} MtJoinStep;
MtOutline *mt_outline_join (MtArena *a, const MtJoinStep *join, const MtPipe *pipe,
                            MtOutline *input, MtOutline *other);
/* Makes the step of a join whose right side runs for each left row (LATERAL). */
MtOutline *mt_outline_apply (MtArena *a, const MtRel *rel, double rows, const MtPipe *pipe,
                             MtOutline *input, MtOutline *other);
/* Makes the step of a FROM item that reads no table and joins nothing, such as VALUES. */
MtOutline *mt_outline_item (MtArena *a, const MtRel *rel, double rows, const MtPipe *pipe);
/* Make the steps of q after FROM, in this order: windows, grouping … Each takes the rows of the
 * step before. */
MtOutline *mt_outline_windows (MtArena *a, const MtQuery *q, double rows, const MtPipe *pipe,
                               MtOutline *input);
MtOutline *mt_outline_where (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
MtOutline *mt_outline_group (MtArena *a, const MtQuery *q, double rows, const MtPipe *pipe,
                             MtOutline *input);
MtOutline *mt_outline_sort (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
MtOutline *mt_outline_limit (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
/* Returns the step name of a set operation for EXPLAIN: "Append", "SetOp Except" … */
const char *mt_outline_set_name (const MtQuery *q);

/* Adds 1 to the stage numbers of all steps after a stage was inserted at the front of pipe. o may
 * be NULL. */
void mt_outline_shift (MtOutline *o, const MtPipe *pipe);

/* Returns whether EXPLAIN should draw the steps as a tree, not as a list of stages. */
bool mt_outline_worth (const MtOutline *o);
/* Sets `here` for each step that the server described by caps can't run. */
void mt_outline_place (MtArena *a, const struct MtCaps *caps, MtOutline *o);
/* Returns the text of the first step that runs in process, not on the server: "WindowAgg, Window:
 * (ORDER BY ts)". note false: without its first note, "WindowAgg". NULL: the server runs all
 * steps. */
const char *mt_outline_first_here (MtArena *a, const MtOutline *o, bool note);

#endif
