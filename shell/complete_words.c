/* The words that can follow the beginning of a statement. */
#include "shell/commands/command.h"
#include "shell/complete.h"

#include "base/memory.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { MOST_WORDS = 6 };

#define BEHIND_A_TABLE \
   "AS ASOF CROSS EXCEPT FETCH FULL GROUP HAVING INNER INTERSECT JOIN LEFT LIMIT NATURAL OFFSET " \
   "ON ORDER RIGHT TABLESAMPLE UNION USING WHERE WINDOW"

/* The words that completion offers. To add words, add a row. behind: the statement so far in lower
 * case, or "…" and the last words of the statement. A * stands for any word. words: $columns,
 * $settings and $tables stand for the names of columns, settings and tables. The first row that
 * fits is used. */
static const struct {
   const char *behind, *words;
} rows[] = {
   {"create", "FUNCTION INDEX LAYOUT MATERIALIZED OR TABLE TEMPORARY UNIQUE VIEW"},
   {"create or", "REPLACE"},
   {"create or replace", "FUNCTION VIEW"},
   {"create table", "$tables IF"},
   {"create temporary", "TABLE"},
   {"create unique", "INDEX"},
   {"insert", "INTO"},
   {"insert into *", "( DEFAULT OVERRIDING SELECT TABLE VALUES WITH"},
   {"delete", "FROM"},
   {"delete from *", "AS RETURNING USING WHERE"},
   {"update *", "AS SET"},
   {"update * set", "$columns"},
   {"copy *", "FROM TO"},
   {"copy * from", "STDIN"},
   {"copy * to", "STDOUT"},
   {"copy * from *", "WHERE WITH"},
   {"set", "$settings LOCAL SESSION TIME TRANSACTION"},
   {"set local", "$settings"},
   {"set session", "$settings CHARACTERISTICS"},
   {"set *", "TO"},
   {"show", "$settings ALL TIME TRANSACTION"},
   {"reset", "$settings ALL"},
   {"alter table *", "ADD ALTER DROP LAYOUT RENAME RESET SET"},
   {"alter table * add", "COLUMN LAYOUT"},
   {"alter table * alter", "$columns COLUMN"},
   {"alter table * alter column", "$columns"},
   {"alter table * drop", "$columns COLUMN LAYOUT"},
   {"alter table * drop column", "$columns"},
   {"alter table * rename", "$columns COLUMN TO"},
   {"alter table * rename column", "$columns"},
   {"drop table if exists", "$tables"},
   {"refresh materialized view", "$tables"},
   {"… from *", BEHIND_A_TABLE},
   {"… join *", "AS ON TABLESAMPLE USING"},
   {"… group", "BY"},
   {"… order", "BY"},
   {"… partition", "BY"},
   {0},
};

typedef struct Words {
   /* the last words of the statement in lower case; each sign, such as '(', is a word */
   char *v[MOST_WORDS];
   size_t n, all;
} Words;

static bool word_char (char c)
{
   return isalnum ((unsigned char) c) || strchr ("_.$\"", c) || (unsigned char) c >= 0x80;
}

static Words split (MtArena *a, const char *text)
{
   Words w = {0};
   for (const char *p = text + strspn (text, " \t\n"); *p; p += strspn (p, " \t\n")) {
      size_t n = 0;
      while (p[n] && word_char (p[n]))
         n++;
      n = n ? n : 1;
      if (w.n == MOST_WORDS)
         memmove (w.v, w.v + 1, --w.n * sizeof *w.v);
      char *s = w.v[w.n++] = mt_strndup (a, p, n);
      for (; *s; s++)
         *s = (char) tolower ((unsigned char) *s);
      w.all++;
      p += n;
   }
   return w;
}

static bool fits (const Words *w, const char *behind)
{
   bool tail = strncmp (behind, "… ", strlen ("… ")) == 0;
   size_t n = 1, at;
   behind += tail ? strlen ("… ") : 0;
   for (const char *p = behind; *p; p++)
      n += *p == ' ';
   if (n > w->n || (!tail && n != w->all))
      return false;
   for (at = w->n - n; at < w->n; at++) {
      size_t length = strcspn (behind, " ");
      bool any = length == 1 && *behind == '*' && word_char (*w->v[at]);
      if (!any && (strlen (w->v[at]) != length || strncmp (w->v[at], behind, length) != 0))
         return false;
      behind += length + (behind[length] == ' ');
   }
   return true;
}

/* Returns the next words of the statements in mt_sql_help that begin with text. The text is in
 * arena a; NULL: no statement begins with it. */
static const char *of_help (MtArena *a, const char *text)
{
   MtBuf so_far = {0}, next = {0};
   const Words w = split (a, text);
   for (size_t i = 0; i < w.n; i++)
      mt_buf_printf (&so_far, "%s ", w.v[i]);
   mt_buf_adds (&so_far, "");
   for (const MtSqlHelp *h = mt_sql_help; w.all == w.n && h->name; h++)
      if (strncasecmp (h->name, so_far.p, so_far.n) == 0)
         mt_buf_printf (&next, "%.*s ", (int) strcspn (h->name + so_far.n, " "),
                        h->name + so_far.n);
   const char *found = next.n ? mt_strndup (a, next.p, next.n) : NULL;
   mt_buf_free (&so_far);
   mt_buf_free (&next);
   return found;
}

const char *mt_words_behind (MtArena *a, const char *text)
{
   const Words w = split (a, text);
   for (size_t i = 0; rows[i].behind; i++)
      if (fits (&w, rows[i].behind))
         return rows[i].words;
   return of_help (a, text);
}
