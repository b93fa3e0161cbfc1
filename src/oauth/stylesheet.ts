import { hash } from 'node:crypto';

/** The look of the OAuth pages: system fonts, light and dark, from narrow phones up. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: #f2f3f5; --card: #ffffff; --text: #1b1f24; --quiet: #59636e; --line: #d4d9df;
  --accent: #3a56c5; --on-accent: #ffffff; --danger: #b42318; --danger-ground: #fdf0ee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --card: #1d2125; --text: #e8eaed; --quiet: #a3adb8; --line: #3a424a;
    --accent: #8ea4f5; --on-accent: #10131a; --danger: #ff9d92; --danger-ground: #33201f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100svh; padding: 1.5rem 1rem; display: flex; flex-direction: column;
  align-items: center; justify-content: center; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
main {
  width: 100%; max-width: 27rem; padding: 2rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; overflow-wrap: anywhere;
}
.site { margin: 0 0 1rem; color: var(--quiet); font-size: .9rem; }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; line-height: 1.3; }
h2 { margin: 0 0 .25rem; font-size: 1rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
.quiet { color: var(--quiet); font-size: .9rem; }
label { display: block; margin: 0 0 .3rem; font-weight: 600; }
input[type=text], input[type=password] {
  width: 100%; margin: 0 0 1rem; padding: .65rem .75rem; font: inherit; color: inherit; background: transparent;
  border: 1px solid var(--quiet); border-radius: 8px;
}
button {
  width: 100%; min-height: 2.9rem; padding: .6rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: var(--on-accent);
}
button.plain { background: transparent; color: var(--text); border-color: var(--line); }
button.link {
  width: auto; min-height: 0; padding: 0; border: 0; background: none; color: var(--accent); font-weight: 400;
  text-decoration: underline;
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.buttons { display: grid; gap: .6rem; margin: 1.25rem 0 0; }
.scopes { margin: 0 0 .75rem; padding: .85rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
.scopes ul { margin: 0; padding: 0 0 0 1.1rem; }
.scopes.dangerous { border-color: var(--danger); background: var(--danger-ground); }
.scopes.dangerous h2, .warning { color: var(--danger); }
.warning { margin: .4rem 0 0; font-size: .9rem; font-weight: 600; }
.error {
  padding: .75rem 1rem; color: var(--danger); background: var(--danger-ground); border: 1px solid var(--danger);
  border-radius: 8px;
}
.code {
  display: block; margin: 0 0 1rem; padding: .65rem .75rem; border: 1px solid var(--quiet); border-radius: 8px;
  font: 1.05rem/1.5 ui-monospace, monospace; -webkit-user-select: all; user-select: all;
}
.who { margin: 1.25rem 0 0; }
.who form { display: inline; }
`;

/** Changes with the text, so that browsers may keep the file for ever. */
export const stylesheetPath = `/oauth/style-${hash('sha256', stylesheet, 'hex').slice(0, 12)}.css`;
