"""Waiting for what has to happen, however slow the machine is."""
import time

HANG_S = 180  # what takes this long hangs; nothing here measures a time


def until(event, process=None):
    """Waits until that is so; False: the process ended before it was."""
    end = time.monotonic() + HANG_S
    while not event():
        if process and process.poll() is not None:
            return False
        assert time.monotonic() < end, "what was waited for didn't come"
        time.sleep(0.01)
    return True


def still(look, times=4):
    """Waits until so many looks find the same: a server may still be busy with a dead client's last batch."""
    seen = [look()]
    while len(seen) < times or any(s != seen[-1] for s in seen[-times:]):
        time.sleep(0.3)
        seen.append(look())
