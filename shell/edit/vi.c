/* vi's keys. In insert mode the keys are those of edit.c, except Escape. In command mode each key
 * is a row of a table: a motion, an operator (which is followed by a motion), or an action. */
#include "shell/edit/edit_int.h"

#include <ctype.h>
#include <string.h>

enum { ESC = 0x1B, MOST = 9999 };

/* The keys of the current command, of the last one that changed the text, and of the one being
 * repeated by '.'. They survive the edited text. */
static MtBuf record, last_change, replay;
static size_t replayed; /* how many bytes of `replay` have been read */

/* The last command f, F, t or T, and the character that it searched for. */
static int found_by, found_char;

int mt_vi_next (MtEditor *e)
{
   int key;
   if (replayed < replay.n) {
      memcpy (&key, replay.p + replayed, sizeof key);
      replayed += sizeof key;
   } else {
      key = mt_keys_next (&e->keys);
   }
   if (key < MT_KEY_INTERRUPT || key >= MT_KEY_META)
      mt_buf_add (&record, &key, sizeof key);
   return key;
}

void mt_vi_begin (MtEditor *e)
{
   mt_buf_clear (&record);
   mt_buf_clear (&replay);
   replayed = 0;
   e->t.group = 1;
}

/* Ends a command. If it changed the text, its keys are stored for '.'. */
static void end_command (MtEditor *e)
{
   if (e->changes && record.n) {
      mt_buf_clear (&last_change);
      mt_buf_add (&last_change, record.p, record.n);
   }
   e->changes = false;
   mt_buf_clear (&record);
   e->t.group++;
}

static void insert_mode (MtEditor *e)
{
   e->command = e->replaces = false;
   e->changes = true;
}

/* Moves the cursor from the end of a line to its last character, because in command mode it must be
 * on a character unless the line is empty. */
static void settle (MtEditor *e)
{
   size_t at = e->t.cursor;
   if (e->command && at == mt_edit_line_end (&e->t, at) && at > mt_edit_line_start (&e->t, at))
      e->t.cursor = mt_edit_left (&e->t, at);
}

/* ---- motions: each sets *at to the new offset, and returns false if it can't move ---- */

static bool to_left (MtEditor *e, size_t *at, int count)
{
   size_t before = *at, start = mt_edit_line_start (&e->t, *at);
   while (count-- && *at > start)
      *at = mt_edit_left (&e->t, *at);
   return *at < before;
}

static bool to_right (MtEditor *e, size_t *at, int count)
{
   size_t before = *at, end = mt_edit_line_end (&e->t, *at);
   while (count-- && *at < end)
      *at = mt_edit_right (&e->t, *at);
   return *at > before;
}

typedef enum Class { BLANK, WORD, MARK } Class;

static Class class_at (const MtEditor *e, size_t at, bool big)
{
   unsigned char c = (unsigned char) e->t.b.p[at];
   if (isspace (c))
      return BLANK;
   return big || isalnum (c) || c == '_' || c >= 0x80 ? WORD : MARK;
}

static size_t skip (const MtEditor *e, size_t at, Class class, bool big)
{
   while (at < e->t.b.n && class_at (e, at, big) == class)
      at = mt_edit_right (&e->t, at);
   return at;
}

static size_t skip_left (const MtEditor *e, size_t at, Class class, bool big)
{
   for (size_t left; at && class_at (e, left = mt_edit_left (&e->t, at), big) == class;)
      at = left;
   return at;
}

static bool next_word (MtEditor *e, size_t *at, int count, bool big)
{
   size_t before = *at;
   while (count-- && *at < e->t.b.n) {
      Class class = class_at (e, *at, big);
      *at = skip (e, class == BLANK ? *at : skip (e, *at, class, big), BLANK, big);
   }
   return *at > before;
}

static bool word_before (MtEditor *e, size_t *at, int count, bool big)
{
   size_t before = *at;
   while (count-- && *at) {
      *at = skip_left (e, *at, BLANK, big);
      if (*at)
         *at = skip_left (e, *at, class_at (e, mt_edit_left (&e->t, *at), big), big);
   }
   return *at < before;
}

static bool word_end (MtEditor *e, size_t *at, int count, bool big)
{
   size_t before = *at;
   while (count--) {
      size_t next = skip (e, mt_edit_right (&e->t, *at), BLANK, big);
      if (next >= e->t.b.n)
         break;
      *at = mt_edit_left (&e->t, skip (e, next, class_at (e, next, big), big));
   }
   return *at > before;
}

static bool to_word (MtEditor *e, size_t *at, int n) { return next_word (e, at, n, false); }
static bool to_big_word (MtEditor *e, size_t *at, int n) { return next_word (e, at, n, true); }
static bool to_before (MtEditor *e, size_t *at, int n) { return word_before (e, at, n, false); }
static bool to_big_before (MtEditor *e, size_t *at, int n) { return word_before (e, at, n, true); }
static bool to_end (MtEditor *e, size_t *at, int n) { return word_end (e, at, n, false); }
static bool to_big_end (MtEditor *e, size_t *at, int n) { return word_end (e, at, n, true); }

static bool to_line_start (MtEditor *e, size_t *at, int count)
{
   *at = mt_edit_line_start (&e->t, *at);
   return true;
}

static bool to_line_end (MtEditor *e, size_t *at, int count)
{
   *at = mt_edit_line_end (&e->t, *at);
   return true;
}

static bool to_text (MtEditor *e, size_t *at, int count)
{
   size_t end = mt_edit_line_end (&e->t, *at);
   *at = mt_edit_line_start (&e->t, *at);
   while (*at < end && isspace ((unsigned char) e->t.b.p[*at]))
      ++*at;
   return true;
}

static bool to_column (MtEditor *e, size_t *at, int count)
{
   *at = mt_edit_line_start (&e->t, *at);
   return to_right (e, at, count - 1) || count == 1;
}

static bool line_below (MtEditor *e, size_t *at, int count)
{
   for (; count; count--) {
      size_t end = mt_edit_line_end (&e->t, *at);
      if (end >= e->t.b.n)
         return false;
      *at = end + 1;
   }
   return true;
}

static bool line_above (MtEditor *e, size_t *at, int count)
{
   for (; count; count--) {
      size_t start = mt_edit_line_start (&e->t, *at);
      if (!start)
         return false;
      *at = start - 1;
   }
   return true;
}

/* Moves to the line with number `count`; if no number was typed, to the last line. */
static bool to_line (MtEditor *e, size_t *at, int count)
{
   *at = e->count ? 0 : e->t.b.n;
   return line_below (e, at, count - 1);
}

static bool to_first_line (MtEditor *e, size_t *at, int count)
{
   if (mt_vi_next (e) != 'g')
      return false;
   *at = 0;
   return line_below (e, at, count - 1);
}

/* Moves to the `count`-th occurrence of found_char in the line, or next to it. how: the command f,
 * F, t or T. */
static bool find_char (MtEditor *e, size_t *at, int count, int how)
{
   char utf8[4];
   size_t n = mt_utf8_put (utf8, (uint32_t) found_char), start = mt_edit_line_start (&e->t, *at),
          end = mt_edit_line_end (&e->t, *at), to = *at;
   bool back = isupper (how);
   while (count && (back ? to > start : to < end)) {
      to = back ? mt_edit_left (&e->t, to) : mt_edit_right (&e->t, to);
      count -= to < end && end - to >= n && memcmp (e->t.b.p + to, utf8, n) == 0;
   }
   if (count)
      return false;
   *at = to;
   if (how == 't')
      *at = mt_edit_left (&e->t, to);
   if (how == 'T')
      *at = mt_edit_right (&e->t, to);
   return true;
}

static bool find_new (MtEditor *e, size_t *at, int count, int how)
{
   int c = mt_vi_next (e);
   if (c < ' ' || c >= MT_KEY_UP)
      return false;
   found_by = how;
   found_char = c;
   return find_char (e, at, count, how);
}

static bool to_char (MtEditor *e, size_t *at, int n) { return find_new (e, at, n, 'f'); }
static bool back_to_char (MtEditor *e, size_t *at, int n) { return find_new (e, at, n, 'F'); }
static bool till_char (MtEditor *e, size_t *at, int n) { return find_new (e, at, n, 't'); }
static bool back_till_char (MtEditor *e, size_t *at, int n) { return find_new (e, at, n, 'T'); }

/* Repeats the last search for a character, as command `how`. With t or T the search starts after
 * the character next to which the cursor already is. */
static bool find_again (MtEditor *e, size_t *at, int count, int how)
{
   size_t from = *at;
   if (how == 't')
      to_right (e, &from, 1);
   if (how == 'T')
      to_left (e, &from, 1);
   if (!find_char (e, &from, count, how))
      return false;
   *at = from;
   return true;
}

static bool char_again (MtEditor *e, size_t *at, int n)
{
   return found_by && find_again (e, at, n, found_by);
}

static bool char_back (MtEditor *e, size_t *at, int n)
{
   return found_by &&
          find_again (e, at, n, islower (found_by) ? toupper (found_by) : tolower (found_by));
}

/* Moves to the bracket that matches the next bracket in the line. */
static bool to_bracket (MtEditor *e, size_t *at, int count)
{
   static const char brackets[] = "()[]{}";
   const char *p = mt_edit_bytes (&e->t), *found = NULL;
   size_t i = *at, end = mt_edit_line_end (&e->t, *at);
   for (; i < end && !(found = strchr (brackets, p[i])); i++)
      ;
   if (!found)
      return false;
   bool opens = (found - brackets) % 2 == 0;
   char other = opens ? found[1] : found[-1];
   for (int depth = 0;; i += opens ? 1 : (size_t) -1) {
      depth += (p[i] == *found) - (p[i] == other);
      if (!depth) {
         *at = i;
         return true;
      }
      if (opens ? i + 1 >= e->t.b.n : i == 0)
         return false;
   }
}

/* What an operator affects, given the target of a motion: up to the target, including the character
 * at the target, or whole lines. */
typedef enum Extent { UP_TO, WITH, LINES } Extent;

typedef struct Motion {
   int key;
   bool (*move) (MtEditor *e, size_t *at, int count);
   Extent extent;
} Motion;

static const Motion motions[] = {
   {'h', to_left, UP_TO},      {0x7F, to_left, UP_TO},      {'l', to_right, UP_TO},
   {' ', to_right, UP_TO},     {'w', to_word, UP_TO},       {'W', to_big_word, UP_TO},
   {'b', to_before, UP_TO},    {'B', to_big_before, UP_TO}, {'e', to_end, WITH},
   {'E', to_big_end, WITH},    {'0', to_line_start, UP_TO}, {'^', to_text, UP_TO},
   {'$', to_line_end, UP_TO},  {'|', to_column, UP_TO},     {'f', to_char, WITH},
   {'F', back_to_char, UP_TO}, {'t', till_char, WITH},      {'T', back_till_char, UP_TO},
   {';', char_again, WITH},    {',', char_back, WITH},      {'%', to_bracket, WITH},
   {'G', to_line, LINES},      {'g', to_first_line, LINES}, {'j', line_below, LINES},
   {'k', line_above, LINES},   {'+', line_below, LINES},    {'-', line_above, LINES},
};

static const Motion *find_motion (int key)
{
   for (size_t i = 0; i < sizeof motions / sizeof *motions; i++)
      if (motions[i].key == key)
         return &motions[i];
   return NULL;
}

/* ---- operators: d, c and y ---- */

static void operate_on_lines (MtEditor *e, int op, size_t from, size_t to)
{
   MtBuf lines = {0};
   from = mt_edit_line_start (&e->t, from);
   to = mt_edit_line_end (&e->t, to);
   mt_buf_add (&lines, mt_edit_bytes (&e->t) + from, to - from);
   mt_buf_addc (&lines, '\n');
   mt_keep_cut (lines.p, lines.n);
   mt_buf_free (&lines);
   if (op == 'y')
      return;
   if (op == 'd' && to < e->t.b.n)
      to++;
   else if (op == 'd' && from)
      from--;
   mt_edit_replace (&e->t, from, to, "", 0);
   e->changes = true;
   if (op == 'c')
      insert_mode (e);
   else
      to_text (e, &e->t.cursor, 1);
}

static void operate (MtEditor *e, int op, size_t from, size_t to)
{
   mt_keep_cut (mt_edit_bytes (&e->t) + from, to - from);
   e->t.cursor = from;
   if (op == 'y')
      return;
   mt_edit_replace (&e->t, from, to, "", 0);
   e->changes = true;
   if (op == 'c')
      insert_mode (e);
}

/* Applies operator `op` to the text between the cursor and the target `to` of motion m. */
static void operate_to (MtEditor *e, int op, const Motion *m, size_t to)
{
   size_t at = e->t.cursor, from = to < at ? to : at;
   bool back = to < at;
   to = back ? at : to;
   if (m->extent == LINES) {
      operate_on_lines (e, op, from, to);
      return;
   }
   size_t end = mt_edit_line_end (&e->t, from);
   bool by_word = m->move == to_word || m->move == to_big_word;
   if (by_word && to > end && from < end) /* the last word of a line */
      to = end;
   /* F and T, and their repetitions, do not include the character at the cursor */
   if (m->extent == WITH && (!back || m->move == to_bracket))
      to = mt_edit_right (&e->t, to);
   operate (e, op, from, to);
}

/* Moves to the end of a word; the word may end at the cursor. */
static bool word_end_from (MtEditor *e, size_t *at, int count, bool big)
{
   for (int i = 0; i < count; i++) {
      size_t next = i ? skip (e, mt_edit_right (&e->t, *at), BLANK, big) : *at;
      if (next >= e->t.b.n)
         break;
      *at = mt_edit_left (&e->t, skip (e, next, class_at (e, next, big), big));
   }
   return true;
}

static bool to_end_from (MtEditor *e, size_t *at, int n) { return word_end_from (e, at, n, false); }
static bool to_big_end_from (MtEditor *e, size_t *at, int n)
{
   return word_end_from (e, at, n, true);
}

/* Returns the motion for a key after operator `op`; NULL: the key is none. After c, the keys w and
 * W only go to the end of the word. */
static const Motion *motion_behind (const MtEditor *e, int op, int key)
{
   static const Motion word = {'w', to_end_from, WITH}, big_word = {'W', to_big_end_from, WITH};
   size_t at = e->t.cursor;
   bool in_word = at < e->t.b.n && class_at (e, at, false) != BLANK;
   if (op == 'c' && in_word && (key == 'w' || key == 'W'))
      return key == 'w' ? &word : &big_word;
   return find_motion (key);
}

static int times (const MtEditor *e) { return e->count ? e->count : 1; }

/* Reads a number whose first digit may be `key`, into *count (0: none). Returns the first key after
 * it. */
static int read_count (MtEditor *e, int key, int *count)
{
   *count = 0;
   while ((key >= '1' && key <= '9') || (key == '0' && *count)) {
      *count = *count * 10 + key - '0';
      *count = *count < MOST ? *count : MOST;
      key = mt_vi_next (e);
   }
   return key;
}

static MtAfterKey whole_lines (MtEditor *e, int op)
{
   size_t at = e->t.cursor;
   for (int i = times (e) - 1; i > 0 && line_below (e, &at, 1); i--)
      ;
   operate_on_lines (e, op, e->t.cursor, at);
   return MT_KEY_GO_ON;
}

static MtAfterKey operator_key (MtEditor *e, int op)
{
   int second, key = read_count (e, mt_vi_next (e), &second);
   size_t at = e->t.cursor;
   if (second)
      e->count = times (e) * second < MOST ? times (e) * second : MOST;
   if (key == op)
      return whole_lines (e, op);
   const Motion *m = motion_behind (e, op, key);
   if (m && m->move (e, &at, times (e)))
      operate_to (e, op, m, at);
   return m || key < MT_KEY_INTERRUPT ? MT_KEY_GO_ON : mt_edit_key (e, key);
}

/* ---- actions ---- */

static MtAfterKey insert (MtEditor *e)
{
   insert_mode (e);
   return MT_KEY_GO_ON;
}

static MtAfterKey insert_at_text (MtEditor *e)
{
   to_text (e, &e->t.cursor, 1);
   return insert (e);
}

static MtAfterKey append (MtEditor *e)
{
   to_right (e, &e->t.cursor, 1);
   return insert (e);
}

static MtAfterKey append_to_line (MtEditor *e)
{
   to_line_end (e, &e->t.cursor, 1);
   return insert (e);
}

static MtAfterKey open_below (MtEditor *e)
{
   size_t end = mt_edit_line_end (&e->t, e->t.cursor);
   mt_edit_replace (&e->t, end, end, "\n", 1);
   return insert (e);
}

static MtAfterKey open_above (MtEditor *e)
{
   size_t start = mt_edit_line_start (&e->t, e->t.cursor);
   mt_edit_replace (&e->t, start, start, "\n", 1);
   e->t.cursor = start;
   return insert (e);
}

static MtAfterKey overwrite (MtEditor *e)
{
   insert_mode (e);
   e->replaces = true;
   return MT_KEY_GO_ON;
}

/* Applies an operator to characters to the right of the cursor; back: to the left of it. */
static MtAfterKey cut_characters (MtEditor *e, int op, bool back)
{
   size_t at = e->t.cursor;
   bool any = back ? to_left (e, &at, times (e)) : to_right (e, &at, times (e));
   if (any || op == 'c')
      operate (e, op, at < e->t.cursor ? at : e->t.cursor, at > e->t.cursor ? at : e->t.cursor);
   return MT_KEY_GO_ON;
}

static MtAfterKey cut_right (MtEditor *e) { return cut_characters (e, 'd', false); }
static MtAfterKey cut_left (MtEditor *e) { return cut_characters (e, 'd', true); }
static MtAfterKey substitute (MtEditor *e) { return cut_characters (e, 'c', false); }

static MtAfterKey rest_of_line (MtEditor *e, int op)
{
   operate (e, op, e->t.cursor, mt_edit_line_end (&e->t, e->t.cursor));
   return MT_KEY_GO_ON;
}

static MtAfterKey cut_rest (MtEditor *e) { return rest_of_line (e, 'd'); }
static MtAfterKey change_rest (MtEditor *e) { return rest_of_line (e, 'c'); }

static MtAfterKey change_lines (MtEditor *e) { return whole_lines (e, 'c'); }
static MtAfterKey copy_lines (MtEditor *e) { return whole_lines (e, 'y'); }

/* Inserts the last cut text after the cursor (behind), or before it. Whole lines are inserted below
 * or above the line. */
static MtAfterKey put (MtEditor *e, bool behind)
{
   const MtBuf *cut = mt_last_cut ();
   MtBuf text = {0};
   bool lines = cut->n && cut->p[cut->n - 1] == '\n';
   if (!cut->n || !mt_edit_may_put (&e->t, cut->n, times (e)))
      return MT_KEY_GO_ON;
   size_t at = e->t.cursor, put_at = at;
   for (int i = 0; i < times (e); i++)
      mt_buf_add (&text, cut->p, cut->n);
   if (lines && behind) {
      at = mt_edit_line_end (&e->t, at);
      memmove (text.p + 1, text.p, text.n - 1);
      text.p[0] = '\n';
      put_at = at + 1;
   } else if (lines) {
      put_at = at = mt_edit_line_start (&e->t, at);
   } else if (behind) {
      to_right (e, &at, 1);
   }
   mt_edit_replace (&e->t, at, at, text.p, text.n);
   if (lines) {
      e->t.cursor = put_at;
      to_text (e, &e->t.cursor, 1);
   } else {
      e->t.cursor = mt_edit_left (&e->t, e->t.cursor);
   }
   mt_buf_free (&text);
   e->changes = true;
   return MT_KEY_GO_ON;
}

static MtAfterKey put_behind (MtEditor *e) { return put (e, true); }
static MtAfterKey put_before (MtEditor *e) { return put (e, false); }

/* Replaces characters at the cursor by the next key. */
static MtAfterKey replace (MtEditor *e)
{
   char utf8[4];
   MtBuf text = {0};
   int key = mt_vi_next (e);
   size_t end = e->t.cursor, n = 0;
   for (; (int) n < times (e) && to_right (e, &end, 1); n++)
      ;
   if (key < ' ' || key >= MT_KEY_UP || (int) n < times (e))
      return key >= MT_KEY_INTERRUPT ? mt_edit_key (e, key) : MT_KEY_GO_ON;
   for (size_t i = 0; i < n; i++)
      mt_buf_add (&text, utf8, mt_utf8_put (utf8, (uint32_t) key));
   mt_edit_replace (&e->t, e->t.cursor, end, text.p, text.n);
   e->t.cursor = mt_edit_left (&e->t, e->t.cursor);
   mt_buf_free (&text);
   e->changes = true;
   return MT_KEY_GO_ON;
}

/* Switches upper and lower case of characters at the cursor. */
static MtAfterKey switch_case (MtEditor *e)
{
   MtBuf text = {0};
   size_t end = e->t.cursor;
   if (!to_right (e, &end, times (e)))
      return MT_KEY_GO_ON;
   for (size_t i = e->t.cursor; i < end; i++) {
      unsigned char c = (unsigned char) e->t.b.p[i];
      int other = islower (c) ? toupper (c) : tolower (c);
      mt_buf_addc (&text, (char) (c < 0x80 ? other : c));
   }
   mt_edit_replace (&e->t, e->t.cursor, end, text.p, text.n);
   mt_buf_free (&text);
   e->changes = true;
   return MT_KEY_GO_ON;
}

/* Joins the line with the next one, with one blank in between. */
static MtAfterKey join (MtEditor *e)
{
   size_t end = mt_edit_line_end (&e->t, e->t.cursor), next = end;
   if (end >= e->t.b.n)
      return MT_KEY_GO_ON;
   while (next < e->t.b.n && isspace ((unsigned char) e->t.b.p[next]))
      next++;
   mt_edit_replace (&e->t, end, next, " ", 1);
   e->t.cursor = end;
   e->changes = true;
   return MT_KEY_GO_ON;
}

static MtAfterKey undo (MtEditor *e)
{
   for (int i = 0; i < times (e) && mt_edit_undo (&e->t); i++)
      ;
   return MT_KEY_GO_ON;
}

static MtAfterKey repeat (MtEditor *e)
{
   mt_buf_clear (&replay);
   mt_buf_clear (&record);
   mt_buf_add (&replay, last_change.n ? last_change.p : "", last_change.n);
   replayed = 0;
   return MT_KEY_GO_ON;
}

static MtAfterKey vertical (MtEditor *e, int key)
{
   MtAfterKey after = MT_KEY_GO_ON;
   for (int i = 0; i < times (e) && after == MT_KEY_GO_ON; i++)
      after = mt_edit_key (e, key);
   return after;
}

static MtAfterKey up (MtEditor *e) { return vertical (e, MT_KEY_UP); }
static MtAfterKey down (MtEditor *e) { return vertical (e, MT_KEY_DOWN); }

/* Searches the history. Enter ends the search, but does not run the entry. */
static MtAfterKey search (MtEditor *e, bool forwards)
{
   int key = mt_recall_search (e, forwards);
   return key && key != '\r' && key != '\n' ? mt_edit_key (e, key) : MT_KEY_GO_ON;
}

static MtAfterKey search_back (MtEditor *e) { return search (e, false); }
static MtAfterKey search_on (MtEditor *e) { return search (e, true); }

static MtAfterKey search_again (MtEditor *e)
{
   mt_recall_again (e, false);
   return MT_KEY_GO_ON;
}

static MtAfterKey search_other_way (MtEditor *e)
{
   mt_recall_again (e, true);
   return MT_KEY_GO_ON;
}

/* Ends the text, so that the statement is run. If it isn't complete, a new line is added at its
 * end. */
static MtAfterKey enter (MtEditor *e)
{
   e->t.cursor = e->t.b.n;
   MtAfterKey after = mt_edit_key (e, '\r');
   if (after == MT_KEY_GO_ON)
      insert_mode (e);
   return after;
}

/* The keys of command mode and their actions. To add a key, add a row. docs/mtsql.1 lists the keys
 * for users. */
static const struct {
   int key;
   MtAfterKey (*act) (MtEditor *e);
} actions[] = {
   {'i', insert},
   {'I', insert_at_text},
   {'a', append},
   {'A', append_to_line},
   {'o', open_below},
   {'O', open_above},
   {'R', overwrite},
   {'x', cut_right},
   {MT_KEY_DELETE, cut_right},
   {'X', cut_left},
   {'s', substitute},
   {'S', change_lines},
   {'D', cut_rest},
   {'C', change_rest},
   {'Y', copy_lines},
   {'p', put_behind},
   {'P', put_before},
   {'r', replace},
   {'~', switch_case},
   {'J', join},
   {'u', undo},
   {'.', repeat},
   {'j', down},
   {'k', up},
   {'+', down},
   {'-', up},
   {'/', search_back},
   {'?', search_on},
   {'n', search_again},
   {'N', search_other_way},
   {'v', mt_edit_by_program},
   {'\r', enter},
   {'\n', enter},
};

static MtAfterKey command_key (MtEditor *e, int key)
{
   key = read_count (e, key, &e->count);
   if (key == 'd' || key == 'c' || key == 'y')
      return operator_key (e, key);
   for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
      if (actions[i].key == key)
         return actions[i].act (e);
   const Motion *m = find_motion (key);
   if (m) {
      m->move (e, &e->t.cursor, times (e));
      return MT_KEY_GO_ON;
   }
   bool means_nothing = (key >= ' ' && key < MT_KEY_UP) || key == '\t' || key == ESC;
   return means_nothing ? MT_KEY_GO_ON : mt_edit_key (e, key);
}

/* ---- insert mode ---- */

static MtAfterKey insert_key (MtEditor *e, int key)
{
   size_t at = e->t.cursor;
   if (key == ESC) {
      e->command = true;
      to_left (e, &e->t.cursor, 1);
      return MT_KEY_GO_ON;
   }
   if (e->replaces && (key == 0x7F || key == MT_CTRL ('H'))) {
      to_left (e, &e->t.cursor, 1);
      return MT_KEY_GO_ON;
   }
   if (e->replaces && key >= ' ' && key < MT_KEY_UP && to_right (e, &at, 1))
      mt_edit_replace (&e->t, e->t.cursor, at, "", 0);
   return mt_edit_key (e, key);
}

MtAfterKey mt_vi_key (MtEditor *e, int key)
{
   MtAfterKey after = e->command ? command_key (e, key) : insert_key (e, key);
   settle (e);
   if (e->command)
      end_command (e);
   return after;
}
