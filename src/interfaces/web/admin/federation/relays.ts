import { buttonLink } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { html } from '#interfaces/web/design/html.ts';
import { day } from '#interfaces/web/entities/texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import type { AdminRelay } from '#mastodon/schemas/index.ts';
import { actPage, rowLinks } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { recordList, type RecordTable } from '../record-list.ts';

const RELAYS = '/admin/relays';
const BACK = [RELAYS, 'Relays'] as const;
const STATES = {
  idle: stateBadge('Disabled'),
  pending: stateBadge('Waiting for the relay', 'busy'),
  accepted: stateBadge('Enabled', 'good'),
  rejected: stateBadge('Rejected by the relay', 'bad'),
} as const;

/** `/admin/relays`: servers that pass public posts on. */
const relaysPage = consolePage({
  path: RELAYS,
  permission: 'manage_federation',
  show: async (request) => {
    const found = await request.api('GET v1/admin/relays', {
      query: { ...placeIn(request.query), limit: '50' },
    });
    return {
      title: 'Relays',
      actions: buttonLink(`${RELAYS}/new`, 'Add a relay', { icon: 'plus' }),
      body: html`<p class="quiet">
          A relay exchanges public posts between the servers that subscribe to it: small servers see more, and
          every post costs space.
        </p>
        ${recordList(request, found, LISTED)}`,
    };
  },
});

const LISTED: RecordTable<AdminRelay> = {
  columns: ['Inbox', 'State', 'Since', 'Actions'],
  cells: ({ id, inbox_url, state, created_at }) => [
    html`<bdi>${inbox_url}</bdi>`,
    STATES[state],
    day(created_at),
    rowLinks(inbox_url, [
      state === 'accepted' ? false : [`${RELAYS}/${id}/enable`, state === 'pending' ? 'Ask again' : 'Enable'],
      state === 'idle' ? false : [`${RELAYS}/${id}/disable`, 'Disable'],
      [`${RELAYS}/${id}/remove`, 'Remove'],
    ]),
  ],
  caption: 'Relays, the newest first',
  empty: { icon: 'radio', text: 'This server has no relays.' },
};

/** `/admin/relays/new`. */
const newRelayPage = actPage({
  path: `${RELAYS}/new`,
  permission: 'manage_federation',
  ask: (_request, tried) => ({
    title: 'Add a relay',
    text: 'This server subscribes to the relay at once. When the relay accepts, public posts of this server go to it, and those of the other subscribers come from it.',
    fields: html`${textField(
      {
        name: 'inbox_url',
        label: 'Address of its inbox',
        autocomplete: 'off',
        hint: 'Such as https://relay.example/inbox.',
        value: tried?.fields['inbox_url'] ?? '',
        problems: tried?.byField?.['inbox_url'],
      },
      4_096,
    )}
    ${textField(
      {
        name: 'actor_url',
        label: 'Address of its actor (optional)',
        autocomplete: 'off',
        hint: 'Only for relays that are followed by their actor.',
        value: tried?.fields['actor_url'] ?? '',
        problems: tried?.byField?.['actor_url'],
      },
      4_096,
    )}`,
    label: 'Add and subscribe',
    back: BACK,
  }),
  act: async ({ api }, { inbox_url = '', actor_url = '' }) => {
    await api('POST v1/admin/relays', { body: { inbox_url, actor_url } });
    return saying(RELAYS, 'relay_added');
  },
});

type Verb = 'enable' | 'disable' | 'remove';
const ACTS: Record<Verb, { label: string; text: string }> = {
  enable: {
    label: 'Subscribe',
    text: 'This server asks the relay to subscribe. Posts are exchanged once the relay accepts.',
  },
  disable: {
    label: 'End the subscription',
    text: 'Posts are no longer exchanged with the relay. It stays in the list, to be enabled again.',
  },
  remove: {
    label: 'Remove the relay',
    text: 'Posts are no longer exchanged with the relay, and it leaves the list. Posts that came by it stay.',
  },
};

const relayActPage = (verb: Verb): WebPage =>
  actPage({
    path: `${RELAYS}/:id/${verb}`,
    permission: 'manage_federation',
    ask: async ({ api, params }) => {
      const { entity: relay } = await api('GET v1/admin/relays/:id', { params });
      const { label, text } = ACTS[verb];
      return {
        title: label,
        text: html`<p><bdi>${relay.inbox_url}</bdi></p>
          <p>${text}</p>`,
        label,
        ...(verb === 'remove' && { look: 'danger' }),
        back: BACK,
      };
    },
    act: async ({ api, params }) => {
      await api(verb === 'remove' ? 'DELETE v1/admin/relays/:id' : `POST v1/admin/relays/:id/${verb}`, {
        params,
      });
      return saying(RELAYS, verb === 'remove' ? 'staff_removed' : 'staff_saved');
    },
  });

export const relayPages: readonly WebPage[] = [
  relaysPage,
  newRelayPage,
  ...(['enable', 'disable', 'remove'] as const).map(relayActPage),
];
