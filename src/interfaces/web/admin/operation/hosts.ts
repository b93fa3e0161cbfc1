import { selectField } from '#interfaces/web/design/choice-fields.ts';
import { emptyState } from '#interfaces/web/design/components.ts';
import { dataTable, stateBadge } from '#interfaces/web/design/data-table.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { button } from '#interfaces/web/page/forms.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import { numberText } from '#kernel/quantities.ts';
import type { AdminHost } from '#mastodon/schemas/index.ts';
import { FEDERATION, hostPath } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { secondsText } from './words.ts';

const MOST = 100;
const STATES = {
  new: ['Not tried yet', undefined],
  up: ['Answers', 'good'],
  failing: ['Failing', 'busy'],
  down: ['Down', 'bad'],
} as const;
const STATE_CHOICES = Object.entries(STATES).map(([value, [label]]) => ({ value, label }));
const ORDERS = [
  { value: 'trouble', label: 'Those in trouble' },
  { value: 'queued', label: 'The longest queue' },
  { value: 'slow', label: 'The slowest' },
];

export function hostState({ state }: AdminHost): Html {
  const [text, look] = STATES[state];
  return stateBadge(text, look);
}

export const latencyText = (milliseconds: number | null): string =>
  secondsText(milliseconds === null ? null : milliseconds / 1_000);

/** Every server that gets deliveries. */
export const hostsPage = consolePage({
  path: FEDERATION,
  permission: 'view_devops',
  live: true,
  show: async (request) => {
    const { q, state, order } = filterOf(request);
    const { entity: hosts } = await request.api('GET v1/admin/federation/hosts', {
      query: {
        limit: String(MOST),
        order: asSent(order),
        ...(q !== '' && { q }),
        ...(state !== '' && { state: asSent(state) }),
      },
    });
    const part = html`<div id="hosts">${hosts.length === 0 ? none(q, state) : table(hosts)}</div>`;
    if (request.wantsFragment) return { fragment: part };
    return {
      title: 'Federation',
      body: html`<p class="quiet" data-live>
          Posts and other activities go to each server through a queue of its own. A delivery that fails is
          tried 16 times within a week.
        </p>
        ${filterBar({ q, state, order })} ${part}`,
    };
  },
});

const filterOf = ({ query }: SignedInRequest) => ({
  q: query.get('q') ?? '',
  state: query.get('state') ?? '',
  order: query.get('order') ?? 'trouble',
});

const filterBar = ({ q, state, order }: Record<'q' | 'state' | 'order', string>): Html =>
  html`<form method="get" action="${FEDERATION}" class="filter-bar box">
    <div>${textField({ name: 'q', label: 'Domain', autocomplete: 'off', value: q }, 300)}</div>
    <div>
      ${selectField({ name: 'state', label: 'State', choices: [{ value: '', label: 'Any' }, ...STATE_CHOICES], chosen: state })}
    </div>
    <div>${selectField({ name: 'order', label: 'Order', choices: ORDERS, chosen: order })}</div>
    <div class="buttons">${button('Filter', 'plain')}</div>
  </form>`;

const none = (q: string, state: string): Html =>
  emptyState({
    icon: 'network',
    text:
      q === '' && state === ''
        ? 'No deliveries to other servers yet.'
        : 'No server matches. Change the filter to see others.',
  });

const table = (hosts: readonly AdminHost[]): Html =>
  html`${hosts.length === MOST && html`<p>These are the first ${MOST}; filter by domain to see others.</p>`}
  ${dataTable(
    [
      { title: 'Server' },
      { title: 'State' },
      { title: 'Queued', number: true },
      { title: 'Retrying', number: true },
      { title: 'Delivered', number: true },
      { title: 'Failed attempts', number: true },
      { title: 'Response time', number: true },
      { title: 'Last error', breaks: true },
      { title: 'Down since' },
    ],
    hosts.map((each) => ({
      cells: [
        html`<a href="${hostPath(each.host)}">${each.host}</a>`,
        hostState(each),
        ...[each.queued, each.retrying, each.delivered, each.failed].map(numberText),
        latencyText(each.average_ms),
        each.last_failure ?? '',
        each.down_since === null ? '' : moment(each.down_since),
      ],
    })),
    { caption: 'Servers' },
  )}`;
