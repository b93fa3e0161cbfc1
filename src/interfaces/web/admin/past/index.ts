import type { AdminPastBuild } from '../../../../mastodon/schemas/index.ts';
import { buttonLink, emptyState } from '../../design/components.ts';
import { dataTable, stateBadge } from '../../design/data-table.ts';
import { textField } from '../../design/fields.ts';
import { html, type Html, type Part } from '../../design/html.ts';
import { moment } from '../../entities/texts.ts';
import { button, form } from '../../page/forms.ts';
import { saying } from '../../page/notices.ts';
import { actPage } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { bytesText } from '../operation/words.ts';

const PAST = '/admin/as-of';
const MAX_WHEN = 60;

/** `/admin/as-of`: the read models of the past, and the form that makes one. */
const pastPage = consolePage({
  path: PAST,
  permission: 'view_devops',
  live: true,
  show: async (request, tried) => {
    const { entity } = await request.api<AdminPastBuild[]>('GET v1/admin/as_of');
    const builds = buildsPart(entity);
    if (request.wantsFragment) return { fragment: builds };
    return {
      title: 'The past',
      body: html`<section class="box">
          <h2>Build a point of the past</h2>
          <p>
            All read models are built as they were then, beside the live ones. That takes disk and time, and
            the live ones work on.
          </p>
          ${form(
            request,
            html`${textField(
                {
                  name: 'when',
                  label: 'Position, day or time',
                  autocomplete: 'off',
                  hint: '120, 2026-11-22 or 2026-11-22T10:00:00Z',
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
    <h2>On disk</h2>
    ${
      builds.length === 0
        ? emptyState({ icon: 'history', text: 'Nothing of the past is built.' })
        : dataTable(
            [
              { title: 'Position', number: true },
              { title: 'Moment' },
              { title: 'State' },
              { title: 'Size', number: true },
              { title: 'Open' },
              { title: 'Remove' },
            ],
            builds.map((build) => ({ cells: cellsOf(build) })),
            { caption: 'Points of the past that are built' },
          )
    }
  </section>`;

const cellsOf = (build: AdminPastBuild): Part[] => [
  build.position,
  build.moment === null ? '' : moment(build.moment),
  stateOf(build),
  bytesText(build.bytes),
  build.state === 'ready' ? html`<code>rookery serve --as-of ${build.position}</code>` : '',
  build.state === 'building' || build.served
    ? ''
    : buttonLink(`${PAST}/${build.position}/drop`, 'Remove', { look: 'plain' }),
];

function stateOf({ state, served, progress }: AdminPastBuild): Html {
  if (state === 'ready') return stateBadge(served ? 'Served now' : 'Ready', 'good');
  if (state !== 'building') return stateBadge(state === 'erased' ? 'Has erased data' : state, 'bad');
  return stateBadge(progress === null ? 'Building' : `Building, ${Math.round(progress * 100)} %`, 'busy');
}

/** `/admin/as-of/:position/drop`: asks before a build is removed. */
const dropPastPage = actPage({
  path: `${PAST}/:position/drop`,
  permission: 'view_devops',
  ask: ({ params }) => ({
    title: 'Remove from disk',
    text: `The read models as of position ${params['position']} are removed. The log keeps everything, so they can be built again.`,
    label: 'Remove',
    look: 'danger',
    back: [PAST, 'The past'],
  }),
  act: async ({ api, params }) => {
    await api('DELETE v1/admin/as_of/:position', { params });
    return saying(PAST, 'past_removed');
  },
});

export const pastPages = [pastPage, dropPastPage];
