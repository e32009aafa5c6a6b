/* Advisory locks, as in PostgreSQL. They exist only within the process: its sessions with the same
 * target share them. */
#ifndef MT_SESSION_ADVISORY_H
#define MT_SESSION_ADVISORY_H

#include "session/state/session.h"

/* The key of a lock: one bigint, or two integers (two is true) packed into one. The two kinds never
 * mean the same lock. */
typedef struct MtAdvisoryKey {
   int64_t key;
   bool two;
} MtAdvisoryKey;

typedef struct MtAdvisoryWant {
   MtAdvisoryKey key;
   bool shared;
   bool transaction; /* true: released when the transaction ends; false: released on request */
   bool waits;
} MtAdvisoryWant;

/* Takes a lock, and waits for it if want says so. *taken is false if another session has it and the
 * call does not wait. Errors: 57014 cancelled, 55P03 after lock_timeout, 40P01 a deadlock. */
bool mt_advisory_take (MtSession *s, MtAdvisoryWant want, bool *taken, MtError *err);
/* Called for each lock of a session and each wait for one, with the mutex of all locks held. */
typedef void (*MtAdvisorySee) (void *ctx, MtAdvisoryKey key, bool shared, bool granted);
/* Lists the locks of all sessions that share theirs with s. */
void mt_advisory_each (const MtSession *s, MtAdvisorySee see, void *ctx);
/* Releases a session's lock once. False: the session does not have it. */
bool mt_advisory_release (MtSession *s, MtAdvisoryKey key, bool shared);
/* Begins a statement. again: the same statement runs again, so the locks that its last run took are
 * released. */
void mt_advisory_begin (MtSession *s, bool again);
/* The first releases all locks that the session holds until it releases them; the second, those of
 * its transaction. */
void mt_advisory_release_all (MtSession *s);
void mt_advisory_end_transaction (MtSession *s);

#endif
