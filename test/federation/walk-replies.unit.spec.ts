import { expect } from 'chai';
import { type ThreadAccess, walkReplies } from '#commands/federation/walk-replies.ts';

/** An endless thread in which each post has `width` replies, read with `requests` requests. */
function endless(width: number, requests: number) {
  const asked: string[] = [];
  const fetched: string[] = [];
  const access: ThreadAccess = {
    repliesTo: async (uri) => {
      asked.push(uri);
      return { uris: Array.from({ length: width }, (_, index) => `${uri}/${index}`), requests };
    },
    unknown: async (uris) => uris,
    fetch: async (uri) => {
      fetched.push(uri);
      return true;
    },
    isOver: () => false,
  };
  return { asked, fetched, access };
}

describe('The walk through the replies of a thread', () => {
  it('stops after 500 requests', async () => {
    const { asked, fetched, access } = endless(1, 1);
    await walkReplies('post', access);
    expect([asked.length, fetched.length]).deep.equal([250, 250]);
  });

  it('considers at most 1,000 posts', async () => {
    const { fetched, access } = endless(1_500, 0);
    const named = new Set<string>();
    await walkReplies('post', {
      ...access,
      unknown: async (uris) => {
        uris.forEach((uri) => named.add(uri));
        return [];
      },
    });
    expect([named.size, fetched.length]).deep.equal([1_000, 0]);
  });

  it('visits each post once, and none below a post that cannot be fetched', async () => {
    const { asked, access } = endless(0, 1);
    const replies: Record<string, string[]> = { post: ['a', 'b'], a: ['post', 'a', 'c'], c: ['a'] };
    await walkReplies('post', {
      ...access,
      repliesTo: async (uri) => {
        asked.push(uri);
        return { uris: replies[uri] ?? [], requests: 1 };
      },
      fetch: async (uri) => uri !== 'b',
    });
    expect(asked).deep.equal(['post', 'a', 'c']);
  });

  it('stops when the time is over', async () => {
    const { asked, access } = endless(3, 1);
    await walkReplies('post', { ...access, isOver: () => asked.length >= 4 });
    expect(asked).have.length(4);
  });
});
