import type { AuditApplication, AuditEntry } from '../../../../mastodon/schemas/index.ts';
import { buttonLink, emptyState } from '../../design/components.ts';
import { html, type Html } from '../../design/html.ts';
import { olderLink, placeIn } from '../../client/paging.ts';
import type { Answer } from '../../../http/own-calls.ts';
import type { SignedInRequest } from '../../page/page.ts';
import { problemBox } from '../../page/forms.ts';
import { consolePage } from '../console-page.ts';
import { addressOf, askedBy, conditionsIn, isFuture, problemWith, type Conditions } from './filter.ts';
import { AUDIT, filterBar, viewTabs } from './filter-bar.ts';
import { commandItem, commandsIn } from './line.ts';

/** `/admin/audit`: what staff, the operator and automations did, by any mix of conditions. */
export const auditPage = consolePage({
  path: AUDIT,
  permission: 'view_audit_log',
  show: async (request) => {
    const conditions = conditionsIn(request);
    const [found, { entity: applications }] = await Promise.all([
      entriesOf(request, conditions),
      request.api<AuditApplication[]>('GET v1/admin/audit/applications'),
    ]);
    const isWrong = typeof found === 'string';
    return {
      title: 'Audit log',
      actions: !isWrong && exportLinks(conditions),
      status: isWrong ? 422 : 200,
      body: html`${viewTabs(conditions)} ${isWrong && problemBox({ problems: [found], fields: {} })}
      ${filterBar(conditions, applications)} ${!isWrong && results(request, conditions, found)}`,
    };
  },
});

type Found = Pick<Answer<AuditEntry[]>, 'entity' | 'next'>;

/** Returns the entries, or what is wrong with the conditions. */
const entriesOf = (request: SignedInRequest, conditions: Conditions): Promise<Found | string> =>
  request
    .api<AuditEntry[]>('GET v1/admin/audit', { query: { ...askedBy(conditions), ...placeIn(request.query) } })
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

const exportLinks = (conditions: Conditions): Html =>
  html`${(['csv', 'ndjson'] as const).map((format) =>
    buttonLink(
      addressOf(`${AUDIT}/export.${format}`, conditions),
      html`<span class="hush">Export these entries as </span>${format === 'csv' ? 'CSV' : 'NDJSON'}`,
      { look: 'plain', icon: 'download' },
    ),
  )}`;
