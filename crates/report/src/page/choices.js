// Choices that the browser keeps: light or dark colours, whether unsure labels count, whose weak moves the button for
// the next weak move shows, and which exercises were solved or shown.
const choices = (() => {
  const listeners = [];

  // A browser may keep nothing for local pages; the choices then hold until the page is left.
  const kept = new Map();
  function get(name, otherwise) {
    try { return localStorage.getItem("skewer." + name) ?? kept.get(name) ?? otherwise; } catch { return kept.get(name) ?? otherwise; }
  }
  function set(name, value) {
    kept.set(name, value);
    try { localStorage.setItem("skewer." + name, value); } catch { /* see above */ }
    for (const listener of listeners) listener(name);
  }

  // Removes all choices from the browser.
  function forget() {
    kept.clear();
    try { for (const key of Object.keys(localStorage)) if (key.startsWith("skewer.")) localStorage.removeItem(key); } catch { /* see above */ }
  }

  // The colours: of the system, light or dark.
  const THEMES = ["system", "light", "dark"];
  function theme() {
    const name = THEMES.includes(get("theme", "")) ? get("theme", "") : "system", button = document.getElementById("theme");
    if (name === "system") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = name;
    button.textContent = { system: "◐ system", light: "○ light", dark: "● dark" }[name];
    button.setAttribute("aria-label", `Colours: ${name}. Change`);
  }

  function begin() {
    document.getElementById("theme").addEventListener("click", () => {
      set("theme", THEMES[(THEMES.indexOf(get("theme", "system")) + 1) % THEMES.length]);
      theme();
    });
    const boxes = [...document.querySelectorAll(".count-unsure")];
    for (const box of boxes) box.addEventListener("change", () => set("unsure", box.checked ? "counted" : ""));
    const check = () => { for (const box of boxes) box.checked = get("unsure", "") === "counted"; };
    listeners.push(check);
    check();
    const side = document.getElementById("weak-side");
    side.value = get("side", "");
    side.addEventListener("change", () => set("side", side.value));
    theme();
  }

  // Calls `then` with the name of each choice that changes.
  return { begin, get, set, forget, changed: then => listeners.push(then), get unsure() { return get("unsure", "") === "counted"; } };
})();
