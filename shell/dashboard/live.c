/* A live dashboard on a terminal: draws it in place after each interval, and handles keys in
 * between. */
#include "shell/dashboard/dashboard_int.h"
#include "shell/core/output.h"
#include "shell/edit/keys.h"
#include "shell/edit/terminal.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* The number of lines of the head, with the empty line below, and of the foot, with the empty line
 * above. */
enum { HEAD = 2, FOOT = 2, DEFAULT_COLUMNS = 80 };

typedef struct Live {
   MtBoardView v;
   MtBoard *board;  /* the same as v.board, but not const */
   MtShown **shown; /* the same as v.shown, but not const */
   const MtBoardFile *file;
   MtEditHost host;
   MtKeys keys;
   MtAsk ask;
   int lines;       /* the height of the window */
   int top;         /* the first of the panels' lines that is visible */
   int panel_lines; /* the number of lines of all panels */
   double due_ms;   /* the time when the queries are run again, in ms */
} Live;

/* ---- drawing ---- */

static void flush_out (MtBuf *out)
{
   fwrite (out->p, 1, out->n, stdout);
   fflush (stdout);
   mt_buf_free (out);
}

static void add_line (const Live *l, MtStr line, MtBuf *out)
{
   mt_board_clip (&l->v, line, l->v.screen.columns, false, out);
   mt_buf_adds (out, "\033[K\n");
}

static void add_interval (double seconds, MtBuf *out)
{
   if (fmod (seconds, 3600) == 0)
      mt_buf_printf (out, ", every %gh", seconds / 3600);
   else if (fmod (seconds, 60) == 0)
      mt_buf_printf (out, ", every %gmin", seconds / 60);
   else
      mt_buf_printf (out, ", every %gs", seconds);
}

/* Appends the last line: when the queries ran, and a list of keys, or the prompt. It ends without a
 * newline, which would scroll the screen. reading: what is being read now; NULL: nothing. */
static void add_foot (const Live *l, const char *reading, MtBuf *out)
{
   char when[32] = "";
   struct tm tm;
   MtBuf line = {0};
   double refresh_s = l->v.board->refresh_s;
   mt_buf_adds (out, "\033[?25l");
   if (l->ask.open && !reading) {
      mt_ask_draw (&l->ask, &l->v, out);
      return;
   }
   if (l->v.read_at)
      strftime (when, sizeof when, "Read at %H:%M:%S", localtime_r (&l->v.read_at, &tm));
   mt_buf_printf (&line, "%s%s", l->v.screen.colors ? "\033[2m" : "", when);
   if (reading)
      mt_buf_printf (&line, "%sReading %s", *when ? ". " : "", reading);
   else if (refresh_s > 0)
      add_interval (refresh_s, &line);
   if (!reading && l->ask.problem)
      mt_buf_printf (&line, ". %s", l->ask.problem);
   else if (!reading)
      mt_buf_printf (&line, ". %sr reads again, %sq quits",
                     l->panel_lines > l->v.screen.lines ? "Up and Down show the rest, " : "",
                     l->v.board->variable_count ? "v sets a variable, " : "");
   mt_board_clip (&l->v, (MtStr) {line.p, line.n}, l->v.screen.columns - 1, false, out);
   mt_buf_adds (out, l->v.screen.colors ? "\033[0m\033[K\r" : "\033[K\r");
   mt_buf_free (&line);
}

static void measure (Live *l)
{
   int columns;
   mt_window_size (&columns, &l->lines);
   l->v.screen.columns = columns > 0 ? columns : DEFAULT_COLUMNS;
   l->v.screen.lines = l->lines > HEAD + FOOT + 1 ? l->lines - HEAD - FOOT : 1;
}

static int last_top (const Live *l)
{
   int most = l->panel_lines - l->v.screen.lines;
   return most > 0 ? most : 0;
}

static void draw (Live *l, const char *reading)
{
   MtBuf out = {0}, panels = {0};
   measure (l);
   mt_board_panels (&l->v, &panels);
   l->panel_lines = 0;
   for (size_t i = 0; i < panels.n; i++)
      l->panel_lines += panels.p[i] == '\n';
   l->top = l->top > last_top (l) ? last_top (l) : l->top;
   mt_buf_adds (&out, "\033[H");
   mt_board_head (&l->v, &out);
   if (out.n && out.p[out.n - 1] == '\n') {
      out.n--;
      mt_buf_adds (&out, "\033[K\n");
   }
   mt_buf_adds (&out, "\033[K\n");
   const char *p = panels.p;
   for (int y = 0; y < l->top + l->v.screen.lines; y++) {
      const char *end = p && *p ? strchr (p, '\n') : NULL;
      if (y >= l->top)
         add_line (l, (MtStr) {p ? p : "", end ? (size_t) (end - p) : 0}, &out);
      p = end ? end + 1 : p;
   }
   mt_buf_adds (&out, "\033[K\n");
   add_foot (l, reading, &out);
   mt_buf_free (&panels);
   flush_out (&out);
}

/* ---- running the queries ---- */

/* Runs the queries of all panels. Returns false after Ctrl-C. */
static bool read_all (Live *l)
{
   const MtBoard *b = l->v.board;
   for (size_t i = 0; i < b->count; i++) {
      MtBuf out = {0};
      add_foot (l, b->panels[i].title, &out);
      flush_out (&out);
      mt_shown_read (l->v.sh, &b->panels[i], &(*l->shown)[i]);
      if (mt_interrupted)
         return false;
   }
   l->v.read_at = time (NULL);
   l->due_ms = mt_shell_now_ms () + b->refresh_s * 1000;
   return true;
}

/* ---- keys ---- */

/* The keys that scroll: by a number of lines, or by whole screens. */
static const struct Move {
   int key, lines, windows;
} moves[] = {
   {MT_KEY_UP, -1, 0},         {'k', -1, 0},
   {MT_KEY_DOWN, 1, 0},        {'j', 1, 0},
   {MT_KEY_PAGE_UP, 0, -1},    {MT_KEY_PAGE_DOWN, 0, 1},
   {MT_KEY_HOME, -1000000, 0}, {MT_KEY_END, 1000000, 0},
};

static void move (Live *l, int key)
{
   for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
      if (moves[i].key == key) {
         l->top += moves[i].lines + moves[i].windows * l->v.screen.lines;
         l->top = l->top < 0 ? 0 : l->top;
         draw (l, NULL);
      }
   }
}

/* Returns how many milliseconds to wait for a key; 0: without limit. */
static int wait_ms (const Live *l)
{
   double ms = l->due_ms - mt_shell_now_ms ();
   if (l->v.board->refresh_s <= 0 || l->ask.open)
      return 0;
   return ms < 1 ? 1 : (int) ms;
}

/* ---- variables ---- */

/* Reads the file again with the variable's value from the prompt. Returns whether the queries must
 * be run again. */
static bool take_answer (Live *l)
{
   MtBoard next = {0};
   const char *name, *value;
   char *why = NULL;
   if (!mt_ask_answer (&l->ask, &l->v, &name, &value))
      return false;
   bool ok = mt_board_again (l->v.sh, l->file, name, value, &next, &why);
   if (ok) {
      mt_shown_free_all (*l->shown, l->board->count);
      mt_board_free (l->board);
      *l->board = next;
      l->v.shown = *l->shown = mt_calloc ("panels", next.count, sizeof (MtShown));
   }
   mt_ask_close (&l->ask, why);
   free (why);
   return ok;
}

/* Handles a key in the prompt. Returns whether the queries must be run again. */
static bool answer (Live *l, int key)
{
   bool runs = false;
   switch (mt_ask_key (&l->ask, &l->v, &l->keys, key)) {
   case MT_ASK_GOES_ON: break;
   case MT_ASK_CANCELS: mt_ask_close (&l->ask, NULL); break;
   case MT_ASK_ANSWERS: runs = take_answer (l); break;
   }
   draw (l, NULL);
   return runs;
}

/* Handles keys until the queries have to be run again. Returns false if the user ends the
 * dashboard. */
static bool wait_for_keys (Live *l)
{
   for (;;) {
      l->keys.wait_ms = wait_ms (l);
      l->host.vi = l->ask.open; /* so that Escape is not read as the start of a sequence */
      int key = mt_keys_next (&l->keys);
      if (l->ask.open && key != MT_KEY_EOF) {
         if (answer (l, key))
            return true;
         continue;
      }
      switch (key) {
      case 'q':
      case 'Q':
      case MT_CTRL ('D'):
      case MT_KEY_EOF:
      case MT_KEY_INTERRUPT: return false;
      case 'v':
      case 'V':
         mt_ask_open (&l->ask, &l->v);
         draw (l, NULL);
         break;
      case 'r':
      case 'R': mt_ask_close (&l->ask, NULL); return true;
      case MT_KEY_TIMEOUT: return true;
      case MT_KEY_REDRAW: draw (l, NULL); break;
      default: move (l, key);
      }
   }
}

bool mt_board_live (MtShell *sh, MtBoard *b, MtShown **shown, const MtBoardFile *file)
{
   Live l = {.v = {.sh = sh, .board = b, .shown = *shown},
             .board = b,
             .shown = shown,
             .file = file,
             .host = {.take_interrupt = mt_signals_take_interrupt,
                      .take_resize = mt_signals_take_resize},
             .keys = {.again = -1}};
   l.keys.host = &l.host;
   l.v.screen.utf8 = mt_speaks_utf8 ();
   l.v.screen.colors = mt_terminal_wants_colours ();
   fflush (stdout);
   if (!mt_terminal_enter (MT_TERMINAL_DRAWS))
      return false;
   mt_signals_running (true);
   sh->hides_notices = true;
   draw (&l, "");
   while (read_all (&l)) {
      draw (&l, NULL);
      if (!wait_for_keys (&l))
         break;
   }
   mt_terminal_leave ();
   sh->hides_notices = false;
   mt_signals_running (false);
   mt_ask_close (&l.ask, NULL);
   mt_buf_free (&l.keys.pasted);
   return true;
}
