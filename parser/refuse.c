/* Recognizes statements and clauses that PostgreSQL supports and mtsql does not, by their keywords.
 * They fail with 0A000 (feature not supported) instead of a syntax error. */
#include "parser/grammar.h"
#include "parser/parse_int.h"

#include <string.h>

/* The first words of statements that are not supported at all. */
static const char *const statements[] = {"checkpoint", "cluster",  "do",     "grant",    "import",
                                         "listen",     "lock",     "notify", "reassign", "reindex",
                                         "revoke",     "security", NULL};

/* The kinds of objects for which CREATE, ALTER and DROP are not supported. Words such as TEMPORARY
 * (`before_object`) may precede them. */
static const char *const objects[] = {
   "access",  "aggregate",  "cast",         "collation",   "conversion", "database", "default",
   "event",   "foreign",    "group",        "index",       "language",   "large",    "operator",
   "owned",   "policy",     "procedure",    "publication", "role",       "routine",  "rule",
   "server",  "statistics", "subscription", "system",      "tablespace", "text",     "transform",
   "trigger", "user",       "view",         NULL};
static const char *const before_object[] = {"constraint", "global",     "local",     "materialized",
                                            "or",         "procedural", "recursive", "replace",
                                            "temp",       "temporary",  "trusted",   "unique",
                                            "unlogged",   NULL};
static const char *const alter_objects[] = {"function", "layout", NULL};
static const char *const alter_actions[] = {"add",     "alter",   "attach", "cluster", "detach",
                                            "disable", "drop",    "enable", "force",   "inherit",
                                            "no",      "not",     "of",     "options", "owner",
                                            "rename",  "replica", "reset",  "set",     NULL};
/* The words that follow SET in ALTER COLUMN of an identity column. */
static const char *const of_identity[] = {"as",       "cache",    "cycle", "generated", "increment",
                                          "maxvalue", "minvalue", "no",    "owned",     "restart",
                                          "sequence", "start",    NULL};
static const char *const set_others[] = {"role", "authorization", NULL};

typedef struct Reader {
   MtLexer lx;
   MtError scratch;
   MtToken t;
} Reader;

static bool advance (Reader *r) { return mt_lex (&r->lx, &r->t) && r->t.code != 0; }
static bool is_word (const Reader *r)
{
   return r->t.text && !r->t.quoted && r->t.code != MT_TK_SCONST;
}
static bool is (const Reader *r, const char *word)
{
   return is_word (r) && mt_ieq (r->t.text, word);
}

static bool in (const Reader *r, const char *const *list)
{
   for (; *list; list++)
      if (is (r, *list))
         return true;
   return false;
}

static const char *upper (MtArena *a, const char *word)
{
   char *s = mt_strdup (a, word);
   for (char *c = s; *c; c++)
      if (*c >= 'a' && *c <= 'z')
         *c = (char) (*c & ~0x20);
   return s;
}

/* Hints about alternatives, by the first word of a statement, or the kind of object. */
static const struct {
   const char *word, *hint;
} instead[] = {
   {"do", "Send the statements one by one. A script of the shell can have \\if."},
   {"listen", "There are no channels. CREATE ALERT runs a command when a query finds rows."},
   {"notify", "There are no channels. CREATE ALERT runs a command when a query finds rows."},
   {"grant", "There are no privileges. A user of --listen can be read-only."},
   {"revoke", "There are no privileges. A user of --listen can be read-only."},
   {"role", "Users belong to --listen: mtsql --user-add."},
   {"user", "Users belong to --listen: mtsql --user-add."},
   {"lock", "A transaction block that writes keeps out other writers in process."},
   {"trigger", "Use a default or CHECK, or change several tables in one WITH statement."},
   {"rule", "Use a view, or change several tables in one WITH statement."},
   {"policy", "There are no privileges. Use a view with a condition."}};

static const char *hint_of (const Reader *r)
{
   for (size_t i = 0; i < sizeof instead / sizeof *instead; i++)
      if (is (r, instead[i].word))
         return instead[i].hint;
   return NULL;
}

static bool refuse (Reader *r, MtSpan span, MtError *err, const char *what)
{
   const char *hint = hint_of (r);
   mt_error_at (err, span, MT_E_FEATURE, "%s is not supported", what);
   return hint ? mt_error_hint (err, "%s", hint) : false;
}

/* Checks the columns of CREATE INDEX. False with error 0A000 for expressions and COLLATE. */
static bool check_index (Reader *r, MtError *err)
{
   int depth = 0;
   while (advance (r)) {
      if (r->t.code == MT_TK_LP && ++depth == 2) {
         refuse (r, r->t.span, err, "an index on an expression");
         return mt_error_hint (err, "Store the expression in a column of its own.");
      }
      if (r->t.code == MT_TK_RP && --depth == 0)
         return true;
      if (depth == 1 && is (r, "collate"))
         return refuse (r, r->t.span, err, "COLLATE in an index");
   }
   return true;
}

static bool check_comment (Reader *r, MtError *err)
{
   static const char *const others[] = {"constraint", "domain",   "extension", "function",
                                        "schema",     "sequence", "type",      NULL};
   static const char *const kinds[] = {"table", "view", "materialized", "column", NULL};
   MtToken verb = r->t;
   if (!advance (r) || !is (r, "on") || !advance (r) || !is_word (r) || in (r, kinds))
      return true;
   if (!in (r, objects) && !in (r, alter_objects) && !in (r, others))
      return true;
   return refuse (r, mt_b_join_spans (verb.span, r->t.span), err,
                  mt_printf (r->lx.a, "COMMENT ON %s", upper (r->lx.a, r->t.text)));
}

/* Skips IF EXISTS, if it is there. False if the text ends or has an invalid token. */
static bool skip_if_exists (Reader *r) { return !is (r, "if") || (advance (r) && advance (r)); }

/* Skips a name, which may be qualified by a schema. False if the text ends or has an invalid
 * token. */
static bool skip_name (Reader *r)
{
   bool more = advance (r);
   while (more && r->t.code == MT_TK_DOT)
      more = advance (r) && advance (r);
   return more;
}

/* Checks ALTER MATERIALIZED VIEW [IF EXISTS] [s.]m. The current token is MATERIALIZED. 0A000 unless
 * the action is RENAME TO, SET SCHEMA or SET (…). */
static bool check_alter_matview (Reader *r, MtSpan span, MtError *err)
{
   if (!advance (r) || !advance (r) || !skip_if_exists (r) || !skip_name (r))
      return true;
   bool rename = is (r, "rename"), set = is (r, "set");
   if (!is_word (r) || !advance (r) || (rename && is (r, "to")) ||
       (set && (r->t.code == MT_TK_LP || is (r, "schema"))))
      return true;
   return refuse (r, span, err,
                  rename ? "ALTER MATERIALIZED VIEW ... RENAME COLUMN" : "ALTER MATERIALIZED VIEW");
}

/* Checks CREATE SCHEMA (`create`) or ALTER SCHEMA. The current token is SCHEMA. 0A000 for
 * statements within CREATE SCHEMA, and for OWNER TO. */
static bool check_schema (Reader *r, bool create, MtError *err)
{
   static const char *const elements[] = {"create", "grant", NULL};
   if (!create)
      return !skip_name (r) || !is (r, "owner") ||
             refuse (r, r->t.span, err, "ALTER SCHEMA ... OWNER TO");
   while (advance (r))
      if (in (r, elements)) {
         refuse (r, r->t.span, err, "a statement within CREATE SCHEMA");
         return mt_error_hint (err, "Run it after CREATE SCHEMA.");
      }
   return true;
}

/* Checks CREATE TYPE. The current token is TYPE. 0A000 unless it is an enumerated type. */
static bool check_create_type (Reader *r, MtSpan span, MtError *err)
{
   bool more = advance (r) && skip_name (r);
   if (!more || !is (r, "as"))
      return refuse (r, span, err, "a base type");
   if (!advance (r) || is (r, "enum"))
      return true;
   bool range = is (r, "range");
   refuse (r, span, err, range ? "a range type" : "a composite type");
   return mt_error_hint (err, range ? "Use two columns, for the start and the end."
                                    : "Use a column for each field, or the type jsonb.");
}

/* Checks ALTER INDEX. The current token is INDEX. 0A000 unless the index is renamed. */
static bool check_alter_index (Reader *r, MtSpan span, MtError *err)
{
   return !advance (r) || !skip_if_exists (r) || !skip_name (r) || is (r, "rename") ||
          refuse (r, span, err,
                  mt_printf (r->lx.a, "ALTER INDEX ... %s", upper (r->lx.a, r->t.text)));
}

/* Checks the kind of object after CREATE, ALTER or DROP. 0A000 if it is not supported. */
static bool check_object (Reader *r, MtError *err)
{
   MtToken verb = r->t;
   bool create = is (r, "create"), alter = is (r, "alter");
   bool temporary = false;
   const char *special = NULL;
   do {
      if (!advance (r))
         return true;
      temporary |= is (r, "temp") || is (r, "temporary");
      if (is (r, "unlogged"))
         special = "CREATE UNLOGGED TABLE";
      else if (is (r, "global"))
         special = "CREATE GLOBAL TEMPORARY TABLE";
   } while (create && in (r, before_object));
   MtSpan span = mt_b_join_spans (verb.span, r->t.span);
   if (is (r, "materialized"))
      return !alter || check_alter_matview (r, span, err);
   if (is (r, "schema") && (create || alter))
      return !advance (r) || check_schema (r, create, err);
   if (temporary && is (r, "view"))
      return refuse (r, span, err, "CREATE TEMPORARY VIEW");
   if (special && is (r, "table"))
      return refuse (r, span, err, special);
   if (is (r, "type"))
      return !create || check_create_type (r, span, err);
   if (!in (r, objects) && !(alter && in (r, alter_objects)))
      return true;
   if (create && is (r, "index"))
      return check_index (r, err);
   if ((is (r, "view") || is (r, "index")) && !alter && !temporary)
      return true;
   if (is (r, "index") && alter)
      return check_alter_index (r, span, err);
   return refuse (r, span, err,
                  mt_printf (r->lx.a, "%s %s", upper (r->lx.a, verb.text),
                             upper (r->lx.a, r->t.text)));
}

/* Returns whether the words after ALTER are a supported change of a column: [COLUMN] name {[SET
 * DATA] TYPE | {SET | DROP} {DEFAULT | NOT NULL}}. */
static bool is_alter_column (Reader r)
{
   r.lx.err = &r.scratch;
   if (is (&r, "column") && !advance (&r))
      return true;
   if (!advance (&r) || is (&r, "type"))
      return true;
   bool sets = is (&r, "set");
   if (is (&r, "restart") || (is (&r, "add") && advance (&r) && is (&r, "generated")))
      return true;
   if ((!sets && !is (&r, "drop")) || !advance (&r))
      return false;
   return is (&r, "default") || is (&r, "not") || is (&r, sets ? "data" : "identity") ||
          (sets && in (&r, of_identity));
}

/* Checks the action of ALTER TABLE [IF EXISTS] [ONLY] s.t ACTION. The current token is TABLE. 0A000
 * if the action is not supported. */
static bool check_alter_table (Reader *r, MtError *err)
{
   if (!advance (r) || !skip_if_exists (r) || (is (r, "only") && !advance (r)) || !skip_name (r) ||
       !in (r, alter_actions))
      return true;
   MtToken action = r->t;
   if (!advance (r))
      return true;
   if ((mt_ieq (action.text, "set") || mt_ieq (action.text, "reset")) && r->t.code == MT_TK_LP)
      return true;
   if (mt_ieq (action.text, "set") && is (r, "schema"))
      return true;
   if (mt_ieq (action.text, "alter") && is_alter_column (*r))
      return true;
   static const char *const kinds[] = {"column",  "constraint", "primary", "unique", "check",
                                       "foreign", "exclude",    "to",      "schema", NULL};
   bool verb = mt_ieq (action.text, "add") || mt_ieq (action.text, "drop") ||
               mt_ieq (action.text, "rename");
   bool constraint = is (r, "constraint") || is (r, "check") || is (r, "foreign") ||
                     is (r, "primary") || is (r, "unique");
   if (verb && (!in (r, kinds) || is (r, "column") || is (r, "to") || is (r, "constraint") ||
                (constraint && !mt_ieq (action.text, "rename"))))
      return true;
   const char *kind = in (r, kinds) ? upper (r->lx.a, r->t.text) : NULL;
   const char *what = mt_printf (r->lx.a, "ALTER TABLE ... %s%s%s", upper (r->lx.a, action.text),
                                 kind ? " " : "", kind ? kind : "");
   return refuse (r, action.span, err, what);
}

static bool check_set (Reader *r, MtError *err)
{
   MtToken set = r->t;
   if (!advance (r))
      return true;
   if ((is (r, "local") || is (r, "session")) && !advance (r))
      return true;
   MtToken what = r->t;
   if (!in (r, set_others) || !advance (r))
      return true;
   if (r->t.code == MT_TK_EQ || is (r, "to") ||
       (is (r, "default") && mt_ieq (what.text, "authorization")))
      return true; /* the word is the name of a setting */
   return refuse (r, mt_b_join_spans (set.span, what.span), err,
                  mt_printf (r->lx.a, "SET %s", upper (r->lx.a, what.text)));
}

/* Fails with 0A000 for statements of two-phase commit, such as PREPARE TRANSACTION. */
static bool check_prepared (Reader *r, MtError *err)
{
   MtToken verb = r->t;
   bool prepares = is (r, "prepare");
   if (!advance (r) || !is (r, prepares ? "transaction" : "prepared"))
      return true;
   return refuse (r, mt_b_join_spans (verb.span, r->t.span), err,
                  mt_printf (r->lx.a, "%s %s", upper (r->lx.a, verb.text),
                             prepares ? "TRANSACTION" : "PREPARED"));
}

/* Skips EXPLAIN and its options, up to the explained statement. False if the text ends or has an
 * invalid token. */
static bool skip_explain (Reader *r)
{
   int depth = 0;
   do {
      if (!advance (r))
         return false;
      if (r->t.code == MT_TK_LP)
         depth++;
      if (r->t.code == MT_TK_RP)
         depth--;
   } while (depth > 0 || r->t.code == MT_TK_RP || is (r, "analyze") || is (r, "analyse") ||
            is (r, "verbose"));
   return true;
}

/* Rejects SEARCH and CYCLE behind a query of WITH. */
static bool check_with (Reader *r, MtError *err)
{
   static const char *const changes[] = {"insert", "update", "delete", "merge", NULL};
   int before = 0, depth = 0;
   bool list = true;
   while (advance (r)) {
      depth += (r->t.code == MT_TK_LP) - (r->t.code == MT_TK_RP);
      list = list && (depth ||
                      !(r->t.code == MT_TK_SELECT || r->t.code == MT_TK_VALUES || in (r, changes)));
      if (list && !depth && before == MT_TK_RP && (is (r, "search") || is (r, "cycle")))
         return refuse (r, r->t.span, err, upper (r->lx.a, r->t.text));
      if (before == MT_TK_RP && !depth && in (r, changes)) /* the main statement */
         return true;
      before = r->t.code;
   }
   return true;
}

/* Checks LOCK TABLE: only IN ACCESS SHARE MODE is supported, other modes fail with 0A000. */
static bool check_lock (Reader *r, MtError *err)
{
   MtToken verb = r->t;
   bool shares = false;
   while (advance (r))
      shares = is (r, "access") || (shares && (is (r, "share") || is (r, "mode")));
   if (shares)
      return true;
   refuse (r, verb.span, err, "LOCK");
   return mt_error_hint (err, "LOCK TABLE ... IN ACCESS SHARE MODE is accepted.");
}

static bool check (Reader *r, MtError *err)
{
   if (!advance (r) || !is_word (r))
      return true;
   if (r->t.code == MT_TK_SELECT || r->t.code == MT_TK_LP)
      return true;
   if (is (r, "explain") && !skip_explain (r))
      return true;
   if (is (r, "with"))
      return check_with (r, err);
   if (is (r, "lock"))
      return check_lock (r, err);
   if (in (r, statements))
      return refuse (r, r->t.span, err, upper (r->lx.a, r->t.text));
   if (is (r, "prepare") || is (r, "commit") || is (r, "rollback"))
      return check_prepared (r, err);
   if (is (r, "set"))
      return check_set (r, err);
   if (is (r, "comment"))
      return check_comment (r, err);
   if (is (r, "alter")) {
      Reader ahead = *r;
      ahead.lx.err = &ahead.scratch;
      if (advance (&ahead) && is (&ahead, "table"))
         return check_alter_table (&ahead, err);
   }
   if (is (r, "create") || is (r, "alter") || is (r, "drop"))
      return check_object (r, err);
   return true;
}

/* A rule that matches a syntax error: by the statement's first word (`verb`), any word between, the
 * word before the error, and the word at the error. NULL matches every word. `what` names the
 * clause in the message. */
typedef struct Clause {
   const char *verb, *between, *before, *at, *what;
} Clause;

/* Rules for clauses that PostgreSQL supports and mtsql does not. */
static const Clause lacking[] = {
   {"create", "table", NULL, "like", "LIKE in a table's definition"},
   {"create", "table", NULL, "inherits", "INHERITS"},
   {"create", "table", NULL, "partition", "PARTITION BY"},
   {"create", "table", NULL, "tablespace", "TABLESPACE"},
   {"create", "table", NULL, "of", "a table OF a type"},
   {"create", "table", NULL, "without", "WITHOUT OIDS"},
   {"create", "index", NULL, "(", "an index on an expression"},
   {"create", "index", NULL, "tablespace", "TABLESPACE"},
   {"alter", "domain", "not", "valid", "NOT VALID"},
   {"alter", "constraint", "unique", "using", "ADD CONSTRAINT ... USING INDEX"},
   {"alter", "constraint", "key", "using", "ADD CONSTRAINT ... USING INDEX"},
   {"alter", "table", NULL, "initially", "INITIALLY"},
   {"create", "table", NULL, "initially", "INITIALLY"},
   {NULL, "check", ")", "no", "NO INHERIT"},
   {"alter", "type", NULL, "owner", "ALTER TYPE ... OWNER TO"},
   {"alter", "type", NULL, "set", "ALTER TYPE ... SET"},
   {"alter", "type", "add", "attribute", "ALTER TYPE ... ADD ATTRIBUTE"},
   {"alter", "type", "rename", "attribute", "ALTER TYPE ... RENAME ATTRIBUTE"},
   {"alter", "type", NULL, "drop", "ALTER TYPE ... DROP ATTRIBUTE"},
   {"alter", "type", NULL, "alter", "ALTER TYPE ... ALTER ATTRIBUTE"},
   {"alter", "domain", NULL, "owner", "ALTER DOMAIN ... OWNER TO"},
   {"alter", "domain", NULL, "rename", "ALTER DOMAIN ... RENAME"},
   {"alter", "domain", NULL, "validate", "ALTER DOMAIN ... VALIDATE CONSTRAINT"},
   {"alter", "domain", "set", "schema", "ALTER DOMAIN ... SET SCHEMA"},
   {"alter", "sequence", NULL, "owner", "ALTER SEQUENCE ... OWNER TO"},
   {"alter", "sequence", NULL, "set", "ALTER SEQUENCE ... SET"},
   {"create", "view", NULL, "with", "WITH in CREATE VIEW"},
   {"create", NULL, NULL, "recursive", "CREATE RECURSIVE VIEW"},
   {"create", "function", NULL, "return", "a body with RETURN"},
   {"create", "function", NULL, "begin", "a body with BEGIN ATOMIC"},
   {"create", "function", NULL, "cost", "COST in CREATE FUNCTION"},
   {"create", "function", NULL, "rows", "ROWS in CREATE FUNCTION"},
   {"create", "function", NULL, "parallel", "PARALLEL in CREATE FUNCTION"},
   {"create", "function", NULL, "security", "SECURITY in CREATE FUNCTION"},
   {"create", "function", NULL, "leakproof", "LEAKPROOF in CREATE FUNCTION"},
   {"create", "function", NULL, "support", "SUPPORT in CREATE FUNCTION"},
   {NULL, NULL, "current", "of", "WHERE CURRENT OF"},
   {NULL, NULL, ")", "search", "SEARCH"},
   {NULL, NULL, ")", "cycle", "CYCLE"},
   {NULL, NULL, "is", "normalized", "IS NORMALIZED"},
   {NULL, NULL, "not", "normalized", "IS NORMALIZED"},
   {NULL, NULL, "is", "document", "IS DOCUMENT"},
   {NULL, NULL, "xmlelement", "(", "XML"},
   {NULL, NULL, "xmlforest", "(", "XML"},
   {NULL, NULL, "xmlparse", "(", "XML"},
   {NULL, NULL, "xmlserialize", "(", "XML"},
   {NULL, NULL, "xmltable", "(", "XML"},
};

#define IN_PLACE "SAMPLE BY groups by the other columns of the select list. Leave GROUP BY out."

/* Rules for clauses in the wrong position; `what` is the hint. */
static const Clause misplaced[] = {
   {NULL, "sample", NULL, "group", IN_PLACE},
   {NULL, "group", NULL, "sample", IN_PLACE},
   {NULL, "sample", "observation", "time", "Use TIME ZONE with ALIGN TO CALENDAR."},
   {NULL, "sample", NULL, "fill", "FILL stands behind FROM and TO, and before ALIGN."},
   {NULL, "sample", NULL, "where", "SAMPLE BY stands behind WHERE, and before ORDER BY."},
   {NULL, "latest", NULL, "where", "LATEST ON stands behind WHERE, and before GROUP BY."},
   {NULL, NULL, NULL, "sample", "SAMPLE BY stands behind WHERE, and before ORDER BY."},
   {NULL, NULL, NULL, "latest", "LATEST ON stands behind WHERE, and before GROUP BY."},
};

static bool is_text (const MtToken *t, const char *word)
{
   return word == NULL ||
          (t->text && !t->quoted && t->code != MT_TK_SCONST && mt_ieq (t->text, word));
}

/* Reads p's text up to its syntax error, and returns the first rule in `rows` that matches; NULL:
 * none does. */
static const Clause *find_clause (const MtParser *p, Reader *r, const Clause *rows, size_t count)
{
   bool *seen = MT_NEW_N (p->a, bool, count);
   MtToken first = MT_NO_TOKEN, before = MT_NO_TOKEN;
   while (advance (r) && r->t.span.start < p->error_span.start) {
      if (!first.text)
         first = r->t;
      for (size_t i = 0; i < count; i++)
         seen[i] |= !rows[i].between || is_text (&r->t, rows[i].between);
      before = r->t;
   }
   if (r->t.code == 0 || r->t.span.start != p->error_span.start)
      return NULL;
   for (size_t i = 0; i < count; i++)
      if (seen[i] && is_text (&first, rows[i].verb) && is_text (&before, rows[i].before) &&
          is_text (&r->t, rows[i].at))
         return &rows[i];
   return NULL;
}

#define FIND(rows) find_clause (p, &r, rows, sizeof rows / sizeof *rows)

void mt_parse_lacking (const MtParser *p)
{
   MtError scratch;
   Reader begin = {.lx = mt_lexer_of (p, p->a, &scratch)}, r = begin;
   const Clause *c = FIND (lacking);
   if (c) {
      refuse (&r, r.t.span, p->err, c->what);
      return;
   }
   r = begin;
   if ((c = FIND (misplaced)))
      mt_error_hint (p->err, "%s", c->what);
}

bool mt_parse_supported (MtArena *a, const char *text, size_t len, MtError *err)
{
   Reader r = {.lx = {.a = a, .text = text, .len = len, .swap_at = -1}};
   r.lx.err = &r.scratch;
   return check (&r, err);
}
