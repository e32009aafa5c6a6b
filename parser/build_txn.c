/* The builders of statements about transactions and cursors. */
#include "parser/build_int.h"
#include "parser/grammar.h"

#include <errno.h>
#include <stdlib.h>

static MtStmt *stmt (MtParser *p, MtStmtKind kind, MtSpan from, MtSpan to)
{
   MtStmt *s = MT_NEW (p->a, MtStmt);
   s->kind = kind;
   s->span = mt_b_join_spans (from, to);
   return s;
}

/* ---- transactions ---- */

static MtStmt *transaction (MtParser *p, MtTxnVerb verb, MtToken t, MtToken end)
{
   MtStmt *s = stmt (p, MT_STMT_TRANSACTION, t.span, end.span);
   s->transaction.verb = verb;
   return s;
}

MtStmt *mt_b_transaction_modes (MtParser *p, MtTxnVerb verb, MtToken t, MtTxnModes modes)
{
   MtStmt *s = transaction (p, verb, t, t);
   s->transaction.modes = modes;
   return s;
}

MtStmt *mt_b_transaction_name (MtParser *p, MtTxnVerb verb, MtToken t, MtToken name)
{
   MtStmt *s = transaction (p, verb, t, name);
   s->transaction.name = mt_b_name (name);
   return s;
}

MtStmt *mt_b_transaction_end (MtParser *p, MtTxnVerb verb, MtToken t, bool chain)
{
   MtStmt *s = transaction (p, verb, t, t);
   s->transaction.chain = chain;
   return s;
}

MtTxnModes mt_b_modes (MtTxnModes a, MtTxnModes b)
{
   return (MtTxnModes) {b.isolation ? b.isolation : a.isolation, b.access ? b.access : a.access,
                        b.deferrable ? b.deferrable : a.deferrable};
}

MtStmt *mt_b_discard (MtParser *p, MtToken t, MtDiscard what, MtToken end)
{
   MtStmt *s = stmt (p, MT_STMT_DISCARD, t.span, end.span);
   s->discard = what;
   return s;
}

/* ---- cursors ---- */

MtCursorOptions mt_b_cursor_option (MtCursorOptions o, MtToken option, bool no)
{
   o.scroll |= option.code == MT_TK_SCROLL && !no;
   o.no_scroll |= option.code == MT_TK_SCROLL && no;
   o.binary |= option.code == MT_TK_BINARY;
   return o; /* all cursors are INSENSITIVE, so the word has no effect */
}

MtStmt *mt_b_declare (MtParser *p, MtToken t, MtToken name, MtCursorOptions o, bool hold,
                      MtSelect *query)
{
   MtStmt *s = stmt (p, MT_STMT_DECLARE, t.span, query->span);
   s->declare.name = mt_b_name (name);
   s->declare.query = query;
   s->declare.scroll = o.scroll;
   s->declare.no_scroll = o.no_scroll;
   s->declare.binary = o.binary;
   s->declare.hold = hold;
   return s;
}

MtFetch mt_b_fetch_args (MtFetchHow how, int64_t count, MtToken name)
{
   return (MtFetch) {how, count, name};
}

int64_t mt_b_int64 (MtParser *p, MtToken t, bool negative)
{
   errno = 0;
   int64_t n = strtoll (t.text, NULL, 10);
   if (errno)
      mt_b_fail (p, t.span, MT_E_NUMERIC_RANGE, "value \"%s\" is out of range for type bigint",
                 t.text);
   return negative ? -n : n;
}

MtStmt *mt_b_fetch_stmt (MtParser *p, MtToken t, bool move, MtFetch f)
{
   MtStmt *s = stmt (p, MT_STMT_FETCH, t.span, f.name.span);
   s->fetch.name = mt_b_name (f.name);
   s->fetch.how = f.how;
   s->fetch.count = f.count;
   s->fetch.move = move;
   return s;
}

MtStmt *mt_b_close (MtParser *p, MtToken t, MtToken name, MtToken end)
{
   MtStmt *s = stmt (p, MT_STMT_CLOSE, t.span, end.span);
   s->execute.name = mt_b_name (name);
   return s;
}
