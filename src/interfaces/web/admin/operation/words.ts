import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { durationText, numberText, tenthsText } from '#kernel/quantities.ts';
import type { AdminProjection } from '#mastodon/schemas/index.ts';
import { moment } from '../moments.ts';

/** `12.5`, `1,200`. */
export const rateText = (perSecond: number | null): string =>
  perSecond === null ? 'unknown' : tenthsText(perSecond);

export const secondsText = (seconds: number | null): string =>
  seconds === null ? 'unknown' : durationText(seconds);

/** Returns a share in whole percent, 100 at most. */
export const percent = (done: number | null, total: number | null): number =>
  total === null || total === 0 ? 0 : Math.min(100, Math.floor(((done ?? 0) / total) * 100));

type Lag = AdminProjection['lag'];

export const lagEvents = ({ events, estimated }: Lag): string =>
  events === null ? 'unknown' : `${estimated ? 'about ' : ''}${numberText(events)}`;

export const lagText = (lag: Lag): string =>
  `${lagEvents(lag)} ${lag.events === 1 ? 'event' : 'events'}, ${secondsText(lag.seconds)}`;

/** Renders an event of the log, or another value, as indented text that can be scrolled by keyboard. */
export const codeBlock = (label: string, value: unknown): Html =>
  html`<pre class="code" tabindex="0" role="region" aria-label="${label}">
${JSON.stringify(value, null, 2)}</pre>`;

/** Renders the text of an error, as it was thrown. */
export const errorBlock = (error: string, label = 'Error'): Html =>
  html`<pre class="code" tabindex="0" role="region" aria-label="${label}">${error}</pre>`;

const STATES = {
  following: stateBadge('Running', 'good'),
  lacking: stateBadge('Needs a rebuild', 'bad'),
  halted: stateBadge('Halted', 'bad'),
  catching_up: stateBadge('Catching up', 'busy'),
  stopped: stateBadge('Stopped', 'bad'),
  not_built: stateBadge('Not built', 'bad'),
} as const;

/** Renders the state of a read model, and how much of a build is done. */
export const projectionState = (
  model: Pick<AdminProjection, 'state' | 'build' | 'lacks' | 'built_by'>,
  building = false,
): Html => {
  const { state, build } = model;
  const badge = STATES[state === 'following' && needsRebuild(model) ? 'lacking' : state];
  return html`${badge}${(build !== null || building) && html` ${stateBadge(buildText(build), 'busy')}`}`;
};

/** Tells whether rows are not as this version makes them from the whole log. */
export const needsRebuild = ({ lacks, built_by }: Pick<AdminProjection, 'lacks' | 'built_by'>): boolean =>
  lacks.length > 0 || isOtherCode(built_by);

export const isOtherCode = ({ tables, handlers }: AdminProjection['built_by']): boolean =>
  tables === 'other_code' || handlers === 'other_code';

const OUTCOMES = {
  went_on: 'it took the event and continued',
  rejected: 'it halted again',
  failed: 'the retry failed',
} as const;

/** Renders when a projection was last retried, and how that ended; false where it was not. */
export const lastTry = ({ last_try }: Pick<AdminProjection, 'last_try'>): Html | false =>
  last_try !== null &&
  html`${moment(last_try.at)}:
  ${OUTCOMES[last_try.outcome]}${
    last_try.outcome === 'failed' && last_try.error !== null && `: ${last_try.error}`
  }`;

const buildText = (build: AdminProjection['build']): string =>
  build?.total ? `Building, ${percent(build.done, build.total)} %` : 'Building';
