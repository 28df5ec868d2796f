"""The cache in the memory of the process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from service.cache.memory import ENTRY_BYTES, Memory

ROOMY = 1 << 20


def fits(entries: int, size: int) -> int:
    """Bytes for so many entries of so many bytes, key and value together."""
    return entries * (size + ENTRY_BYTES)


def test_what_was_put_is_found_and_nothing_else():
    memory = Memory(ROOMY)
    memory.put(b"a", b"1")
    assert (memory.get(b"a"), memory.get(b"b")) == (b"1", None)


def test_an_empty_value_is_found_too():
    memory = Memory(ROOMY)
    memory.put(b"a", b"")
    assert memory.get(b"a") == b""


def test_the_value_put_last_counts():
    memory = Memory(ROOMY)
    memory.put(b"a", b"1")
    memory.put(b"a", b"22")
    assert (memory.get(b"a"), len(memory), memory.size) == (b"22", 1, fits(1, 3))


def test_the_one_least_recently_asked_for_goes_first():
    memory = Memory(fits(3, 2))
    for key in (b"a", b"b", b"c"):
        memory.put(key, b"1")
    memory.get(b"a")
    memory.put(b"d", b"1")
    assert [key for key in (b"a", b"b", b"c", b"d") if memory.get(key)] == [b"a", b"c", b"d"]


def test_a_value_that_would_not_fit_alone_is_not_kept_and_pushes_nothing_out():
    memory = Memory(fits(1, 10))
    memory.put(b"a", b"1")
    memory.put(b"b", b"1" * 10)
    assert (memory.get(b"a"), memory.get(b"b")) == (b"1", None)


def test_a_cache_of_no_size_keeps_nothing():
    memory = Memory(0)
    memory.put(b"a", b"")
    assert memory.get(b"a") is None


@given(
    puts=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 400)), max_size=60),
    most=st.integers(0, 4_000),
)
def test_it_never_takes_more_than_it_may_and_counts_right(
    puts: list[tuple[int, int]], most: int
) -> None:
    memory = Memory(most)
    for key, length in puts:
        memory.put(b"%d" % key, bytes(length))
        kept = {key: memory.get(b"%d" % key) for key in range(10)}
        taken = sum(fits(1, 1 + len(value)) for value in kept.values() if value is not None)
        assert memory.size == taken <= most


def test_threads_that_put_and_get_at_once_leave_it_whole():
    memory = Memory(fits(20, 40))

    def work(seed: int) -> None:
        random = Random(seed)
        for _ in range(2_000):
            key = b"%d" % random.randint(0, 60)
            value = memory.get(key)
            assert value is None or value == key * len(key)
            memory.put(key, key * len(key))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    keys = [b"%d" % key for key in range(61) if memory.get(b"%d" % key) is not None]
    assert len(keys) == len(memory)
    assert memory.size == sum(fits(1, len(key) * (1 + len(key))) for key in keys)
