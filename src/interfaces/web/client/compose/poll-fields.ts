import { checkField, type Choice, optionsOf } from '#interfaces/web/design/choice-fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { POLL_LIMITS } from '#mastodon/limits.ts';
import type { Desk } from './desk.ts';
import type { PollDraft } from './draft.ts';
import { problemsAt } from './problem-notes.ts';

/** Seconds, and their names. */
export const DURATIONS: readonly (readonly [number, string])[] = [
  [300, '5 minutes'],
  [1_800, '30 minutes'],
  [3_600, '1 hour'],
  [21_600, '6 hours'],
  [43_200, '12 hours'],
  [86_400, '1 day'],
  [259_200, '3 days'],
  [604_800, '7 days'],
];

/** Returns the choice that is nearest to a number of seconds. */
export const nearestDuration = (seconds: number): number =>
  DURATIONS.map(([each]) => each).toSorted((a, b) => Math.abs(a - seconds) - Math.abs(b - seconds))[0] ??
  86_400;

/** Renders the poll of a draft, or the button that adds one. The end of an edited poll may stay. */
export function pollFields(desk: Desk, mayStay: boolean): Html {
  const { poll } = desk.draft;
  if (!poll) {
    return html`<p>
      <button class="small plain" name="do" value="poll">${icon('chart-no-axes-column')}Add poll</button>
    </p>`;
  }
  const isFull = poll.options.length >= POLL_LIMITS.max_options;
  return html`<fieldset class="part">
    <legend>Poll</legend>
    ${problemsAt(desk, 'poll')} ${poll.options.map(optionField)}
    <p>
      <input type="hidden" name="poll[hide_totals]" value="${String(poll.hideTotals)}" />
      ${!isFull && html`<button class="small plain" name="do" value="option">${icon('plus')}Add poll option</button>`}
    </p>
    ${durationField(poll, mayStay)}
    ${checkField({
      name: 'poll[multiple]',
      id: 'poll-multiple',
      label: 'Voters may choose several options',
      checked: poll.multiple,
    })}
    <button class="small plain" name="do" value="unpoll">${icon('x')}Remove poll</button>
  </fieldset>`;
}

const optionField = (option: string, index: number): Html =>
  html`<label for="option-${index}">Option ${index + 1}</label>
    <input
      type="text"
      id="option-${index}"
      name="poll[options][]"
      value="${option}"
      maxlength="${2 * POLL_LIMITS.max_characters_per_option}"
      autocomplete="off"
      dir="auto"
    />`;

const AS_IT_IS: Choice = { value: '', label: 'As it is' };
const LENGTHS: readonly Choice[] = DURATIONS.map(([seconds, label]) => ({ value: String(seconds), label }));

const durationField = ({ expiresIn }: PollDraft, mayStay: boolean): Html =>
  html`<label for="poll-duration">Poll length</label>
    <select id="poll-duration" name="poll[expires_in]">
      ${optionsOf(mayStay ? [AS_IT_IS, ...LENGTHS] : LENGTHS, expiresIn)}
    </select>`;
