/* A claim (lease): a document in the server's database or the store that the session has opened. It
 * lets only one program at a time do some work. A claim expires, so a program that was killed
 * prevents others only until then. */
#ifndef MT_SESSION_CLAIM_H
#define MT_SESSION_CLAIM_H

#include "session/state/session.h"

typedef struct MtClaim {
   MtSession *s;
   const char *kind, *name; /* kind and name of the claim's document */
   char holder[25];         /* identifies this program in the document */
   int64_t until_ms;        /* when the claim ends; 0: it is not held */
} MtClaim;

/* Initializes a claim that is not held yet. kind and name are borrowed. */
void mt_claim_init (MtClaim *c, MtSession *s, const char *kind, const char *name);
/* Takes the claim until the time until_ms, or extends it. *got is false if another program holds
 * it. */
bool mt_claim_until (MtClaim *c, int64_t until_ms, bool *got, MtError *err);
/* Releases the claim. If that fails, it tries a second time. */
void mt_claim_end (MtClaim *c);

#endif
