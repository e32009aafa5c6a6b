/* libFuzzer: any text of statements runs, or ends with a complete error within its time and memory.
 */
#include "tests/fuzz/fuzz.h"

/* How much of the session a text may change. */
typedef enum Reach { READS, WRITES, EVERYTHING } Reach;

static Reach reach_of (const MtStmt *stmt)
{
   switch (stmt->kind) {
   case MT_STMT_SELECT:
   case MT_STMT_SHOW: return READS;
   case MT_STMT_TRANSACTION:
   case MT_STMT_PREPARE:
   case MT_STMT_DEALLOCATE:
   case MT_STMT_DISCARD:
   case MT_STMT_VACUUM:
   case MT_STMT_REPAIR:
   case MT_STMT_CALL: return EVERYTHING;
   default: return WRITES;
   }
}

static Reach reach_of_text (const char *sql, size_t len)
{
   static const char *const words[] = {"set_config", "setseed", "drop_chunks", "prepare", "hold"};
   MtArena *a = mt_arena_new ("fuzz", NULL);
   Reach most = READS;
   for (size_t at = 0, end; at < len; at += end) {
      MtScanState state;
      MtStmt *stmt = NULL;
      MtError err;
      if (!mt_scan_statement (sql + at, len - at, &end, &state))
         end = len - at;
      Reach one = mt_parse (a, sql + at, end, &stmt, &err) && stmt ? reach_of (stmt) : READS;
      most = one > most ? one : most;
   }
   mt_arena_free (a);
   char *text = fuzz_text (sql, len);
   for (size_t i = 0; i < FUZZ_COUNT (words); i++)
      most = strcasestr (text, words[i]) ? EVERYTHING : most;
   free (text);
   return most;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   static MtSession *s;
   static size_t served;
   MtError err;
   char *sql = fuzz_copy (data, size);
   Reach reach = reach_of_text (sql, size);
   if (s && ++served > 3000) {
      fuzz_close (s);
      s = NULL;
   }
   if (!s) {
      s = fuzz_store (fuzz_tables, FUZZ_COUNT (fuzz_tables));
      served = 0;
   }
   if (reach == WRITES)
      fuzz_must (s, "BEGIN");
   fuzz_run (s, sql, size, &err);
   if (reach == WRITES)
      fuzz_must (s, "ROLLBACK");
   if (reach == EVERYTHING) { /* the next text begins anew */
      fuzz_close (s);
      s = NULL;
   }
   free (sql);
   return 0;
}
