import { buttonLink } from '#interfaces/web/design/components.ts';
import { addressField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { Tried, WebPage } from '#interfaces/web/page/page.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import type { AdminCanonicalEmailBlock } from '#mastodon/schemas/index.ts';
import { actPage, questionPage, rowLinks } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { recordList, type RecordTable } from '../record-list.ts';

const MAILBOXES = '/admin/canonical_email_blocks';
const BACK = [MAILBOXES, 'Blocked e-mail addresses'] as const;

const listPage = consolePage({
  path: MAILBOXES,
  permission: 'manage_blocks',
  show: async (request) => {
    const found = await request.api('GET v1/admin/canonical_email_blocks', {
      query: { ...placeIn(request.query), limit: '50' },
    });
    return {
      title: 'Blocked e-mail addresses',
      actions: html`${buttonLink(`${MAILBOXES}/test`, 'Look up an address', { look: 'plain', icon: 'search' })}
      ${buttonLink(`${MAILBOXES}/new`, 'Block an e-mail address', { icon: 'plus' })}`,
      body: html`<p class="quiet">
          Nobody can sign up with these addresses, however they are spelled. The server keeps only their
          hashes, so the list cannot name them.
        </p>
        ${recordList(request, found, BLOCKED)}`,
    };
  },
});

const SHOWN = 16;

const BLOCKED: RecordTable<AdminCanonicalEmailBlock> = {
  columns: ['Hash', 'Actions'],
  cells: ({ id, canonical_email_hash: hash }) => [
    html`<code title="${hash}">${hash.slice(0, SHOWN)}…</code>`,
    rowLinks(hash.slice(0, SHOWN), [[`${MAILBOXES}/${id}/remove`, 'Remove']]),
  ],
  caption: 'Blocked e-mail addresses, the newest first',
  empty: { icon: 'at-sign', text: 'No e-mail address is blocked.' },
};

const emailField = (tried: Tried | undefined): Html =>
  addressField({
    name: 'email',
    label: 'E-mail address',
    autocomplete: 'off',
    value: tried?.fields['email'] ?? '',
    problems: tried?.byField?.['email'],
  });

const newPage = actPage({
  path: `${MAILBOXES}/new`,
  permission: 'manage_blocks',
  ask: (_request, tried) => ({
    title: 'Block an e-mail address',
    text: 'Nobody can sign up with it, however its address is spelled (dots, capitals, anything after a +). Users who are here already stay.',
    fields: emailField(tried),
    label: 'Block the address',
    back: BACK,
  }),
  act: async ({ api }, { email = '' }) => {
    await api('POST v1/admin/canonical_email_blocks', { body: { email } });
    return saying(MAILBOXES, 'domain_blocked_here');
  },
});

/** Says whether an address is blocked; it is in no address of a page. */
const testPage = actPage({
  path: `${MAILBOXES}/test`,
  permission: 'manage_blocks',
  ask: (_request, tried) => ({
    title: 'Look up an address',
    text: 'This says whether an address is blocked, and changes nothing.',
    fields: emailField(tried),
    label: 'Look up',
    back: BACK,
  }),
  act: async (request, { email = '' }) => {
    const { entity: found } = await request.api('POST v1/admin/canonical_email_blocks/test', {
      body: { email },
    });
    const [block] = found;
    return questionPage(request, {
      title: block ? 'This address is blocked' : 'This address is not blocked',
      text: html`<p role="status">
        <bdi>${email}</bdi>
        ${block ? html`cannot sign up. <a href="${MAILBOXES}/${block.id}/remove">Remove the block</a>` : 'can sign up, as far as sign-ups are open.'}
      </p>`,
      fields: emailField(undefined),
      label: 'Look up another one',
      back: BACK,
    });
  },
});

const removePage = actPage({
  path: `${MAILBOXES}/:id/remove`,
  permission: 'manage_blocks',
  ask: async ({ api, params }) => {
    const { entity } = await api('GET v1/admin/canonical_email_blocks/:id', { params });
    return {
      title: 'Remove the block of an e-mail address',
      text: html`<p>The address can sign up again, as far as sign-ups are open. Its hash is:</p>
        <p><code class="code">${entity.canonical_email_hash}</code></p>`,
      label: 'Remove the block',
      look: 'danger',
      back: BACK,
    };
  },
  act: async ({ api, params }) => {
    await api('DELETE v1/admin/canonical_email_blocks/:id', { params });
    return saying(MAILBOXES, 'domain_freed');
  },
});

export const mailboxPages: readonly WebPage[] = [listPage, newPage, testPage, removePage];
