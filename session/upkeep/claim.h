/* A claim: a document of the target by which one program at a time does something. It ends after a
 * time, so a program that was killed keeps others out only until then. */
#ifndef MT_SESSION_CLAIM_H
#define MT_SESSION_CLAIM_H

#include "session/state/session.h"

typedef struct MtClaim {
   MtSession *s;
   const char *kind, *name; /* of the document */
   char holder[25];         /* this program's name in the document */
   int64_t until_ms;        /* the end of the claim; 0: not held yet */
} MtClaim;

/* Sets up a claim that is not held. kind and name are borrowed. */
void mt_claim_init (MtClaim *c, MtSession *s, const char *kind, const char *name);
/* Takes the claim until a time, or makes it longer. *got: false if another program holds it. */
bool mt_claim_until (MtClaim *c, int64_t until_ms, bool *got, MtError *err);
/* Gives the claim back, and tries twice. */
void mt_claim_end (MtClaim *c);

#endif
