import { createHash } from 'node:crypto';
import { planFollows, type PlannedFollow } from './plan-follows.ts';
import { planMarks, type PlannedMark } from './plan-marks.ts';
import { type PlannedPost, planPosts } from './plan-posts.ts';
import { GONE, NEIGHBOURS } from './texts/neighbours.ts';
import { PEOPLE, type Person } from './texts/people.ts';

/** Everything that happens on the server, before it has ids and times: only the seed decides. */
export interface Plan {
  seed: number;
  people: readonly Person[];
  follows: readonly PlannedFollow[];
  /** The oldest first. */
  posts: readonly PlannedPost[];
  marks: readonly PlannedMark[];
}

/** Those who are there at the end. */
export const RESIDENTS: readonly Person[] = [...PEOPLE, ...NEIGHBOURS];

export function planOf(seed: number): Plan {
  const posts = planPosts(seed);
  const follows = planFollows(seed, RESIDENTS);
  return { seed, people: [...RESIDENTS, GONE], follows, posts, marks: planMarks(seed, RESIDENTS, posts) };
}

/** Returns a digest of names, texts, pictures and relations: equal for equal seeds. */
export const digestOf = (plan: Plan): string =>
  createHash('sha256').update(JSON.stringify(plan)).digest('hex');
