import { checkField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { html } from '#interfaces/web/design/html.ts';
import { counted, day } from '#interfaces/web/entities/texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import type { AdminEmailDomainBlock } from '#mastodon/schemas/index.ts';
import { actPage, rowLinks } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { recordList, type RecordTable } from '../record-list.ts';

const DOMAINS = '/admin/email_domain_blocks';
const BACK = [DOMAINS, 'Blocked e-mail domains'] as const;

const listPage = consolePage({
  path: DOMAINS,
  permission: 'manage_blocks',
  show: async (request) => {
    const found = await request.api('GET v1/admin/email_domain_blocks', {
      query: { ...placeIn(request.query), limit: '50' },
    });
    return {
      title: 'Blocked e-mail domains',
      actions: buttonLink(`${DOMAINS}/new`, 'Block an e-mail domain', { icon: 'plus' }),
      body: html`<p class="quiet">
          Nobody can sign up with an address of these domains. Users who are here already stay.
        </p>
        ${recordList(request, found, BLOCKED)}`,
    };
  },
});

const BLOCKED: RecordTable<AdminEmailDomainBlock> = {
  columns: ['Domain', 'Sign-ups', 'Attempts in a week', 'Since', 'Actions'],
  cells: ({ id, domain, allow_with_approval, history, created_at }) => [
    html`<bdi>${domain}</bdi>`,
    allow_with_approval ? stateBadge('Need approval', 'busy') : stateBadge('Refused', 'bad'),
    attempts(history),
    day(created_at),
    rowLinks(domain, [[`${DOMAINS}/${id}/remove`, 'Remove']]),
  ],
  caption: 'Blocked e-mail domains, the newest first',
  empty: { icon: 'mail', text: 'No e-mail domain is blocked.' },
};

const attempts = (history: AdminEmailDomainBlock['history']): string =>
  counted(
    history.reduce((sum, { uses }) => sum + Number(uses), 0),
    'attempt',
  );

const newPage = actPage({
  path: `${DOMAINS}/new`,
  permission: 'manage_blocks',
  ask: (_request, tried) => ({
    title: 'Block an e-mail domain',
    text: 'Nobody can sign up with an address of the domain or of a domain below it. Users who are here already stay.',
    fields: html`${textField({ name: 'domain', label: 'Domain', autocomplete: 'off', hint: 'What is behind the @ of its addresses.', value: tried?.fields['domain'] ?? '', problems: tried?.byField?.['domain'] }, 2_048)}
    ${checkField({ name: 'allow_with_approval', label: 'Let moderators approve them', hint: 'Its addresses can sign up, and wait for approval even where others do not.', checked: tried?.fields['allow_with_approval'] === 'true' })}`,
    label: 'Block the domain',
    back: BACK,
  }),
  act: async ({ api }, { domain = '', allow_with_approval }) => {
    const body = { domain, allow_with_approval: allow_with_approval === 'true' };
    await api('POST v1/admin/email_domain_blocks', { body });
    return saying(DOMAINS, 'domain_blocked_here');
  },
});

const removePage = actPage({
  path: `${DOMAINS}/:id/remove`,
  permission: 'manage_blocks',
  ask: async ({ api, params }) => {
    const { entity } = await api('GET v1/admin/email_domain_blocks/:id', { params });
    return {
      title: `Remove the block of ${entity.domain}`,
      text: `Addresses of ${entity.domain} can sign up again, as far as sign-ups are open.`,
      label: 'Remove the block',
      look: 'danger',
      back: BACK,
    };
  },
  act: async ({ api, params }) => {
    await api('DELETE v1/admin/email_domain_blocks/:id', { params });
    return saying(DOMAINS, 'domain_freed');
  },
});

export const emailDomainPages: readonly WebPage[] = [listPage, newPage, removePage];
