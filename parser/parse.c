/* The driver of the parser: feeds the tokens to the generated parser, and checks limits. It
 * looks one token ahead, and replaces some keywords by other tokens, so that the grammar stays
 * LALR(1). */
#include "parser/grammar_int.h"
#include "parser/parse_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Feed {
   MtLexer lx;
   MtToken ahead;
   bool has_ahead;
   int before;  /* code of the token before the current one */
   int nesting; /* number of open ( [ and CASE */
   /* Bit n is set while a WINDOW JOIN at nesting depth n (modulo 64) has no RANGE clause yet.
    * There, RANGE BETWEEN is the join's clause. Elsewhere, range is a name or begins a window
    * frame. */
   uint64_t ranges;
} Feed;

static bool take (Feed *f, MtToken *t)
{
   if (f->has_ahead) {
      *t = f->ahead;
      f->has_ahead = false;
      return true;
   }
   return mt_lex (&f->lx, t);
}

static bool peek (Feed *f, MtToken *t)
{
   if (!f->has_ahead && !mt_lex (&f->lx, &f->ahead))
      return false;
   f->has_ahead = true;
   *t = f->ahead;
   return true;
}

static uint64_t depth_bit (const Feed *f) { return UINT64_C (1) << (f->nesting & 63); }

/* Returns the token code to use in place of `code`, given the code of the next token. PostgreSQL's
 * base_yylex does the same. */
static int combined (const Feed *f, int code, int next)
{
   int before = f->before;
   switch (code) {
   case MT_TK_NOT:
      return next == MT_TK_BETWEEN || next == MT_TK_IN || next == MT_TK_LIKE ||
                   next == MT_TK_ILIKE || next == MT_TK_SIMILAR
                ? MT_TK_NOT_LA
                : code;
   case MT_TK_NULLS: return next == MT_TK_FIRST || next == MT_TK_LAST ? MT_TK_NULLS_LA : code;
   case MT_TK_WITH:
      return next == MT_TK_TIME || next == MT_TK_ORDINALITY || next == MT_TK_OFFSET ? MT_TK_WITH_LA
                                                                                    : code;
   case MT_TK_SAMPLE: return f->lx.extended && next == MT_TK_BY ? MT_TK_SAMPLE_LA : code;
   case MT_TK_LATEST: return f->lx.extended && next == MT_TK_ON ? MT_TK_LATEST_LA : code;
   case MT_TK_SHOW: /* SHOW TABLES; otherwise both words are names */
      return next == MT_TK_TABLES && (!before || f->lx.extended) ? MT_TK_SHOW_LA : code;
   case MT_TK_ADD: return next == MT_TK_LAYOUT ? MT_TK_ADD_LA : code;
   case MT_TK_DROP: return next == MT_TK_LAYOUT ? MT_TK_DROP_LA : code;
   case MT_TK_ASOF:
      return next == MT_TK_JOIN || next == MT_TK_LEFT || next == MT_TK_INNER ||
                   next == MT_TK_NEAREST
                ? MT_TK_ASOF_LA
                : code;
   case MT_TK_WINDOW: return f->lx.extended && next == MT_TK_JOIN ? MT_TK_WINDOW_LA : code;
   case MT_TK_RANGE:
      return next == MT_TK_BETWEEN && f->ranges & depth_bit (f) ? MT_TK_RANGE_LA : code;
   case MT_TK_IGNORE: return before == MT_TK_RP && next == MT_TK_NULLS ? MT_TK_IGNORE_LA : code;
   case MT_TK_RESPECT: return before == MT_TK_RP && next == MT_TK_NULLS ? MT_TK_RESPECT_LA : code;
   /* clauses after the query of CREATE ALERT; in parentheses, as in substring (a FOR '1'), the
    * words mean something else */
   case MT_TK_FOR: return next == MT_TK_SCONST && !f->nesting ? MT_TK_FOR_LA : code;
   case MT_TK_EVERY: return next == MT_TK_SCONST && !f->nesting ? MT_TK_EVERY_LA : code;
   case MT_TK_NOTIFY: return next == MT_TK_SCONST && !f->nesting ? MT_TK_NOTIFY_LA : code;
   default: return code;
   }
}

static bool next_token (Feed *f, MtToken *t)
{
   MtToken after;
   if (!take (f, t))
      return false;
   switch (t->code) {
   case MT_TK_NOT:
   case MT_TK_NULLS:
   case MT_TK_WITH:
   case MT_TK_SAMPLE:
   case MT_TK_LATEST:
   case MT_TK_SHOW:
   case MT_TK_ADD:
   case MT_TK_DROP:
   case MT_TK_ASOF:
   case MT_TK_WINDOW:
   case MT_TK_RANGE:
   case MT_TK_IGNORE:
   case MT_TK_RESPECT:
   case MT_TK_FOR:
   case MT_TK_EVERY:
   case MT_TK_NOTIFY:
      if (!peek (f, &after))
         return false;
      t->code = (int16_t) combined (f, t->code, after.code);
      if (t->code == MT_TK_WINDOW_LA || t->code == MT_TK_RANGE_LA)
         f->ranges ^= depth_bit (f);
      break;
   case MT_TK_LP:
   case MT_TK_LB:
   case MT_TK_CASE: f->nesting++; break;
   case MT_TK_RP:
   case MT_TK_RB:
   case MT_TK_END: f->nesting -= f->nesting > 0; break;
   default: break;
   }
   f->before = t->code;
   return true;
}

/* Checks that nothing but semicolons follows the ';' that ends the statement. */
static bool only_semicolons (MtParser *p, Feed *f)
{
   MtToken t;
   for (;;) {
      if (!take (f, &t))
         return false;
      if (t.code == 0)
         return true;
      if (t.code != MT_TK_SEMI)
         return mt_b_fail (p, t.span, MT_E_SYNTAX,
                           "cannot insert multiple commands into a prepared statement");
   }
}

static void feed_end (MtParser *p, void *grammar, MtToken t)
{
   MtToken end = t;
   end.code = 0;
   MtGrammar (grammar, 0, end, p);
}

static bool feed_all (MtParser *p, void *grammar, Feed *f)
{
   MtToken t;
   bool any = false;
   for (;;) {
      if (!next_token (f, &t))
         return false;
      if (t.code == 0 || t.code == MT_TK_SEMI)
         break;
      any = true;
      if (f->nesting > MT_MAX_EXPR_DEPTH || mt_grammar_depth (grammar) > MT_MAX_PARSER_STACK) {
         mt_b_too_deep (p);
         return false;
      }
      MtGrammar (grammar, t.code, t, p);
      if (p->failed)
         return false;
   }
   if (any)
      feed_end (p, grammar, t);
   if (p->failed)
      return false;
   return t.code == 0 || only_semicolons (p, f);
}

bool mt_parse_each (MtLexer lx, bool (*each) (void *ctx, const MtToken *t), void *ctx)
{
   Feed f = {.lx = lx};
   MtToken t;
   while (next_token (&f, &t)) {
      if (!each (ctx, &t))
         return true;
      if (t.code == 0)
         return true;
   }
   return false;
}

static void *parser_memory (size_t size) { return mt_malloc ("parser", size); }

bool mt_parse_run (MtParser *p, MtLexer lx, int first_code)
{
   Feed f = {.lx = lx};
   void *grammar = MtGrammarAlloc (parser_memory);
   if (first_code)
      MtGrammar (grammar, first_code, MT_NO_TOKEN, p);
   bool ok = feed_all (p, grammar, &f);
   MtGrammarFree (grammar, free);
   return ok;
}

/* Returns the length of the text before its first invalid UTF-8 sequence, for the position of an
 * error. */
static size_t valid_prefix (const char *text, size_t len)
{
   size_t i = 0;
   while (i < len) {
      size_t n = 1;
      while (n < 4 && i + n < len && ((unsigned char) text[i + n] & 0xC0) == 0x80)
         n++;
      if (!mt_utf8_valid (text + i, n))
         break;
      i += n;
   }
   return i < len ? i : len - 1;
}

static bool check_text (const char *text, size_t len, MtError *err)
{
   if (len > MT_MAX_STATEMENT_BYTES) {
      mt_error (err, MT_E_LIMIT, "statement is too long");
      return mt_error_detail (err, "A statement can have at most %u bytes.",
                              MT_MAX_STATEMENT_BYTES);
   }
   const char *nul = memchr (text, 0, len);
   if (nul)
      return mt_error_at (err, (MtSpan) {(int32_t) (nul - text), 1}, MT_E_ENCODING,
                          "invalid byte sequence for encoding \"UTF8\": 0x00");
   if (mt_utf8_valid (text, len))
      return true;
   size_t good = valid_prefix (text, len);
   return mt_error_at (err, (MtSpan) {(int32_t) good, 1}, MT_E_ENCODING,
                       "invalid byte sequence for encoding \"UTF8\": 0x%02x",
                       (unsigned char) text[good]);
}

MtLexer mt_lexer_of (const MtParser *p, MtArena *a, MtError *err)
{
   return (MtLexer) {
      .a = a, .text = p->text, .len = p->len, .err = err, .swap_at = -1, .extended = p->extended};
}

static bool has_word (const MtParser *p, const char *word)
{
   size_t n = strlen (word);
   for (size_t i = 0; i + n <= p->len; i++)
      if (strncasecmp (p->text + i, word, n) == 0)
         return true;
   return false;
}

static bool has_extended_word (const MtParser *p)
{
   static const char *const words[] = {"qualify", "summarize", "describe",  "tables",
                                       "sample",  "latest",    "tolerance", "window"};
   for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (has_word (p, words[i]))
         return true;
   return false;
}

/* Called after a syntax error: parses the text again, with words of other databases as keywords. If
 * that fails, too, *p->err is the error with the later position. */
static bool run_extended (MtParser *p, int first_code)
{
   MtError err;
   MtParser q = {.a = p->a, .text = p->text, .len = p->len, .err = &err, .extended = true};
   mt_error_clear (&err);
   bool ok = mt_parse_run (&q, mt_lexer_of (&q, q.a, &err), first_code);
   if (!ok && q.syntax_error && q.error_span.start <= p->error_span.start)
      return false;
   *p->err = err;
   q.err = p->err;
   *p = q;
   return ok;
}

static bool run (MtParser *p, int first_code)
{
   if (mt_parse_run (p, mt_lexer_of (p, p->a, p->err), first_code) ||
       (p->syntax_error && has_extended_word (p) && run_extended (p, first_code)))
      return true;
   if (p->syntax_error) {
      mt_parse_hint (p, first_code);
      mt_parse_lacking (p);
   }
   return false;
}

bool mt_parse (MtArena *a, const char *text, size_t len, MtStmt **out, MtError *err)
{
   MtError local;
   if (!err)
      err = &local;
   if (!check_text (text, len, err) || !mt_parse_supported (a, text, len, err))
      return false;
   MtParser p = {.a = a, .text = text, .len = len, .err = err};
   if (!run (&p, 0))
      return false;
   mt_b_count_uses (&p);
   for (MtStmt *s = p.stmt; s; s = s->kind == MT_STMT_PREPARE ? s->prepare.stmt : NULL) {
      s->locks = p.locks;
      s->nowait = p.nowait;
      s->databases = p.databases;
   }
   *out = p.stmt;
   return true;
}

bool mt_parse_expr (MtArena *a, const char *text, size_t len, MtExpr **out, MtError *err)
{
   MtError local;
   if (!err)
      err = &local;
   if (!check_text (text, len, err))
      return false;
   MtParser p = {.a = a, .text = text, .len = len, .err = err};
   if (!run (&p, MT_TK_MODE_EXPR))
      return false;
   if (!p.expr)
      return mt_lex_error (text, len, (MtSpan) {(int32_t) len, 0}, "syntax error", err);
   *out = p.expr;
   return true;
}
