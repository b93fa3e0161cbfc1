import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';

/** The style of all pages: system fonts, light and dark, colours with the contrast of WCAG 2.2 AA. */
export const BASE = `
:root {
  color-scheme: light dark;
  --ground: #f2f3f5; --card: #ffffff; --text: #1b1f24; --quiet: #59636e; --line: #d4d9df;
  --accent: #3a56c5; --on-accent: #ffffff; --danger: #b42318; --danger-ground: #fdf0ee; --good: #14693a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --card: #1d2125; --text: #e8eaed; --quiet: #a3adb8; --line: #3a424a;
    --accent: #8ea4f5; --on-accent: #10131a; --danger: #ff9d92; --danger-ground: #33201f; --good: #7fd6a3;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { margin: 0 0 .5rem; font-size: 1.35rem; line-height: 1.3; }
h2 { margin: 0 0 .25rem; font-size: 1rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
.quiet { color: var(--quiet); font-size: .9rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/** The style of all forms. */
export const FORMS = `
label { display: block; margin: 0 0 .3rem; font-weight: 600; }
input[type=text], input[type=password], input[type=email], input[type=file], select, textarea {
  width: 100%; margin: 0 0 1rem; padding: .65rem .75rem; font: inherit; color: inherit; background: transparent;
  border: 1px solid var(--quiet); border-radius: 8px;
}
textarea { resize: vertical; }
input[aria-invalid=true], textarea[aria-invalid=true] { border-color: var(--danger); }
.wrong { margin: 0 0 .3rem; color: var(--danger); font-size: .9rem; font-weight: 600; }
.tick { display: flex; gap: .6rem; align-items: flex-start; }
.tick label { margin: 0; font-weight: 400; }
.tick input { flex: none; width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; accent-color: var(--accent); }
button {
  min-height: 2.9rem; padding: .6rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: var(--on-accent);
}
button.plain { background: transparent; color: var(--text); border-color: var(--line); }
.error {
  padding: .75rem 1rem; color: var(--danger); background: var(--danger-ground); border: 1px solid var(--danger);
  border-radius: 8px;
}
`;

export interface Stylesheet {
  text: string;
  path: string;
}

/**
 * Returns a stylesheet in a folder of this server. Its path changes with the text, so that browsers may cache
 * it forever.
 */
export const stylesheetIn = (folder: string, text: string): Stylesheet => ({
  text,
  path: `${folder}/style-${hash('sha256', text, 'hex').slice(0, 12)}.css`,
});

/** Serves it. */
export const sendStylesheet =
  ({ text }: Stylesheet): RequestHandler =>
  (_req, res) => {
    res
      .set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' })
      .type('css')
      .send(text);
  };
