"""Room for jobs that run at once."""

import threading


class Slots:
    """Counts free slots."""

    def __init__(self, free: int) -> None:
        self._free = free
        self._closed = False
        self._changed = threading.Condition()

    def take(self, most: int) -> int:
        """Takes between one and so many slots, as soon as there is one; none if it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._free > 0 or self._closed)
            taken = 0 if self._closed else min(most, self._free)
            self._free -= taken
            return taken

    def give(self, count: int) -> None:
        with self._changed:
            self._free += count
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
