/* Finds the tables and columns that the statement at the cursor names, and values of columns. A
 * "piece" is a token of the statement. */
#include "shell/complete_int.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Limits: how many queries are analyzed for their columns, how many values are offered, from how
 * many rows they are taken, and which estimate still allows to read all rows. */
enum { MAX_QUERIES = 8, MAX_VALUES = 200, SAMPLED_ROWS = 5000, CHEAP_BYTES = 8 << 20 };

typedef struct Relation {
   bool defined;             /* from WITH, and perhaps not named in FROM */
   size_t group;             /* index of the bracket that encloses it; NO_GROUP: none */
   const char *name;         /* the name that qualifies its columns */
   const MtTableInfo *table; /* NULL: a sub-select or a name of WITH */
   const char *query;        /* if table is NULL: the query that gives its rows */
} Relation;

typedef struct Scope {
   MtTableInfo *tables;
   size_t table_count;
   /* the whole statement, with its pieces after the cursor */
   MtCompletion all;
   Relation *v;
   size_t n, cap;
   size_t *groups; /* by token: index of the bracket that encloses it; NO_GROUP: none */
} Scope;
#define NO_GROUP ((size_t) -1)

static void add (Scope *s, Relation r)
{
   MT_GROW_IN (s->all.a, s->v, s->n, s->cap, 8);
   s->v[s->n++] = r;
}

/* For each token i, sets s->groups[i] to the index of the innermost bracket that encloses it. */
static void find_groups (Scope *s)
{
   const MtCompletion *k = &s->all;
   size_t *open = mt_alloc (k->a, (k->count + 1) * sizeof *open), depth = 0;
   s->groups = mt_alloc (k->a, (k->count + 1) * sizeof *s->groups);
   for (size_t i = 0; i < k->count; i++) {
      depth -= depth && k->v[i].kind == MT_SQL_CLOSE;
      s->groups[i] = depth ? open[depth - 1] : NO_GROUP;
      if (k->v[i].kind == MT_SQL_OPEN)
         open[depth++] = i;
   }
}

/* Returns a scope with all pieces of the statement, also those after the cursor, and their
 * enclosing brackets. */
static Scope read_pieces (const MtCompletion *k)
{
   Scope s = {.all = *k};
   mt_parse_pieces (k->a, k->sql, k->n, &s.all.v, &s.all.count);
   find_groups (&s);
   return s;
}

/* Returns the index of the innermost bracket that is still open before token `before`; NO_GROUP:
 * none is open. */
static size_t group_behind (const Scope *s, size_t before)
{
   size_t group = NO_GROUP;
   for (size_t i = 0; i < before; i++) {
      if (s->all.v[i].kind == MT_SQL_OPEN)
         group = i;
      else if (s->all.v[i].kind == MT_SQL_CLOSE)
         group = s->groups[i];
   }
   return group;
}

/* Returns whether the bracket `group` encloses the cursor, directly or with brackets in between. */
static bool encloses_cursor (const Scope *s, size_t group, size_t cursor_piece)
{
   size_t at = group_behind (s, cursor_piece);
   while (at != group && at != NO_GROUP)
      at = s->groups[at];
   return at == group;
}

static bool is_word (const Scope *s, size_t i)
{
   return i < s->all.count && s->all.v[i].kind == MT_SQL_NAME;
}

/* Returns the index of the token after the bracket that closes bracket i; the number of tokens if
 * it is not closed. */
static size_t behind_bracket (const Scope *s, size_t i)
{
   size_t depth = 0;
   for (; i < s->all.count; i++) {
      depth += s->all.v[i].kind == MT_SQL_OPEN;
      if (s->all.v[i].kind == MT_SQL_CLOSE && --depth == 0)
         return i + 1;
   }
   return i;
}

/* Returns the alias that begins at piece i, with or without AS; NULL: there is none. */
static const char *alias_at (const Scope *s, size_t i)
{
   i += mt_piece_is (&s->all, i, "as");
   return is_word (s, i) ? mt_piece_name (&s->all, i) : NULL;
}

/* Finds a table by its name; schema NULL: among the tables that need no schema. NULL: there is
 * none. */
static const MtTableInfo *find_table (const Scope *s, const char *schema, const char *name)
{
   for (size_t i = 0; i < s->table_count; i++) {
      const MtTableInfo *t = &s->tables[i];
      bool there = schema ? strcasecmp (t->schema, schema) == 0 : !t->hidden;
      if (there && strcasecmp (t->name, name) == 0)
         return t;
   }
   return NULL;
}

/* Returns the text of the WITH clause up to its last complete definition, and adds the defined
 * names to the scope. "": there is no definition. */
static const char *take_with (Scope *s)
{
   MtCompletion *k = &s->all;
   size_t i = 0, end = 0;
   while (i < k->count && !mt_piece_is (k, i, "with"))
      i++;
   size_t from = i + 1 + mt_piece_is (k, i + 1, "recursive");
   for (size_t at = from; is_word (s, at);) {
      const char *name = mt_piece_name (k, at++);
      at = mt_piece_is (k, at, "(") ? behind_bracket (s, at) : at;
      at += mt_piece_is (k, at, "as");
      at += mt_piece_is (k, at, "not");
      at += mt_piece_is (k, at, "materialized");
      if (!mt_piece_is (k, at, "("))
         break;
      at = behind_bracket (s, at);
      if (k->v[at - 1].kind != MT_SQL_CLOSE)
         break;
      end = k->v[at - 1].end;
      add (s, (Relation) {.name = name,
                          .defined = true,
                          .group = s->groups[i],
                          .query = mt_printf (k->a, "%.*s SELECT * FROM \"%s\"",
                                              (int) (end - k->v[i].start), k->sql + k->v[i].start,
                                              name)});
      if (!mt_piece_is (k, at, ","))
         break;
      at++;
   }
   return end ? mt_strndup (k->a, k->sql + k->v[i].start, end - k->v[i].start) : "";
}

/* Adds the sub-select in bracket i to the scope, if it is complete and has an alias. with: the WITH
 * clause that it may need. */
static void take_sub_select (Scope *s, size_t i, const char *with)
{
   MtCompletion *k = &s->all;
   size_t behind = behind_bracket (s, i);
   const char *alias = alias_at (s, behind);
   if (!alias || k->v[behind - 1].kind != MT_SQL_CLOSE)
      return;
   add (s, (Relation) {.name = alias,
                       .group = s->groups[i],
                       .query = mt_printf (k->a, "%s SELECT * FROM %.*s q", with,
                                           (int) (k->v[behind - 1].end - k->v[i].start),
                                           k->sql + k->v[i].start)});
}

/* Returns whether '(' after the table at piece i would begin a list of columns, as in INSERT INTO t
 * (. */
static bool has_list (const Scope *s, size_t i)
{
   static const char *const words[] = {"into", "copy", "on", "analyze", "vacuum"};
   bool found = false;
   for (size_t w = 0; i && w < sizeof words / sizeof *words; w++)
      found |= mt_piece_is (&s->all, i - 1, words[w]);
   return found;
}

/* Adds the table that piece i names to the scope, or the query of WITH that has this name. ctes:
 * how many relations at the beginning of s->v are from WITH. */
static void take_name (Scope *s, size_t i, size_t ctes)
{
   MtCompletion *k = &s->all;
   const char *name = mt_piece_name (k, i), *alias = alias_at (s, i + 1);
   bool qualified = i > 1 && mt_piece_is (k, i - 1, ".");
   const MtTableInfo *t = find_table (s, qualified ? mt_piece_name (k, i - 2) : NULL, name);
   Relation r = {.name = alias ? alias : name, .group = s->groups[i], .table = t};
   if (mt_piece_is (k, i + 1, "(") && !(t && has_list (s, i)))
      return;
   if (t)
      add (s, r);
   bool defines = mt_piece_is (k, i + 1, "as") && mt_piece_is (k, i + 2, "(");
   for (size_t c = 0; !t && !defines && !qualified && c < ctes; c++)
      if (strcasecmp (s->v[c].name, name) == 0) {
         r.query = s->v[c].query;
         add (s, r);
      }
}

static void find_relations (Scope *s)
{
   const char *with = take_with (s);
   size_t ctes = s->n;
   for (size_t i = 0; i < s->all.count; i++) {
      if (s->all.v[i].kind == MT_SQL_OPEN && mt_piece_is (&s->all, i + 1, "select"))
         take_sub_select (s, i, with);
      if (s->all.v[i].kind == MT_SQL_NAME)
         take_name (s, i, ctes);
   }
}

/* Removes the relations to which the cursor cannot refer. Names of WITH are only kept if FROM names
 * no relation. */
static void keep_visible (Scope *s)
{
   size_t cursor = s->all.before, kept = 0;
   bool mentioned = false;
   for (size_t i = 0; i < s->n; i++)
      mentioned |= !s->v[i].defined && encloses_cursor (s, s->v[i].group, cursor);
   for (size_t i = 0; i < s->n; i++)
      if (encloses_cursor (s, s->v[i].group, cursor) && !(mentioned && s->v[i].defined))
         s->v[kept++] = s->v[i];
   s->n = kept;
}

static bool open_scope (const MtCompletion *k, Scope *s)
{
   MtError err = {0};
   *s = read_pieces (k);
   if (!mt_tables (k->sh->session, k->a, &s->tables, &s->table_count, &err))
      return false;
   find_relations (s);
   keep_visible (s);
   return true;
}

/* Returns a name as an SQL identifier, with quotes if necessary. Capitals need none, because names
 * are found in any case. */
static const char *as_sql (MtArena *a, const char *name)
{
   bool plain = *name && (*name < '0' || *name > '9');
   for (const char *p = name; *p; p++)
      plain &= isalnum ((unsigned char) *p) || *p == '_' || (unsigned char) *p >= 0x80;
   return plain ? name : mt_printf (a, "\"%s\"", name);
}

static void add_table_columns (MtCompletion *k, const MtTableInfo *t)
{
   for (size_t i = 0; i < t->column_count; i++)
      mt_choice_if (k->out, as_sql (k->a, t->columns[i].name), k->prefix);
}

/* Adds the result columns of a query. Does nothing in a transaction, because an error of the query
 * would end it. */
static void add_query_columns (MtCompletion *k, const char *sql)
{
   MtResult *r = NULL;
   MtError err = {0};
   if (mt_transaction_state (k->sh->session) != MT_TRANSACTION_NONE ||
       !mt_describe (k->sh->session, sql, -1, &r, &err))
      return;
   for (size_t i = 0; i < mt_result_columns (r); i++)
      mt_choice_if (k->out, as_sql (k->a, mt_result_name (r, i)), k->prefix);
   mt_result_free (r);
}

void mt_scope_columns (MtCompletion *k, const char *qualifier)
{
   Scope s;
   size_t queries = 0;
   if (!open_scope (k, &s))
      return;
   for (size_t i = 0; i < s.n; i++) {
      if (qualifier && strcasecmp (s.v[i].name, qualifier) != 0)
         continue;
      if (s.v[i].table)
         add_table_columns (k, s.v[i].table);
      else if (queries++ < MAX_QUERIES)
         add_query_columns (k, s.v[i].query);
   }
   for (size_t i = 0; i < s.table_count && !s.n && !qualifier && *k->prefix; i++)
      add_table_columns (k, &s.tables[i]);
   const MtTableInfo *t = qualifier && !s.n ? find_table (&s, NULL, qualifier) : NULL;
   if (t)
      add_table_columns (k, t);
}

void mt_scope_relations (MtCompletion *k)
{
   Scope s;
   if (open_scope (k, &s))
      for (size_t i = 0; i < s.n; i++)
         mt_choice_if (k->out, as_sql (k->a, s.v[i].name), k->prefix);
}

void mt_scope_ctes (MtCompletion *k)
{
   Scope s = read_pieces (k);
   take_with (&s);
   for (size_t i = 0; i < s.n; i++)
      mt_choice_if (k->out, as_sql (k->a, s.v[i].name), k->prefix);
}

/* Returns the index of the last token before `before` that is `word` and directly within the
 * bracket `group`; `before` if there is none. */
static size_t last_word (const Scope *s, size_t before, size_t group, const char *word)
{
   for (size_t i = before; i-- > 0;)
      if (s->groups[i] == group && mt_piece_is (&s->all, i, word))
         return i;
   return before;
}

/* Returns whether piece i is the name of a column in the SELECT list: expression AS name, or
 * expression name. */
static bool is_result_name (const Scope *s, size_t i)
{
   MtSqlPieceKind before = s->all.v[i - 1].kind;
   bool follows = before == MT_SQL_CLOSE || before == MT_SQL_NAME || before == MT_SQL_NUMBER ||
                  before == MT_SQL_STRING;
   return is_word (s, i) && (follows || mt_piece_is (&s->all, i - 1, "as")) &&
          (mt_piece_is (&s->all, i + 1, ",") || mt_piece_is (&s->all, i + 1, "from"));
}

void mt_scope_result_names (MtCompletion *k)
{
   Scope s = read_pieces (k);
   size_t group = group_behind (&s, k->before), by = last_word (&s, k->before, group, "by"),
          select = last_word (&s, by, group, "select");
   if (by == k->before || select == by)
      return;
   for (size_t i = select + 2; i + 1 < by; i++) {
      if (s.groups[i] != group)
         continue;
      if (mt_piece_is (&s.all, i, "from"))
         return;
      if (is_result_name (&s, i))
         mt_choice_if (k->out, as_sql (k->a, mt_piece_name (&s.all, i)), k->prefix);
   }
}

void mt_scope_results (MtCompletion *k) { add_query_columns (k, k->sql); }

/* Each "name AS (" after the word WINDOW defines a window. */
void mt_scope_windows (MtCompletion *k)
{
   Scope s = read_pieces (k);
   bool defines = false;
   for (size_t i = 0; i + 2 < s.all.count; i++) {
      defines |= mt_piece_is (&s.all, i, "window");
      if (defines && is_word (&s, i) && mt_piece_is (&s.all, i + 1, "as") &&
          s.all.v[i + 2].kind == MT_SQL_OPEN)
         mt_choice_if (k->out, mt_piece_name (&s.all, i), k->prefix);
   }
}

/* The first name of each item within the parentheses after the table's name is a column. */
void mt_scope_new_columns (MtCompletion *k)
{
   size_t depth = 0;
   for (size_t i = 0; i + 1 < k->count && !mt_piece_is (k, i, "using"); i++) {
      bool begins = depth == 1 && (mt_piece_is (k, i - 1, "(") || mt_piece_is (k, i - 1, ","));
      if (begins && k->v[i].kind == MT_SQL_NAME)
         mt_choice_if (k->out, as_sql (k->a, mt_piece_name (k, i)), k->prefix);
      depth += k->v[i].kind == MT_SQL_OPEN;
      depth -= k->v[i].kind == MT_SQL_CLOSE && depth;
   }
}

void mt_scope_parts (MtCompletion *k, bool layouts)
{
   Scope s;
   if (!open_scope (k, &s))
      return;
   for (size_t i = 0; i < s.n; i++) {
      const MtTableInfo *t = s.v[i].table;
      for (size_t l = 0; t && layouts && l < t->layout_count; l++)
         mt_choice_if (k->out, as_sql (k->a, t->layouts[l].name), k->prefix);
      if (t && !layouts)
         add_table_columns (k, t);
   }
}

/* ---- values ---- */

/* Returns whether the string literal at the cursor is compared with a column (column = 'x, column
 * IN ('a', 'x, column LIKE 'x), and sets *at to the index of the column's token. */
static bool find_compared (const MtCompletion *k, size_t *at)
{
   size_t i = k->before;
   while (i && (k->v[i - 1].kind == MT_SQL_STRING || mt_piece_is (k, i - 1, ",")))
      i--;
   if (i && mt_piece_is (k, i - 1, "("))
      i--;
   bool compares = i && (k->v[i - 1].kind == MT_SQL_SIGN || mt_piece_is (k, i - 1, "in") ||
                         mt_piece_is (k, i - 1, "like"));
   i -= compares;
   i -= i && mt_piece_is (k, i - 1, "not");
   *at = i ? i - 1 : 0;
   return compares && i && k->v[i - 1].kind == MT_SQL_NAME;
}

static bool has_column (const MtTableInfo *t, const char *name, bool *text)
{
   for (size_t i = 0; t && i < t->column_count; i++)
      if (strcasecmp (t->columns[i].name, name) == 0) {
         *text = strncmp (t->columns[i].type, "timestamp", 9) != 0;
         return true;
      }
   return false;
}

/* Returns how many bytes a query would read, as EXPLAIN estimates; a large number if this is
 * unknown. */
static double bytes_read (const MtCompletion *k, const char *sql)
{
   MtResult *r = NULL;
   MtError err = {0};
   bool more = false;
   double bytes = 1e300;
   if (!mt_query (k->sh->session, mt_printf (k->a, "EXPLAIN %s", sql), -1, &r, &err))
      return bytes;
   if (mt_result_next (r, &more, &err) && more) {
      const char *text = mt_result_text (r, 0, NULL), *at = text ? strstr (text, "bytes=") : NULL;
      bytes = at ? strtod (at + strlen ("bytes="), NULL) : bytes;
   }
   mt_result_free (r);
   return bytes;
}

/* Adds values of a table's column. Reads all rows if the planner finds that cheap, otherwise only
 * the first rows. */
static void add_values (MtCompletion *k, const char *table, const char *column)
{
   const char *of = mt_printf (k->a, "FROM public.\"%s\"", table),
              *name = mt_printf (k->a, "\"%s\"", column),
              *all = mt_printf (k->a, "SELECT DISTINCT %s AS v %s", name, of);
   bool cheap = bytes_read (k, all) < CHEAP_BYTES;
   const char *some = cheap
                         ? all
                         : mt_printf (k->a, "SELECT DISTINCT v FROM (SELECT %s AS v %s LIMIT %d) s",
                                      name, of, SAMPLED_ROWS);
   mt_choice_query (k->sh, k->out,
                    mt_printf (k->a,
                               "SELECT replace (v::text, '''', '''''') || '''' FROM (%s) d "
                               "WHERE v IS NOT NULL LIMIT %d",
                               some, MAX_VALUES),
                    k->prefix);
}

void mt_scope_values (MtCompletion *k)
{
   Scope s;
   size_t at;
   bool text = false;
   if (mt_transaction_state (k->sh->session) != MT_TRANSACTION_NONE || !find_compared (k, &at) ||
       !open_scope (k, &s))
      return;
   bool qualified = at > 1 && mt_piece_is (k, at - 1, ".");
   const char *name = mt_piece_name (k, at),
              *qualifier = qualified ? mt_piece_name (k, at - 2) : NULL;
   for (size_t i = 0; i < s.n; i++) {
      if (qualifier && strcasecmp (s.v[i].name, qualifier) != 0)
         continue;
      if (has_column (s.v[i].table, name, &text) && text && !s.v[i].table->definition) {
         add_values (k, s.v[i].table->name, name);
         return;
      }
   }
}
