// What the pages of the site need beside the theme: boxes that scroll can be reached by keys, and the game has the site's light.
"use strict";
{
  const reach = () => {
    for (const box of document.querySelectorAll(".md-typeset pre > code, .md-typeset__scrollwrap, .md-typeset .output, .md-typeset .output pre, .md-sidebar__scrollwrap")) {
      const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
      if (scrolls && getComputedStyle(box).overflow !== "visible") box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  const name = () => {
    for (const [i, nav] of document.querySelectorAll(".md-code__nav").entries()) nav.setAttribute("aria-label", `code ${i + 1}`);
  };
  const light = () => {
    const theme = document.body.dataset.mdColorScheme === "slate" ? "dark" : "light";
    for (const frame of document.querySelectorAll("iframe.live")) {
      try { frame.contentDocument.documentElement.dataset.theme = theme; } catch { /* from the disk it has the system's */ }
    }
  };
  // The board on which one plays is at the end of the page in the frame, and is made by its script.
  const show = (frame, times) => {
    let board = null;
    try { board = frame.contentDocument.querySelector(".play"); } catch { return; /* from the disk */ }
    if (board) frame.contentWindow.scrollTo(0, board.getBoundingClientRect().top + frame.contentWindow.scrollY - 8);
    else if (times) setTimeout(() => show(frame, times - 1), 100);
  };
  const ready = () => {
    reach();
    name();
    light();
    for (const frame of document.querySelectorAll("iframe.live")) {
      frame.addEventListener("load", () => { light(); show(frame, 20); });
      if (frame.contentDocument?.readyState === "complete") show(frame, 20);
    }
    new MutationObserver(light).observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
    // The theme wraps tables when its own script has run.
    new ResizeObserver(reach).observe(document.body);
    setTimeout(() => { reach(); name(); }, 300);
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", ready);
  else ready();
}
