/* Sets and restores the mode of the terminal for editing. */
#ifndef MT_EDIT_TERMINAL_H
#define MT_EDIT_TERMINAL_H

#include <stdbool.h>

/* Returns whether the terminal can move its cursor; one with TERM=dumb can't. */
bool mt_terminal_moves (void);
/* Returns whether the user wants colours: the environment variable NO_COLOR is not set. */
bool mt_terminal_wants_colours (void);
/* What the terminal is used for. */
typedef enum MtTerminalUse {
   MT_TERMINAL_EDITS, /* a line: pasted text is marked, and Ctrl-C is a key */
   MT_TERMINAL_DRAWS  /* pictures on a screen of their own, without a cursor; Ctrl-C is SIGINT */
} MtTerminalUse;
/* Sets the terminal's mode so that keys are read one by one, without echo. Until mt_terminal_leave,
 * signals that stop or end the process, and exit (), first restore the former mode. Returns false
 * if the mode can't be set. */
bool mt_terminal_enter (MtTerminalUse use);
/* Restores the former mode of the terminal. */
void mt_terminal_leave (void);
/* Stops the process, as Ctrl-Z does, until it is continued. */
void mt_terminal_stop (void);
/* Returns whether the process was stopped and continued again since the last call. */
bool mt_terminal_take_continued (void);

#endif
