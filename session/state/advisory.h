/* Advisory locks, as in PostgreSQL. They belong to the process: sessions of one program that have
 * the same target share them. */
#ifndef MT_SESSION_ADVISORY_H
#define MT_SESSION_ADVISORY_H

#include "session/state/session.h"

/* A lock's name: one bigint, or two integers. Both kinds are different locks. */
typedef struct MtAdvisoryKey {
   int64_t key;
   bool two;
} MtAdvisoryKey;

typedef struct MtAdvisoryWant {
   MtAdvisoryKey key;
   bool shared;
   bool transaction; /* until the transaction ends; otherwise until it is released */
   bool waits;
} MtAdvisoryWant;

/* Takes a lock. *taken false: another session has it, and the call does not wait. Waiting ends with
 * 57014, 55P03 after lock_timeout, or 40P01 if the holders wait for this session. */
bool mt_advisory_take (MtSession *s, MtAdvisoryWant want, bool *taken, MtError *err);
/* Called for each lock of a session and each wait for one, with the mutex of all locks held. */
typedef void (*MtAdvisorySee) (void *ctx, MtAdvisoryKey key, bool shared, bool granted);
/* Lists the locks of all sessions that share theirs with s. */
void mt_advisory_each (const MtSession *s, MtAdvisorySee see, void *ctx);
/* Releases a session's lock once. False: the session does not have it. */
bool mt_advisory_release (MtSession *s, MtAdvisoryKey key, bool shared);
/* Begins a statement. again: it runs again, so the locks that it took are given back. */
void mt_advisory_begin (MtSession *s, bool again);
/* Release the locks that the session took until their release, or those of its transaction. */
void mt_advisory_release_all (MtSession *s);
void mt_advisory_end_transaction (MtSession *s);

#endif
