"""Layout of packed catalogues, positions and actions.

A catalogue is an int64 vector for one number of players: a header and the tables of all cards.
A position is an int16 vector: a turn in progress with its state.  An action is an int16 vector.
Positions of one catalogue have equal lengths; a card is its number in the catalogue.
"""

from __future__ import annotations

VECTOR = "int16[::1]"
CATALOGUE = "int64[::1]"

# Catalogue: header ----------------------------------------------------------------------------

CARDS, DECK, GUARDIANS, FOREST, PLAYERS = range(5)
"""Numbers of villagers, of villagers in a deck, guardians, forest cards and players.  The cards of
a deck come first."""
VILLAGER_TABLE, ACTION_TABLE, EFFECT_TABLE, SPIRIT_TABLE, CHALLENGE_TABLE, CONDITION_TABLE = range(
    5, 11
)
"""Offsets of the tables."""
(
    SEAT_SIZE, BIDS, BID_SIZE, POOLS, BELOW_COMMONS, BELOW_GUARDIANS, BELOW_FOREST, LENGTH,
    ACTION_SIZE,
) = range(11, 20)  # fmt: skip
"""Sizes and offsets of a position; ``POOLS`` has the unseen copies of commons and spirits."""
HEADER = 20

# Catalogue: rows ------------------------------------------------------------------------------

V_KIND, V_COST, V_ICONS = 0, 1, 2
"""``V_ICONS`` begins ``ICON_KINDS`` columns; icons of any kind are among the gold, too."""
V_ANY, V_SETTLES, V_BACK = 7, 8, 9
V_ACTIONS, V_ACTION_COUNT, V_COPYABLE, V_RECRUITS, V_LESS_OMEN = range(14, 19)
VILLAGER_ROW = 19
A_HAS_COST, A_COST, A_ANY, A_EFFECTS, A_EFFECT_COUNT, A_SAME = 0, 1, 6, 7, 8, 9
E_TYPE, E_WHAT, E_COUNT, E_BUILDING, E_SETS, E_SET_COUNT, E_SAME = range(7)
EFFECT_ROW = 7
"""``A_SAME`` and ``E_SAME``: the first equal action or effect; equal tasks have equal numbers."""
(
    GAIN, BUILD, TURN_UP, WORSHIP, MEDITATE, TRADE, TAKE_BACK, REDRAW, RECRUIT, PER_BUILDING, COPY,
    WAKE, EXHAUST_ONE, DISCARD,
) = range(14)  # fmt: skip
"""Types of effects; the sets of a trade are gains.  The first effects build each kind, and any."""
ITEM_KINDS, GAIN_KINDS = 13, 14
A_ITEMS, ACTION_ROW = 10, 10 + ITEM_KINDS
S_OWN, S_OWN_OMEN, S_OTHERS = 0, ITEM_KINDS, ITEM_KINDS + 1
S_OTHERS_OMEN, S_REWARD = S_OTHERS + ITEM_KINDS, S_OTHERS + ITEM_KINDS + 1
SPIRIT_ROW = S_REWARD + GAIN_KINDS
H_SCROLLS, H_CONDITIONS, H_CONDITION_COUNT = range(3)
CHALLENGE_ROW = 3
C_KIND, C_AT_LEAST, C_OF, C_AT_MOST = range(4)
CONDITION_ROW = 4

# Positions ------------------------------------------------------------------------------------

(
    N, TURN, SUPPLY, JUNIPER, PHASE, ENDING, STARTER_VARIANT, DIFFICULTY, RESTS, ACTING, TASKS,
    BID_COUNT, ROW_COUNT, COMMONS_BELOW, GUARDIANS_BELOW, FOREST_BELOW, CHALLENGES, FAILED,
) = range(18)  # fmt: skip
"""``ACTING`` is a cell or -1; ``TASKS`` and the following ones are counts; ``FAILED`` is 1 if a
position needed more room than it has."""
ROW, ROW_SIZE = 18, 5
CHALLENGE, MAX_CHALLENGES = 23, 5
"""Pairs of a challenge and the seat that has claimed it, or -1."""
ITEMS = CHALLENGE + 2 * MAX_CHALLENGES
GIVEN = ITEMS + ITEM_KINDS
GIVEN_CELLS = GIVEN + 3
"""Of the running answer to a penalty: counts of the items left, and what is given for it: spent
buildings of each kind, and the set of cells of exhausted villagers."""
STACK, MAX_TASKS, TASK_SIZE = GIVEN_CELLS + 1, 64, 4
"""Tasks, the next one last: kind and up to three numbers."""
SEATS = STACK + MAX_TASKS * TASK_SIZE
TOKENS, SCROLLS, OMEN, OMEN_TOKENS, VILLAGE, UP, SPENT = 0, 5, 6, 7, 8, 17, 20
"""Offsets in a seat; a cell has twice the card, plus 1 if exhausted, or -1."""
UNKNOWN_COUNT, UNSEEN_COUNT, HAND_COUNT, DISCARD_COUNT, HAND = 23, 24, 25, 26, 27
"""``HAND`` begins the copies in hand; discards and unseen copies follow, each ``DECK`` long.  The
unseen cards are those in the pile and the unknown ones in hand."""

SET_UP, TURNS, OVER = range(3)
"""Phases."""
(
    PLACE_FIRST, CHOOSE, PAY_COST, PERFORM, APPLY, RECEIVE, DRAW_CARDS, REVEAL, TAKE_OMEN, PENALTY,
    RETURN_SPIRIT, COLLECT, DECIDE, PLACE_RECRUIT, RETURN_COPIED, EXHAUST, AWAKE, FILL, END, HANDS,
) = range(20)  # fmt: skip
"""Kinds of tasks, in the order of ``rules/turn.py``, with these numbers:

- ``PAY_COST``: 0 and the barley of a card, 1 and an action, or 2 and the effects of a trade's sides
- ``PERFORM``, ``APPLY``: action, effect; ``RECEIVE``: kind and count; ``DRAW_CARDS``: count
- ``REVEAL``: whether from the forest; ``TAKE_OMEN``: seat and count
- ``PENALTY``: seat, card, and whether ``ITEMS`` has what is left; for the items of a cost, the card
  is -1 minus the action
- ``RETURN_SPIRIT``: card, and whether from the forest
- ``DECIDE``: waiting seats and returned bids as sets of seats
- ``PLACE_RECRUIT``, ``EXHAUST``: cell; ``RETURN_COPIED``: card
"""
FOR_CARD, FOR_ACTION, FOR_TRADE = range(3)

# Actions --------------------------------------------------------------------------------------

TYPE, CARD, CELL, OWNER, ITEM, SETTLES, RESOURCE, BUILDING, IS_SPENT, RETURNED, RETURNED_SPENT = (
    range(11)
)
GIVE, GET, HAS_PAYMENT = 11, 12, 13
PAYMENT = 14
"""Tokens, buildings, the set of cells, and copies of hand cards; the latter are also those of a
redraw.  The bids of a position have the same form."""
PAID_BUILDINGS, PAID_CELLS, PAID_CARDS = 5, 8, 9
"""Offsets in a payment."""
(
    DO_FOUND, DO_ACTIVATE, DO_PLAY, DO_REST, DO_PASS, DO_PAY, DO_GAIN, DO_BUILD, DO_TRADE,
    DO_TAKE_BACK, DO_REDRAW, DO_RECRUIT, DO_COPY, DO_BID, DO_GIVE, DO_SETTLE, DO_SUFFER, DO_DECLINE,
    DO_SKIP, _, DO_RETURN_BID, DO_LEAVE_BID, DO_WAKE, DO_EXHAUST,
    DO_DISCARD,
) = range(25)  # fmt: skip
"""Types of actions, in the order of ``rules/actions.py``; a draw has none."""
UNKNOWN = -1

COMMONS, GUARDIAN_PILE, FOREST_PILE = range(3)
"""Piles, in the order of what the header and a position say about them."""

(
    BARLEY, BELL, BOWL, JUNIPER_TOKEN, GOLD, ANY, SCROLL, NEW_CARD, MORE_OMEN, LESS_OMEN, NEW_FARM,
) = range(11)  # fmt: skip
"""Kinds of gains; the resources come first, and buildings last."""
ANY_ITEM, CARD_ITEM, VILLAGER_ITEM, FARM_ITEM, BUILDING_ITEM = 5, 6, 7, 9, 12
"""Kinds of penalty items; resources come first, and an exhausted villager after a face-up one."""
RESOURCES, ICON_KINDS, BUILDINGS, CELLS = 5, 6, 3, 9
