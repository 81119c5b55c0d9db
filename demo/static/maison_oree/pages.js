"use strict";

// Printing needs a script, so its button stays hidden without one.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
