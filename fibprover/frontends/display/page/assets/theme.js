// Light or dark, before anything is painted: as the reader chose, else as the system says.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try { chosen = localStorage.getItem("fibprover-theme"); } catch { /* no storage: the system decides */ }
  const apply = () => {
    const dark = chosen ? chosen === "dark" : system.matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.dispatchEvent(new Event("themechange"));
  };
  system.addEventListener("change", apply);
  window.switchTheme = () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("fibprover-theme", chosen); } catch { /* as above */ }
    apply();
  };
  apply();
})();
