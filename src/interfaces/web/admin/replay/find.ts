import { emptyState } from '#interfaces/web/design/components.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import type { ReplaySubject } from '#mastodon/schemas/index.ts';
import { REPLAY, replayPath } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { KINDS } from './words.ts';

const MAX_TEXT = 500;

/** Finds a subject whose history can be replayed, and lists those that staff acted on last. */
export const findPage = consolePage({
  path: REPLAY,
  permission: 'view_audit_log',
  show: async ({ api, query }) => {
    const q = (query.get('q') ?? '').trim();
    const { entity: subjects } = await api('GET v1/admin/audit/subjects', { query: { q } });
    const [only] = subjects;
    if (q !== '' && only && subjects.length === 1) return { redirect: replayPath(only.kind, only.id) };
    return {
      title: 'Replay',
      body: html`<p>
          Step through the whole history of an account, a post, a report, a domain, a rule or a setting, and
          see how it stood at each step.
        </p>
        <form class="box filter-bar" method="get" action="${REPLAY}">
          <div>
            ${textField(
              {
                name: 'q',
                label: 'Handle, domain, ID or setting',
                hint: 'Such as @name@server.example, server.example, or a number.',
                autocomplete: 'off',
                value: q,
                optional: true,
              },
              MAX_TEXT,
            )}
          </div>
          <div class="buttons"><button type="submit">${icon('search')}Find</button></div>
        </form>
        <h2>${q === '' ? 'Recent subjects' : 'Found'}</h2>
        ${subjects.length === 0 ? nothing(q) : subjectList(subjects.toSorted(postsLast))}`,
    };
  },
});

/** Posts have numbers only, so that others are found more easily above them. */
const postsLast = (one: ReplaySubject, other: ReplaySubject): number =>
  Number(one.kind === 'status') - Number(other.kind === 'status');

const nothing = (q: string): Html =>
  emptyState({ icon: 'history', text: q === '' ? 'Staff has not acted on anything yet.' : 'Nothing found.' });

/** Renders subjects as links to their histories. */
export const subjectList = (subjects: readonly ReplaySubject[]): Html =>
  html`<ul class="subject-list">
    ${subjects.map(
      ({ kind, id, name }) =>
        html`<li>
          <a href="${replayPath(kind, id)}"
            ><span class="quiet">${KINDS[kind]}</span>
            <b>${kind === 'account' ? `@${name.replace(/^@/, '')}` : name}</b></a
          >
        </li>`,
    )}
  </ul>`;
