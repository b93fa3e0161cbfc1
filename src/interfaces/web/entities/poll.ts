import type { Poll } from '../../../mastodon/schemas/index.ts';
import { html, type Html } from '../design/html.ts';
import { counted, moment, textWithEmojis } from './texts.ts';
import type { View } from './view.ts';

/** Renders a poll: a form for users who may still vote, else its state. */
export function pollOf(poll: Poll, view: View): Html {
  const mayVote = view.user && !poll.expired && poll.voted === false;
  return html`<div class="poll" role="group" aria-label="Poll">
    ${mayVote && view.user ? ballot(poll, view.user) : resultsOf(poll)}
    <p class="quiet">${summaryOf(poll)}</p>
  </div>`;
}

function resultsOf({ options, emojis, voters_count, votes_count, multiple, own_votes = [] }: Poll): Html {
  const all = multiple ? voters_count : votes_count;
  const share = (votes: number): number => (all > 0 ? Math.round((votes / all) * 100) : 0);
  return html`<ul>
    ${options.map(
      ({ title, votes_count: votes }, index) =>
        html`<li ${own_votes.includes(index) && html`class="own"`}>
          <span dir="auto"
            >${textWithEmojis(title, emojis)}${own_votes.includes(index) && html` (your vote)`}</span
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

const ballot = ({ id, options, emojis, multiple }: Poll, { csrf, here }: NonNullable<View['user']>): Html =>
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
            id="p${id}-${index}"
            ${!multiple && html`required`}
          />
          <label for="p${id}-${index}" dir="auto">${textWithEmojis(title, emojis)}</label>
        </p>`,
    )}
    <button class="small">Vote</button>
  </form>`;

function summaryOf({ voters_count, votes_count, multiple, expires_at, expired }: Poll): Html {
  const all = multiple ? counted(voters_count, 'voter') : counted(votes_count, 'vote');
  return html`${all}${expires_at !== null && html` · ${expired ? 'ended' : 'ends'} ${moment(expires_at)}`}`;
}
