// DOM elements from plain values. Text is inserted only as text nodes, and styles as properties.

const SVG = "http://www.w3.org/2000/svg";

/** Create an HTML element. Attributes that are null, undefined or false are omitted. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Create an SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") {
      for (const [property, setting] of Object.entries(value)) element.style.setProperty(property, setting);
    } else if (name === "value") element.value = value;
    else if (name === "checked") element.checked = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// For each container, the key of a disabled element that gets the focus back once it is enabled.
const pendingFocus = new WeakMap();

/**
 * Replace the content of a container. An element with the same data-key as before keeps the focus,
 * and details elements stay open or closed.
 */
export function replace(place, ...children) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.closest("[data-key]")?.dataset.key;
  const seen = focused && isVisible(focused);
  const folds = new Map(
    [...place.querySelectorAll("details[data-key]")].map((fold) => [fold.dataset.key, fold.open]),
  );
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  for (const fold of place.querySelectorAll("details[data-key]")) {
    if (folds.has(fold.dataset.key)) fold.open = folds.get(fold.dataset.key);
  }
  const nowhere = [document.body, place.closest("main")].includes(document.activeElement);
  const wanted = focused ? key : nowhere && pendingFocus.get(place);
  pendingFocus.delete(place);
  if (!focused && !wanted) return;
  const same = wanted && place.querySelector(`[data-key="${CSS.escape(wanted)}"]`);
  if (same?.disabled) pendingFocus.set(place, wanted);
  const next = same && !same.disabled ? same : place.querySelector("[data-next]:not(:disabled)");
  (next ?? place.closest("main"))?.focus({ preventScroll: true });
  // The reader may have scrolled away from the focus, for example during a playback, and nothing is
  // to move under the finger that has just tapped.
  const stays = next && next === same && focused && isVisible(next);
  if (next && (seen || !focused) && !stays) next.scrollIntoView({ block: "nearest" });
}

function isVisible(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/** Focus the first enabled element that a selector matches, and bring it into view. */
export function focusOn(place, selector) {
  const element = place.querySelector(selector);
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: "nearest" });
}

/** Scroll as little as possible so that all elements are in view, or the last one at least. */
export function showTogether(...elements) {
  // A lesson stays above everything else.
  const margin = 8 + (document.querySelector(".lesson")?.offsetHeight ?? 0);
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  const highest = Math.min(...boxes.map((box) => box.top));
  const top = bottom - highest <= window.innerHeight - margin ? highest : boxes.at(-1).top;
  if (top < margin) window.scrollBy(0, top - margin);
  else if (bottom > window.innerHeight) window.scrollBy(0, Math.min(bottom - window.innerHeight + margin, top - margin));
}

/** Bring the problem in a container into view, and the focus with it. */
export function showProblem(place) {
  const problem = place.querySelector(".problem");
  if (problem) showTogether(place.contains(document.activeElement) ? document.activeElement : problem, problem);
}

/** Announce a text to screen readers. */
export function announce(text) {
  document.getElementById("announcer").textContent = text;
}

/** Create a button. */
export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Return a group whose buttons are one tab stop: that of the pressed or first one. Arrow keys move. */
export function oneTabStop(group) {
  const buttons = [...group.querySelectorAll("button:not(:disabled)")];
  const stop = buttons.find((each) => each.getAttribute("aria-pressed") === "true") ?? buttons[0];
  for (const each of buttons) each.tabIndex = each === stop ? 0 : -1;
  group.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const next = step && buttons[buttons.indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  return group;
}

/** Create a labelled select element from [value, label] pairs. */
export function select(label, value, pairs, onchange, attributes = {}) {
  const options = pairs.map(([each, text]) =>
    h("option", { value: each, selected: String(each) === String(value) }, text),
  );
  const change = (event) => onchange(event.target.value);
  return h(
    "label",
    { class: "field" },
    h("span", { class: "label" }, label),
    h("select", { onchange: change, ...attributes }, options),
  );
}
