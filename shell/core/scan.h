/* Splits lines of input into statements and backslash commands, and replaces variables, by psql's
 * rules.
 *
 * The scanner handles quotes ('…', E'…', "…", $tag$…$tag$), nested comments and parentheses.
 * Outside of quotes and comments it replaces :name, :'name', :"name" and :{?name}. The value of
 * :name is scanned again. */
#ifndef MT_SHELL_SCAN_H
#define MT_SHELL_SCAN_H

#include "shell/core/vars.h"

typedef struct MtTextScan {
   /* the quote or comment that is open: ' e (for E'…') " $, or * for a comment; 0: none */
   char quote;
   char tag[68]; /* the tag of the open dollar quote, with both dollars: $tag$ */
   int comments; /* the number of nested comments that are open */
   int parens;
} MtTextScan;

typedef enum MtScanEnd { MT_SCAN_LINE_ENDED, MT_SCAN_SEMICOLON, MT_SCAN_BACKSLASH } MtScanEnd;

/* Scans the line from *pos on, and appends the text to `query`. It stops at the end of the line,
 * after a ';' outside of parentheses, or after a backslash outside of quotes; returns which.
 * Replacing variables makes the line longer. */
MtScanEnd mt_scan_line (MtTextScan *s, const MtVars *vars, MtBuf *line, size_t *pos, MtBuf *query);

/* Replaces the variable reference whose colon is at line[pos] by the variable's value, which has
 * *replaced_n bytes. Returns false if there is no reference to a variable that is set. */
bool mt_scan_variable (const MtVars *vars, MtBuf *line, size_t pos, size_t *replaced_n);

/* Sets *out to the next word or quoted text of `sql` from offset *at on, after blanks and comments,
 * and advances *at to its end. *out is borrowed from sql. Returns false if there is none. */
bool mt_scan_piece (const char *sql, size_t n, size_t *at, MtStr *out);

/* Sets *word to the first word of `sql` after comments (borrowed), and returns its length. */
size_t mt_scan_first_word (const char *sql, size_t n, const char **word);

/* Returns the character for %R in the prompt: '=' before a statement, '-' within one, or the open
 * quote, comment (*) or parenthesis. */
char mt_scan_prompt (const MtTextScan *s, const MtBuf *query);

#endif
