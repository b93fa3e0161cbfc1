import { buttonLink } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { profilePath } from '#interfaces/web/entities/addresses.ts';
import { followButton } from '#interfaces/web/entities/person.ts';
import { plainPage, signInThen } from '#interfaces/web/page/layout.ts';
import type { SignedInRequest, Tried, WebRequest, WebResponse } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { asSent, textsIn, unixLines } from '#interfaces/web/page/sent-texts.ts';
import { invalid, isRookeryError } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/event.ts';
import { isId } from '#kernel/ids.ts';
import type { Account, Status } from '#mastodon/schemas/index.ts';
import type { Person } from './account.ts';
import { personPage } from './person-page.ts';
import { reportForm, type SentReport } from './report-form.ts';

/** The number of recent posts that are offered as evidence. */
const RECENT = 20;

const canBeReported = ({ account, isSelf }: Person): boolean => !isSelf && account.suspended !== true;

/** `/@:name/report?status_id=`: reports an account to the moderators. */
export const reportPage = personPage({
  path: 'report',
  nested: true,
  title: ({ account }) => `Report @${account.acct}`,
  isFor: canBeReported,
  content: async (request, { account }, tried) => {
    const { query, ctx } = request;
    const statusId = query.get('status_id') ?? '';
    const [rules, posts] = await Promise.all([
      request.api('GET v1/instance/rules'),
      evidence(request, account, statusId),
    ]);
    return reportForm(request, {
      account,
      rules: rules.entity,
      posts,
      key: tried?.fields['key'] ?? ctx.newId(),
      sent: tried ? sentIn(tried.nested ?? {}) : { statusIds: statusId === '' ? [] : [statusId] },
    });
  },
  submit: async ({ request, person: { account }, fields, nested }) => {
    const { category, ruleIds, statusIds, comment, forward } = sentIn(nested);
    if (category === undefined) throw invalid('Choose what is wrong with this account.');
    if (category === 'violation' && ruleIds?.length === 0) {
      throw invalid('Tick the rules that this account violates.');
    }
    const body = {
      account_id: account.id,
      category: asSent(category),
      status_ids: statusIds,
      // The API takes a report with rules for one of a violation.
      rule_ids: category === 'violation' ? ruleIds : [],
      comment,
      forward: String(forward),
    };
    const { key = '' } = fields;
    await request.api('POST v1/reports', { body, ...(key !== '' && { key }) });
    return { redirect: `${profilePath(account)}/reported` };
  },
  keep: (request, tried) => keepText(request, tried),
});

function sentIn({ category, rule_ids, status_ids, comment, forward }: JsonObject): SentReport {
  return {
    category: typeof category === 'string' && category !== '' ? category : undefined,
    ruleIds: textsIn(rule_ids),
    statusIds: textsIn(status_ids),
    comment: typeof comment === 'string' ? unixLines(comment) : '',
    forward: forward === 'true',
  };
}

/** Returns the recent posts of an account, after the one that the report is about. */
async function evidence(request: SignedInRequest, account: Account, statusId: string): Promise<Status[]> {
  const { entity } = await request.api('GET v1/accounts/:id/statuses', {
    params: { id: account.id },
    query: { exclude_reblogs: 'true', limit: String(RECENT) },
  });
  if (!isId(statusId) || entity.some(({ id }) => id === statusId)) return entity;
  try {
    const { entity: named } = await request.api('GET v1/statuses/:id', { params: { id: statusId } });
    return named.account.id === account.id && !named.reblog ? [named, ...entity] : entity;
  } catch (error) {
    if (isRookeryError(error) && error.code === 'not_found') return entity;
    throw error;
  }
}

/** After the session ended, the comment is shown again, to be sent after signing in. */
function keepText(request: WebRequest, tried: Tried): WebResponse {
  const { comment = '' } = tried.fields;
  return plainPage(
    request,
    'Report',
    html`${
      comment !== '' &&
      html`<label for="kept">Your comment, to copy</label>
        <textarea id="kept" readonly dir="auto">${comment}</textarea>`
    }
    ${buttonLink(signInThen(request.path), 'Sign in and report again')}`,
    tried,
  );
}

/** `/@:name/reported`: what the user can do besides. */
export const reportedPage = personPage({
  path: 'reported',
  title: () => 'Thanks for reporting',
  isFor: canBeReported,
  content: (request, { account, relationship }) => {
    const page = profilePath(account);
    const { following, requested, muting, blocking } = relationship;
    return html`<p>
        The moderators will look into this. While they do, you can take action against
        <strong dir="ltr">@${account.acct}</strong>:
      </p>
      <ul class="offers">
        ${
          (following || requested) &&
          html`<li>
            <p>Unfollow: their posts leave your home.</p>
            ${followButton(account, relationship, viewOf(request))}
          </li>`
        }
        ${
          !muting &&
          html`<li>
            <p>Mute: you won't see their posts. They can still follow you and see yours, and won't know.</p>
            ${buttonLink(`${page}/mute`, 'Mute', { look: 'plain', icon: 'volume-x' })}
          </li>`
        }
        ${
          !blocking &&
          html`<li>
            <p>Block: neither of you sees the other's posts, and they can tell that they are blocked.</p>
            ${buttonLink(`${page}/block`, 'Block', { look: 'danger', icon: 'ban' })}
          </li>`
        }
      </ul>
      ${buttonLink(page, 'Done')}`;
  },
});
