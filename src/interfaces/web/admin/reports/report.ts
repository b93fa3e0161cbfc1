import { factList, stateBadge } from '#interfaces/web/design/data-table.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { statusItem } from '#interfaces/web/entities/status.ts';
import { counted, day, paragraphs } from '#interfaces/web/entities/texts.ts';
import { strangersView } from '#interfaces/web/entities/view.ts';
import { form } from '#interfaces/web/page/forms.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { SignedInRequest, Tried } from '#interfaces/web/page/page.ts';
import type { AdminReport, ReportCase } from '#mastodon/schemas/index.ts';
import { REPORTS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { noteList, relatedList, strikeList } from '../moderation/history.ts';
import { handleLink, historyLinks, personLink, stateBadges } from '../moderation/people.ts';
import { CATEGORIES } from '../moderation/words.ts';
import { moment } from '../moments.ts';
import { actsOf, stepsOf } from './acts-box.ts';

/** The maximum length of a note, in characters. */
const MAX_NOTE = 2_000;

export const caseOf = async ({ api, params }: SignedInRequest<{ id: string }>): Promise<ReportCase> =>
  (await api('GET v1/admin/reports/:id/case', { params: { id: params.id } })).entity;

/** A report with all that is known about both sides; its form adds a note. */
export const reportPage = consolePage({
  path: `${REPORTS}/:id`,
  permission: 'manage_reports',
  show: async (request, tried) => {
    const found = await caseOf(request);
    const { report } = found;
    return {
      title: `${CATEGORIES[report.category]}: @${report.target_account.account.acct}`,
      actions: historyLinks(request, 'report', report.id),
      back: [REPORTS, 'All reports'],
      body: html`${stepsOf(found)}
        <div class="case">
          <div class="case-main">
            ${complaint(report, request)} ${evidence(report, request)} ${notes(request, found, tried)}
          </div>
          <div class="case-side">${actsOf(request, report)} ${bothSides(request, found)}</div>
        </div>
        ${history(found)}`,
    };
  },
  submit: async ({ api, params, path }, { content = '' }) => {
    await api('POST v1/admin/reports/:id/notes', { params, body: { content } });
    return { redirect: `${saying(path, 'report_noted')}#notes` };
  },
});

function complaint(report: AdminReport, request: SignedInRequest): Html {
  const { category, comment, created_at, forwarded, rules, account, collection_ids } = report;
  return html`<section class="box">
    <h2>Report</h2>
    ${factList([
      ['State', stateOf(report)],
      ['Category', html`${CATEGORIES[category]} <a href="${request.path}/category">Change</a>`],
      ['Filed', html`${moment(created_at)} by ${handleLink(account.account)}`],
      ['Forwarded', forwarded && 'To the server of the account, without the name of the reporter'],
      [
        'Rules',
        rules.length > 0 &&
          html`<ol class="rules">
            ${rules.map(({ text }) => html`<li>${text}</li>`)}
          </ol>`,
      ],
      ['Collections', collection_ids.length > 0 && counted(collection_ids.length, 'collection')],
    ])}
    ${
      comment === ''
        ? html`<p class="quiet">No comment.</p>`
        : html`<blockquote class="letter">${paragraphs(comment)}</blockquote>`
    }
  </section>`;
}

const stateOf = ({
  action_taken_at: at,
  action_taken_by_account: by,
  assigned_account,
}: AdminReport): Html =>
  at === null
    ? html`${stateBadge('Unresolved', 'busy')}
      ${assigned_account === null ? 'unassigned' : html`assigned to ${handleLink(assigned_account.account)}`}`
    : html`${stateBadge('Resolved', 'good')}
      ${moment(at)}${by !== null && html` by ${handleLink(by.account)}`}`;

const evidence = ({ statuses }: AdminReport, { ctx }: SignedInRequest): Html | false =>
  statuses.length > 0 &&
  html`<section>
    <h2>Evidence: ${counted(statuses.length, 'post')}</h2>
    <p class="quiet">The posts as they were when reported, even if edited or deleted since.</p>
    <div class="feed">${statuses.map((status) => statusItem(status, strangersView(ctx)))}</div>
  </section>`;

const notes = (request: SignedInRequest, { notes: all }: ReportCase, tried: Tried | undefined): Html =>
  html`<section class="box" id="notes">
    <h2>Notes</h2>
    ${noteList(all, 'No notes.')}
    ${form(
      request,
      html`${longField(
          {
            name: 'content',
            id: 'note',
            label: 'Leave a note',
            autocomplete: 'off',
            hint: 'Only staff can read it.',
            key: 'n',
            value: tried?.fields['content'] ?? '',
            problems: tried?.byField?.['content'],
          },
          MAX_NOTE,
        )} <button type="submit" class="plain">Add note</button>`,
    )}
  </section>`;

const bothSides = (request: SignedInRequest, { report }: ReportCase): Html =>
  html`<section class="box">
    <h2>Both sides</h2>
    <h3>Reported</h3>
    ${personLink(report.target_account.account, request)}
    <p>${stateBadges(report.target_account)}</p>
    <p class="quiet">
      Joined ${day(report.target_account.created_at)},
      ${counted(report.target_account.account.statuses_count, 'post')},
      ${counted(report.target_account.account.followers_count, 'follower')}
    </p>
    <h3>Reporter</h3>
    ${personLink(report.account.account, request)}
  </section>`;

function history({ report, about_target, by_reporter, strikes }: ReportCase): Html {
  const { account: target } = report.target_account;
  const { account: sender } = report.account;
  return html`<div class="cards history">
    <section class="box">
      <h2>Strikes against @${target.acct}</h2>
      ${strikeList(strikes)}
    </section>
    <section class="box">
      <h2>Other reports about @${target.acct}</h2>
      ${relatedList(about_target, { nothing: 'No other reports.', all: `${REPORTS}?target_account_id=${target.id}` })}
    </section>
    <section class="box">
      <h2>Other reports by @${sender.acct}</h2>
      ${relatedList(by_reporter, { nothing: 'No other reports.', all: `${REPORTS}?account_id=${sender.id}` })}
    </section>
  </div>`;
}
