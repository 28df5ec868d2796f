// Runs before the first paint, so that the page does not flash in another theme.
"use strict";
try {
  const chosen = window.localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage, the theme of the browser applies.
}
