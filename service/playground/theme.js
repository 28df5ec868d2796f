// Runs before anything is painted, so that a chosen theme does not flash.
"use strict";
try {
  const chosen = window.localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing for us shows the theme it likes.
}
