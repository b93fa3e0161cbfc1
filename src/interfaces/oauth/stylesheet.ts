import { BASE, FORMS, stylesheetIn } from '../web/design/stylesheet.ts';

/** The style of the OAuth pages: one centred card. */
export const stylesheet = stylesheetIn(
  '/oauth',
  `${BASE}${FORMS}
body {
  min-height: 100vh; min-height: 100svh; padding: 1.5rem 1rem; display: flex; flex-direction: column;
  align-items: center; justify-content: center;
}
main {
  width: 100%; max-width: 27rem; padding: 2rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px;
}
.site { margin: 0 0 1rem; color: var(--quiet); font-size: .9rem; }
button { width: 100%; }
button.link {
  width: auto; min-height: 0; padding: 0; border: 0; background: none; color: var(--accent); font-weight: 400;
  text-decoration: underline;
}
.buttons { display: grid; gap: .6rem; margin: 1.25rem 0 0; }
.scopes { margin: 0 0 .75rem; padding: .85rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
.scopes ul { margin: 0; padding: 0 0 0 1.1rem; }
.scopes.dangerous { border-color: var(--danger); background: var(--danger-ground); }
.scopes.dangerous h2, .warning { color: var(--danger); }
.warning { margin: .4rem 0 0; font-size: .9rem; font-weight: 600; }
.code {
  display: block; margin: 0 0 1rem; padding: .65rem .75rem; border: 1px solid var(--quiet); border-radius: 8px;
  font: 1.05rem/1.5 ui-monospace, monospace; -webkit-user-select: all; user-select: all;
}
.more { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin: 1.25rem 0 0; }
.who { margin: 1.25rem 0 0; }
.who form { display: inline; }
`,
);
