import { buttonLink } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { html } from '#interfaces/web/design/html.ts';
import { day } from '#interfaces/web/entities/texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import type { AdminDomainBlock } from '#mastodon/schemas/index.ts';
import { actPage, rowLinks } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { recordList, type RecordTable } from '../record-list.ts';

export const BLOCKS = '/admin/domain_blocks';
export const BACK = [BLOCKS, 'Blocked domains'] as const;
export const NAMED = { noop: 'None', silence: 'Limit', suspend: 'Suspend' } as const;

/** `/admin/domain_blocks`: the blocked domains; `?domain=` searches. */
export const domainBlocksPage = consolePage({
  path: BLOCKS,
  permission: 'manage_federation',
  show: async (request) => {
    const { api, query } = request;
    const domain = query.get('domain') ?? '';
    const found = await api('GET v1/admin/domain_blocks', {
      query: { ...placeIn(query), limit: '50', ...(domain === '' ? {} : { domain }) },
    });
    return {
      title: 'Blocked domains',
      actions: html`${buttonLink(`${BLOCKS}/import`, 'Import', { look: 'plain', icon: 'upload' })}
      ${buttonLink(`${BLOCKS}/new`, 'Block a domain', { icon: 'plus' })}`,
      body: html`<form class="box filter-bar" action="${BLOCKS}" role="search" aria-label="Blocked domains">
          <p>
            <label for="domain">Domain</label>
            <input
              type="search"
              id="domain"
              name="domain"
              value="${domain}"
              maxlength="500"
              autocomplete="off"
            />
          </p>
          <p class="buttons"><button class="plain">Search</button></p>
        </form>
        ${recordList(request, found, domain === '' ? BLOCKED : { ...BLOCKED, empty: NOT_FOUND })}`,
    };
  },
});

const BLOCKED: RecordTable<AdminDomainBlock> = {
  columns: ['Domain', 'Severity', 'Comments', 'Since', 'Actions'],
  cells: (block) => [
    html`<bdi>${block.domain}</bdi>`,
    html`${stateBadge(NAMED[block.severity], block.severity === 'suspend' ? 'bad' : undefined)}
    ${alsoOf(block).join(', ')}`,
    html`${block.public_comment && html`<span dir="auto">${block.public_comment}</span>`}
    ${block.private_comment && html`<span class="quiet" dir="auto">Private: ${block.private_comment}</span>`}`,
    day(block.created_at),
    rowLinks(block.domain, [
      [`${BLOCKS}/${block.id}/edit`, 'Edit'],
      [`${BLOCKS}/${block.id}/remove`, 'Remove'],
    ]),
  ],
  caption: 'Blocked domains, the newest first',
  empty: { icon: 'globe', text: 'No domain is blocked.' },
};
const NOT_FOUND = { icon: 'globe', text: 'No blocked domain contains this text.' } as const;

/** Names what a block does besides its severity. */
export const alsoOf = ({
  reject_media,
  reject_reports,
  obfuscate,
}: Readonly<Record<'reject_media' | 'reject_reports' | 'obfuscate', boolean | null>>): string[] => [
  ...(reject_media ? ['rejects media'] : []),
  ...(reject_reports ? ['rejects reports'] : []),
  ...(obfuscate ? ['hides part of the name'] : []),
];

/** `/admin/domain_blocks/:id/remove`. */
export const removeDomainBlockPage = actPage({
  path: `${BLOCKS}/:id/remove`,
  permission: 'manage_federation',
  ask: async ({ api, params }) => {
    const { entity: block } = await api('GET v1/admin/domain_blocks/:id', { params });
    return {
      title: `Remove the block of ${block.domain}`,
      text: html`<p>
          ${block.severity === 'suspend' && `Accounts of ${block.domain} can be seen and followed again. Follows that the suspension ended do not come back: users have to follow anew.`}
          ${block.severity === 'silence' && `Posts of ${block.domain} can appear on public timelines and in search results again.`}
          ${block.severity === 'noop' && `${block.domain} is treated like every other domain again.`}
        </p>
        <p>Accounts that were limited or suspended one by one stay so.</p>`,
      label: 'Remove the block',
      look: 'danger',
      back: BACK,
    };
  },
  act: async ({ api, params }) => {
    await api('DELETE v1/admin/domain_blocks/:id', { params });
    return saying(BLOCKS, 'domain_freed');
  },
});
