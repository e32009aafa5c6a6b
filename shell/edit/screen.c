#include "shell/edit/screen.h"
#include "shell/format/width.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAB_STOP = 8, UNKNOWN_COLUMNS = 80, UNKNOWN_LINES = 24 };

static const char *const colours[MT_STYLES] = {
   [MT_STYLE_PLAIN] = "",          [MT_STYLE_KEYWORD] = "\x1b[36m", [MT_STYLE_STRING] = "\x1b[33m",
   [MT_STYLE_NUMBER] = "\x1b[35m", [MT_STYLE_COMMENT] = "\x1b[90m", [MT_STYLE_COMMAND] = "\x1b[32m",
   [MT_STYLE_BAD] = "\x1b[1;31m",  [MT_STYLE_MATCH] = "\x1b[1;4m",  [MT_STYLE_FOUND] = "\x1b[7m",
   [MT_STYLE_HINT] = "\x1b[90m"};

void mt_screen_init (MtEditScreen *s, const MtEditHost *host)
{
   *s = (MtEditScreen) {.host = host, .leads = true};
   host->window_size (&s->columns, &s->lines);
   s->columns = s->columns > 0 ? s->columns : UNKNOWN_COLUMNS;
   s->lines = s->lines > 0 ? s->lines : UNKNOWN_LINES;
}

void mt_screen_free (MtEditScreen *s)
{
   mt_buf_free (&s->prompts);
   mt_buf_free (&s->below);
   mt_buf_free (&s->drawn);
   mt_buf_free (&s->drawn_styles);
   free (s->styles);
   free (s->rows);
}

static void write_all (const MtBuf *b)
{
   for (size_t at = 0; at < b->n;) {
      ssize_t n = write (STDOUT_FILENO, b->p + at, b->n - at);
      if (n < 0 && errno != EINTR)
         return;
      at += n > 0 ? (size_t) n : 0;
   }
}

/* ---- prompts ---- */

/* Returns the width of a text; escape sequences have no width. */
static int shown_width (const char *p, size_t n)
{
   int width = 0, w;
   for (size_t i = 0; i < n;) {
      if (p[i] == 0x1B && i + 1 < n && p[i + 1] == '[') {
         i += 2;
         while (i < n && (p[i] < 0x40 || p[i] > 0x7E))
            i++;
         i += i < n;
         continue;
      }
      i += mt_edit_cluster (p + i, n - i, &w);
      width += w > 0 ? w : 0;
   }
   return width;
}

/* Returns the part of a prompt after its last newline. */
static const char *last_line (const char *prompt)
{
   const char *nl = strrchr (prompt, '\n');
   return nl ? nl + 1 : prompt;
}

static const char *row_prompt (const MtEditScreen *s, const MtScreenRow *r)
{
   if (s->instead && r == s->rows)
      return s->instead;
   return last_line (s->prompts.n > r->prompt ? s->prompts.p + r->prompt : "");
}

/* ---- rows ---- */

/* Returns the number of bytes of the character at offset `at`, and in *width its width if it is
 * drawn at `column`. */
static size_t measure (const MtEditScreen *s, const MtEditText *t, size_t at, int column,
                       int *width)
{
   const char *p = t->b.p + at;
   size_t len = mt_edit_cluster (p, t->b.n - at, width);
   if (*p == '\t') {
      *width = TAB_STOP - column % TAB_STOP;
      *width = *width < s->columns - column ? *width : s->columns - column;
      *width = *width > 0 ? *width : 1;
   } else if (*width < 0) {
      *width = 2; /* shown as ^X */
   }
   return len;
}

static MtScreenRow *add_row (MtEditScreen *s, size_t start)
{
   MT_GROW ("rows of the line editor", s->rows, s->n, s->cap, 32);
   s->rows[s->n++] = (MtScreenRow) {.start = start, .end = start};
   return &s->rows[s->n - 1];
}

/* Divides one line of the text into rows of the window. A line that exactly fills its last row gets
 * a further empty row if the cursor is at its end. */
static void cut_line (MtEditScreen *s, const MtEditText *t, size_t start, size_t end, size_t prompt)
{
   MtScreenRow *r = add_row (s, start);
   int column, width;
   r->prompt = prompt;
   r->first = true;
   const char *text = row_prompt (s, r);
   column = r->indent = shown_width (text, strlen (text)) % s->columns;
   for (size_t at = start; at < end;) {
      size_t len = measure (s, t, at, column, &width);
      if (column + width > s->columns && column > 0) {
         r = add_row (s, at);
         column = 0;
         continue;
      }
      column += width;
      at += len;
      r->end = at;
   }
   if (column >= s->columns && t->cursor == end)
      add_row (s, end);
}

static void cut (MtEditScreen *s, const MtEditText *t)
{
   size_t prompt = 0, start = 0;
   s->n = 0;
   mt_buf_clear (&s->prompts);
   s->host->prompts (s->host->ctx, mt_edit_bytes (t), t->b.n, &s->prompts);
   for (;;) {
      size_t end = mt_edit_line_end (t, start);
      cut_line (s, t, start, end, prompt);
      if (end >= t->b.n)
         return;
      start = end + 1;
      prompt += prompt < s->prompts.n ? strlen (s->prompts.p + prompt) + 1 : 0;
   }
}

/* Returns the index of the row that contains offset `at`. The end of a full row belongs to the next
 * row of the same line. */
static size_t row_of (const MtEditScreen *s, size_t at)
{
   size_t low = 0, high = s->n;
   while (high - low > 1) {
      size_t middle = (low + high) / 2;
      if (s->rows[middle].start <= at)
         low = middle;
      else
         high = middle;
   }
   return low;
}

static int column_of (const MtEditScreen *s, const MtEditText *t, size_t row, size_t at)
{
   int column = s->rows[row].indent, width;
   for (size_t i = s->rows[row].start; i < at;) {
      i += measure (s, t, i, column, &width);
      column += width;
   }
   return column;
}

/* ---- drawing ---- */

static void set_style (const MtEditScreen *s, MtBuf *out, uint8_t *now, uint8_t style)
{
   if (*now == style || !s->host->style)
      return;
   if (*now)
      mt_buf_adds (out, "\x1b[0m");
   mt_buf_adds (out, colours[style]);
   *now = style;
}

static void draw_row (const MtEditScreen *s, const MtEditText *t, const MtScreenRow *r, MtBuf *out)
{
   int column = r->indent, width;
   uint8_t style = MT_STYLE_PLAIN;
   if (r->first)
      mt_buf_adds (out, row_prompt (s, r));
   for (size_t at = r->start, len; at < r->end; at += len) {
      const char *p = t->b.p + at;
      bool found = at >= s->found && at < s->found + s->found_n;
      len = measure (s, t, at, column, &width);
      set_style (s, out, &style, found ? MT_STYLE_FOUND : s->styles[at]);
      if (*p == '\t')
         mt_buf_fill (out, ' ', (size_t) width);
      else if ((unsigned char) *p < ' ' || *p == 0x7F)
         mt_buf_printf (out, "^%c", *p ^ 0x40);
      else
         mt_buf_add (out, p, len);
      column += width;
   }
   set_style (s, out, &style, MT_STYLE_PLAIN);
   if (r->start == r->end && !r->first)
      mt_buf_adds (out, " \r"); /* the row above is full: this moves the cursor here */
}

static void draw_rows (const MtEditScreen *s, const MtEditText *t, size_t from, size_t to,
                       MtBuf *out)
{
   for (size_t i = from; i < to; i++) {
      if (i > from && s->rows[i].first)
         mt_buf_adds (out, "\r\n");
      draw_row (s, t, &s->rows[i], out);
   }
}

/* Appends the lines below the text (choices and hints) to `out`, as many as fit into `room` lines.
 * Returns how many. */
static size_t draw_below (const MtEditScreen *s, size_t room, MtBuf *out)
{
   size_t drawn = 0;
   for (size_t at = 0; at < s->below.n && drawn < room; drawn++) {
      const char *p = s->below.p + at, *nl = memchr (p, '\n', s->below.n - at);
      size_t n = nl ? (size_t) (nl - p) : s->below.n - at;
      int columns = s->columns - 1;
      bool cut_off = drawn + 1 == room && at + n + 1 < s->below.n;
      mt_buf_adds (out, "\r\n");
      mt_buf_adds (out, s->host->style ? colours[MT_STYLE_HINT] : "");
      if (cut_off)
         mt_buf_adds (out, "…");
      else
         mt_buf_add (out, p, mt_text_width (p, n) > columns ? mt_text_fit (p, n, &columns) : n);
      mt_buf_adds (out, s->host->style ? "\x1b[0m" : "");
      at += n + 1;
   }
   return drawn;
}

/* Moves the cursor to the first row of the current drawing, and clears the window from there on. */
static void begin (MtEditScreen *s, MtBuf *out)
{
   if (s->cursor_row)
      mt_buf_printf (out, "\x1b[%zuA", s->cursor_row);
   mt_buf_adds (out, "\r\x1b[J");
   const char *prompt = s->prompts.n ? s->prompts.p : "", *last = last_line (prompt);
   if (s->leads)
      mt_buf_add (out, prompt, (size_t) (last - prompt));
   s->leads = false;
}

static void find_styles (MtEditScreen *s, const MtEditText *t)
{
   if (t->b.n + 1 > s->styles_cap) {
      s->styles_cap = 2 * t->b.n + 64;
      s->styles = mt_realloc ("styles of the line editor", s->styles, s->styles_cap);
   }
   memset (s->styles, MT_STYLE_PLAIN, t->b.n + 1);
   if (s->host->style)
      s->host->style (s->host->ctx, mt_edit_bytes (t), t->b.n, t->cursor, s->styles);
}

static size_t count_lines (const MtBuf *b)
{
   size_t n = 0;
   for (size_t i = 0; i < b->n; i++)
      n += b->p[i] == '\n';
   return n;
}

/* Sets s->top, the first row that is shown, so that the row of the cursor is visible. Returns how
 * many rows are shown. */
static size_t scroll (MtEditScreen *s, size_t row)
{
   size_t below = count_lines (&s->below), half = (size_t) s->lines / 2,
          height = (size_t) s->lines - (below < half ? below : half);
   height = height ? height : 1;
   if (s->n <= height)
      s->top = 0;
   else if (row < s->top)
      s->top = row;
   else if (row >= s->top + height)
      s->top = row - height + 1;
   if (s->n > height && s->top > s->n - height)
      s->top = s->n - height;
   return s->top + height < s->n ? s->top + height : s->n;
}

/* Stores the text and styles that are on the screen now, for `append`. */
static void keep (MtEditScreen *s, const MtEditText *t)
{
   mt_buf_clear (&s->drawn);
   mt_buf_clear (&s->drawn_styles);
   s->known = t->cursor == t->b.n && !s->below.n && !s->instead;
   mt_buf_add (&s->drawn, mt_edit_bytes (t), t->b.n);
   mt_buf_add (&s->drawn_styles, s->styles, t->b.n);
}

/* Returns whether the screen shows a prefix of the text, with the cursor at its end. */
static bool begins_as_drawn (const MtEditScreen *s, const MtEditText *t)
{
   size_t n = s->drawn.n;
   return s->known && n <= t->b.n &&
          (!n ||
           (memcmp (s->drawn.p, t->b.p, n) == 0 && memcmp (s->drawn_styles.p, s->styles, n) == 0));
}

/* If characters were only appended to the text, and nothing else on the screen changes, draws just
 * these characters. Otherwise returns false: all must be drawn again. */
static bool append (MtEditScreen *s, const MtEditText *t)
{
   size_t from = s->drawn.n, n = t->b.n;
   if (n <= from || t->cursor != n || s->below.n || s->instead || !begins_as_drawn (s, t))
      return false;
   MtScreenRow typed = s->rows[s->n - 1];
   for (size_t i = from; i < n; i++)
      if (t->b.p[i] < ' ' || t->b.p[i] > '~' || s->styles[i])
         return false;
   if (typed.start > from || s->n - s->top > s->cursor_row + 1 ||
       column_of (s, t, s->n - 1, n) >= s->columns)
      return false;
   MtBuf out = {0};
   mt_buf_add (&out, t->b.p + from, n - from);
   write_all (&out);
   mt_buf_free (&out);
   return true;
}

void mt_screen_draw (MtEditScreen *s, const MtEditText *t)
{
   MtBuf out = {0};
   cut (s, t);
   find_styles (s, t);
   size_t row = row_of (s, t->cursor), end = scroll (s, row),
          room = (size_t) s->lines - (end - s->top);
   bool appended = append (s, t);
   keep (s, t);
   if (appended)
      return;
   begin (s, &out);
   draw_rows (s, t, s->top, end, &out);
   size_t up = end - 1 - row + draw_below (s, room, &out);
   int column = column_of (s, t, row, t->cursor);
   if (up)
      mt_buf_printf (&out, "\x1b[%zuA", up);
   mt_buf_adds (&out, "\r");
   if (column)
      mt_buf_printf (&out, "\x1b[%dC", column);
   s->cursor_row = row - s->top;
   write_all (&out);
   mt_buf_free (&out);
}

void mt_screen_finish (MtEditScreen *s, const MtEditText *t)
{
   MtBuf out = {0};
   MtEditText end = *t;
   end.cursor = t->b.n;
   s->instead = NULL;
   s->found_n = 0;
   cut (s, &end);
   find_styles (s, &end);
   bool drawn = begins_as_drawn (s, &end) && s->drawn.n == t->b.n;
   if (s->n <= (size_t) s->lines && (drawn || append (s, &end)))
      return;
   begin (s, &out);
   draw_rows (s, &end, 0, s->n, &out);
   write_all (&out);
   mt_buf_free (&out);
}

void mt_screen_anew (MtEditScreen *s, bool clears)
{
   MtBuf out = {0};
   mt_buf_adds (&out, clears ? "\x1b[H\x1b[2J" : "");
   s->cursor_row = 0;
   s->leads = true;
   s->known = false;
   write_all (&out);
   mt_buf_free (&out);
}

void mt_screen_resized (MtEditScreen *s, const MtEditText *t)
{
   int columns, lines;
   s->host->window_size (&columns, &lines);
   if (columns <= 0 || lines <= 0 || (columns == s->columns && lines == s->lines))
      return;
   s->columns = columns;
   s->lines = lines;
   s->known = false;
   size_t top = s->n > s->top ? s->rows[s->top].start : 0;
   cut (s, t);
   size_t row = row_of (s, t->cursor), from = row_of (s, top);
   row -= from < row ? from : row;
   s->cursor_row = row < (size_t) lines ? row : (size_t) lines - 1;
}

/* ---- moving up and down ---- */

size_t mt_screen_vertical (MtEditScreen *s, const MtEditText *t, size_t at, int by, int *column)
{
   cut (s, t);
   size_t row = row_of (s, at);
   if (*column < 0)
      *column = column_of (s, t, row, at);
   if (by < 0 ? row == 0 : row + 1 >= s->n)
      return at;
   const MtScreenRow *r = &s->rows[by < 0 ? row - 1 : row + 1];
   bool wraps = r + 1 < s->rows + s->n && !r[1].first;
   int now = r->indent, width;
   size_t place = r->start;
   while (place < r->end) {
      size_t len = measure (s, t, place, now, &width);
      if (now + width > *column || (wraps && place + len >= r->end))
         break;
      now += width;
      place += len;
   }
   return place;
}
