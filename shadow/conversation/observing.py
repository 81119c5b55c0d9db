"""Beginning to observe: which machine, which of its sessions."""

from __future__ import annotations

from collections.abc import Sequence

from shadow.conversation.acts import CancelAll, No, Observe, Refrain
from shadow.conversation.gateway import MachineSeen
from shadow.conversation.numbers import number_of
from shadow.conversation.said import fold
from shadow.conversation.scope import Setting
from shadow.conversation.talk import Reply, Talk
from shadow.conversation.understanding import understand


def observe(talk: Talk, act: Observe) -> Reply:
    """Observe the tab that is talked in, else the active session of the machine; ask which, where there are several."""
    memory = talk.memory
    name = act.name or (memory.name if memory.state == "proposing" else "")
    if memory.state == "observing":
        already = talk.gateway.start(memory.session_id)
        return talk.reply(talk.say("already_observing" if already else "observing"), choices=("done",))
    machine_id = talk.place.machine_id
    if not talk.place.session_id:
        machines = talk.gateway.machines()
        chosen = _only(machines, machine_id or memory.machine_id)
        if chosen is None:
            return _ask_which_machine(talk, machines, name)
        machine_id = chosen.machine_id
    return _start(talk, machine_id, name)


def _start(talk: Talk, machine_id: str, name: str) -> Reply:
    session_id = talk.place.session_id or _active_session(talk, machine_id)
    if not session_id:
        return talk.reply(talk.say("no_session"))
    already = talk.gateway.start(session_id)
    memory = talk.memory
    memory.forget("observing")
    memory.session_id, memory.machine_id, memory.name = session_id, machine_id, name
    if already:
        return talk.reply(talk.say("already_observing"), choices=("done",))
    said = talk.say("observing_named", name=name) if name else talk.say("observing")
    return talk.reply(said, choices=("done",))


def _active_session(talk: Talk, machine_id: str) -> str:
    open_ones = [one.session_id for one in talk.gateway.sessions(machine_id) if not one.finalized]
    return open_ones[0] if open_ones else ""


def _only(machines: Sequence[MachineSeen], wanted: str) -> MachineSeen | None:
    known = [one for one in machines if one.machine_id == wanted]
    if known:
        return known[0]
    return machines[0] if len(machines) == 1 and not wanted else None


def _ask_which_machine(talk: Talk, machines: Sequence[MachineSeen], name: str) -> Reply:
    if not machines:
        return talk.reply(talk.say("no_session"))
    memory = talk.memory
    was_unknown = bool(memory.machine_id)
    memory.state, memory.name, memory.machine_id = "choosing_machine", name, ""
    memory.offered = [one.machine_id for one in machines]
    sentence = "unknown_machine" if was_unknown else "which_machine"
    names = ", ".join(one.name for one in machines)
    return talk.reply(talk.say(sentence, machines=names), choices=[one.name for one in machines])


def machine_chosen(talk: Talk, text: str) -> Reply:
    """Read an answer to the question which machine to observe."""
    memory = talk.memory
    machines = [one for one in talk.gateway.machines() if one.machine_id in memory.offered]
    said = fold(text).strip(" .!?«»\"'")
    meant = [one for one in machines if said in (fold(one.machine_id), fold(one.name))]
    meant = meant or [one for one in machines if len(said) > 1 and said in fold(one.name)]
    place = number_of(said) if not meant and len(said) <= 10 else 0
    if place in range(1, len(machines) + 1):
        meant = [machines[place - 1]]
    if len(meant) == 1:
        memory.state = "idle"
        return _start(talk, meant[0].machine_id, memory.name)
    act = understand(text, Setting("idle"))
    if isinstance(act, No | CancelAll | Refrain):
        memory.forget("idle")
        return talk.reply(talk.say("not_proposed"))
    names = ", ".join(one.name for one in machines)
    return talk.reply(talk.say("unknown_machine", machines=names), choices=[one.name for one in machines])


def observed_elsewhere(talk: Talk) -> tuple[str, str]:
    """Return the session that is being observed though not from this conversation, and its machine; empty for none."""
    if talk.place.session_id:
        return talk.place.session_id, talk.place.machine_id
    for machine in talk.gateway.machines():
        for session in talk.gateway.sessions(machine.machine_id):
            if session.recording and not session.finalized:
                return session.session_id, machine.machine_id
    return "", ""
