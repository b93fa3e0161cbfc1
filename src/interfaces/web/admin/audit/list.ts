import type { Answer } from '#interfaces/http/own-calls.ts';
import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { problemBox } from '#interfaces/web/page/forms.ts';
import type { KeptFile, SignedInRequest } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { AUDIT } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { problemWith } from '../problem-with.ts';
import { addressOf, askedBy, type Conditions, conditionsIn, isFuture } from './filter.ts';
import { filterBar, viewTabs } from './filter-bar.ts';
import { commandItem, commandsIn } from './line.ts';

/** `/admin/audit`: what staff, the operator and automations did, by any mix of conditions. */
export const auditPage = consolePage({
  path: AUDIT,
  permission: 'view_audit_log',
  show: async (request) => {
    const conditions = conditionsIn(request);
    const format = FORMATS.find((name) => name === request.query.get('format'));
    if (format) return exported(request, conditions, format);
    const [found, { entity: applications }] = await Promise.all([
      entriesOf(request, conditions),
      request.api('GET v1/admin/audit/applications'),
    ]);
    const isWrong = typeof found === 'string';
    return {
      title: 'Audit log',
      actions: !isWrong && exportLinks(conditions),
      status: isWrong ? 422 : 200,
      body: html`${viewTabs(conditions)} ${isWrong && problemBox({ problems: [found] })}
      ${filterBar(conditions, applications)} ${!isWrong && results(request, conditions, found)}`,
    };
  },
});

type Found = Pick<Answer<AuditEntry[]>, 'entity' | 'next'>;

/** Returns the entries, or what is wrong with the conditions. */
const entriesOf = (request: SignedInRequest, conditions: Conditions): Promise<Found | string> =>
  request
    .api('GET v1/admin/audit', { query: { ...askedBy(conditions), ...placeIn(request.query) } })
    .catch(problemWith);

function results(request: SignedInRequest, conditions: Conditions, { entity, next }: Found): Html {
  if (entity.length === 0) {
    const text = isFuture(conditions, request.ctx.now)
      ? 'These times are in the future: nothing has been done yet.'
      : 'Nothing that was done fits all of these conditions.';
    return html`${emptyState({ icon: 'scroll-text', text, more: buttonLink(AUDIT, 'Show everything', { look: 'plain' }) })}
    ${olderLink(request, undefined)}`;
  }
  return html`<ol class="feed audit-log">
      ${commandsIn(entity).map(commandItem)}
    </ol>
    ${olderLink(request, next)}`;
}

const FORMATS = ['csv', 'ndjson'] as const;
type Format = (typeof FORMATS)[number];

/** Answers with a file of exactly the entries that fit the conditions, on all pages. */
async function exported(request: SignedInRequest, conditions: Conditions, format: Format): Promise<KeptFile> {
  const { entity, headers } = await request.api('GET v1/admin/audit_export', {
    query: { ...askedBy(conditions), format },
  });
  const file = `audit-${request.ctx.now.slice(0, 10)}.${format}`;
  return { file, type: headers['Content-Type'] ?? '', content: entity };
}

const exportLinks = (conditions: Conditions): Html =>
  html`${FORMATS.map((format) => {
    const address = addressOf(AUDIT, conditions);
    return buttonLink(
      `${address}${address.includes('?') ? '&' : '?'}format=${format}`,
      html`<span class="hush">Export these entries as </span>${format.toUpperCase()}`,
      { look: 'plain', icon: 'download' },
    );
  })}`;
