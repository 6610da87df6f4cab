"""Any entries in any order: sums, replaying, and undoing as the inverse of entering."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from scorer.ledger import Entry, EntryRefused, LedgerTable, Match, entry_from_dict, entry_to_dict, replayed

PLAYERS = st.integers(0, 3)
NAMES = ["Ann", "Ben", "Cat", "Dan"]
#: Totals that win under every rule set, or under none of them.
TOTALS = st.sampled_from([0, 3, 5, 8, 10])
MATCHES = st.sampled_from(
    [
        {"rules": "tvb", "players": NAMES},
        {"rules": "hk", "players": NAMES, "unit": 2, "rounds": 1},
        {"rules": "mcr", "players": NAMES, "options": {"false_win": 10}},
        {"rules": "singapore", "players": NAMES, "rounds": 2, "options": {"dealer_on_draw": "passes"}},
    ]
)


@st.composite
def wins(draw: st.DrawFn) -> dict[str, Any]:
    players = draw(st.permutations(range(4)))
    many = draw(st.integers(1, 3))
    discarder = players[3] if many > 1 or draw(st.booleans()) else None
    return {
        "kind": "win",
        "discarder": discarder,
        "claims": [{"winner": player, "total": draw(TOTALS)} for player in players[:many]],
    }


PLAIN = st.one_of(
    wins(),
    st.builds(lambda kongs: {"kind": "draw", "kongs": kongs}, st.lists(PLAYERS, unique=True, max_size=4)),
    st.builds(
        lambda kind, player: {"kind": kind, "player": player, "reason": "r"},
        st.sampled_from(["false_win", "fault", "dead_hand", "disqualification"]),
        PLAYERS,
    ),
    st.builds(
        lambda player, amount, others: {
            "kind": "penalty",
            "player": player,
            "amount": amount,
            "to": [each for each in others if each != player],
            "reason": "r",
        },
        PLAYERS,
        st.integers(1, 1000),
        st.lists(PLAYERS, unique=True, max_size=3),
    ),
    st.builds(
        lambda a, b, c: {"kind": "adjustment", "points": [a, b, c, -a - b - c], "reason": "r"},
        *[st.integers(-500, 500)] * 3,
    ),
    st.builds(
        lambda player, item: {"kind": "instant", "player": player, "items": [item]},
        PLAYERS,
        st.sampled_from(["exposed_kong", "concealed_kong", "cat_rat", "all_animals"]),
    ),
    st.sampled_from([{"kind": "redeal", "reason": "r"}, {"kind": "close"}]),
)


def essence(table: LedgerTable) -> Mapping[str, Any]:
    """The table without how many entries it took."""
    return {name: value for name, value in table.to_dict().items() if name != "entries"}


class Ledger(RuleBasedStateMachine):
    """A ledger that takes what it can and refuses the rest unchanged."""

    entered = Bundle("entered")

    @initialize(match=MATCHES)
    def begin(self, match: dict[str, Any]) -> None:
        self.match = Match.from_dict(match)
        self.entries: list[Entry] = []
        self.table = replayed(self.match, [])
        self.before: dict[int, Mapping[str, Any]] = {}

    def enter(self, data: dict[str, Any]) -> int | None:
        """The number of the entry, or None where it is refused."""
        entry = entry_from_dict(data)
        try:
            table = replayed(self.match, [*self.entries, entry])
        except EntryRefused:
            return None
        self.before[len(self.entries) + 1] = essence(self.table)
        self.entries.append(entry)
        self.table = table
        return len(self.entries)

    @rule(target=entered, data=PLAIN)
    def plain(self, data: dict[str, Any]) -> int | None:
        return self.enter(data)

    @rule(data=PLAIN)
    def undone_at_once(self, data: dict[str, Any]) -> None:
        """What is undone before anything else happens leaves the table as it was, and undoing that brings it
        back."""
        before = essence(self.table)
        number = self.enter(data)
        if number is None:
            return
        with_it = essence(self.table)
        undo = self.enter({"kind": "undo", "of": number, "reason": "r"})
        assert undo == number + 1
        assert essence(self.table) == before
        assert self.enter({"kind": "undo", "of": undo, "reason": "r"}) == number + 2
        assert essence(self.table) == with_it
        assert self.enter({"kind": "undo", "of": number, "reason": "r"}) == number + 3
        assert essence(self.table) == before

    @rule(number=consumes(entered))
    def undo(self, number: int | None) -> None:
        if number is not None:
            self.enter({"kind": "undo", "of": number, "reason": "r"})

    @rule(number=entered, data=PLAIN)
    def correct(self, number: int | None, data: dict[str, Any]) -> None:
        """A correction counts as if it had been entered so from the start."""
        if number is None:
            return
        done = self.enter({"kind": "correction", "of": number, "entry": data, "reason": "r"})
        if done is None:
            return
        as_if = [*self.entries]
        as_if[number - 1] = entry_from_dict(data)
        as_if[done - 1] = entry_from_dict({"kind": "adjustment", "points": [0, 0, 0, 0], "reason": "r"})
        plain = [each for each in as_if if each.kind not in ("correction", "undo")]
        if len(plain) == len(as_if) and not self.table.closed:
            assert essence(replayed(self.match, as_if)) == essence(self.table)

    @rule()
    def everything_back(self) -> None:
        """Undone from the last to the first, nothing is left of a ledger."""
        entries = list(self.entries)
        table = self.table
        while True:
            live = [effect for effect in table.effects if effect.line.counts is not None]
            if not live:
                break
            last = live[-1].line.sequence
            entries.append(entry_from_dict({"kind": "undo", "of": last, "reason": "r"}))
            table = replayed(self.match, entries)
        assert essence(table) == essence(replayed(self.match, []))

    @invariant()
    def sums_are_nothing(self) -> None:
        assert sum(self.table.points) + self.table.forfeited == 0
        assert self.match.rules in ("tvb", "mcr") or all(
            move.payee is not None
            or effect.line.entry.kind in ("penalty", "correction")
            or (effect.line.counts is not None and effect.line.counts.kind == "penalty")
            for effect in self.table.effects
            for move in effect.moves
        )

    @invariant()
    def effects_add_up_to_the_table(self) -> None:
        sums = [sum(column) for column in zip(*(e.points for e in self.table.effects), strict=True)]
        assert tuple(sums or [0, 0, 0, 0]) == self.table.points
        if self.table.effects:
            assert self.table.effects[-1].after == self.table.points

    @invariant()
    def replaying_what_is_printed_gives_the_same_table(self) -> None:
        again = [entry_from_dict(entry_to_dict(entry)) for entry in self.entries]
        assert replayed(Match.from_dict(self.match.to_dict()), again).to_dict() == self.table.to_dict()

    @invariant()
    def everyone_has_a_seat_and_a_place(self) -> None:
        told = self.table.to_dict()
        assert sorted(player["seat"] for player in told["players"]) == ["1z", "2z", "3z", "4z"]
        placed = [player for place in told["ranking"] for player in place]
        gone = [player["player"] for player in told["players"] if player["disqualified"]]
        assert sorted([*placed, *gone]) == [0, 1, 2, 3]
        assert told["players"][told["dealer"]]["seat"] == "1z"


Ledger.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
TestLedger = Ledger.TestCase
