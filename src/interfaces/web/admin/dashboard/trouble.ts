import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import type { AdminTrouble } from '#mastodon/schemas/index.ts';
import { ALERTS_PAGE, JOBS, projectionPath, REACTORS } from '../addresses.ts';
import { titleOf } from '../alerts/alerts-page.ts';

/** UTF-16 units of an error. */
const LONGEST = 200;

interface Item {
  href: string;
  text: string;
  detail: Part;
}

/** Renders what is wrong now, each with a link to the page that mends it. */
export function troubleBox(trouble: AdminTrouble): Html {
  const items = itemsOf(trouble);
  if (items.length === 0) return html`<p class="all-well">${icon('circle-check')}Nothing is wrong.</p>`;
  return html`<section class="box trouble" aria-labelledby="trouble">
    <h2 id="trouble">Wrong now</h2>
    <ul class="troubles">
      ${items.map(
        ({ href, text, detail }) =>
          html`<li>
            <a href="${href}">${text}</a>${detail && html`<br /><span class="quiet">${detail}</span>`}
          </li>`,
      )}
    </ul>
  </section>`;
}

function itemsOf({ alerts, alerts_count, projections, timers, reactors }: AdminTrouble): Item[] {
  const halted = new Set(projections.map(({ name }) => name));
  // The alert about a halted projection says the same.
  const others = alerts.filter(({ name, subject }) => name !== 'read_model_halted' || !halted.has(subject));
  const more = alerts_count - alerts.length;
  return [
    ...projections.map(({ name, state, error }) => ({
      href: projectionPath(name),
      text: `The projection ${name} is ${state}`,
      detail: error?.slice(0, LONGEST),
    })),
    ...others.map(({ id, name, subject, detail }) => ({
      href: `${ALERTS_PAGE}/${id}`,
      text: titleOf({ name, subject }),
      detail,
    })),
    ...(more > 0 ? [{ href: ALERTS_PAGE, text: counted(more, 'more alert'), detail: undefined }] : []),
    ...timers.map(({ name, state, error }) => ({
      href: `${JOBS}#schedules`,
      text: `The schedule ${name} ${TIMERS[state]}`,
      detail: error?.slice(0, LONGEST),
    })),
    ...reactors.map(({ name, dead_letters }) => ({
      href: `${REACTORS}?reactor=${encodeURIComponent(name)}`,
      text: `The reactor ${name} could not handle ${counted(dead_letters, 'event')}`,
      detail: undefined,
    })),
  ];
}

const TIMERS: Readonly<Record<AdminTrouble['timers'][number]['state'], string>> = {
  running: 'runs',
  late: 'is late',
  failing: 'fails',
  stopped: 'does not run: no process runs schedules',
};
