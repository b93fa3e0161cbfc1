import { type Draft, UTC } from './draft.ts';
import { type Problem, refusal, type Refused } from './problems.ts';

/** Milliseconds: https://docs.joinmastodon.org/methods/statuses/#create */
const SHORTEST = 5 * 60_000;
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

/** Returns the time that was typed in ISO 8601 with its offset; undefined for text that is no time. */
export function typedMoment({ scheduledAt, zone }: Pick<Draft, 'scheduledAt' | 'zone'>): string | undefined {
  const text = `${scheduledAt}${zone}`;
  return LOCAL_TIME.test(scheduledAt) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** The API publishes at once what is scheduled for the past; people who typed such a time did not mean that. */
export function checkedMoment(
  typed: Pick<Draft, 'scheduledAt' | 'zone'>,
  now: string,
): { moment: string } | { problem: Problem } {
  const moment = typedMoment(typed);
  if (moment === undefined)
    return { problem: { place: 'scheduled_at', text: 'This is no date with a time.' } };
  if (Date.parse(moment) > Date.parse(now) + SHORTEST) return { moment };
  return { problem: { place: 'scheduled_at', text: 'The time must be more than five minutes ahead.' } };
}

/** Returns a time for the field of a form, in UTC. */
export const fieldTime = (time: string): string => new Date(time).toISOString().slice(0, 16);

/** Returns the earliest time that can be chosen, in UTC. */
export const earliestTime = (now: string): string =>
  fieldTime(new Date(Date.parse(now) + 2 * SHORTEST).toISOString());

/** The offsets from UTC that are in use somewhere. */
export const ZONES: readonly string[] = [
  ...['-12:00', '-11:00', '-10:00', '-09:30', '-09:00', '-08:00', '-07:00', '-06:00', '-05:00', '-04:00'],
  ...['-03:30', '-03:00', '-02:00', '-01:00', UTC, '+01:00', '+02:00', '+03:00', '+03:30', '+04:00'],
  ...['+04:30', '+05:00', '+05:30', '+05:45', '+06:00', '+06:30', '+07:00', '+08:00', '+08:45', '+09:00'],
  ...['+09:30', '+10:00', '+10:30', '+11:00', '+12:00', '+12:45', '+13:00', '+14:00'],
];

export const zoneName = (zone: string): string => (zone === UTC ? 'UTC' : `UTC${zone}`);

/** Returns what the API would refuse in other words, or take for something else. */
export function contradictionIn(draft: Draft, now: string): Refused | undefined {
  if (draft.poll && draft.media.length > 0) {
    return refusal({ place: 'poll', text: 'A post can have media or a poll, not both. Remove one of them.' });
  }
  if (draft.scheduledAt === '') return undefined;
  const checked = checkedMoment(draft, now);
  return 'problem' in checked ? refusal(checked.problem) : undefined;
}
