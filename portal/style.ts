// The pages' style sheet, without external assets and inline styles. Contrast is at least 4.5 to 1 in both
// colour schemes.

export const STYLE = `:root { color-scheme: light dark; --ground: #f4f3f0; --paper: #ffffff; --ink: #1d2421; --quiet: #55605b; --line: #c9cdc8; --accent: #1f6350; --on-accent: #ffffff; --alarm: #9c2b1d; --alarm-ground: #fbeeec; }
@media (prefers-color-scheme: dark) { :root { --ground: #161a18; --paper: #1f2522; --ink: #eef1ee; --quiet: #aab4af; --line: #46504b; --accent: #7fd1b5; --on-accent: #10241d; --alarm: #ffb4a8; --alarm-ground: #3a201c; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; align-content: start; justify-items: center; gap: 1.5rem; padding: max(6vh, 1.5rem) 1rem 2rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header { display: flex; align-items: center; gap: .6rem; font-size: 1.25rem; font-weight: 600; letter-spacing: .01em; }
header svg { width: 1.9rem; height: 1.9rem; fill: var(--accent); }
main { width: min(26rem, 100%); background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1.75rem; }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.25; }
p { margin: 0 0 1rem; } p:last-child { margin-bottom: 0; }
.quiet { color: var(--quiet); font-size: .925rem; }
label { display: block; margin: 0 0 .3rem; font-weight: 600; }
input { width: 100%; margin: 0 0 1rem; padding: .6rem .7rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: .4rem; }
input.code { font-family: ui-monospace, monospace; font-size: 1.4rem; letter-spacing: .12em; text-align: center; text-transform: uppercase; }
.code { font-family: ui-monospace, monospace; letter-spacing: .08em; }
.big { display: block; margin: .25rem 0 1rem; font-size: 1.6rem; text-align: center; }
button, .button { display: inline-block; width: 100%; padding: .65rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .4rem; cursor: pointer; }
button.second, .button.second { color: var(--ink); background: transparent; border-color: var(--quiet); }
button.link { width: auto; padding: 0; font-weight: inherit; color: var(--accent); background: none; border: 0; text-decoration: underline; }
.choices { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
.or { margin: 1rem 0; text-align: center; color: var(--quiet); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.alarm { padding: .6rem .8rem; color: var(--alarm); background: var(--alarm-ground); border-left: 4px solid var(--alarm); border-radius: .25rem; }
dl { margin: 0 0 1rem; } dt { color: var(--quiet); font-size: .925rem; } dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
footer { width: min(26rem, 100%); font-size: .925rem; color: var(--quiet); text-align: center; }
footer form { display: inline; }
`;
