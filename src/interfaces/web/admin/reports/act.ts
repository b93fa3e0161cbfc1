import { buttonLink } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { Fields, SignedInRequest } from '#interfaces/web/page/page.ts';
import { isRookeryError, notFound } from '#kernel/errors.ts';
import type { AdminReport, ReportCase } from '#mastodon/schemas/index.ts';
import { reportPath, REPORTS } from '../addresses.ts';
import { type ConsoleContent, consolePage } from '../console-page.ts';
import { type Sanction, sanctionsFor } from '../moderation/acts.ts';
import { decisionForm, sentences, tooLate } from '../moderation/decision.ts';
import { handleLink } from '../moderation/people.ts';
import { sanctionBody, sanctionForm } from '../moderation/sanction-form.ts';
import { moment } from '../moments.ts';
import { caseOf } from './report.ts';

/** Says what a decision about a report does, and takes it. Afterwards the next report is opened. */
export const reportActPage = consolePage({
  path: `${REPORTS}/:id/act/:type`,
  permission: 'manage_reports',
  show: async (request, tried) => {
    const found = await caseOf(request);
    const { report } = found;
    const name = `@${report.target_account.account.acct}`;
    const back = reportPath(report.id);
    const { type } = request.params;
    if (type !== 'reopen' && report.action_taken && !tried) return alreadyDecided(found);
    const content = (title: string, body: Html): ConsoleContent => ({
      title,
      back: [back, 'The report'],
      body: html`<section class="box decision">${body}</section>`,
    });
    if (type === 'resolve' || type === 'reopen') {
      const { title, texts, label } = PLAIN[type](name);
      return content(title, html`${sentences(texts)} ${decisionForm(request, { label, back })}`);
    }
    const sanction = sanctionOf(type, found);
    const title = `${sanction.label}: ${name}`;
    const more = consequencesFor(sanction, found);
    const grounds = { category: report.category, rules: report.rules.map(({ text }) => text) };
    return content(
      title,
      sanctionForm(request, sanction, { account: report.target_account, back, more, grounds }, tried),
    );
  },
  submit: async (request, fields) => {
    try {
      await decide(request, fields);
    } catch (error) {
      if (!isRookeryError(error) || error.code !== 'conflict') throw error;
      return alreadyDecided(await caseOf(request));
    }
    if (request.params.type === 'reopen')
      return { redirect: saying(reportPath(request.params.id), 'report_reopened') };
    const { next_id } = await caseOf(request);
    return { redirect: saying(next_id === null ? REPORTS : reportPath(next_id), 'report_decided') };
  },
});

const PLAIN = {
  resolve: (name: string) => ({
    title: `Resolve the report about ${name}`,
    texts: [`The report is closed. ${name} is not told, and nothing changes for the account.`],
    label: 'Resolve',
  }),
  reopen: (name: string) => ({
    title: `Reopen the report about ${name}`,
    texts: ['The report waits in the queue again. What was done because of it stays as it is.'],
    label: 'Reopen',
  }),
} as const;

/** Throws RookeryError `not_found` for an action that makes no sense for the report. */
function sanctionOf(type: string, { report }: ReportCase): Sanction {
  const sanctions = sanctionsFor(report.target_account, report.statuses.length);
  const sanction = sanctions.find((each) => each.type === type);
  if (!sanction) throw notFound();
  return sanction;
}

/** An action on the account resolves all reports about it; a warning, or an action on posts, only this one. */
function consequencesFor({ type, onPosts }: Sanction, { report, about_target }: ReportCase): string[] {
  if (onPosts) return [`It is about ${counted(report.statuses.length, 'post')}. The report is resolved.`];
  const others = type === 'none' ? 0 : about_target.count;
  return [
    others === 0
      ? 'The report is resolved.'
      : 'The report is resolved, with all other unresolved reports about this account.',
  ];
}

async function decide(
  request: SignedInRequest<{ id: string; type: string }>,
  fields: Fields,
): Promise<unknown> {
  const { api } = request;
  const { id, type } = request.params;
  const params = { id };
  const first = { if_unresolved: true };
  if (type === 'resolve') return api('POST v1/admin/reports/:id/resolve', { params, body: first });
  if (type === 'reopen') return api('POST v1/admin/reports/:id/reopen', { params });
  const found = await caseOf(request);
  const sanction = sanctionOf(type, found);
  if (sanction.onPosts) {
    const body = { ...sanctionBody(sanction, fields), ...first };
    return api('POST v1/admin/reports/:id/action', { params, body });
  }
  const body = { ...sanctionBody(sanction, fields), ...first, report_id: id };
  return api('POST v1/admin/accounts/:id/action', { params: { id: found.report.target_account.id }, body });
}

/** Says who resolved a report. Between the strike that answers it and its resolution, the report does not know that. */
function resolvedBy({ action_taken, action_taken_at: at, action_taken_by_account: by }: AdminReport): Html {
  if (!action_taken) return html`Another member of staff has just decided about this report.`;
  return html`${by === null ? 'The operator' : handleLink(by.account)} resolved this
  report${at !== null && html` on ${moment(at)}`}.`;
}

/** The page for the second of two moderators. */
function alreadyDecided({ report, next_id }: ReportCase): ConsoleContent {
  return tooLate(
    'Decided already',
    html`${resolvedBy(report)} Nothing was done a second time.`,
    html`<p class="buttons">
      ${next_id !== null && buttonLink(reportPath(next_id), 'Next report')}
      ${buttonLink(reportPath(report.id), 'See what was decided', { look: 'plain' })}
    </p>`,
  );
}
