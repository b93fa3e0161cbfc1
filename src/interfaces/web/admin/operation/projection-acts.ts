import { longField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { invalid } from '#kernel/errors.ts';
import { numberText, sizeText } from '#kernel/quantities.ts';
import type { AdminProjection, AdminProjectionRun } from '#mastodon/schemas/index.ts';
import { projectionPath, PROJECTIONS } from '../addresses.ts';
import { confirmed } from './confirm.ts';
import { secondsText } from './words.ts';

const pathOf = (name = ''): string => projectionPath(name);

const modelOf = async ({ api, params }: SignedInRequest<{ name: string }>): Promise<AdminProjection> =>
  (await api('GET v1/admin/projections/:name', { params })).entity;

const lastTime = ({ build_seconds, bytes }: AdminProjection): Html =>
  html`<p>
    Its tables take ${sizeText(bytes)}.
    ${build_seconds !== null && `The last build took ${secondsText(build_seconds)}.`}
  </p>`;

async function start(
  { api, params }: SignedInRequest<{ name: string }>,
  kind: AdminProjectionRun['kind'],
): Promise<string> {
  await api('POST v1/admin/projections/:name/runs', { params, body: { kind } });
  return pathOf(params.name);
}

const rebuild = confirmed({
  path: `${PROJECTIONS}/:name/rebuild`,
  notice: 'run_started',
  ask: async (request) => {
    const model = await modelOf(request);
    return {
      title: `Rebuild ${model.name}`,
      text: html`<p>
          The server reads the whole log and builds new tables beside the current ones, which stay in use
          meanwhile. Then it compares both and swaps them in one step.
        </p>
        ${lastTime(model)}
        <p>This adds load to the server. You can leave the page, and cancel the rebuild at any time.</p>`,
      label: 'Rebuild',
      back: pathOf(model.name),
    };
  },
  act: (request) => start(request, 'rebuild'),
});

const verify = confirmed({
  path: `${PROJECTIONS}/:name/verify`,
  notice: 'run_started',
  ask: async (request) => {
    const model = await modelOf(request);
    return {
      title: `Verify ${model.name}`,
      text: html`<p>
          The server reads the whole log, builds tables beside the current ones, and compares both row by row.
          The current tables stay as they are.
        </p>
        ${lastTime(model)}`,
      label: 'Verify',
      back: pathOf(model.name),
    };
  },
  act: (request) => start(request, 'verify'),
});

const retry = confirmed({
  path: `${PROJECTIONS}/:name/retry`,
  notice: 'projection_retried',
  ask: async (request) => {
    const { name, failure } = await modelOf(request);
    return {
      title: `Retry ${name}`,
      text: failure
        ? html`<p>
            The projection processes the event ${failure.event_type} at ${failure.position} again. If that
            succeeds, it catches up and continues; if not, it halts at the same event. Other halted
            projections retry too.
          </p>`
        : html`<p>This projection is not halted, so nothing happens.</p>`,
      label: 'Retry',
      back: pathOf(name),
    };
  },
  act: async ({ api, params }) => {
    await api('POST v1/admin/projections/:name/retry', { params });
    return pathOf(params.name);
  },
});

/** A position from the address or from the form. @throws RookeryError `invalid` */
function positionOf(text: string | null | undefined): string {
  if (!/^\d{1,18}$/.test(text ?? '')) throw invalid('This is no position of the log.');
  return text ?? '';
}

const skip = confirmed({
  path: `${PROJECTIONS}/:name/skip`,
  notice: 'event_skipped',
  ask: async (request, tried) => {
    const { name, failure } = await modelOf(request);
    const position = positionOf(
      tried?.fields['position'] ?? request.query.get('position') ?? failure?.position,
    );
    const what = failure?.position === position ? `${failure.event_type} at ${position}` : `at ${position}`;
    return {
      title: `Skip an event: ${name}`,
      text: html`<p>
        This projection continues without the event ${what}, now and in every rebuild; its tables will lack
        the data of the event. The event stays in the log, and other projections are not affected. Everybody
        who reads the audit log sees your reason.
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
      label: 'Skip the event',
      back: pathOf(name),
      look: 'danger',
    };
  },
  act: async ({ api, params }, { position, reason = '' }) => {
    const body = { position: positionOf(position), reason };
    await api('POST v1/admin/projections/:name/skip', { params, body });
    return pathOf(params.name);
  },
});

const unskip = confirmed({
  path: `${PROJECTIONS}/:name/unskip`,
  notice: 'event_unskipped',
  ask: async (request, tried) => {
    const { name } = await modelOf(request);
    const position = positionOf(tried?.fields['position'] ?? request.query.get('position'));
    return {
      title: `Process an event again: ${name}`,
      text: html`<p>
        The next rebuild processes the event at ${position} again. Until then the tables lack it. If the
        projection still cannot process the event, that rebuild fails and the current tables stay.
      </p>`,
      hidden: { position },
      label: 'Process it again',
      back: pathOf(name),
    };
  },
  act: async ({ api, params }, { position }) => {
    await api('POST v1/admin/projections/:name/unskip', { params, body: { position: positionOf(position) } });
    return pathOf(params.name);
  },
});

const cancel = confirmed({
  path: `${PROJECTIONS}/runs/:id/cancel`,
  notice: 'run_cancelled',
  ask: async ({ api, params }) => {
    const { entity: run } = await api('GET v1/admin/projections/runs/:id', { params });
    return {
      title: `Cancel the ${run.kind === 'rebuild' ? 'rebuild' : 'verification'} of ${run.name}`,
      text: html`<p>
        It has read ${numberText(run.events)} events, and stops at its next step. Its new tables are dropped;
        the tables in use stay as they are.
      </p>`,
      label: 'Cancel it',
      back: pathOf(run.name),
      look: 'danger',
    };
  },
  act: async ({ api, params }) => {
    const { entity: run } = await api('POST v1/admin/projections/runs/:id/cancel', { params });
    return pathOf(run.name);
  },
});

export const projectionActs = [cancel, rebuild, verify, retry, skip, unskip];
