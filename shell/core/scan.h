/* Splits lines of input into statements and backslash commands, and replaces variables, by psql's
 * rules.
 *
 * The scanner reads quotes ('…', E'…', "…", $tag$…$tag$), nested comments and parentheses. Outside
 * quotes and comments it replaces :name, :'name', :"name" and :{?name}. The value of :name is
 * scanned again. */
#ifndef MT_SHELL_SCAN_H
#define MT_SHELL_SCAN_H

#include "shell/core/vars.h"

typedef struct MtTextScan {
   /* the quote or comment that is open: ' e (for E'…') " $ or * (a comment); 0: none */
   char quote;
   char tag[68]; /* the tag of the open dollar quote, with both dollars: $tag$ */
   int comments; /* the number of nested comments that are open */
   int parens;
} MtTextScan;

typedef enum MtScanEnd { MT_SCAN_LINE_ENDED, MT_SCAN_SEMICOLON, MT_SCAN_BACKSLASH } MtScanEnd;

/* Scans the line from *pos on and adds the text to `query`. Scanning stops at the end of the line,
 * after a ';' outside parentheses, or after a backslash outside quotes. The line grows where
 * variables are replaced. */
MtScanEnd mt_scan_line (MtTextScan *s, const MtVars *vars, MtBuf *line, size_t *pos, MtBuf *query);

/* Replaces the variable whose colon is at line[pos] by its value of *replaced_n bytes. Returns
 * false if the colon does not begin the name of a variable that is set. */
bool mt_scan_variable (const MtVars *vars, MtBuf *line, size_t pos, size_t *replaced_n);

/* Finds the next word or quoted piece from *at on, after spaces and comments. *out is borrowed from
 * sql. *at moves to the end of the piece. Returns false if the text has no other piece. */
bool mt_scan_piece (const char *sql, size_t n, size_t *at, MtStr *out);

/* Returns the length of the first word after comments. *word is borrowed from sql. */
size_t mt_scan_first_word (const char *sql, size_t n, const char **word);

/* Returns the character of the prompt: '=' for a new statement, '-' inside a statement, and the
 * open quote, comment (*) or parenthesis. */
char mt_scan_prompt (const MtTextScan *s, const MtBuf *query);

#endif
