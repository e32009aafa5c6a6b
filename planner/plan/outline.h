/* What a plan does, as a tree of steps: EXPLAIN's. */
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

/* A step, with those that its rows come from. In the planner's arena. */
typedef struct MtOutline {
   const char *what; /* "Hash Left Join", "Sort" … */
   const char *of;   /* " on calls using by_time, cut at ts"; "" */
   MtOutlineNote *notes;
   double rows; /* about how many it gives; 0: not known */
   struct MtOutline *inputs;
   struct MtOutline *next; /* the next one of its parent's inputs */
   const MtPipe
      *pipe; /* of which the first `end` stages make its rows; end < 0: several pipelines do */
   int end;
   int run_by; /* the stage of the parent's pipe that runs this one's pipe; -1: they are the same
                  pipe, or nobody knows */
   int kept; /* of an input that is made for each row: so many of its pipe's stages are the same for
                all; -1: not known */
   bool worth; /* a plan with such a step is drawn */
   bool own;   /* it reads a temporary table, which no server has */
   bool here;  /* it runs in process, over what a server gives */
} MtOutline;

/* A step over the rows of `input` (NULL: of none), whose last stage is the last one of pipe so far.
 * what, of: borrowed. */
MtOutline *mt_outline_step (MtArena *a, const char *what, const char *of, double rows,
                            const MtPipe *pipe, MtOutline *input);
/* One more input, whose pipe the last stage of o's runs. NULL is left out. */
void mt_outline_add (MtOutline *o, MtOutline *input);
void mt_outline_note (MtArena *a, MtOutline *o, const char *label, const char *text);
/* A note of an expression over q; NULL: none. */
void mt_outline_x (MtArena *a, MtOutline *o, const char *label, const MtX *x, const MtQuery *q);

MtOutline *mt_outline_scan (MtArena *a, const MtQuery *q, const struct MtCandidate *chosen,
                            const MtPipe *pipe);
/* The step of a join over rows of one side (swapped: of the right one), with the other side held,
 * or looked up on the server. */
MtOutline *mt_outline_join (MtArena *a, const MtRel *rel, bool swapped, bool looked_up, double rows,
                            const MtPipe *pipe, MtOutline *input, MtOutline *other);
MtOutline *mt_outline_apply (MtArena *a, const MtRel *rel, double rows, const MtPipe *pipe,
                             MtOutline *input, MtOutline *other);
/* An item of FROM that is neither a table nor made of other items. */
MtOutline *mt_outline_item (MtArena *a, const MtRel *rel, double rows, const MtPipe *pipe);
/* What q does with the rows of FROM; each step begins where the one before ended. */
MtOutline *mt_outline_windows (MtArena *a, const MtQuery *q, double rows, const MtPipe *pipe,
                               MtOutline *input);
MtOutline *mt_outline_where (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
MtOutline *mt_outline_group (MtArena *a, const MtQuery *q, double rows, const MtPipe *pipe,
                             MtOutline *input);
MtOutline *mt_outline_sort (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
MtOutline *mt_outline_limit (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input);
/* The step of a set operation over the rows of its arms. */
const char *mt_outline_set_name (const MtQuery *q);

/* A stage was put before those of a pipe. NULL is fine. */
void mt_outline_shift (MtOutline *o, const MtPipe *pipe);

/* Whether there is anything in it that a list of stages doesn't show as well. */
bool mt_outline_worth (const MtOutline *o);
/* Sets `here` of all steps: where a server runs a part of the plan. */
void mt_outline_place (MtArena *a, const struct MtCaps *caps, MtOutline *o);
/* The first step that runs in process, as "WindowAgg, Window: (ORDER BY ts)"; NULL: none does. */
const char *mt_outline_first_here (MtArena *a, const MtOutline *o);

#endif
