"use strict";

// The invoice form works without this file: the server adds lines and computes totals as well.
// Amounts are whole numbers of cents here, so that both round the same way.
(() => {
  const form = document.querySelector("[data-invoice-form]");
  const lines = form.querySelector("[data-lines]");
  const template = form.querySelector("[data-line-template]");
  const addButton = form.querySelector("[data-add-line]");
  const lineCount = form.elements["lines-TOTAL_FORMS"];
  const maxLines = Number(lines.dataset.max);
  const inEnglish = document.documentElement.lang === "en";
  const decimalMark = inEnglish ? "." : ",";

  /**
   * What was typed, in hundredths: "12,5" → 1250n. Null if it is not a positive number with two decimals at most.
   * A comma is a decimal mark, but in English "1,250" and "1,250.50" are thousands.
   */
  function hundredths(text) {
    const typed = text.replace(/\s/g, "");
    const plain = inEnglish && /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(typed) ? typed.replaceAll(",", "") : typed;
    const match = /^(\d{1,8})(?:[.,](\d{1,2}))?$/.exec(plain);
    return match ? BigInt(match[1]) * 100n + BigInt((match[2] || "").padEnd(2, "0")) : null;
  }

  /** Division of positive numbers, halves rounded up. */
  function divide(amount, by) {
    return (2n * amount + by) / (2n * by);
  }

  function euros(cents) {
    const units = String(cents / 100n).replace(/\B(?=(\d{3})+$)/g, inEnglish ? "," : "\u202f");
    const amount = `${units}${decimalMark}${String(cents % 100n).padStart(2, "0")}`;
    return inEnglish ? `€${amount}` : `${amount}\u00a0€`;
  }

  function showTotals() {
    let subtotal = 0n;
    for (const line of lines.querySelectorAll("[data-line]")) {
      const quantity = hundredths(line.querySelector("[name$='-quantity']").value);
      const price = hundredths(line.querySelector("[name$='-unit_price']").value);
      if (quantity !== null && price !== null && line.querySelector("select").value) {
        subtotal += divide(quantity * price, 100n);
      }
    }
    const typedDiscount = hundredths(form.elements.discount.value) ?? 0n;
    const percent = typedDiscount > 10000n ? 0n : typedDiscount;
    const discount = divide(subtotal * percent, 10000n);
    const net = subtotal - discount;
    const vat = divide(net * hundredths(form.elements.vat_rate.value), 10000n);
    const totals = { subtotal, discount, net, vat, total: net + vat };
    for (const [name, cents] of Object.entries(totals)) {
      form.querySelector(`[data-total="${name}"]`).textContent = euros(cents);
    }
  }

  function proposePrice(select) {
    const price = select.selectedOptions[0]?.dataset.price;
    if (!price) return;
    const line = select.closest("[data-line]");
    line.querySelector("[name$='-unit_price']").value = price.replace(".", decimalMark);
    const quantity = line.querySelector("[name$='-quantity']");
    if (!quantity.value) quantity.value = "1";
  }

  function addLine() {
    const index = Number(lineCount.value);
    if (index >= maxLines) return;
    const added = template.content.cloneNode(true);
    for (const node of added.querySelectorAll("*")) {
      for (const name of ["id", "name", "for"]) {
        const value = node.getAttribute(name);
        if (value) node.setAttribute(name, value.replace("__prefix__", String(index)));
      }
    }
    added.querySelector("[data-line-number]").textContent = String(index + 1);
    const select = added.querySelector("select");
    lines.append(added);
    lineCount.value = String(index + 1);
    addButton.disabled = index + 1 >= maxLines;
    select.focus();
  }

  addButton.addEventListener("click", (event) => {
    event.preventDefault();
    addLine();
  });
  form.addEventListener("change", (event) => {
    if (event.target.matches("[data-line] select")) proposePrice(event.target);
    showTotals();
  });
  form.addEventListener("input", showTotals);
  for (const button of form.querySelectorAll("[data-without-script]")) button.hidden = true;
  showTotals();
})();
