/* Cuts lines of input into statements and backslash commands, and puts variables in: psql's rules.
 *
 * Only what is needed to find ends is known here: quotes ('…', E'…', "…", $tag$…$tag$), comments
 * (nested), parentheses. :name, :'name', :"name" and :{?name} are replaced outside quotes and
 * comments; the text of :name is scanned again. */
#ifndef MT_SHELL_SCAN_H
#define MT_SHELL_SCAN_H

#include "shell/core/vars.h"

typedef struct MtTextScan {
   char quote;   /* 0, or what is open: ' e (E'…') " $ * (a comment) */
   char tag[68]; /* of a dollar quote, with both dollars */
   int comments; /* depth */
   int parens;
} MtTextScan;

typedef enum MtScanEnd { MT_SCAN_LINE_ENDED, MT_SCAN_SEMICOLON, MT_SCAN_BACKSLASH } MtScanEnd;

/* Scans line from *pos on, adds text to `query`, and stops at the line's end, after a ';' that ends
 * a statement (outside parentheses), or after a backslash outside quotes. line grows where
 * variables are put in. */
MtScanEnd mt_scan_line (MtTextScan *s, const MtVars *vars, MtBuf *line, size_t *pos, MtBuf *query);

/* A :variable at line[pos] (which is the colon): true when it was replaced in `line`. */
bool mt_scan_variable (const MtVars *vars, MtBuf *line, size_t pos, size_t *replaced_n);

/* The next word or quoted piece of a statement from *at on, behind spaces and comments, borrowed
 * from sql; *at moves behind it. False: there is none. */
bool mt_scan_piece (const char *sql, size_t n, size_t *at, MtStr *out);

/* The first word of a statement, behind comments: its length; *word is borrowed from sql. */
size_t mt_scan_first_word (const char *sql, size_t n, const char **word);

/* What the prompt shows: '=' a new statement, or - ' " $ * ( */
char mt_scan_prompt (const MtTextScan *s, const MtBuf *query);

#endif
