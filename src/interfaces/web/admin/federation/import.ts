import { readFile } from 'node:fs/promises';
import { fileField, radioField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { dataTable, stateBadge } from '#interfaces/web/design/data-table.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import type { Fields, Files, SignedInRequest, WebPage } from '#interfaces/web/page/page.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import { invalid } from '#kernel/errors.ts';
import type { AdminDomainChange, AdminDomainImport } from '#mastodon/schemas/index.ts';
import { actPage, questionPage } from '../act-page.ts';
import { ALLOWS } from './domain-allows.ts';
import { alsoOf, BLOCKS, NAMED } from './domain-blocks.ts';

const MAX_BYTES = 500_000;
/** The changes that the page shows; the import makes all of them. */
const MOST_SHOWN = 300;
const MERGES = [
  {
    value: 'stricter',
    label: 'Only make blocks stricter',
    hint: 'A list never weakens a block that exists.',
  },
  {
    value: 'replace',
    label: 'Replace',
    hint: 'A block that exists gets the severity and comment of the list.',
  },
] as const;

interface Kind {
  path: string;
  endpoint: 'POST v1/admin/domain_blocks/import' | 'POST v1/admin/domain_allows/import';
  title: string;
  above: string;
  blocks: boolean;
}

/** A list is read, planned without changes and shown; a second form carries it out. */
const importPage = ({ path, endpoint, title, above, blocks }: Kind): WebPage =>
  actPage({
    path: `${path}/import`,
    permission: 'manage_federation',
    files: { maxBytes: MAX_BYTES, maxCount: 1 },
    longTexts: true,
    ask: (_request, tried) => ({
      title,
      text: html`<p>
        Choose a list in the form that Mastodon exports (CSV), or write one domain a line. Nothing changes
        yet: the next page shows what would.
      </p>`,
      fields: html`${fileField({ name: 'file', label: 'File', accept: '.csv,.txt,text/csv,text/plain' })}
      ${longField({ name: 'list', label: 'Or the list itself', autocomplete: 'off', value: tried?.fields['list'] ?? '' }, MAX_BYTES)}
      ${blocks && radioField({ name: 'merge', label: 'Domains that are blocked already', choices: MERGES, chosen: tried?.fields['merge'] ?? 'stricter' })}`,
      label: 'Show what would change',
      back: [path, above],
    }),
    act: async (request, fields, files) => {
      const list = await listIn(fields, files);
      const merge = fields['merge'] ?? 'stricter';
      const isConfirmed = fields['step'] === 'confirm';
      const { entity: plan } = await request.api(endpoint, {
        body: { list, dry_run: !isConfirmed, ...(blocks ? { merge: asSent(merge) } : {}) },
      });
      if (isConfirmed) return doneContent(plan, path, above);
      return planContent(request, { path, title, above, plan, hidden: { list, merge, step: 'confirm' } });
    },
  });

/** Returns the text of the file, or of the field. @throws RookeryError `invalid` for a file that is no text */
async function listIn({ list = '' }: Fields, { file }: Files): Promise<string> {
  if (!file || file.size === 0) {
    if (list.trim() === '') throw invalid('Choose a file, or write a list.');
    return list;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file.path));
  } catch (cause) {
    throw Object.assign(invalid('This file is no list: it is not text.'), { cause });
  }
}

interface Planned {
  path: string;
  title: string;
  above: string;
  plan: AdminDomainImport;
  hidden: Fields;
}

function planContent(request: SignedInRequest, { path, title, above, plan, hidden }: Planned) {
  const changes = plan.changes.filter(({ change }) => change !== 'unchanged');
  const ending = changes.reduce((sum, { follows_ended }) => sum + follows_ended, 0);
  const report = html`<p>
      <strong>Nothing is changed yet.</strong> The list would add ${plan.added}, change ${plan.changed}, and
      leave ${plan.unchanged} as they are.
      ${plan.invalid.length > 0 && `${counted(plan.invalid.length, 'line')} cannot be used.`}
    </p>
    ${ending > 0 && html`<p class="warning">${counted(ending, 'follow')} would end, and would not come back.</p>`}
    ${changeTable(changes)} ${invalidTable(plan)}`;
  if (changes.length === 0) {
    return {
      title,
      back: [path, above] as const,
      body: html`<section class="box">
        ${report}
        <p class="buttons">${buttonLink(`${path}/import`, 'Choose another list', { look: 'plain' })}</p>
      </section>`,
    };
  }
  return questionPage(
    request,
    {
      title,
      text: report,
      label: `Import ${counted(changes.length, 'change')}`,
      look: 'danger',
      back: [path, above],
    },
    { multipart: true, hidden },
  );
}

const doneContent = (plan: AdminDomainImport, path: string, above: string) => ({
  title: 'The list is imported',
  back: [path, above] as const,
  body: html`<section class="box">
    <p role="status">Added ${plan.added}, changed ${plan.changed}, unchanged ${plan.unchanged}.</p>
    ${invalidTable(plan)}
  </section>`,
});

const CHANGES = { added: 'Add', changed: 'Change', unchanged: 'Keep' } as const;

const changeTable = (changes: readonly AdminDomainChange[]): Html | false =>
  changes.length > 0 &&
  html`${dataTable(
    [{ title: 'Domain' }, { title: 'Change' }, { title: 'To' }, { title: 'Follows that end', number: true }],
    changes
      .slice(0, MOST_SHOWN)
      .map((each) => ({
        cells: [
          html`<bdi>${each.domain}</bdi>`,
          stateBadge(CHANGES[each.change], each.change === 'added' ? 'busy' : undefined),
          rulesOf(each),
          String(each.follows_ended),
        ],
      })),
    { caption: 'What the list would change' },
  )}
  ${changes.length > MOST_SHOWN && html`<p class="quiet">And ${changes.length - MOST_SHOWN} more.</p>`}`;

const rulesOf = (change: AdminDomainChange): string =>
  [
    ...(change.severity === null
      ? []
      : [
          change.previous_severity === null
            ? NAMED[change.severity]
            : `${NAMED[change.previous_severity]} → ${NAMED[change.severity]}`,
        ]),
    ...alsoOf(change),
    ...(change.public_comment === null ? [] : [`“${change.public_comment}”`]),
  ].join(', ');

const invalidTable = ({ invalid: lines }: AdminDomainImport): Html | false =>
  lines.length > 0 &&
  dataTable(
    [{ title: 'Line' }, { title: 'Why it cannot be used' }],
    lines.slice(0, MOST_SHOWN).map(({ line, reason }) => ({ cells: [String(line), reason] })),
    { caption: 'Lines that cannot be used' },
  );

/** `/admin/domain_blocks/import`. */
export const importBlocksPage = importPage({
  path: BLOCKS,
  endpoint: 'POST v1/admin/domain_blocks/import',
  title: 'Import blocked domains',
  above: 'Blocked domains',
  blocks: true,
});

/** `/admin/domain_allows/import`. */
export const importAllowsPage = importPage({
  path: ALLOWS,
  endpoint: 'POST v1/admin/domain_allows/import',
  title: 'Import allowed domains',
  above: 'Allowed domains',
  blocks: false,
});
