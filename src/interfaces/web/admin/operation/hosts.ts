import type { AdminHost } from '../../../../mastodon/schemas/index.ts';
import { optionsOf } from '../../design/choice-fields.ts';
import { emptyState } from '../../design/components.ts';
import { dataTable, stateBadge } from '../../design/data-table.ts';
import { html, type Html } from '../../design/html.ts';
import { moment } from '../../entities/texts.ts';
import { button } from '../../page/forms.ts';
import type { SignedInRequest } from '../../page/page.ts';
import { consolePage } from '../console-page.ts';
import { numberText } from './words.ts';

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

export const hostPath = (host: string): string => `/admin/federation/${encodeURIComponent(host)}`;

export const latencyText = (milliseconds: number | null): string =>
  milliseconds === null ? 'unknown' : `${numberText(milliseconds)} ms`;

/** Every server that gets deliveries. */
export const hostsPage = consolePage({
  path: '/admin/federation',
  permission: 'view_devops',
  live: true,
  show: async (request) => {
    const { q, state, order } = filterOf(request);
    const { entity: hosts } = await request.api<AdminHost[]>('GET v1/admin/federation/hosts', {
      query: { limit: String(MOST), order, ...(q !== '' && { q }), ...(state !== '' && { state }) },
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
  html`<form method="get" action="/admin/federation" class="filter-bar box">
    <label>Name of the server<input type="search" name="q" value="${q}" maxlength="300" /></label>
    <label
      >State<select name="state">
        <option value="">All</option>
        ${optionsOf(STATE_CHOICES, state)}
      </select></label
    >
    <label
      >First<select name="order">
        ${optionsOf(ORDERS, order)}
      </select></label
    >
    <div class="buttons">${button('Show', 'plain')}</div>
  </form>`;

const none = (q: string, state: string): Html =>
  emptyState({
    icon: 'network',
    text:
      q === '' && state === ''
        ? 'No server got a delivery yet.'
        : 'No server matches. Change the filter to see others.',
  });

const table = (hosts: readonly AdminHost[]): Html =>
  html`${hosts.length === MOST && html`<p>These are the first ${MOST}; search by name for others.</p>`}
  ${dataTable(
    [
      { title: 'Server' },
      { title: 'State' },
      { title: 'Queued', number: true },
      { title: 'Tried before', number: true },
      { title: 'Delivered', number: true },
      { title: 'Failed tries', number: true },
      { title: 'A try takes', number: true },
      { title: 'Last error' },
      { title: 'Down since' },
    ],
    hosts.map((each) => ({
      cells: [
        html`<a href="${hostPath(each.host)}">${each.host}</a>`,
        hostState(each),
        ...[each.queued, each.retrying, each.delivered, each.failed].map(numberText),
        latencyText(each.average_ms),
        each.last_failure ?? 'none',
        each.down_since === null ? 'not down' : moment(each.down_since),
      ],
    })),
    { caption: 'Servers' },
  )}`;
