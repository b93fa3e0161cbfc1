import type { AdminProjection, AdminProjectionRun } from '../../../../mastodon/schemas/index.ts';
import { invalid } from '../../../../kernel/errors.ts';
import { longField } from '../../design/fields.ts';
import { html, type Html } from '../../design/html.ts';
import type { SignedInRequest } from '../../page/page.ts';
import { confirmed } from './confirm.ts';
import { bytesText, numberText, secondsText } from './words.ts';

const pathOf = (name = ''): string => `/admin/projections/${name}`;

const modelOf = async ({ api, params }: SignedInRequest): Promise<AdminProjection> =>
  (await api<AdminProjection>('GET v1/admin/projections/:name', { params })).entity;

const lastTime = ({ build_seconds, bytes }: AdminProjection): Html =>
  html`<p>
    Its tables have ${bytesText(bytes)};
    ${build_seconds === null ? 'how long the last build took is unknown' : `the last build took ${secondsText(build_seconds)}`}.
  </p>`;

async function start({ api, params }: SignedInRequest, kind: AdminProjectionRun['kind']): Promise<string> {
  await api('POST v1/admin/projections/:name/runs', { params, body: { kind } });
  return pathOf(params['name']);
}

const rebuild = confirmed({
  path: '/admin/projections/:name/rebuild',
  notice: 'run_started',
  ask: async (request) => {
    const model = await modelOf(request);
    return {
      title: `Rebuild ${model.name}`,
      text: html`<p>
          The server reads the whole log and builds new tables beside the present ones, which stay in use
          until then. In the end it compares them, and puts the new ones in place in one step.
        </p>
        ${lastTime(model)}
        <p>
          The server has more to do meanwhile. You can leave the page, and cancel the rebuild at any time.
        </p>`,
      label: 'Rebuild',
      back: pathOf(model.name),
    };
  },
  act: (request) => start(request, 'rebuild'),
});

const verify = confirmed({
  path: '/admin/projections/:name/verify',
  notice: 'run_started',
  ask: async (request) => {
    const model = await modelOf(request);
    return {
      title: `Compare ${model.name} with the log`,
      text: html`<p>
          The server reads the whole log, builds tables beside the present ones, and compares both row by row.
          The present tables stay as they are, whatever it finds.
        </p>
        ${lastTime(model)}`,
      label: 'Compare',
      back: pathOf(model.name),
    };
  },
  act: (request) => start(request, 'verify'),
});

const retry = confirmed({
  path: '/admin/projections/:name/retry',
  notice: 'projection_retried',
  ask: async (request) => {
    const { name, failure } = await modelOf(request);
    return {
      title: `Try again: ${name}`,
      text: failure
        ? html`<p>
            The event ${failure.event_type} at ${failure.position} is tried again. If it succeeds, the
            projection catches up and goes on; if not, it halts at the same place. Other halted projections
            try again too.
          </p>`
        : html`<p>This projection is not halted, so nothing happens to it. Halted ones try again.</p>`,
      label: 'Try again',
      back: pathOf(name),
    };
  },
  act: async ({ api, params }) => {
    await api('POST v1/admin/projections/:name/retry', { params });
    return pathOf(params['name']);
  },
});

/** A position from the address or from the form. @throws RookeryError `invalid` */
function positionOf(text: string | null | undefined): string {
  if (!/^\d{1,18}$/.test(text ?? '')) throw invalid('This is no position of the log.');
  return text ?? '';
}

const skip = confirmed({
  path: '/admin/projections/:name/skip',
  notice: 'event_skipped',
  ask: async (request, tried) => {
    const { name, failure } = await modelOf(request);
    const position = positionOf(
      tried?.fields['position'] ?? request.query.get('position') ?? failure?.position,
    );
    const what = failure?.position === position ? `${failure.event_type} at ${position}` : `at ${position}`;
    return {
      title: `Leave out an event: ${name}`,
      text: html`<p>
        This projection goes on without the event ${what}, now and in every rebuild. What the event says is
        missing in its tables. The event stays in the log, and other projections keep what they made of it.
        Everybody who reads the audit log sees your reason.
      </p>`,
      fields: longField(
        {
          name: 'reason',
          label: 'Reason',
          autocomplete: 'off',
          value: tried?.fields['reason'] ?? '',
          hint: 'Recorded in the audit log.',
        },
        1_000,
      ),
      hidden: { position },
      label: 'Leave it out',
      back: pathOf(name),
      look: 'danger',
    };
  },
  act: async ({ api, params }, { position, reason = '' }) => {
    const body = { position: positionOf(position), reason };
    await api('POST v1/admin/projections/:name/skip', { params, body });
    return pathOf(params['name']);
  },
});

const unskip = confirmed({
  path: '/admin/projections/:name/unskip',
  notice: 'event_unskipped',
  ask: async (request, tried) => {
    const { name } = await modelOf(request);
    const position = positionOf(tried?.fields['position'] ?? request.query.get('position'));
    return {
      title: `Take an event again: ${name}`,
      text: html`<p>
        The next rebuild takes the event at ${position} again. Until then the tables stay without it. If the
        projection still cannot handle the event, that rebuild fails, and the present tables stay.
      </p>`,
      hidden: { position },
      label: 'Take it again',
      back: pathOf(name),
    };
  },
  act: async ({ api, params }, { position }) => {
    await api('POST v1/admin/projections/:name/unskip', { params, body: { position: positionOf(position) } });
    return pathOf(params['name']);
  },
});

const cancel = confirmed({
  path: '/admin/projections/runs/:id/cancel',
  notice: 'run_cancelled',
  ask: async ({ api, params }) => {
    const { entity: run } = await api<AdminProjectionRun>('GET v1/admin/projections/runs/:id', { params });
    return {
      title: `Cancel the ${run.kind === 'rebuild' ? 'rebuild' : 'comparison'} of ${run.name}`,
      text: html`<p>
        It has read ${numberText(run.events)} events, and ends at its next step. What it built is thrown away;
        the tables in use stay as they are.
      </p>`,
      label: 'Cancel it',
      back: pathOf(run.name),
      look: 'danger',
    };
  },
  act: async ({ api, params }) => {
    const { entity: run } = await api<AdminProjectionRun>('POST v1/admin/projections/runs/:id/cancel', {
      params,
    });
    return pathOf(run.name);
  },
});

export const projectionActs = [cancel, rebuild, verify, retry, skip, unskip];
