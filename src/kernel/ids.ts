import { randomInt } from 'node:crypto';

/**
 * Ids that clients see: decimal strings, sortable by time; 48 bits of milliseconds, 16 bits of sequence, as Mastodon's.
 * They are made in commands and recorded in events, never made in a projection. Two processes may draw the same
 * id within one millisecond; the stream that carries the id then already exists, and the command draws again.
 * New ids are even. The odd id after one is that of a second notification.
 */
export type Id = string;

/**
 * Returns a generator of ids over a clock in milliseconds since 1970. Ids rise strictly within one generator. A server draws them by a
 * steady clock (`steady-clock.ts`), so that they also rise from one start to the next.
 */
export function idGenerator(milliseconds: () => number = Date.now): () => Id {
  let lastTime = 0;
  let sequence = 0;
  let drawn = 0;
  return () => {
    const time = Math.max(milliseconds(), lastTime);
    if (time > lastTime || drawn >= 0xfffe) {
      lastTime = time > lastTime ? time : lastTime + 1;
      sequence = 2 * randomInt(0x4000);
      drawn = sequence;
    } else {
      drawn += 2;
      sequence = drawn;
    }
    return ((BigInt(lastTime) << 16n) | BigInt(sequence)).toString();
  };
}

/** Returns the smallest id of this moment: for paging by time. */
export const idAt = (milliseconds: number): Id => (BigInt(milliseconds) << 16n).toString();

/**
 * Returns an id for an object that was made elsewhere at this moment, in milliseconds since 1970; see `Id`
 * about equal ones.
 */
export const idNear = (milliseconds: number): Id =>
  ((BigInt(milliseconds) << 16n) | BigInt(2 * randomInt(0x8000))).toString();

/**
 * The id of the second notification about a post: its author is followed with notifications on, and it also mentions or quotes the reader.
 * The first one has the id of the post.
 */
export const secondNotificationId = (postId: Id): Id => String(BigInt(postId) + 1n);

/** Returns the moment of an id, in milliseconds since 1970. */
export const timeOfId = (id: Id): number => Number(BigInt(id) >> 16n);

/** The largest Postgres bigint: above every id, so pages may begin there. */
export const LARGEST_ID: Id = '9223372036854775807';

/**
 * The form of an id, without leading zeros: with them Postgres would find the same row, but the stream's name
 * would differ, and something could happen twice.
 */
export const ID_FORM = /^(?:0|[1-9][0-9]{0,18})$/;

/**
 * Returns the id that a text begins with, like Rails: `123abc` names 123. Returns the text itself if it
 * begins with none.
 */
export function leadingId(text: string): string {
  return /^\s*\+?0*([0-9]+)/.exec(text)?.[1] ?? text;
}

/** Orders ids from the oldest to the newest. */
export const byAge = (a: Id, b: Id): number => a.length - b.length || (a < b ? -1 : Number(a > b));

/**
 * Tells whether a text is a decimal id that fits a Postgres bigint. Other text names nothing, so it is "not
 * found".
 */
export const isId = (text: string): boolean => ID_FORM.test(text) && BigInt(text) <= BigInt(LARGEST_ID);
