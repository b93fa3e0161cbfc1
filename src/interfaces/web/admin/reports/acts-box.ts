import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { actionPath } from '#interfaces/web/page/action.ts';
import { CSRF_FIELD, hiddenFields } from '#interfaces/web/page/forms.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { hereOf } from '#interfaces/web/page/request-view.ts';
import type { AdminReport, ReportCase } from '#mastodon/schemas/index.ts';
import { reportPath } from '../addresses.ts';
import { sanctionsFor } from '../moderation/acts.ts';

/** Renders links to the reports beside this one. */
export const stepsOf = ({ previous_id, next_id }: ReportCase): Html =>
  html`<nav class="pages" aria-label="Unresolved reports">
    ${
      previous_id === null
        ? html`<span></span>`
        : html`<a
            class="button plain small"
            href="${reportPath(previous_id)}"
            aria-keyshortcuts="k"
            rel="prev"
            >${icon('skip-back')}Previous report</a
          >`
    }
    ${
      next_id === null
        ? html`<span class="quiet">No other unresolved report.</span>`
        : html`<a class="button plain small" href="${reportPath(next_id)}" aria-keyshortcuts="j" rel="next"
            >Next report${icon('skip-forward')}</a
          >`
    }
  </nav>`;

/** Renders what can be done about a report. */
export function actsOf(request: SignedInRequest, report: AdminReport): Html {
  const act = (type: string): string => `${reportPath(report.id)}/act/${type}`;
  if (report.action_taken)
    return html`<section class="box">
      <h2>Decision</h2>
      <p>This report is resolved.</p>
      <p class="buttons"><a class="button plain" href="${act('reopen')}">${icon('refresh-cw')}Reopen</a></p>
    </section>`;
  const sanctions = sanctionsFor(report.target_account, report.statuses.length);
  return html`<section class="box">
    <h2>Decision</h2>
    ${assignment(request, report)}
    <ul class="choices">
      <li>
        <a href="${act('resolve')}" aria-keyshortcuts="r">${icon('check')}Resolve without action</a>
      </li>
      ${sanctions.map(
        ({ type, label, icon: name, key, danger }) =>
          html`<li>
            <a href="${act(type)}" aria-keyshortcuts="${key}" ${danger && html`class="danger"`}
              >${icon(name)}${label}</a
            >
          </li>`,
      )}
    </ul>
    <p class="quiet">Each opens a page that says what will happen. Press <kbd>?</kbd> for keys.</p>
  </section>`;
}

function assignment(request: SignedInRequest, { id, assigned_account }: AdminReport): Html {
  const isMine = assigned_account?.id === request.user.account_id;
  const path = isMine ? 'unassign' : 'assign_to_self';
  const label = isMine
    ? 'Let somebody else handle it'
    : assigned_account === null
      ? 'Assign to me'
      : `Take over from @${assigned_account.account.acct}`;
  return html`<form
    method="post"
    action="${actionPath(`POST v1/admin/reports/:id/${path}`).replace(':id', id)}"
  >
    ${hiddenFields([
      [CSRF_FIELD, request.csrf],
      ['return_to', hereOf(request)],
    ])}
    <button type="submit" class="plain" aria-keyshortcuts="a">${icon('user-check')}${label}</button>
  </form>`;
}
