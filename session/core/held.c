#include "session/core/held.h"

#include "session/core/core.h"

bool mt_cursor_at (const MtSession *s, size_t index, MtCursorInfo *out)
{
   const MtPortal *p = s->portals;
   while (p && index--)
      p = p->next;
   if (p)
      *out = (MtCursorInfo) {p->name, p->sql, p->hold, !p->no_scroll, p->declared_ms};
   return p != NULL;
}
bool mt_prepared_at (MtSession *s, size_t index, MtPreparedInfo *out)
{
   const MtPrepared *p = s->prepared;
   while (p && index--)
      p = p->next;
   if (p)
      *out = (MtPreparedInfo) {p->name, (MtStr) {p->sql, p->sql_len}, p->types, p->count};
   return p != NULL;
}
