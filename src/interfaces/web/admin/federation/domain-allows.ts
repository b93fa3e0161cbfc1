import { buttonLink } from '#interfaces/web/design/components.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { html } from '#interfaces/web/design/html.ts';
import { day } from '#interfaces/web/entities/texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import type { AdminDomainAllow } from '#mastodon/schemas/index.ts';
import { actPage, rowLinks } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { recordList, type RecordTable } from '../record-list.ts';

export const ALLOWS = '/admin/domain_allows';
const BACK = [ALLOWS, 'Allowed domains'] as const;

/** `/admin/domain_allows`: the domains that limited federation is with. */
export const domainAllowsPage = consolePage({
  path: ALLOWS,
  permission: 'manage_federation',
  show: async (request) => {
    const { api, query, ctx } = request;
    const found = await api('GET v1/admin/domain_allows', { query: { ...placeIn(query), limit: '50' } });
    return {
      title: 'Allowed domains',
      actions: html`${buttonLink(`${ALLOWS}/import`, 'Import', { look: 'plain', icon: 'upload' })}
      ${buttonLink(`${ALLOWS}/new`, 'Allow a domain', { icon: 'plus' })}`,
      body: html`<p class="quiet">
          ${
            ctx.instance.limitedFederation
              ? 'This server federates with these domains only.'
              : 'This server federates with every domain that is not blocked. The list counts once LIMITED_FEDERATION_MODE is set.'
          }
        </p>
        ${recordList(request, found, ALLOWED)}`,
    };
  },
});

const ALLOWED: RecordTable<AdminDomainAllow> = {
  columns: ['Domain', 'Since', 'Actions'],
  cells: ({ id, domain, created_at }) => [
    html`<bdi>${domain}</bdi>`,
    day(created_at),
    rowLinks(domain, [[`${ALLOWS}/${id}/remove`, 'Remove']]),
  ],
  caption: 'Allowed domains, the newest first',
  empty: { icon: 'check', text: 'No domain is on the list.' },
};

/** `/admin/domain_allows/new`. */
export const newDomainAllowPage = actPage({
  path: `${ALLOWS}/new`,
  permission: 'manage_federation',
  ask: ({ ctx }, tried) => ({
    title: 'Allow a domain',
    text: ctx.instance.limitedFederation
      ? 'Users of this server and of the domain can follow each other and see what the others post.'
      : 'Nothing changes as long as this server federates with every domain: the list is for limited federation.',
    fields: textField(
      {
        name: 'domain',
        label: 'Domain',
        autocomplete: 'off',
        hint: 'Such as social.example.',
        value: tried?.fields['domain'] ?? '',
        problems: tried?.byField?.['domain'],
      },
      2_048,
    ),
    label: 'Allow the domain',
    back: BACK,
  }),
  act: async ({ api }, { domain = '' }) => {
    await api('POST v1/admin/domain_allows', { body: { domain } });
    return saying(ALLOWS, 'domain_allowed');
  },
});

/** `/admin/domain_allows/:id/remove`. */
export const removeDomainAllowPage = actPage({
  path: `${ALLOWS}/:id/remove`,
  permission: 'manage_federation',
  ask: async ({ api, params, ctx }) => {
    const { entity } = await api('GET v1/admin/domain_allows/:id', { params });
    return {
      title: `Take ${entity.domain} from the list`,
      text: ctx.instance.limitedFederation
        ? `This server no longer federates with ${entity.domain}: nothing is taken from it or sent to it.`
        : 'Nothing changes as long as this server federates with every domain: the list is for limited federation.',
      label: 'Remove',
      look: 'danger',
      back: BACK,
    };
  },
  act: async ({ api, params }) => {
    await api('DELETE v1/admin/domain_allows/:id', { params });
    return saying(ALLOWS, 'staff_removed');
  },
});
