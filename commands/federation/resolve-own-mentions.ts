import { statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { accountsOfHandles, quotedUrl } from '#queries/statuses/index.ts';
import { type Status, status } from '../statuses/index.ts';
import { extractMentions, handleKey } from '../text/extract.ts';
import { decideResolveOwn, type WaitingPost } from './decide-resolve.ts';

/** The number of servers without an answer so far, by reason. */
export type Waiting = Record<'busy' | 'away', number>;

/** The ids of the accounts that became known, by URI. */
export interface Introduced {
  accounts: Map<string, Id>;
  waiting: Waiting;
}

/** Makes accounts known by their URIs. */
export type Introduce = (unknown: readonly string[]) => Promise<Introduced>;

/** Adds mentions to a local post, which names accounts by their handles. */
export async function addOwnMentions(
  ctx: CommandContext,
  own: WaitingPost,
  introduce: Introduce,
): Promise<Waiting> {
  const { db, instance } = ctx;
  const awaited = own.uris.map(handleOf);
  const { unknown } = await accountsOfHandles(db, instance, awaited);
  const { accounts, waiting } = await introduce(unknown.map((handle) => `acct:${handle}`));
  const text = own.text ?? '';
  const [{ mentioned }, url] = await Promise.all([
    accountsOfHandles(db, instance, extractMentions(text).map(handleKey), {
      authorId: own.account_id,
      aliases: new Map([...accounts].map(([uri, id]) => [handleOf(uri), id])),
    }),
    own.quote ? quotedUrl(db, own.quote.id) : undefined,
  ]);
  const mentions = own.uris.flatMap((uri) => {
    const mention = mentioned.get(handleOf(uri));
    return mention ? [{ uri, mention }] : [];
  });
  if (mentions.length > 0) {
    const facts = { origin: instance.origin, mentioned, quotedUrl: url };
    const decide = (state: Status) => decideResolveOwn(state, own, mentions, facts);
    await ctx.execute(statusStream(own.id), status, decide, { step: 'mentions' });
  }
  return waiting;
}

const handleOf = (uri: string): string => uri.replace(/^acct:/, '');
