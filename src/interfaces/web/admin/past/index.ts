import { buttonLink } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import { sizeText } from '#kernel/quantities.ts';
import type { AdminPastBuild } from '#mastodon/schemas/index.ts';
import { actPage } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { recordTable } from '../record-list.ts';

const PAST = '/admin/as-of';
const MAX_WHEN = 60;

/** `/admin/as-of`: the read models of the past, and the form that makes one. */
const pastPage = consolePage({
  path: PAST,
  permission: 'view_devops',
  live: true,
  show: async (request, tried) => {
    const { entity } = await request.api('GET v1/admin/as_of');
    const builds = buildsPart(entity);
    if (request.wantsFragment) return { fragment: builds };
    return {
      title: 'As-of builds',
      body: html`<section class="box">
          <h2>Build an earlier state</h2>
          <p>
            The server builds all projections as they were at that moment, beside the current ones. That takes
            disk space and time; the server keeps running.
          </p>
          ${form(
            request,
            html`${textField(
                {
                  name: 'when',
                  label: 'Position, day or time',
                  autocomplete: 'off',
                  hint: 'Such as 120, 2026-11-22 or 2026-11-22 10:00. Times are in UTC unless they have a zone.',
                  value: tried?.fields['when'] ?? '',
                },
                MAX_WHEN,
              )}
              <div class="buttons">${button('Build')}</div>`,
          )}
        </section>
        <div data-live>${builds}</div>`,
    };
  },
  submit: async ({ api }, { when = '' }) => {
    await api('POST v1/admin/as_of', { body: { when } });
    return { redirect: saying(PAST, 'past_begun') };
  },
});

const buildsPart = (builds: readonly AdminPastBuild[]): Html =>
  html`<section id="past-builds">
    <h2>Builds</h2>
    ${recordTable(builds, {
      columns: [
        { title: 'Position', number: true },
        'Time',
        'State',
        { title: 'Size', number: true },
        'Command to open it',
        'Remove',
      ],
      cells: cellsOf,
      caption: 'Builds of earlier states',
      empty: { icon: 'history', text: 'No builds yet.' },
    })}
  </section>`;

const cellsOf = (build: AdminPastBuild): Part[] => [
  build.position,
  build.moment === null ? '' : moment(build.moment),
  stateOf(build),
  sizeText(build.bytes),
  build.state === 'ready' ? html`<code>rookery serve --as-of ${build.position}</code>` : '',
  build.state === 'building' || build.served
    ? ''
    : buttonLink(`${PAST}/${build.position}/drop`, 'Remove', { look: 'plain' }),
];

function stateOf({ state, served, progress }: AdminPastBuild): Html {
  if (state === 'ready') return stateBadge(served ? 'Being served' : 'Ready', 'good');
  if (state !== 'building') return stateBadge(state === 'erased' ? 'Holds erased data' : state, 'bad');
  return stateBadge(progress === null ? 'Building' : `Building, ${Math.round(progress * 100)} %`, 'busy');
}

/** `/admin/as-of/:position/drop`: asks before a build is removed. */
const dropPastPage = actPage({
  path: `${PAST}/:position/drop`,
  permission: 'view_devops',
  ask: ({ params }) => ({
    title: `Remove the build of ${params.position}`,
    text: `The projections as of position ${params.position} are removed. The log keeps everything, so they can be built again.`,
    label: 'Remove',
    look: 'danger',
    back: [PAST, 'As-of builds'],
  }),
  act: async ({ api, params }) => {
    await api('DELETE v1/admin/as_of/:position', { params });
    return saying(PAST, 'past_removed');
  },
});

export const pastPages = [pastPage, dropPastPage];
