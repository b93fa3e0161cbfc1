import type { Act, Acting } from '../act.ts';
import { momentOf } from '../moments.ts';
import type { Plan } from '../plan.ts';

/** A user of the plan, with their account. */
export interface Resident {
  id: string;
  token: string;
  email: string;
  password: string;
}

/** The server while it is filled. */
export interface Town {
  plan: Plan;
  acting: Acting;
  /** The end of the six weeks, in milliseconds since 1970. */
  end: number;
  residents: Map<string, Resident>;
  /** The ids of posts and of their polls, by the keys of the plan. */
  posts: Map<string, { id: string; pollId: string | undefined }>;
  /** A folder for files on their way to the server. */
  folder: string;
}

/** @throws Error for an unknown name */
export function residentNamed({ residents }: Town, name: string): Resident {
  const resident = residents.get(name);
  if (!resident) throw new Error(`Nobody is called ${name}`);
  return resident;
}

/** @throws Error for a post that is not there yet */
export function postNamed({ posts }: Town, key: string): { id: string; pollId: string | undefined } {
  const post = posts.get(key);
  if (!post) throw new Error(`There is no post ${key} yet`);
  return post;
}

/** Sends a request in the name of a user, so many minutes before the end. */
export const send = <Json = unknown>(
  town: Town,
  by: string,
  route: string,
  { ago, ...act }: Omit<Act, 'token' | 'at'> & { ago: number },
): Promise<Json> =>
  town.acting.call<Json>(route, {
    ...act,
    token: residentNamed(town, by).token,
    at: momentOf(ago, town.end),
  });

/** Requests under way at once. */
const AT_ONCE = 16;
/** The server works on one picture at a time, and lets few wait. */
export const PICTURES_AT_ONCE = 2;

/** Does the work for each item, several at a time. */
export async function forAll<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  atOnce = AT_ONCE,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
