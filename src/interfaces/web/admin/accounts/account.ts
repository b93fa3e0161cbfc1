import { buttonLink } from '#interfaces/web/design/components.ts';
import { dataTable, factList } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { pageOfAccount } from '#interfaces/web/entities/addresses.ts';
import { plainName } from '#interfaces/web/entities/byline.ts';
import { statusItems } from '#interfaces/web/entities/status.ts';
import { counted, day, paragraphs } from '#interfaces/web/entities/texts.ts';
import { strangersView } from '#interfaces/web/entities/view.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { languageName } from '#mastodon/language.ts';
import type { AccountRecord, Status } from '#mastodon/schemas/index.ts';
import { accountPath, ACCOUNTS, reportPath, REPORTS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { type Lifting, liftingsFor, type Sanction, sanctionsFor } from '../moderation/acts.ts';
import { noteList, relatedList, strikeList } from '../moderation/history.ts';
import { historyLinks, personLink, stateBadges } from '../moderation/people.ts';
import { moment } from '../moments.ts';

const POSTS = '5';

const recordOf = async ({ api, params }: SignedInRequest<{ id: string }>): Promise<AccountRecord> =>
  (await api('GET v1/admin/accounts/:id/record', { params: { id: params.id } })).entity;

/** An account with all that staff know about it. */
export const accountPage = consolePage({
  path: `${ACCOUNTS}/:id`,
  permission: 'manage_users',
  show: async (request) => {
    const [record, posts] = await Promise.all([recordOf(request), postsOf(request)]);
    const { account } = record.account;
    const profile = pageOfAccount(account, viewOf(request));
    return {
      title: plainName(account),
      actions: html`${historyLinks(request, 'account', account.id)}
      ${profile !== undefined && buttonLink(profile, 'Profile', { look: 'plain small', icon: 'user' })}`,
      back: [ACCOUNTS, 'All accounts'],
      body: html`<div class="case">
          <div class="case-main">
            ${facts(request, record)} ${addresses(record)} ${postList(request, posts)}
          </div>
          <div class="case-side">${decisions(request, record)} ${strikes(record)}</div>
        </div>
        ${reports(record)}`,
    };
  },
});

/** Suspended accounts show no posts. */
async function postsOf({ api, params }: SignedInRequest<{ id: string }>): Promise<Status[]> {
  try {
    const asked = { params: { id: params.id }, query: { limit: POSTS, exclude_reblogs: 'true' } };
    return (await api('GET v1/accounts/:id/statuses', asked)).entity;
  } catch (error) {
    if (isRookeryError(error)) return [];
    throw error;
  }
}

function facts(
  request: SignedInRequest,
  { account: admin, last_active_on, sessions_count }: AccountRecord,
): Html {
  const { account, email, locale, role, domain, invite_request, created_at } = admin;
  const isLocal = domain === null;
  return html`<section class="box">
    <h2>About</h2>
    ${personLink(account, request)}
    ${factList([
      ['State', stateBadges(admin)],
      ['Server', domain ?? 'This server'],
      ['Role', isLocal && (role.name || 'None')],
      ['E-mail address', isLocal && html`${email}${!admin.confirmed && ' (not confirmed)'}`],
      ['Language', isLocal && locale !== null && languageName(locale)],
      ['Joined', moment(created_at)],
      ['Last active', isLocal && (last_active_on === null ? 'Never' : day(last_active_on))],
      ['Sessions', isLocal && (sessions_count === 0 ? 'None' : counted(sessions_count, 'browser'))],
      [
        'Statistics',
        html`${counted(account.statuses_count, 'post')}, ${counted(account.followers_count, 'follower')},
        follows ${counted(account.following_count, 'account')}`,
      ],
      ['Reason for joining', invite_request !== null && invite_request !== '' && paragraphs(invite_request)],
    ])}
  </section>`;
}

const addresses = ({ account: { ips, domain } }: AccountRecord): Html | false =>
  domain === null &&
  html`<section>
    <h2>IP addresses</h2>
    ${
      ips.length === 0
        ? html`<p class="quiet">None recorded.</p>`
        : dataTable(
            [{ title: 'IP address' }, { title: 'Last seen' }, { title: 'Accounts' }],
            ips
              .slice(0, 10)
              .map(({ ip, used_at }) => ({
                cells: [
                  ip,
                  moment(used_at),
                  html`<a href="${ACCOUNTS}?ip=${encodeURIComponent(ip)}">From the same address</a>`,
                ],
              })),
            { caption: 'IP addresses of sign-ups and sign-ins, newest first' },
          )
    }
  </section>`;

const postList = ({ ctx }: SignedInRequest, posts: readonly Status[]): Html =>
  html`<section>
    <h2>Latest posts</h2>
    ${
      posts.length === 0
        ? html`<p class="quiet">No posts that you may see.</p>`
        : html`<div class="feed">${statusItems(posts, strangersView(ctx))}</div>`
    }
  </section>`;

/** Actions on posts are taken in a report. */
function decisions({ user }: SignedInRequest, { account }: AccountRecord): Html {
  const sanctions = sanctionsFor(account, 0).filter(({ inForce }) => !inForce?.(account));
  const link = ({ type, label, icon: name, danger }: Act): Html =>
    html`<li>
      <a href="${accountPath(account.id)}/act/${type}" ${danger && html`class="danger"`}
        >${icon(name)}${label}</a
      >
    </li>`;
  return html`<section class="box">
    <h2>Decision</h2>
    <ul class="choices">
      ${liftingsFor(account, user.role).map(link)} ${sanctions.map(link)}
    </ul>
    <p class="quiet">Each opens a page that says what will happen.</p>
  </section>`;
}

type Act = Pick<Sanction | Lifting, 'type' | 'label' | 'icon' | 'danger'>;

const strikes = ({ strikes: all }: AccountRecord): Html =>
  html`<section class="box">
    <h2>Strikes</h2>
    ${strikeList(all)}
  </section>`;

function reports({ account: { id, account }, about_target, by_reporter, notes }: AccountRecord): Html {
  return html`<div class="cards history">
    <section class="box">
      <h2>Reports about @${account.acct}</h2>
      ${relatedList(about_target, { nothing: 'No reports.', all: `${REPORTS}?target_account_id=${id}` })}
    </section>
    <section class="box">
      <h2>Reports by @${account.acct}</h2>
      ${relatedList(by_reporter, { nothing: 'No reports.', all: `${REPORTS}?account_id=${id}` })}
    </section>
    <section class="box">
      <h2>Notes</h2>
      ${noteList(
        notes,
        'No notes.',
        ({ report_id }) => html`, about <a href="${reportPath(report_id)}">a report</a>`,
      )}
    </section>
  </div>`;
}
