import { buttonLink } from '#interfaces/web/design/components.ts';
import { factList } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import type { AuditTarget } from '#mastodon/audit-log.ts';
import { mayDo, type Permission } from '#mastodon/permissions.ts';
import type { AuditEntry, AuditTargetEntity, StrikeNotice } from '#mastodon/schemas/index.ts';
import { ACCOUNTS, APPEALS, AUDIT, casePath, REPORTS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { actName } from './acts.ts';
import { changeList } from './fields.ts';
import { auditLine, linksOf, reasonOf } from './line.ts';
import { actorText, sentence, targetLink, targetText } from './sentence.ts';

/** Entries of the same command that the page of one of them shows. */
const SHOWN = 40;

/** One entry, with all that is known about it. */
export const auditEntryPage = consolePage({
  path: `${AUDIT}/:id`,
  permission: 'view_audit_log',
  show: async (request) => {
    const { entity: entry } = await request.api('GET v1/admin/audit/:id', {
      params: { id: request.params.id },
    });
    const { correlation_id } = entry;
    const { entity: together, next } = await request.api('GET v1/admin/audit', {
      query: { correlation_id, limit: String(SHOWN) },
    });
    const others = together.filter(({ id }) => id !== entry.id);
    const notice = await noticeOf(request, entry);
    return {
      title: actName(entry.action),
      back: [AUDIT, 'Audit log'],
      actions: buttonLink(casePath(entry.id), 'Case file', { icon: 'download', look: 'plain' }),
      body: html`<section class="box audit-entry">
          <p class="said">${sentence(entry)}.</p>
          ${reasonOf(entry)} ${changeList(entry)} ${linksOf(entry)}
        </section>
        ${notice && noticeBox(notice)} ${details(entry, request.user.role)}
        ${others.length > 0 && sameCommand(others, next ? correlation_id : undefined)}`,
    };
  },
});

/** Returns what the user of the entry's strike was told; undefined for an entry without one. */
async function noticeOf(
  request: SignedInRequest,
  { targets }: AuditEntry,
): Promise<StrikeNotice | undefined> {
  const strike = targets.find(({ type }) => type === 'strike')?.id;
  if (strike == null) return undefined;
  const params = { strike_id: strike };
  return (await request.api('GET v1/admin/strikes/:strike_id/notice', { params })).entity;
}

const noticeBox = ({ account, notified, mailed_at, subject, text }: StrikeNotice): Html =>
  html`<section class="box">
    <h2>What @${account.acct} was told</h2>
    ${
      mailed_at !== null
        ? html`<p>Mailed ${moment(mailed_at)}, with the subject “${subject}”.</p>
            ${
              text === null
                ? html`<p class="quiet">The text is erased, with the personal data of the account.</p>`
                : html`<pre class="code letter" tabindex="0" aria-label="The mail as it was sent">
${text}</pre>`
            }`
        : html`<p>${notified ? UNMAILED : 'Nothing: no notification and no mail was asked for.'}</p>`
    }
  </section>`;

const UNMAILED =
  'A notification. No mail is recorded: it waits to be sent, or it was sent before mails were recorded.';

const details = (entry: AuditEntry, role: string | null): Html =>
  html`<section class="box">
    <h2>Details</h2>
    ${factList([
      ['Time', moment(entry.created_at)],
      ['Action', html`<code>${entry.action}</code>`],
      ['Actor', actorText(entry)],
      ['App', entry.application?.name ?? entry.application?.id ?? false],
      ...entry.targets.map((target): readonly [string, Html] => [kindOf(target), targetFact(target, role)]),
      ['Position in the log', html`<code>${entry.position}</code>`],
      ['Event', html`<code>${entry.event_id}</code>`],
      ['Command', html`<code>${entry.command_id}</code>`],
      [
        'Request',
        html`<code>${entry.correlation_id}</code>
          <span class="quiet"
            >(the correlation id: everything that one request caused has the same one)</span
          >`,
      ],
      ['Caused by event', entry.causation_id !== null && html`<code>${entry.causation_id}</code>`],
    ])}
  </section>`;

const kindOf = ({ type }: AuditTargetEntity): string => {
  const words = type === 'status' ? 'post' : type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The pages of those who decide, with their permissions. */
const CASES: Partial<Record<AuditTarget, readonly [path: string, permission: Permission]>> = {
  account: [ACCOUNTS, 'manage_users'],
  report: [REPORTS, 'manage_reports'],
  appeal: [APPEALS, 'manage_appeals'],
};

function targetFact(target: AuditTargetEntity, role: string | null): Html {
  const { type, id } = target;
  const [path, permission] = CASES[type] ?? [];
  const mayOpen = path !== undefined && permission !== undefined && id !== null && mayDo(role, permission);
  const lacksId = id !== null && !targetText(target).includes(id);
  return html`${targetLink(target)}${lacksId && html` <code>${id}</code>`}${
    mayOpen && html` <a href="${path}/${id}">Open the ${type}</a>`
  }`;
}

const sameCommand = (others: readonly AuditEntry[], more: string | undefined): Html =>
  html`<section>
    <h2>By the same command</h2>
    <div class="feed audit-log">${others.toReversed().map((other) => auditLine(other))}</div>
    ${more !== undefined && html`<p><a href="${AUDIT}?correlation_id=${encodeURIComponent(more)}">All of this command</a></p>`}
  </section>`;
