import { checkField, radioField } from '#interfaces/web/design/choice-fields.ts';
import { longField, textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { Fields, SignedInRequest } from '#interfaces/web/page/page.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import { csvLine } from '#mastodon/csv.ts';
import type { AdminDomainBlock, AdminDomainImport } from '#mastodon/schemas/index.ts';
import { actPage, questionPage } from '../act-page.ts';
import type { ConsoleContent } from '../console-page.ts';
import { alsoOf, BACK, BLOCKS, NAMED } from './domain-blocks.ts';

const MAX_COMMENT = 5_000;
const SEVERITIES = [
  {
    value: 'silence',
    label: 'Limit',
    hint: 'Posts of the domain are seen by followers alone. Follow requests from it need approval.',
  },
  {
    value: 'suspend',
    label: 'Suspend',
    hint: 'Nothing is taken from the domain or sent to it, and what came from it disappears. Follows end.',
  },
  { value: 'noop', label: 'None', hint: 'Only what is ticked below.' },
] as const;

/** `/admin/domain_blocks/new`; `?domain=` fills the domain in. */
export const newDomainBlockPage = actPage({
  path: `${BLOCKS}/new`,
  permission: 'manage_federation',
  ask: ({ query }, tried) => {
    const before = tried?.fields ?? { domain: query.get('domain') ?? '', severity: 'silence' };
    return {
      title: 'Block a domain',
      text: 'A block holds for the domain and all domains below it. The next page says what it will do.',
      fields: html`${textField(
        {
          name: 'domain',
          label: 'Domain',
          autocomplete: 'off',
          value: before['domain'] ?? '',
          hint: 'Such as social.example.',
          problems: tried?.byField?.['domain'],
        },
        2_048,
      )}
      ${ruleFields(before)}`,
      label: 'Continue',
      back: BACK,
    };
  },
  act: async (request, fields) => {
    if (fields['step'] !== 'confirm') return confirmation(request, fields, fields['domain'] ?? '', 'Block');
    await request.api('POST v1/admin/domain_blocks', {
      body: { domain: fields['domain'] ?? '', ...rulesIn(fields) },
    });
    return saying(BLOCKS, 'domain_blocked_here');
  },
});

/** `/admin/domain_blocks/:id/edit`. */
export const editDomainBlockPage = actPage({
  path: `${BLOCKS}/:id/edit`,
  permission: 'manage_federation',
  ask: async ({ api, params }, tried) => {
    const { entity: block } = await api('GET v1/admin/domain_blocks/:id', { params });
    return {
      title: `Change the block of ${block.domain}`,
      text: 'The next page says what the change will do.',
      fields: ruleFields(tried?.fields ?? fieldsOf(block)),
      label: 'Continue',
      back: BACK,
    };
  },
  act: async (request, fields) => {
    const { api, params } = request;
    if (fields['step'] !== 'confirm') {
      const { entity: block } = await api('GET v1/admin/domain_blocks/:id', { params });
      return confirmation(request, fields, block.domain, 'Change the block');
    }
    await api('PUT v1/admin/domain_blocks/:id', { params, body: rulesIn(fields) });
    return saying(BLOCKS, 'domain_blocked_here');
  },
});

const fieldsOf = (block: AdminDomainBlock): Fields => ({
  severity: block.severity,
  reject_media: String(block.reject_media),
  reject_reports: String(block.reject_reports),
  obfuscate: String(block.obfuscate),
  private_comment: block.private_comment ?? '',
  public_comment: block.public_comment ?? '',
});

const rulesIn = ({ severity = '', private_comment = '', public_comment = '', ...ticked }: Fields) => ({
  severity: asSent(severity),
  reject_media: ticked['reject_media'] === 'true',
  reject_reports: ticked['reject_reports'] === 'true',
  obfuscate: ticked['obfuscate'] === 'true',
  private_comment,
  public_comment,
});

const ruleFields = (fields: Fields): Html =>
  html`${radioField({ name: 'severity', label: 'Severity', choices: SEVERITIES, chosen: fields['severity'] ?? '' })}
  ${checkField({ name: 'reject_media', label: 'Reject media', hint: 'Pictures and videos of the domain are neither fetched nor shown.', checked: fields['reject_media'] === 'true' })}
  ${checkField({ name: 'reject_reports', label: 'Reject reports', hint: 'Reports from the domain are ignored.', checked: fields['reject_reports'] === 'true' })}
  ${checkField({ name: 'obfuscate', label: 'Hide part of the name', hint: 'The public list of blocks shows the name with asterisks.', checked: fields['obfuscate'] === 'true' })}
  ${longField({ name: 'public_comment', label: 'Public comment (optional)', autocomplete: 'off', hint: 'The reason in the public list of blocks.', value: fields['public_comment'] ?? '' }, MAX_COMMENT)}
  ${longField({ name: 'private_comment', label: 'Private comment (optional)', autocomplete: 'off', hint: 'For staff.', value: fields['private_comment'] ?? '' }, MAX_COMMENT)}`;

/** Asks whether to block a domain, with the effects that an import of it would have. */
async function confirmation(
  request: SignedInRequest,
  { csrf_token: _, ...fields }: Fields,
  domain: string,
  label: string,
): Promise<ConsoleContent> {
  const rules = rulesIn(fields);
  const lines = [
    csvLine(['domain', 'severity', 'reject_media', 'reject_reports']),
    csvLine([domain, rules.severity, String(rules.reject_media), String(rules.reject_reports)]),
  ];
  const { entity: plan } = await request.api('POST v1/admin/domain_blocks/import', {
    body: { list: lines.join(''), dry_run: true, merge: 'replace' },
  });
  return questionPage(
    request,
    {
      title: `${label}: ${plan.changes[0]?.domain ?? domain}?`,
      text: effects(plan, rules),
      label,
      look: 'danger',
      back: BACK,
    },
    { hidden: { ...fields, step: 'confirm' } },
  );
}

function effects({ changes: [change], invalid }: AdminDomainImport, rules: ReturnType<typeof rulesIn>): Html {
  if (!change) return html`<p class="error" role="alert">This cannot be blocked: ${invalid[0]?.reason}.</p>`;
  const { domain, follows_ended: follows } = change;
  const severity = SEVERITIES.find(({ value }) => value === rules.severity);
  const also = alsoOf(rules);
  return html`<p>
      <strong>${severity?.label}</strong> for <bdi>${domain}</bdi> and all domains below it: ${severity?.hint}
    </p>
    ${change.previous_severity !== null && html`<p>The severity is ${NAMED[change.previous_severity]} now.</p>`}
    ${change.blocked_with !== null && html`<p>The block of <bdi>${change.blocked_with}</bdi>, a domain above it, says as much already.</p>`}
    ${also.length > 0 && html`<p>The block also ${also.join(', ')}.</p>`}
    ${
      rules.severity === 'suspend' &&
      html`<p>
        ${follows === 0 ? 'No follows end.' : `${counted(follows, 'follow')} between users of this server and the domain end, and do not come back when the block is removed.`}
      </p>`
    }
    <p class="quiet">The block is recorded in the audit log in your name.</p>`;
}
