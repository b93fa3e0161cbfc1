import type { StatusData, StatusEvent } from '#events/statuses.ts';
import type { MentionedAccount } from '#queries/statuses/index.ts';
import { type ContentFacts, contentHtml, type Status } from '../statuses/index.ts';

/** A post that waits for mentioned accounts. */
export type WaitingPost = Pick<StatusData, 'id' | 'account_id' | 'text' | 'quote'> & {
  uris: readonly string[];
};

/** A mentioned account, and its URI in the post. */
export interface Resolution {
  uri: string;
  mention: MentionedAccount;
}

/** Adds accounts to the mentions of a remote post that still waits for them. Pure. */
export function decideResolve(
  state: Status,
  own: Pick<WaitingPost, 'id' | 'account_id'>,
  resolutions: readonly Resolution[],
): StatusEvent[] {
  if (state.state !== 'visible' || state.data.local) return [];
  const data = resolved(state.data, own, resolutions);
  return data ? [{ type: 'MentionsResolved', data }] : [];
}

/**
 * Adds accounts to the mentions of a local post that still waits for them, and links them in its text. An edit
 * of the text meanwhile has a job of its own. Pure.
 */
export function decideResolveOwn(
  state: Status,
  own: Pick<WaitingPost, 'id' | 'account_id' | 'text'>,
  resolutions: readonly Resolution[],
  facts: Pick<ContentFacts, 'origin' | 'mentioned' | 'quotedUrl'>,
): StatusEvent[] {
  if (state.state !== 'visible' || !state.data.local || state.data.text !== own.text) return [];
  const data = resolved(state.data, own, resolutions);
  if (!data) return [];
  const addressed = new Set([...state.data.mentions, ...data.mentions].map(({ id }) => id));
  const mentioned = new Map([...facts.mentioned].filter(([, { id }]) => addressed.has(id)));
  const content = contentHtml(own.text ?? '', { ...facts, mentioned });
  return [{ type: 'MentionsResolved', data: { ...data, content } }];
}

function resolved(
  { account_id, mentions: before, unresolved_mentions: awaited = [] }: StatusData,
  own: Pick<WaitingPost, 'id' | 'account_id'>,
  resolutions: readonly Resolution[],
) {
  if (account_id !== own.account_id) return undefined;
  const taken = resolutions.filter(({ uri }) => awaited.includes(uri));
  if (taken.length === 0) return undefined;
  const added = new Map(taken.map(({ mention }) => [mention.id, mention]));
  for (const { id: known } of before) added.delete(known);
  const uris = taken.map(({ uri }) => uri);
  return { id: own.id, account_id, uris, mentions: [...added.values()] };
}
