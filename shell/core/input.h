/* Reading input: lines of files and of the terminal. */
#ifndef MT_SHELL_INPUT_H
#define MT_SHELL_INPUT_H

#include "shell/core/shell.h"
#include "shell/edit/edit.h"

/* ---- input.c ---- */

/* Returns whether statements and commands are run now, because no \if excludes them. */
bool mt_shell_active (const MtShell *sh);
/* Frees the buffers of an input source. */
void mt_input_free (MtInput *src);
/* Reads a line of f, with its newline. Returns false at the end of the file, or after an error,
 * which is reported. */
bool mt_input_read_line (MtShell *sh, FILE *f, MtBuf *line);
/* Reads a line of COPY's data from the innermost input source, with its newline. Returns false at
 * the end of the data. */
bool mt_input_data_line (MtShell *sh, MtBuf *line);

/* ---- editor.c: text typed at the terminal ---- */

/* Callbacks for the line editor, implemented outside of shell/core. */
typedef struct MtEditorHelp {
   /* Finds the words that can stand at `cursor` in a text; the text starts with the beginning of
    * the statement. The editor frees out->v and out->arena. */
   void (*complete) (MtShell *sh, const char *text, size_t cursor, MtChoices *out);
   /* sets an MtStyle for each byte of the text */
   void (*style) (const char *text, size_t n, size_t cursor, uint8_t *styles);
   /* appends the help line for the text before the cursor, or nothing */
   void (*hint) (MtShell *sh, const char *text, size_t cursor, MtBuf *out);
   /* lets the user edit the text with another program; false: the text is unchanged */
   bool (*edit_elsewhere) (MtShell *sh, MtBuf *text);
} MtEditorHelp;

/* Opens the line editor and the history. A process has one editor. sh, src and help are borrowed
 * until mt_editor_close. */
void mt_editor_open (MtShell *sh, MtInput *src, const MtEditorHelp *help);
/* Returns whether Readline's start-up file sets its editing-mode to vi. */
bool mt_inputrc_wants_vi (void);
/* Closes the editor and the history. */
void mt_editor_close (void);
/* Returns the next line of the text typed last, without its newline, and its length in *n. If no
 * line is left, the user types another text, after the prompt in the variable prompt_name. The line
 * is borrowed until the next call. NULL: the end of the input, or Ctrl-C, which also sets
 * *interrupted. */
const char *mt_editor_line (const char *prompt_name, int *n, bool *interrupted);
/* Prints `prompt`, and reads the user's answer without its newline. Returns false if the user gave
 * no answer, or the editor is not open. */
bool mt_editor_ask (const char *prompt, MtBuf *line);
/* Reads a line of COPY's data from the terminal, with its newline. Returns false at the end, or
 * after Ctrl-C. */
bool mt_editor_data_line (MtBuf *line);
/* Returns whether the line has only this word, in upper or lower case, and perhaps a ';'. */
bool mt_plain_word (const char *line, const char *word);

/* ---- history.c ---- */

/* Reads the history file. The history is owned by this module until mt_history_close. */
const MtHistory *mt_history_open (MtShell *sh);
/* Adds a statement to the history, without the passwords of its URIs, unless HISTCONTROL excludes
 * it. It is also appended at once to the history file, which only its owner can read. */
void mt_history_add (MtShell *sh, const char *text);
/* Writes the entries of the history to f. Returns false if the history is not open. */
bool mt_history_write (FILE *f);
/* Frees the history. Reports an error if its file could not be written. */
void mt_history_close (MtShell *sh);

#endif
