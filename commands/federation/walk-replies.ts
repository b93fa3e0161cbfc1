/** Limits of one round, as in Mastodon: posts of a thread, and requests. */
const MAX_POSTS = 1_000;
const MAX_REQUESTS = 500;
/** Concurrent fetches. */
const AT_ONCE = 4;

/** Access to the posts of a thread. */
export interface ThreadAccess {
  /** Returns the URIs of replies to a post, and the number of requests that it took. */
  repliesTo(uri: string): Promise<{ uris: readonly string[]; requests: number }>;
  /** Returns the unknown ones among some URIs. */
  unknown(uris: readonly string[]): Promise<readonly string[]>;
  /** Fetches and stores a post. Returns false when it is unavailable. */
  fetch(uri: string): Promise<boolean>;
  /** Ends the round before its bounds are reached. */
  isOver(): boolean;
}

/** Finds replies to a post, replies to these, and so on, nearest first, within bounds. */
export async function walkReplies(root: string, access: ThreadAccess): Promise<void> {
  const seen = new Set([root]);
  let requests = 0;
  const isOver = (): boolean => requests >= MAX_REQUESTS || access.isOver();
  let level = [root];
  while (level.length > 0 && !isOver()) {
    const named: string[] = [];
    await inTurns(level, isOver, async (uri) => {
      const replies = await access.repliesTo(uri);
      requests += replies.requests;
      for (const reply of replies.uris) {
        if (seen.has(reply) || seen.size > MAX_POSTS) continue;
        seen.add(reply);
        named.push(reply);
      }
    });
    const unknown = new Set(await access.unknown(named));
    await inTurns([...unknown], isOver, async (uri) => {
      requests += 1;
      if (await access.fetch(uri)) unknown.delete(uri);
    });
    level = named.filter((uri) => !unknown.has(uri));
  }
}

async function inTurns(
  uris: readonly string[],
  isOver: () => boolean,
  ask: (uri: string) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < uris.length && !isOver(); from += AT_ONCE) {
    await Promise.all(uris.slice(from, from + AT_ONCE).map(ask));
  }
}
