"""Values as notebooks and terminals show them: one module a kind of value, with `html(value)` and `text(value)`.

HTML is made of elements with inline styles only, so that it neither changes nor needs anything of the page around it;
whatever comes from a user is escaped; drawings of automata are images, and boards are SVG that answers to the mouse.
"""
