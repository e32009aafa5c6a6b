/* UPDATE and DELETE. */
#include "session/session_int.h"

bool
mt_run_change (MtStatement *st, MtError *err)
{
   return mt_error_at (err, st->stmt->span, MT_E_FEATURE, "%s is not supported", st->stmt->kind == MT_STMT_UPDATE ? "UPDATE" : "DELETE");
}
