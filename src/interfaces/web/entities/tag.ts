import type { Tag } from '#mastodon/schemas/index.ts';
import { type Html, html } from '../design/html.ts';
import { counted } from './texts.ts';

type History = Tag['history'];

/** The days that a count is about, as in Mastodon. */
const RECENT_DAYS = 2;

/** Renders how many people use a hashtag or share a link, with a line of the last days. */
export function usageOf(history: History): Html {
  const sum = (values: readonly string[]): number => values.reduce((all, value) => all + Number(value), 0);
  const people = sum(history.slice(0, RECENT_DAYS).map(({ accounts }) => accounts));
  const uses = sum(history.map(({ uses: count }) => count));
  return html`<p class="usage">
    ${sparkline(history)}
    <span
      >${people > 0 && `${counted(people, 'person', 'people')} in the past ${RECENT_DAYS} days, `}${counted(uses, 'post')}
      in the past week</span
    >
  </p>`;
}

const WIDTH = 56;
const HEIGHT = 24;

/** Draws the uses of each day, oldest first; a decoration beside the counts. */
function sparkline(history: History): Html | false {
  if (history.length < 2) return false;
  const days = history.map(({ uses }) => Number(uses)).toReversed();
  const most = Math.max(1, ...days);
  const points = days.map((uses, index) => {
    const x = (index / (days.length - 1)) * WIDTH;
    const y = HEIGHT - 2 - (uses / most) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return html`<svg class="sparkline" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
    <polyline points="${points.join(' ')}" />
  </svg>`;
}

/** Renders a hashtag of a list. */
export const tagItem = ({ name, history }: Tag): Html =>
  html`<div class="tag-item">
    <h2>
      <a href="/tags/${encodeURIComponent(name)}"><bdi>#${name}</bdi></a>
    </h2>
    ${usageOf(history)}
  </div>`;
