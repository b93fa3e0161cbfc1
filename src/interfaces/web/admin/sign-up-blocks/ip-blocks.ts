import { type Choice, radioField, selectField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { day } from '#interfaces/web/entities/texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { Fields, Tried, WebPage } from '#interfaces/web/page/page.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import type { AdminIpBlock } from '#mastodon/schemas/index.ts';
import { actPage, rowLinks } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { recordList, type RecordTable } from '../record-list.ts';

const IPS = '/admin/ip_blocks';
const BACK = [IPS, 'Blocked IP addresses'] as const;
const MAX_COMMENT = 1_000;
const SEVERITIES = [
  {
    value: 'sign_up_requires_approval',
    label: 'Limit sign-ups',
    hint: 'Sign-ups from it wait for approval.',
  },
  { value: 'sign_up_block', label: 'Block sign-ups', hint: 'Nobody can sign up from it.' },
  { value: 'no_access', label: 'Block access', hint: 'Nothing on this server can be reached from it.' },
] as const;
const KEEP = 'keep';
const DURATIONS = [
  { value: '', label: 'Never' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '1 week' },
  { value: '2592000', label: '30 days' },
  { value: '15552000', label: '6 months' },
  { value: '31536000', label: '1 year' },
] as const;

const labelOf = (severity: string): string =>
  SEVERITIES.find(({ value }) => value === severity)?.label ?? severity;

const listPage = consolePage({
  path: IPS,
  permission: 'manage_blocks',
  show: async (request) => {
    const found = await request.api('GET v1/admin/ip_blocks', {
      query: { ...placeIn(request.query), limit: '50' },
    });
    return {
      title: 'Blocked IP addresses',
      actions: buttonLink(`${IPS}/new`, 'Block an IP address', { icon: 'plus' }),
      body: html`<p class="quiet">
          Addresses on the internet, and ranges of them. People change theirs, and many share one: give blocks
          an end.
        </p>
        ${recordList(request, found, BLOCKED)}`,
    };
  },
});

const BLOCKED: RecordTable<AdminIpBlock> = {
  columns: ['IP address', 'Rule', 'Comment', 'Since', 'Ends', 'Actions'],
  cells: ({ id, ip, severity, comment, created_at, expires_at }) => [
    html`<bdi>${ip}</bdi>`,
    stateBadge(labelOf(severity), severity === 'no_access' ? 'bad' : undefined),
    html`<span dir="auto">${comment}</span>`,
    day(created_at),
    expires_at === null ? 'Never' : day(expires_at),
    rowLinks(ip, [
      [`${IPS}/${id}/edit`, 'Edit'],
      [`${IPS}/${id}/remove`, 'Remove'],
    ]),
  ],
  caption: 'Blocked addresses, the newest first',
  empty: { icon: 'network', text: 'No IP address is blocked.' },
};

const blockFields = (fields: Fields, tried: Tried | undefined, durations: readonly Choice[]): Html =>
  html`${textField({ name: 'ip', label: 'IP address or range', autocomplete: 'off', hint: 'Such as 192.0.2.1 or 2001:db8::/32.', value: fields['ip'] ?? '', problems: tried?.byField?.['ip'] }, 100)}
  ${radioField({ name: 'severity', label: 'Rule', choices: SEVERITIES, chosen: fields['severity'] ?? '', problems: tried?.byField?.['severity'] })}
  ${selectField({ name: 'expires_in', label: 'Ends in', choices: durations, chosen: fields['expires_in'] ?? '' })}
  ${textField({ name: 'comment', label: 'Comment (optional)', autocomplete: 'off', hint: 'For staff.', value: fields['comment'] ?? '' }, MAX_COMMENT)}`;

const newPage = actPage({
  path: `${IPS}/new`,
  permission: 'manage_blocks',
  ask: (_request, tried) => ({
    title: 'Block an IP address',
    text: 'The rule takes effect at once for everybody who comes from the address. Your own address cannot lose its access.',
    fields: blockFields(
      tried?.fields ?? { severity: 'sign_up_requires_approval', expires_in: '2592000' },
      tried,
      DURATIONS,
    ),
    label: 'Block the IP address',
    look: 'danger',
    back: BACK,
  }),
  act: async ({ api }, fields) => {
    await api('POST v1/admin/ip_blocks', { body: rulesIn(fields) });
    return saying(IPS, 'domain_blocked_here');
  },
});

const editPage = actPage({
  path: `${IPS}/:id/edit`,
  permission: 'manage_blocks',
  ask: async ({ api, params }, tried) => {
    const { entity: block } = await api('GET v1/admin/ip_blocks/:id', { params });
    const { ip, severity, comment } = block;
    return {
      title: `Change the block of ${ip}`,
      text: 'The rule takes effect at once for everybody who comes from the address.',
      fields: blockFields(tried?.fields ?? { ip, severity, comment, expires_in: KEEP }, tried, [
        { value: KEEP, label: 'As before' },
        ...DURATIONS,
      ]),
      label: 'Save',
      look: 'danger',
      back: BACK,
    };
  },
  act: async ({ api, params }, fields) => {
    await api('PUT v1/admin/ip_blocks/:id', { params, body: rulesIn(fields) });
    return saying(IPS, 'staff_saved');
  },
});

const rulesIn = ({ ip = '', severity = '', comment = '', expires_in = '' }: Fields) => ({
  ip,
  severity: asSent(severity),
  comment,
  ...(expires_in === KEEP ? {} : { expires_in }),
});

const removePage = actPage({
  path: `${IPS}/:id/remove`,
  permission: 'manage_blocks',
  ask: async ({ api, params }) => {
    const { entity } = await api('GET v1/admin/ip_blocks/:id', { params });
    return {
      title: `Remove the block of ${entity.ip}`,
      text: `Everybody who comes from ${entity.ip} is treated like other visitors again.`,
      label: 'Remove the block',
      look: 'danger',
      back: BACK,
    };
  },
  act: async ({ api, params }) => {
    await api('DELETE v1/admin/ip_blocks/:id', { params });
    return saying(IPS, 'domain_freed');
  },
});

export const ipBlockPages: readonly WebPage[] = [listPage, newPage, editPage, removePage];
