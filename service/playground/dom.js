// Elements out of plain values.  Text is only ever put in as text, styles as properties.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element; attributes that are null, undefined or false are left out. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") {
      for (const [property, told] of Object.entries(value)) element.style.setProperty(property, told);
    } else if (name === "value") element.value = value;
    else if (name === "checked") element.checked = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// What had the focus before it was disabled, by place: it gets it back when it can.
const waiting = new WeakMap();

/**
 * Puts new content into a place.  What is the same as before by its data-key keeps the focus, and
 * folds stay as they were left.
 */
export function replace(place, ...children) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.closest("[data-key]")?.dataset.key;
  const folds = new Map(
    [...place.querySelectorAll("details[data-key]")].map((fold) => [fold.dataset.key, fold.open]),
  );
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  for (const fold of place.querySelectorAll("details[data-key]")) {
    if (folds.has(fold.dataset.key)) fold.open = folds.get(fold.dataset.key);
  }
  const nowhere = [document.body, place.closest("main")].includes(document.activeElement);
  const wanted = focused ? key : nowhere && waiting.get(place);
  waiting.delete(place);
  if (!focused && !wanted) return;
  const same = wanted && place.querySelector(`[data-key="${CSS.escape(wanted)}"]`);
  if (same?.disabled) waiting.set(place, wanted);
  const next = same && !same.disabled ? same : place.querySelector("[data-next]:not(:disabled)");
  (next ?? place.closest("main"))?.focus({ preventScroll: true });
}

/** Tells a screen reader what has happened. */
export function announce(text) {
  document.getElementById("announcer").textContent = text;
}

/** A button that is a real one. */
export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}

/** A labelled choice out of [value, label] pairs. */
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
