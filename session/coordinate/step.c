/* The engine's write step, and what the catalog keeps of it. */
#include "session/coordinate/coordinate.h"

/* A read-only target's catalog isn't the engine's, and nothing else is written there: no step. */
bool mt_step_begin (MtSession *s, MtError *err)
{
   return mt_engine_caps (s->engine)->read_only || mt_engine_begin (s->engine, err);
}

bool mt_step_commit (MtSession *s, MtError *err)
{
   if (!mt_engine_caps (s->engine)->read_only &&
       (!mt_intents_stand (s, err) || !mt_engine_commit (s->engine, err)))
      return false;
   if (!mt_engine_in_pieces (s->engine)) /* they stand until all can't be undone any more */
      mt_intents_end (s);
   return true;
}

void mt_step_rollback (MtSession *s)
{
   if (!mt_engine_caps (s->engine)->read_only)
      mt_engine_rollback (s->engine);
   mt_catalog_invalidate (s->catalog);
   if (mt_engine_in_pieces (s->engine))
      return;
   const char *left = mt_engine_leftover (s->engine);
   if (left)
      mt_notice (s, "WARNING", "Look at them before you run the statement again.",
                 "the statement could not be undone completely: documents of it may remain in %s",
                 left);
   if (!left)
      mt_intents_drop (s);
   mt_intents_leave (s);
}
