import { type Html, html } from '#interfaces/web/design/html.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import type { Waiting } from '#mastodon/schemas/index.ts';
import { APPEALS, REPORTS, SIGN_UPS, TRENDS } from '../addresses.ts';

interface Card {
  href: string;
  count: number;
  text: string;
  more?: string;
}

/** Renders the number of things that wait, as links to them; others than the role may decide are left out. */
export function waitingCards({ reports, sign_ups, appeals, trends }: Waiting): Html {
  const cards: (Card | false)[] = [
    reports !== null && {
      href: REPORTS,
      count: reports.unresolved,
      text: reports.unresolved === 1 ? 'unresolved report' : 'unresolved reports',
      more: `${reports.mine} assigned to you, ${reports.unassigned} unassigned`,
    },
    sign_ups !== null && {
      href: SIGN_UPS,
      count: sign_ups,
      text: sign_ups === 1 ? 'sign-up to approve' : 'sign-ups to approve',
    },
    appeals !== null && {
      href: APPEALS,
      count: appeals,
      text: appeals === 1 ? 'undecided appeal' : 'undecided appeals',
    },
    trends !== null && {
      href: `${TRENDS}${trends.tags > 0 ? '' : trends.links > 0 ? '/links' : trends.statuses > 0 ? '/statuses' : ''}`,
      count: trends.tags + trends.links + trends.statuses,
      text: 'trends to review',
      more: [
        counted(trends.tags, 'hashtag'),
        counted(trends.links, 'link'),
        counted(trends.statuses, 'post'),
      ].join(', '),
    },
  ];
  const shown = cards.filter((card) => card !== false);
  if (shown.length === 0) return html`<p class="quiet">Your role decides nothing here.</p>`;
  return html`<div class="cards">
    ${shown.map(
      ({ href, count, text, more }) =>
        html`<a class="box figure-card" href="${href}">
          <strong>${count}</strong>
          ${text} ${more !== undefined && html`<br /><span class="change">${more}</span>`}
        </a>`,
    )}
  </div>`;
}
