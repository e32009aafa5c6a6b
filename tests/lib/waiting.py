"""Waits for events, however slow the machine is."""
import time

HANG_S = 180  # what takes longer hangs; this is no measure of speed


def until(event, process=None):
    """Waits until the condition holds. Returns False if the process ended before."""
    end = time.monotonic() + HANG_S
    while not event():
        if process and process.poll() is not None:
            return False
        assert time.monotonic() < end, "what was waited for didn't come"
        time.sleep(0.01)
    return True


def still(look, times=4):
    """Waits until several looks find the same. A server may still be busy with the last batch of a
    dead client.
    """
    seen = [look()]
    while len(seen) < times or any(s != seen[-1] for s in seen[-times:]):
        time.sleep(0.3)
        seen.append(look())
