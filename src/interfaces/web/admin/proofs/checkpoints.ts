import { buttonLink } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { html } from '#interfaces/web/design/html.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import type { LogCheckpoint } from '#mastodon/schemas/index.ts';
import { CHECKPOINTS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { recordList, type RecordTable } from '../record-list.ts';

/** The signed checkpoints of the log, the newest first. */
export const checkpointsPage = consolePage({
  path: CHECKPOINTS,
  permission: 'view_audit_log',
  show: async (request) => {
    const found = await request.api('GET v1/admin/audit/checkpoints', {
      query: { max_id: placeIn(request.query).max_id, limit: '25' },
    });
    return {
      title: 'Checkpoints',
      actions: html`${buttonLink(`${CHECKPOINTS}/witnesses`, 'Witnesses', { icon: 'users', look: 'plain' })}
      ${buttonLink(`${CHECKPOINTS}/compare`, 'Compare a kept one', { icon: 'scale' })}`,
      body: html`<p>
          About once a minute the server signs how many events its log has, and the root: the one hash that
          the hashes of all of them lead to. A later checkpoint continues an earlier one only if no event
          before it was changed, removed or added. Keep some of them where the operator of this server cannot
          reach them.
        </p>
        ${recordList(request, found, SIGNED)}`,
    };
  },
});

/** Each line of a signature begins so; the first is that of the server. */
const SIGNATURE = /^— /gm;

const SIGNED: RecordTable<LogCheckpoint> = {
  columns: [
    'Signed',
    { title: 'Events', number: true },
    'Root',
    { title: 'Witnesses', number: true },
    'Proof',
  ],
  cells: ({ size, root, note, created_at, divergence }) => [
    moment(created_at),
    size,
    html`<code class="hash">${root}</code>`,
    (note.match(SIGNATURE)?.length ?? 1) - 1,
    divergence === null
      ? html`<a href="${CHECKPOINTS}/${size}">Consistency<span class="hush"> of ${size} events</span></a>`
      : stateBadge(`Void by divergence ${divergence}`, 'bad'),
  ],
  caption: 'Checkpoints, the newest first',
  empty: { icon: 'clock', text: 'There is no checkpoint here yet.' },
};
