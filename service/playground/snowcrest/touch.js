// Choices of Snowcrest by taps: a card in the hand, then a lit cell of the village.

/**
 * Return what can be tapped for the player who decides.
 * @param {object} view has the `game`, `choose`, and `picked`: the card to put into a cell.
 * @returns {object} `card(id)` and `cell(cell)` return {press, pressed, kind}, or null.
 */
export function touches(view) {
  const { game } = view;
  const player = game.decider();
  const choices = game.busy || view.timeline.retry ? [] : game.choices();
  const plays = choices.filter(({ type, payment }) => type === "play" && !payment);
  const picked = plays.some(({ card }) => card === view.picked) ? view.picked : null;
  const single = (matches) => (matches.length === 1 ? { press: () => view.choose(matches[0]), kind: "direct" } : null);
  const [best] = view.stage === "card" && game.hint ? game.hint.moves : [];
  return {
    player,
    /** Return whether the answer of the coach names a card or a cell. */
    isAdvised: ({ card, cell }) => best !== undefined && (cell === undefined ? best.move.card === card : best.move.cell === cell && (best.move.owner ?? player) === player),
    card(id) {
      if (!plays.some(({ card }) => card === id)) return single(choices.filter(({ card, cell, type }) => card === id && cell === undefined && type !== "play"));
      const pick = () => {
        view.picked = picked === id ? null : id;
        view.draw();
      };
      return { press: pick, pressed: picked === id, kind: "pick" };
    },
    cell(cell) {
      if (picked) return single(plays.filter((each) => each.card === picked && each.cell === cell));
      return single(choices.filter((each) => each.cell === cell && each.type !== "play" && (each.owner ?? player) === player));
    },
  };
}
