import { notFound, RookeryError } from '#kernel/errors.ts';
import type { Replay } from '#mastodon/schemas/index.ts';
import { changesBetween } from './changes.ts';
import { evolve, foldWorld } from './fold.ts';
import type { History } from './history.ts';
import { stepsOf } from './steps.ts';
import { type Reader, stateOf, type Subject } from './view.ts';
import type { Past, World } from './world.ts';

/** A part of a replay: one of its steps, and the page of steps around it. */
export interface Part extends Pick<Replay, 'count' | 'step' | 'state' | 'changes'> {
  /** The events of the page, and the number of the first of them. */
  page: readonly Past[];
  first: number;
  /** The state at the end of the history. */
  end: World;
}

interface Asked {
  /** The last step unless given. */
  step: number | undefined;
  /** Steps of a page. */
  limit: number;
  readsReports: boolean;
}

/**
 * Replays a subject up to a step. Pure.
 * @throws RookeryError `not_found` for a subject without events, and for a step past the end
 */
export function replay({ events }: History, subject: Subject, asked: Asked): Part {
  const steps = stepsOf(events, subject);
  const count = steps.length;
  if (count === 0 && subject.kind !== 'setting') throw notFound();
  const { step = count, limit } = asked;
  if (step > count) throw new RookeryError('not_found', `The history has ${count} steps`);
  const event = steps[step - 1];
  const at = event ? events.indexOf(event) : firstOf(events, steps);
  const before = foldWorld(events.slice(0, at));
  const after = event ? evolve(before, event) : before;
  const end = foldWorld(events.slice(event ? at + 1 : at), after);
  const reader: Reader = { readsReports: asked.readsReports, openPosts: openPostsOf(end) };
  const [old, state] = [before, after].map((world) => stateOf(world, subject, reader)) as [
    Part['state'],
    Part['state'],
  ];
  const start = Math.floor(Math.max(0, step - 1) / limit) * limit;
  return {
    count,
    step,
    state,
    end,
    first: start + 1,
    changes: event ? changesBetween(old, state) : [],
    page: steps.slice(start, start + limit),
  };
}

/** Returns the index of the first step, before which a history begins. */
const firstOf = (events: readonly Past[], [first]: readonly Past[]): number =>
  first ? events.indexOf(first) : events.length;

/** Returns the posts that everyone may see today: their texts are no secret. */
const openPostsOf = ({ posts }: World): ReadonlySet<string> =>
  new Set(
    [...posts.values()]
      .filter(({ state, visibility }) => state === 'visible' && ['public', 'unlisted'].includes(visibility))
      .map(({ id }) => id),
  );
