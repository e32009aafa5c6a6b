"""A wall clock that is ahead, as on a computer with a wrong clock."""
import os
import subprocess

from cases import Skip
from paths import BUILD

SOURCE = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime (clockid_t id, struct timespec *t)
{
   const char *days = getenv ("DAYS_AHEAD");
   int rc = (int) syscall (SYS_clock_gettime, id, t);
   if (rc == 0 && id == CLOCK_REALTIME && days)
      t->tv_sec += atoi (days) * 86400;
   return rc;
}
"""


def ahead(folder, days):
    """Returns variables of the environment that set a command's clock this many days ahead.
    Sanitizers must be loaded before all other libraries.
    """
    if BUILD.name in ("asan", "tsan"):
        raise Skip("a sanitizer has the clock")
    source, library = os.path.join(folder, "clock.c"), os.path.join(folder, "clock.so")
    with open(source, "w", encoding="utf-8") as f:
        f.write(SOURCE)
    subprocess.run([os.environ.get("CC", "gcc"), "-shared", "-fPIC", "-o", library, source], check=True)
    return {"LD_PRELOAD": library, "DAYS_AHEAD": str(days)}
