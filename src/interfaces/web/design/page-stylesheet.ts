import { BASE, FORMS, stylesheetIn } from './stylesheet.ts';

/** The style of public pages: one column, from narrow phones up. */
export const pageStylesheet = stylesheetIn(
  '/pages',
  `${BASE}${FORMS}
.bar { max-width: 40rem; margin: 0 auto; padding: 1rem; }
header.bar a { color: var(--text); font-weight: 600; text-decoration: none; }
header.bar a:hover { text-decoration: underline; }
footer.bar { padding-bottom: 3rem; color: var(--quiet); font-size: .9rem; }
footer.bar a { display: inline-block; margin-right: 1rem; padding: .25rem 0; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--card); }
.skip:focus { left: .5rem; top: .5rem; z-index: 1; }
main { max-width: 40rem; margin: 0 auto; padding: 0 1rem; outline: none; }
img, video, audio { max-width: 100%; }
img, video { height: auto; }
.box, .post {
  margin: 0 0 1rem; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px;
}
.box > :last-child, .content > :last-child, .profile > div > :last-child { margin-bottom: 0; }
.names { display: flex; flex-wrap: wrap; column-gap: .5rem; align-content: center; min-width: 0; min-height: 46px; }
.name { font-weight: 600; }
.handle { color: var(--quiet); font-weight: 400; }
.avatar { flex: none; border-radius: 8px; object-fit: cover; aspect-ratio: 1; }
.author { display: flex; align-items: flex-start; gap: .75rem; color: inherit; text-decoration: none; min-width: 0; }
a.author:hover .name { text-decoration: underline; }
.post > header, .quote > header { margin: 0 0 .5rem; }
.post > header .when, .quote > header .when { display: block; margin: .25rem 0 0; }
.when a { color: inherit; }
.why { margin: 0 0 .5rem; }
.content { margin: 0 0 .75rem; }
.content p { margin: 0 0 .75rem; }
/* The link for those who know no quotes. */
.content.quoting .quote-inline { display: none; }
.content pre { white-space: pre-wrap; }
.invisible { display: inline-block; width: 0; height: 0; overflow: hidden; font-size: 0; line-height: 0; }
.ellipsis::after { content: "\\2026"; }
.emoji { width: 1.25em; height: 1.25em; vertical-align: -.25em; object-fit: contain; }
.veil { margin: 0 0 .75rem; }
.veil > summary { padding: .5rem 0; cursor: pointer; font-weight: 600; }
.media { display: grid; gap: .5rem; margin: 0 0 .75rem; }
.media img, .media video { display: block; width: 100%; max-height: 36rem; object-fit: contain; border-radius: 8px; }
.media audio { width: 100%; }
.media figure { margin: 0; }
.media figcaption { color: var(--quiet); font-size: .9rem; }
.file { margin: 0; }
.poll { margin: 0 0 .75rem; }
.poll ul { margin: 0 0 .5rem; padding: 0; list-style: none; }
.poll li { display: grid; grid-template-columns: 1fr auto; column-gap: 1rem; margin: 0 0 .5rem; }
.poll progress { grid-column: 1 / -1; width: 100%; accent-color: var(--accent); }
.poll p { margin: 0; }
.card {
  display: block; margin: 0 0 .75rem; overflow: hidden; color: inherit; text-decoration: none;
  border: 1px solid var(--line); border-radius: 8px;
}
.card img { display: block; width: 100%; max-height: 18rem; object-fit: cover; }
.card .about { display: grid; padding: .75rem; }
.quote { margin: 0 0 .75rem; padding: .75rem; border: 1px solid var(--line); border-radius: 8px; }
.quote > :last-child { margin-bottom: 0; }
.post > footer { border-top: 1px solid var(--line); padding-top: .5rem; }
.thread { padding-left: 1rem; border-left: 3px solid var(--line); }
.profile { padding: 0; overflow: hidden; }
.profile .banner { display: block; width: 100%; aspect-ratio: 3; object-fit: cover; }
.profile > div { padding: 1rem; }
.profile h1 { display: flex; flex-wrap: wrap; column-gap: .5rem; align-items: baseline; }
.profile h1 .handle { font-size: 1rem; }
.marks { margin: 0 0 1rem; padding: 0; list-style: none; color: var(--quiet); font-size: .9rem; }
.marks li { display: inline-block; margin-right: 1rem; }
.marks strong { color: var(--text); }
.fields { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 8px; }
.fields div { padding: .5rem .75rem; }
.fields div + div { border-top: 1px solid var(--line); }
.fields dt { color: var(--quiet); font-size: .9rem; }
.fields dd { margin: 0; }
.verified { display: block; color: var(--good); font-size: .9rem; }
.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 1rem; }
.tabs a { padding: .25rem 0; }
.tabs [aria-current] { color: var(--text); font-weight: 600; text-decoration: none; border-bottom: 3px solid var(--accent); }
.pages { display: flex; justify-content: space-between; gap: 1rem; margin: 0 0 1rem; }
.pages a { padding: .5rem 0; }
.people { margin: 0; padding: 0; list-style: none; }
.people li + li { margin-top: 1rem; }
.fill-in + .fill-in, .fill-in + p { margin-top: 1rem; }
.fill-in input, .fill-in select, .fill-in textarea { max-width: 30rem; display: block; }
.qr { max-width: 16rem; margin: 0 0 1rem; background: #ffffff; border-radius: 8px; }
.qr svg { display: block; width: 100%; height: auto; }
.key, .codes { font: 1rem/1.6 ui-monospace, monospace; }
.codes { margin: 0 0 1rem; padding: 0; list-style: none; columns: 12rem; }
button.danger { background: transparent; color: var(--danger); border-color: var(--danger); }
.error, .done { margin: 0 0 1rem; }
.error > :last-child { margin-bottom: 0; }
.done { padding: .75rem 1rem; color: var(--good); background: var(--card); border: 1px solid var(--good); border-radius: 8px; }
.hush { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`,
);
