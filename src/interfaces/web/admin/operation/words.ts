import type { AdminProjection } from '../../../../mastodon/schemas/index.ts';
import { stateBadge } from '../../design/data-table.ts';
import { html, type Html } from '../../design/html.ts';

const NUMBER = new Intl.NumberFormat('en');
const RATE = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const SIZES = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export const numberText = (value: number): string => NUMBER.format(Math.round(value));

/** `12.5`, `1,200`. */
export const rateText = (perSecond: number | null): string =>
  perSecond === null ? 'unknown' : RATE.format(perSecond);

/** `85 s`, `12 min`, `3 h`, `2 days`; below a second, one decimal. */
export function secondsText(seconds: number | null): string {
  if (seconds === null) return 'unknown';
  if (seconds < 10) return `${RATE.format(seconds)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** Returns a share in whole percent, 100 at most. */
export const percent = (done: number | null, total: number | null): number =>
  total === null || total === 0 ? 0 : Math.min(100, Math.floor(((done ?? 0) / total) * 100));

/** `340 bytes`, `1.2 MB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), SIZES.length - 1);
  return `${RATE.format(bytes / 1_000 ** power)} ${SIZES[power] ?? ''}`;
}

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
  halted: stateBadge('Halted', 'bad'),
  catching_up: stateBadge('Catching up', 'busy'),
  stopped: stateBadge('Stopped', 'bad'),
  not_built: stateBadge('Not built', 'bad'),
} as const;

/** Renders the state of a read model, and how much of a build is done. */
export const projectionState = (
  { state, build }: Pick<AdminProjection, 'state' | 'build'>,
  building = false,
): Html =>
  html`${STATES[state]}${(build !== null || building) && html` ${stateBadge(buildText(build), 'busy')}`}`;

const buildText = (build: AdminProjection['build']): string =>
  build?.total ? `Building, ${percent(build.done, build.total)} %` : 'Building';
