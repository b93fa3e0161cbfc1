import {
  AccountBlocked,
  AccountEndorsed,
  AccountMuted,
  AccountNoteSet,
  AccountUnblocked,
  AccountUnendorsed,
  AccountUnmuted,
} from '#events/relationships.ts';
import { type BoundHandler, newestOfAccount, on } from '#kernel/projection.ts';
import { bigint, boolean, table, text, timestamptz, together } from '#kernel/table/index.ts';
import { keys, PAIR, PAIR_KEY } from './pairs.ts';

const BLOCKS = table('blocks', { ...PAIR, id: bigint }, PAIR_KEY);
const ENDORSEMENTS = table('endorsements', { ...PAIR, id: bigint }, PAIR_KEY);
/** A row whose `expires_at` has passed does not apply: reads compare it with now(). */
const MUTES = table(
  'mutes',
  { ...PAIR, id: bigint, notifications: boolean, expires_at: timestamptz.orNull },
  PAIR_KEY,
);
const NOTES = table('account_notes', { ...PAIR, comment: text }, PAIR_KEY);

export const MARKS = [BLOCKS, ENDORSEMENTS, MUTES, NOTES] as const;

/** Listed by their owner, newest first; blocks, mutes and notes are also looked up by their target. */
export const markIndexes = [
  ...['blocks', 'endorsements', 'mutes'].flatMap(newestOfAccount),
  ...['blocks', 'mutes', 'account_notes'].map(
    (name) => `create index ${name}_of_target on ${name} (target_account_id, account_id)`,
  ),
];

/** Blocks, mutes, endorsements and notes, one row each. */
export const markHandlers: BoundHandler[] = [
  on(AccountBlocked, { keys, apply: BLOCKS.insert().each(({ data }) => data) }),
  on(AccountUnblocked, { keys, apply: BLOCKS.remove().each(({ data }) => data) }),
  on(AccountEndorsed, { keys, apply: ENDORSEMENTS.insert().each(({ data }) => data) }),
  on(AccountUnendorsed, { keys, apply: ENDORSEMENTS.remove().each(({ data }) => data) }),
  on(AccountMuted, { keys, apply: MUTES.put().each(({ data }) => data) }),
  on(AccountUnmuted, { keys, apply: MUTES.remove().each(({ data }) => data) }),
  on(AccountNoteSet, {
    keys,
    apply: together(
      NOTES.remove().each(({ data }) => (data.comment === '' ? [data] : [])),
      NOTES.put().each(({ data }) => (data.comment === '' ? [] : [data])),
    ),
  }),
];
