/* Reads input: lines of files and of the terminal. */
#ifndef MT_SHELL_INPUT_H
#define MT_SHELL_INPUT_H

#include "shell/core/shell.h"

/* ---- input.c ---- */

/* Returns whether commands and statements run here: no \if excludes them. */
bool mt_shell_active (const MtShell *sh);
/* Frees the buffers of a source. */
void mt_input_free (MtInput *src);
/* Reads a line of f, with its line feed. Returns false at the end of the file, or after an error,
 * which is reported. */
bool mt_input_read_line (MtShell *sh, FILE *f, MtBuf *line);
/* Reads a line of COPY's data from the innermost source, with its line feed. Returns false at the
 * end of the data. */
bool mt_input_data_line (MtShell *sh, MtBuf *line);

/* ---- editor.c: lines typed at the terminal ---- */

/* The words that can complete the text before the cursor. */
typedef struct MtChoices {
   MtArena *arena;
   /* the possible words, sorted, without duplicates; each can replace the word being typed */
   const char **v;
   size_t n, cap;
   /* the offset in the line at which the word being typed begins */
   size_t start;
} MtChoices;

/* Finds the words that can stand at the cursor. `before`: earlier lines of the statement. `line`:
 * the line up to the cursor. The editor frees out->v and out->arena. */
typedef void (*MtCompleter) (MtShell *sh, const char *before, const char *line, MtChoices *out);

/* Opens the line editor and the history. A process has one editor. sh and src are borrowed until
 * mt_editor_close. */
void mt_editor_open (MtShell *sh, MtInput *src, MtCompleter complete);
/* Saves the history and closes the editor. */
void mt_editor_close (void);
/* Reads a line without its line feed, after the prompt in the variable prompt_name. The line is
 * borrowed until the next call. Returns NULL at the end of the input, or after Ctrl-C, which also
 * sets *interrupted. */
const char *mt_editor_line (const char *prompt_name, int *n, bool *interrupted);
/* Prints `prompt` and reads the user's answer without its line feed. Returns false if the user gave
 * no answer, or the editor is not open. */
bool mt_editor_ask (const char *prompt, MtBuf *line);
/* Reads a line of COPY's data, with its line feed. False at the end, or after Ctrl-C. */
bool mt_editor_data_line (MtBuf *line);

/* ---- history.c ---- */

/* libedit's History. */
struct history;
/* Reads the history file. The history is owned by this module until mt_history_close. */
struct history *mt_history_open (MtShell *sh);
/* Adds a statement, without the passwords of its URIs, unless HISTCONTROL excludes it. */
void mt_history_add (MtShell *sh, const char *text);
/* Writes the entries of the history to f. Returns false if the history is not open. */
bool mt_history_write (FILE *f);
/* Writes the history file, which only its owner can read. */
void mt_history_save (MtShell *sh);
void mt_history_close (void);

#endif
