"""Memory cache of a process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from service.cache.memory import ENTRY_BYTES, Memory

ROOMY = 1 << 20


def memory_size(entries: int, size: int) -> int:
    """Return the bytes that entries need; ``size`` is the length of a key and its value."""
    return entries * (size + ENTRY_BYTES)


def test_get_returns_the_last_value_of_a_key_even_an_empty_one():
    memory = Memory(ROOMY)
    assert memory.get(b"a") is None
    for value in (b"1", b"", b"22"):
        memory.put(b"a", value)
        assert memory.get(b"a") == value
    assert (len(memory), memory.size) == (1, memory_size(1, 3))


def test_the_least_recently_used_entry_is_evicted_first():
    memory = Memory(memory_size(3, 2))
    for key in (b"a", b"b", b"c"):
        memory.put(key, b"1")
    memory.get(b"a")
    memory.put(b"d", b"1")
    assert [key for key in (b"a", b"b", b"c", b"d") if memory.get(key)] == [b"a", b"c", b"d"]


def test_a_value_larger_than_the_cache_is_not_stored_and_evicts_nothing():
    memory = Memory(memory_size(1, 10))
    memory.put(b"a", b"1")
    memory.put(b"b", b"1" * 10)
    assert (memory.get(b"a"), memory.get(b"b")) == (b"1", None)


@given(
    puts=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 400)), max_size=60),
    limit=st.integers(0, 4_000),
)
def test_the_size_never_exceeds_the_limit_and_is_exact(
    puts: list[tuple[int, int]], limit: int
) -> None:
    memory = Memory(limit)
    for key, length in puts:
        memory.put(b"%d" % key, bytes(length))
        stored = {key: memory.get(b"%d" % key) for key in range(10)}
        used = sum(memory_size(1, 1 + len(value)) for value in stored.values() if value is not None)
        assert memory.size == used <= limit


def test_concurrent_threads_leave_it_consistent():
    memory = Memory(memory_size(20, 40))

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
    assert memory.size == sum(memory_size(1, len(key) * (1 + len(key))) for key in keys)
