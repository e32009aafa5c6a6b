/* Values for ids that only the process has: counters, and the machine's address. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>

/* ---- counters ---- */

#define COUNTERS 64
#define NAME_BYTES 64

typedef struct Counter {
   char name[NAME_BYTES];
   uint32_t len;
   int64_t period, next;
} Counter;

/* Guards the counters, since statements run on several threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Counter counters[COUNTERS];
static size_t counter_count;

/* NULL: no counter is free. */
static Counter *counter_of (MtVal name)
{
   for (size_t i = 0; i < counter_count; i++)
      if (counters[i].len == name.len && memcmp (counters[i].name, name.p, name.len) == 0)
         return &counters[i];
   if (counter_count == COUNTERS)
      return NULL;
   Counter *c = &counters[counter_count++];
   memcpy (c->name, name.p, name.len);
   c->len = name.len;
   return c;
}

/* A period that returns begins at 0 again: only the last one is remembered. */
static int64_t count_one (Counter *c, int64_t period)
{
   if (c->period != period)
      c->next = 0;
   c->period = period;
   return c->next++;
}

static bool fn_process_counter (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (a[0].len > NAME_BYTES)
      return mt_error (ev->err, MT_E_LIMIT, "a counter's name can have at most %d bytes",
                       NAME_BYTES);
   pthread_mutex_lock (&lock);
   Counter *c = counter_of (a[0]);
   if (c)
      *out = mt_v_int64 (count_one (c, a[1].i));
   pthread_mutex_unlock (&lock);
   return c || mt_error (ev->err, MT_E_LIMIT, "a process can have at most %d counters", COUNTERS);
}

/* ---- the machine ---- */

#define MAC_BYTES 6

static bool first_address (uint8_t mac[MAC_BYTES])
{
   static const uint8_t none[MAC_BYTES];
   struct ifaddrs *all;
   bool found = false;
   if (getifaddrs (&all) != 0)
      return false;
   for (const struct ifaddrs *i = all; i && !found; i = i->ifa_next) {
      struct sockaddr_ll link;
      if (!i->ifa_addr || i->ifa_addr->sa_family != AF_PACKET || i->ifa_flags & IFF_LOOPBACK)
         continue;
      memcpy (&link, i->ifa_addr, sizeof link);
      found = link.sll_halen == MAC_BYTES && memcmp (link.sll_addr, none, MAC_BYTES) != 0;
      if (found)
         memcpy (mac, link.sll_addr, MAC_BYTES);
   }
   freeifaddrs (all);
   return found;
}

/* A machine without an address gets a random one. The bit of group addresses keeps it apart from
 * all real ones (RFC 4122, 4.5). */
static void find_address (uint8_t mac[MAC_BYTES])
{
   if (first_address (mac))
      return;
   if (getrandom (mac, MAC_BYTES, 0) != MAC_BYTES)
      memset (mac, 0, MAC_BYTES);
   mac[0] |= 1;
}

static bool fn_mac_address (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static uint8_t mac[MAC_BYTES];
   static bool known;
   pthread_mutex_lock (&lock);
   if (!known)
      find_address (mac);
   known = true;
   pthread_mutex_unlock (&lock);
   const char *text = mt_printf (ev->arena, "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2],
                                 mac[3], mac[4], mac[5]);
   *out = mt_v_str (text, strlen (text));
   return true;
}

/* ---- the session's actions, where there is no session (session/run/ops.c has the real ones)
 * ---- */

static bool fn_no_session (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = MT_USER (ev) ? a[1] : mt_v_str ("", 0);
   return true;
}

static bool fn_any_random (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_double ((double) (mt_op_random () >> 11) * 0x1p-53);
   return true;
}

#define SQL(name_, sig_, body_, summary_, example_) \
   {.name = name_, \
    .signature = sig_, \
    .flags = MT_F_VOLATILE, \
    .sql = body_, \
    .summary = summary_, \
    .example = example_}

const MtFunc mt_fn_process[] = {
   MT_ROW ("set_config", "name text, value text, is_local bool -> text",
           MT_F_VOLATILE | MT_F_NOT_STRICT, NULL, MT_OPN ("set_config", no_session, 1),
           "changes a setting like SET, or like SET LOCAL if is_local",
           "SELECT set_config('work_mem', '64MB', false) => 64MB"),
   MT_ROW ("setseed", "seed float8 -> text", MT_F_SETS_SEED | MT_F_VOLATILE | MT_NN, NULL,
           MT_OPN ("setseed", no_session, 0), "sets the seed of random(), from -1 to 1",
           "SELECT length(setseed(0.5)) => 0"),
   MT_ROW ("$random_seeded", "-> float8", MT_F_VOLATILE | MT_NN, NULL,
           MT_OPN ("random_seeded", any_random, 0), "random() after setseed",
           "SELECT random() < 1 => t"),
   MT_ROW ("pg_sleep", "seconds float8 -> text", MT_F_VOLATILE | MT_NN, NULL,
           MT_OPN ("sleep", no_session, 0), "waits for n seconds",
           "SELECT length(pg_sleep(0)) => 0"),
   SQL ("pg_sleep_for", "interval -> text", "pg_sleep(extract(epoch FROM $1)::float8)",
        "waits for an interval", "SELECT length(pg_sleep_for('0 s')) => 0"),
   SQL ("pg_sleep_until", "timestamptz -> text",
        "pg_sleep(extract(epoch FROM $1 - clock_timestamp())::float8)", "waits until a time",
        "SELECT length(pg_sleep_until('2020-01-01')) => 0"),
   MT_ROW (
      "process_counter", "name text, period int8 -> int8", MT_F_VOLATILE, NULL,
      MT_OP (process_counter),
      "number of earlier calls of this process with this counter and period; starts at 0 in a new period",
      "SELECT process_counter('example', 1) >= 0 => t"),
   MT_ROW ("mac_address", "-> text", MT_F_STABLE, NULL, MT_OP (mac_address),
           "address of the machine's first network interface, or a random one",
           "SELECT length(mac_address()) => 17"),
   {.name = NULL},
};
