import { isUnloved, type PlannedPost } from './plan-posts.ts';
import { type Random, randomFrom } from './random.ts';
import { PERSON, type Person } from './texts/people.ts';

/** A reaction to a post. `ago` is in minutes before the end. */
export interface PlannedMark {
  kind: 'favourite' | 'reblog' | 'bookmark' | 'vote';
  by: string;
  post: string;
  ago: number;
  choices?: readonly number[];
}

/** Those who neither favourite nor boost. */
const SILENT = ['bargains', 'roy', 'weather'];

export function planMarks(
  seed: number,
  people: readonly Person[],
  posts: readonly PlannedPost[],
): PlannedMark[] {
  const random = randomFrom(seed, 'marks');
  const crowd = people.map(({ username }) => username).filter((name) => !SILENT.includes(name));
  const open = posts.filter((post) => post.visibility !== 'direct' && !isUnloved(post));
  return [
    ...open.flatMap((post) => reactionsTo(post, crowd, random)),
    ...bookmarks(open, crowd, randomFrom(seed, 'bookmarks')),
    ...rediscoveries(open, crowd, randomFrom(seed, 'rediscoveries')),
    ...open.flatMap((post) => votesOn(post, crowd, randomFrom(seed, `votes ${post.key}`))),
  ];
}

function reactionsTo(post: PlannedPost, crowd: readonly string[], random: Random): PlannedMark[] {
  const isQuiet = post.by === 'weather' || post.parent !== undefined;
  const luck = random.next() ** 1.6 * (isQuiet ? 3.2 : 11);
  const count = Math.round(luck * (post.pictures.length > 0 ? 1.3 : 1) * (post.by === PERSON ? 1.3 : 1));
  const others = random.shuffled(crowd.filter((name) => name !== post.by));
  const mark = (kind: PlannedMark['kind'], by: string): PlannedMark => ({
    kind,
    by,
    post: post.key,
    ago: soonAfter(post.ago, random),
  });
  const boosts = isQuiet || post.visibility !== 'public' ? 0 : Math.floor(count / 4);
  return [
    ...others.slice(0, count).map((by) => mark('favourite', by)),
    ...random.some(others, boosts).map((by) => mark('reblog', by)),
  ];
}

/**
 * Boosts of posts that are weeks old. Home leaves out boosts of posts that are among the entries before them, which those of new posts
 * mostly are.
 */
function rediscoveries(
  posts: readonly PlannedPost[],
  crowd: readonly string[],
  random: Random,
): PlannedMark[] {
  const old = posts.filter(
    (post) => post.visibility === 'public' && post.parent === undefined && post.ago > AN_AGE,
  );
  return random.some(old, REDISCOVERED).map((post, index) => {
    const by = random.pick(FINDERS.filter((name) => name !== post.by && crowd.includes(name)));
    return { kind: 'reblog', by, post: post.key, ago: 9 + index * 83 + random.between(0, 60) };
  });
}

/** Minutes. */
const AN_AGE = 15 * 1_440;
const REDISCOVERED = 36;
const FINDERS = ['greta', 'yuki', 'ruth', 'henry', 'rosa', 'jonas', 'leila', 'nils', 'beth', 'ada', 'lars'];

/** Mostly within hours, always before the end. */
const soonAfter = (ago: number, random: Random): number =>
  Math.max(ago - 2 - random.next() ** 2 * 2_000, ago * random.next() * 0.9, 0.1);

const bookmarks = (posts: readonly PlannedPost[], crowd: readonly string[], random: Random): PlannedMark[] =>
  crowd.flatMap((by) =>
    random
      .some(
        posts.filter((post) => post.by !== by && post.by !== 'weather'),
        by === PERSON ? 18 : random.between(0, 3),
      )
      .map((post) => ({ kind: 'bookmark' as const, by, post: post.key, ago: soonAfter(post.ago, random) })),
  );

function votesOn(
  { key, by: author, poll, ago }: PlannedPost,
  crowd: readonly string[],
  random: Random,
): PlannedMark[] {
  if (!poll) return [];
  const minutes = Math.min(poll.hours * 60, ago);
  const isOpen = poll.hours * 60 > ago;
  // The person may vote in the polls that are open.
  const voters = crowd.filter((name) => name !== author && !(isOpen && name === PERSON));
  const weights = poll.options.map(() => 0.4 + random.next());
  return random.some(voters, random.between(9, 18)).map((by) => {
    const first = weighted(weights, random);
    const second = poll.multiple && random.chance(0.5) ? (first + 1) % poll.options.length : first;
    return {
      kind: 'vote',
      by,
      post: key,
      ago: ago - minutes * (0.02 + random.next() * 0.72),
      choices: [...new Set([first, second])],
    };
  });
}

function weighted(weights: readonly number[], random: Random): number {
  let rest = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => (rest -= weight) <= 0);
  return Math.max(0, index);
}
