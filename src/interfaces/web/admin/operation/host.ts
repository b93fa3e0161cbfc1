import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { dataTable, factList, stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { numberText } from '#kernel/quantities.ts';
import type { AdminHost } from '#mastodon/schemas/index.ts';
import { FEDERATION, hostPath } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { confirmed } from './confirm.ts';
import { hostState, latencyText } from './hosts.ts';

const PATH = `${FEDERATION}/:host`;

const hostOf = async ({ api, params }: SignedInRequest<{ host: string }>): Promise<AdminHost> =>
  (await api('GET v1/admin/federation/hosts/:host', { params })).entity;

/** One server: how it answers, and what waits for it. */
const show = consolePage({
  path: PATH,
  permission: 'view_devops',
  live: true,
  show: async (request) => {
    const host = await hostOf(request);
    const parts = html`<div id="host-state">${state(host)}</div>
      <div id="host-queue">${queue(host)}</div>`;
    if (request.wantsFragment) return { fragment: parts };
    return {
      title: host.host,
      back: [FEDERATION, 'All servers'],
      body: html`<div data-live hidden></div>
        ${parts}`,
    };
  },
});

const at = (time: string | null): Html | string => (time === null ? 'never' : moment(time));

const state = (host: AdminHost): Html =>
  html`<section class="box">
    <h2 class="hush">State</h2>
    ${factList([
      ['State', hostState(host)],
      ['Queued', `${numberText(host.queued)}, ${numberText(host.retrying)} of them failed before`],
      ['Delivered', numberText(host.delivered)],
      ['Refused', numberText(host.refused)],
      ['Failed attempts', numberText(host.failed)],
      ['Response time', latencyText(host.average_ms)],
      ['Last success', at(host.last_success_at)],
      ['Last failure', at(host.last_failure_at)],
      ['Last error', host.last_failure ?? 'none'],
      ['Down since', host.down_since !== null && moment(host.down_since)],
      ['Next attempt', host.retry_at !== null && moment(host.retry_at)],
    ])}
    ${
      host.queued > 0 &&
      html`<div class="buttons">
        ${buttonLink(`${hostPath(host.host)}/retry`, 'Send now', { icon: 'send' })}
        ${buttonLink(`${hostPath(host.host)}/give-up`, 'Give up', { look: 'plain', icon: 'trash-2' })}
      </div>`
    }
  </section>`;

function queue({ queued, deliveries = [] }: AdminHost): Html {
  if (deliveries.length === 0)
    return emptyState({ icon: 'circle-check', text: 'No deliveries are waiting for this server.' });
  return html`<h2>Queue</h2>
    ${queued > deliveries.length && html`<p>These are the oldest ${deliveries.length} of ${numberText(queued)}.</p>`}
    ${dataTable(
      [
        { title: 'Activity' },
        { title: 'By', breaks: true },
        { title: 'Inbox', breaks: true },
        { title: 'Queued' },
        { title: 'Next attempt' },
        { title: 'Attempts', number: true },
      ],
      deliveries.map(({ type, actor, inbox, queued_at, due_at, attempts, sending }) => ({
        cells: [
          type,
          actor,
          inbox,
          moment(queued_at),
          sending ? stateBadge('Sending', 'busy') : moment(due_at),
          attempts,
        ],
      })),
      { caption: 'Waiting deliveries, oldest first' },
    )}`;
}

const retry = confirmed({
  path: `${PATH}/retry`,
  notice: 'deliveries_retried',
  ask: async (request) => {
    const { host, queued } = await hostOf(request);
    return {
      title: `Send now: ${host}`,
      text: html`<p>
        The ${numberText(queued)} deliveries waiting for ${host} are sent at once, although it may not answer.
        Each failure counts as one of the 16 attempts of a delivery.
      </p>`,
      label: 'Send now',
      back: hostPath(host),
    };
  },
  act: async ({ api, params }) => {
    await api('POST v1/admin/federation/hosts/:host/retry', { params });
    return hostPath(params.host);
  },
});

const giveUp = confirmed({
  path: `${PATH}/give-up`,
  notice: 'deliveries_given_up',
  ask: async (request) => {
    const { host, queued } = await hostOf(request);
    return {
      title: `Give up: ${host}`,
      text: html`<p>
        The ${numberText(queued)} deliveries waiting for ${host} are removed. It never gets these activities:
        people there miss the posts, edits and deletions among them. New activities are sent as before.
      </p>`,
      label: 'Give up',
      back: hostPath(host),
      look: 'danger',
    };
  },
  act: async ({ api, params }) => {
    const { entity } = await api('POST v1/admin/federation/hosts/:host/give_up', { params });
    return entity.state === 'new' ? FEDERATION : hostPath(entity.host);
  },
});

export const hostPages = [show, retry, giveUp];
