/* Templates of to_char and to_date, such as 'YYYY-MM-DD' (section 9.8 of PostgreSQL's manual). */
#ifndef MT_FORMAT_INT_H
#define MT_FORMAT_INT_H

#include "functions/core/row.h"

typedef enum MtTimeCode {
   C_NONE,
   C_YYYY,
   C_YYY,
   C_YY,
   C_Y,
   C_YCOMMA,
   C_IYYY,
   C_IYY,
   C_IY,
   C_I,
   C_MM,
   C_DDD,
   C_DD,
   C_D,
   C_IDDD,
   C_ID,
   C_HH24,
   C_HH,
   C_MI,
   C_SS,
   C_SSSS,
   C_MS,
   C_US,
   C_AM,
   C_AMDOT,
   C_MONTH,
   C_MON,
   C_DAY,
   C_DY,
   C_WW,
   C_W,
   C_IW,
   C_CC,
   C_J,
   C_Q,
   C_TZ,
   C_TZH,
   C_TZM,
   C_OF,
   C_BC,
   C_BCDOT,
   C_FF,
   C_RM,
   C_FX
} MtTimeCode;

typedef enum MtTimeNodeKind {
   MT_TN_FIELD,
   MT_TN_CHAR,
   MT_TN_SPACE,
   MT_TN_SEPARATOR
} MtTimeNodeKind;

typedef struct MtTimeNode {
   MtTimeNodeKind kind;
   MtStr text;      /* the text in the template; of MT_TN_CHAR …: one character */
   MtTimeCode code; /* of MT_TN_FIELD */
   bool fm, tm;     /* the prefix FM or TM precedes the field */
   const char *th;  /* suffix "th" or "TH" after the field; NULL: none */
} MtTimeNode;

/* Parses a template into *count nodes (fields and texts). The result is valid until the next call
 * in this thread, or until ev's arena is reset. */
const MtTimeNode *mt_time_template (MtEval *ev, MtStr format, size_t *count);

extern const char *const mt_month_names[12];
extern const char *const mt_weekday_names[7]; /* Sunday first */

#endif
