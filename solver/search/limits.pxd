# What every search does at a node besides thinking: look at its limits, and note proofs for the tests.
from libc.stdint cimport int64_t, uint64_t

from tierce.solver.search.bits cimport tierce_now_ns
from tierce.solver.search.types cimport BY_CANCEL, BY_NODES, BY_TIME, SIGNALS_NS, Proof, Search, Trick

cdef extern from "Python.h":
    int PyErr_CheckSignals() noexcept
    void* PyErr_Occurred() noexcept


cdef inline void hear_signals(Search* s) noexcept with gil:
    # Python's signal handlers run in the main thread only, and a search there would keep Ctrl-C waiting to its end. An
    # exception that a handler raises stays set until `run` passes it on.
    if PyErr_CheckSignals() < 0:
        s.stop = BY_CANCEL
        s.interrupted[0] = True


cdef inline void check_limits(Search* s) noexcept nogil:
    cdef int64_t now
    if s.next_signals:
        now = tierce_now_ns()
        if now >= s.next_signals:
            s.next_signals = now + SIGNALS_NS
            hear_signals(s)
            if s.stop:
                return
    if s.nodes >= s.max_nodes:
        s.stop = BY_NODES
    elif s.cancel[0]:
        s.stop = BY_CANCEL
    elif s.deadline and tierce_now_ns() >= s.deadline:
        s.stop = BY_TIME
    s.next_check = s.nodes + 2048
    if s.next_check > s.max_nodes:
        s.next_check = s.max_nodes


cdef inline bint stopped_here(Search* s) noexcept nogil:
    # Limits before the node is counted: as many nodes as a search needs are enough for it.
    if s.nodes >= s.next_check:
        check_limits(s)
        if s.stop:
            return True
    s.nodes += 1
    return False


cdef inline void record(Search* s, Trick* t, int k, int need, int answer, uint64_t relevant) noexcept nogil:
    cdef Proof* p
    cdef int h
    if s.n_trace >= s.max_trace:
        return
    p = &s.trace[s.n_trace]
    s.n_trace += 1
    for h in range(4):
        p.hand[h] = s.hand[h]
        p.on_table[h] = t.on_table[h] if h < k else 0
    p.leader = t.leader
    p.n_on_table = k
    p.need = need
    p.answer = answer
    p.relevant = relevant
