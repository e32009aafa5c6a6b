/* Functions that generate ids in this process: counters, and the machine's network address. */
#include "mtsql_ext.h"

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

/* Protects the counters, because statements run on several threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Counter counters[COUNTERS];
static size_t counter_count;

/* Returns the counter with this name, or a new one. NULL: all counters are in use. */
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

/* Returns the next number of a counter within a period, from 0 on. Only the latest period is
 * remembered: an earlier period would start from 0 again. */
static int64_t count_one (Counter *c, int64_t period)
{
   if (c->period != period)
      c->next = 0;
   c->period = period;
   return c->next++;
}

static bool process_counter (MtEval *ev, const MtVal *a, int n, MtVal *out)
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

/* Sets mac[] to the machine's network (MAC) address. If there is none, to a random address with the
 * multicast bit set, so that it differs from all real addresses (RFC 4122, 4.5). */
static void find_address (uint8_t mac[MAC_BYTES])
{
   if (first_address (mac))
      return;
   if (getrandom (mac, MAC_BYTES, 0) != MAC_BYTES)
      memset (mac, 0, MAC_BYTES);
   mac[0] |= 1;
}

static bool mac_address (MtEval *ev, const MtVal *a, int n, MtVal *out)
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

static const MtFunc functions[] = {
   {.name = "process_counter",
    .signature = "name text, period int8 -> int8",
    .flags = MT_F_VOLATILE,
    .op = MT_EXT_OP (process_counter),
    .summary = "number of earlier calls of this process with this counter and period; "
               "starts at 0 in a new period",
    .example = "SELECT process_counter('example', 1) >= 0 => t"},
   {.name = "mac_address",
    .signature = "-> text",
    .flags = MT_F_STABLE,
    .op = MT_EXT_OP (mac_address),
    .summary = "address of the machine's first network interface, or a random one",
    .example = "SELECT length(mac_address()) => 17"},
   {0},
};

MT_MODULE (.name = "process", .version = "1.0",
           .doc = "Counters of the process, and the machine's address", .functions = functions);
