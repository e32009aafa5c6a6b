/* The steps of a plan as a tree, for EXPLAIN. */
#ifndef MT_OUTLINE_H
#define MT_OUTLINE_H

#include "planner/cut/candidate.h"
#include "engine/pipe.h"
#include "query/query.h"

struct MtCaps;
struct MtCandidate;

typedef struct MtOutlineNote {
   const char *label; /* "Filter" */
   const char *text;
   struct MtOutlineNote *next;
} MtOutlineNote;

/* A step, and the steps from which its rows come. In the planner's arena. */
typedef struct MtOutline {
   const char *what; /* "Hash Left Join", "Sort" … */
   const char *of;   /* " on calls using by_time, cut at ts"; "" */
   MtOutlineNote *notes;
   double rows; /* estimated number of rows; 0: not known */
   struct MtOutline *inputs;
   struct MtOutline *next; /* the next input of the same parent */
   /* The first `end` stages of this pipe make the step's rows. end < 0: several pipelines make
    * them. */
   const MtPipe *pipe;
   int end;
   /* The stage of the parent's pipe that runs this step's pipe. -1: both have the same pipe, or
    * it is not known. */
   int run_by;
   /* For an input that is computed for each row: the number of its stages that run once. -1: not
    * known. */
   int kept;
   bool worth; /* a plan with such a step is drawn as a tree */
   bool own;   /* the step reads a temporary table, which servers don't have */
   bool here;  /* the step runs in process, over documents from a server */
} MtOutline;

/* Makes a step over the rows of `input` (NULL: no input). Its last stage is the last one of pipe
 * so far. Borrows what and of. */
MtOutline *mt_outline_step (MtArena *a, const char *what, const char *of, double rows,
                            const MtPipe *pipe, MtOutline *input);
/* Adds an input whose pipe is run by the last stage of o. Does nothing if input is NULL. */
void mt_outline_add (MtOutline *o, MtOutline *input);
/* Adds a note: "label: text". Borrows both. */
void mt_outline_note (MtArena *a, MtOutline *o, const char *label, const char *text);
/* Adds a note with an expression over q. Does nothing if x is NULL. */
void mt_outline_x (MtArena *a, MtOutline *o, const char *label, const MtX *x, const MtQuery *q);

/* The step that reads a table by the chosen candidate. */
MtOutline *mt_outline_scan (MtArena *a, const MtQuery *q, const struct MtCandidate *chosen,
                            const MtPipe *pipe);
/* A join over the rows of one side. The other side is kept in memory, or looked up. */
typedef struct MtJoinStep {
   const MtRel *rel;
   bool swapped;   /* the rows are those of the right side */
   bool looked_up; /* on the server */
   double rows;
} MtJoinStep;
MtOutline *mt_outline_join (MtArena *a, const MtJoinStep *join, const MtPipe *pipe,
                            MtOutline *input, MtOutline *other);
/* A join whose right side is computed for each row of the left side. */
MtOutline *mt_outline_apply (MtArena *a, const MtRel *rel, double rows, const MtPipe *pipe,
                             MtOutline *input, MtOutline *other);
/* An item of FROM other than a table, a join, or sets over another item. */
MtOutline *mt_outline_item (MtArena *a, const MtRel *rel, double rows, const MtPipe *pipe);
/* The steps of q after FROM. Each step begins where the one before ended. */
MtOutline *mt_outline_windows (MtArena *a, const MtQuery *q, double rows, const MtPipe *pipe,
                               MtOutline *input);
MtOutline *mt_outline_where (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
MtOutline *mt_outline_group (MtArena *a, const MtQuery *q, double rows, const MtPipe *pipe,
                             MtOutline *input);
MtOutline *mt_outline_sort (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
MtOutline *mt_outline_limit (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
/* The name of a set operation's step. */
const char *mt_outline_set_name (const MtQuery *q);

/* Adjusts the steps after a stage was inserted before the stages of pipe. o may be NULL. */
void mt_outline_shift (MtOutline *o, const MtPipe *pipe);

/* Whether the tree shows more than a list of stages. */
bool mt_outline_worth (const MtOutline *o);
/* Sets `here` of all steps, when a server runs a part of the plan. */
void mt_outline_place (MtArena *a, const struct MtCaps *caps, MtOutline *o);
/* The first step that runs in process: "WindowAgg, Window: (ORDER BY ts)". NULL: none does. */
const char *mt_outline_first_here (MtArena *a, const MtOutline *o);

#endif
