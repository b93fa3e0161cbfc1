import type { Poll } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { counted, moment, textWithEmojis } from './texts.ts';
import type { View } from './view.ts';

interface PollOptions {
  /** The address of its post. */
  page?: string | undefined;
  /** Shows the results before voting. */
  results?: boolean;
  /** The boost or quote that shows it: the page may show the poll itself as well. */
  within?: string | undefined;
}

/** Renders a poll: a form for users who may still vote, else its state. */
export function pollOf(poll: Poll, view: View, { page, results = false, within }: PollOptions = {}): Html {
  const id = within === undefined ? `p${poll.id}` : `p${poll.id}-${within}`;
  const { user } = view;
  const voter = !poll.expired && poll.voted === false ? user : undefined;
  const asks = voter !== undefined && !results;
  return html`<div class="poll" role="group" aria-label="Poll" id="${id}">
    ${asks ? ballot(poll, id, voter) : resultsOf(poll)}
    <p class="quiet">
      ${summaryOf(poll)}${user && !poll.expired && links(poll, page, { asks, mayVote: voter !== undefined })}
    </p>
  </div>`;
}

/** Renders links to the results and back to the ballot, on the page of the post. */
function links(
  { id }: Poll,
  page: string | undefined,
  { asks, mayVote }: { asks: boolean; mayVote: boolean },
): Html | false {
  if (page === undefined) return false;
  const link = (text: string, query = ''): Html => html` · <a href="${page}${query}#p${id}">${text}</a>`;
  if (asks) return link('See results', '?results=1');
  return html`${mayVote && link('Vote')}${link('Refresh', '?results=1')}`;
}

function resultsOf({ options, emojis, voters_count, votes_count, multiple, own_votes = [] }: Poll): Html {
  const all = multiple ? voters_count : votes_count;
  const share = (votes: number): number => (all > 0 ? Math.round((votes / all) * 100) : 0);
  const most = Math.max(...options.map(({ votes_count: votes }) => votes ?? 0));
  return html`<ul>
    ${options.map(
      ({ title, votes_count: votes }, index) =>
        html`<li ${votes !== null && votes > 0 && votes === most && html`class="most"`}>
          <span dir="auto"
            >${textWithEmojis(title, emojis)}${own_votes.includes(index) && html` <span class="own">${icon('check')}<span class="hush">Your vote</span></span>`}</span
          >
          ${
            votes !== null &&
            html`<span class="share">${share(votes)} %</span>
              <progress max="100" value="${share(votes)}" aria-label="${title}"></progress>`
          }
        </li>`,
    )}
  </ul>`;
}

const ballot = (
  { id, options, emojis, multiple }: Poll,
  place: string,
  { csrf, here }: NonNullable<View['user']>,
): Html =>
  html`<form method="post" action="/web/v1/polls/${id}/votes">
    <input type="hidden" name="csrf_token" value="${csrf}" />
    <input type="hidden" name="return_to" value="${here}" />
    ${options.map(
      ({ title }, index) =>
        html`<p class="tick">
          <input
            type="${multiple ? 'checkbox' : 'radio'}"
            name="choices[]"
            value="${index}"
            id="${place}-${index}"
            ${!multiple && html`required`}
          />
          <label for="${place}-${index}" dir="auto">${textWithEmojis(title, emojis)}</label>
        </p>`,
    )}
    <button class="small">Vote</button>
  </form>`;

function summaryOf({ voters_count, votes_count, multiple, expires_at, expired }: Poll): Html {
  const all = multiple ? counted(voters_count, 'voter') : counted(votes_count, 'vote');
  return html`${all}${expires_at !== null && html` · ${expired ? 'ended' : 'ends'} ${moment(expires_at)}`}`;
}
