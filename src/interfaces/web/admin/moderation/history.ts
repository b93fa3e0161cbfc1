import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { counted, paragraphs } from '#interfaces/web/entities/texts.ts';
import type { AdminNote, PastStrike, RelatedReports } from '#mastodon/schemas/index.ts';
import { appealPath, reportPath } from '../addresses.ts';
import { moment } from '../moments.ts';
import { handleLink } from './people.ts';
import { CATEGORIES, STRIKE_NAMES } from './words.ts';

const listOf = (items: readonly Html[], nothing: string): Html =>
  items.length === 0
    ? html`<p class="quiet">${nothing}</p>`
    : html`<ul class="records">
        ${items.map((item) => html`<li>${item}</li>`)}
      </ul>`;

/** Renders strikes, newest first. */
export const strikeList = (strikes: readonly PastStrike[]): Html =>
  listOf(
    strikes.map(
      ({ action, text, created_at, overruled_at, report_id, account, appeal }) =>
        html`<p>
            <strong>${STRIKE_NAMES[action]}</strong>
            ${overruled_at !== null && stateBadge('Overruled', 'good')}
            ${appeal !== null && html`<a href="${appealPath(appeal.id)}">Appeal ${appeal.state}</a>`}
          </p>
          ${text !== '' && html`<p dir="auto">${text}</p>`}
          <p class="quiet">
            ${moment(created_at)} by
            ${account === null ? 'the operator' : handleLink(account)}${
              report_id !== null && html`, for <a href="${reportPath(report_id)}">a report</a>`
            }
          </p>`,
    ),
    'No strikes.',
  );

/** Renders the newest reports of one side, and how many there are. */
export const relatedList = (
  { count, reports }: RelatedReports,
  { nothing, all }: { nothing: string; all: string },
): Html =>
  html`${listOf(
    reports.map(
      ({ id, category, comment, created_at, action_taken_at, account, target_account, ...report }) =>
        html`<p>
            <a href="${reportPath(id)}">${CATEGORIES[category]}</a>
            ${
              action_taken_at === null
                ? stateBadge('Unresolved', 'busy')
                : html`<span class="quiet"
                    >resolved${
                      report.action_taken_by_account &&
                      html` by ${handleLink(report.action_taken_by_account)}`
                    }</span
                  >`
            }
          </p>
          ${comment !== '' && html`<p dir="auto">${comment}</p>`}
          <p class="quiet">
            ${moment(created_at)}: ${handleLink(account)} about ${handleLink(target_account)}
          </p>`,
    ),
    nothing,
  )}
  ${count > reports.length && html`<p><a href="${all}">All ${counted(count, 'report')}</a></p>`}`;

/** Renders notes of staff, newest first. */
export const noteList = (
  notes: readonly AdminNote[],
  nothing: string,
  place?: (note: AdminNote) => Part,
): Html =>
  listOf(
    notes.map(
      (note) =>
        html`${paragraphs(note.content)}
          <p class="quiet">${handleLink(note.account)}, ${moment(note.created_at)}${place?.(note)}</p>`,
    ),
    nothing,
  );
