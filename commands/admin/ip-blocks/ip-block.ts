import type { IpBlockEvent, IpRules } from '#events/ip-blocks.ts';
import type { Decider } from '#kernel/decider.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

/** Stream `ip-block-<digest>`: the block of a range; null without one. */
export type IpBlock = (IpRules & { id: Id; key_id?: Id | undefined }) | null;

export const ipBlock: Decider<IpBlock, IpBlockEvent> = {
  initialState: null,
  evolve(state, { type, data }) {
    switch (type) {
      case 'IpBlocked':
        return data;
      case 'IpBlockChanged':
        return state && Object.assign({}, state, data);
      case 'IpUnblocked':
        return null;
    }
  },
};

/**
 * Decides a new block; nothing for a repeat of the same one. Pure.
 * @throws RookeryError `invalid` when another block has the range
 */
export function decideBlock(
  state: IpBlock,
  block: IpRules & { id: Id; key_id: Id; digest: string; ip: string },
): IpBlockEvent[] {
  if (state?.id === block.id) return [];
  if (state !== null) {
    throw invalid('Validation failed: Ip has already been taken', {
      ip: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
    });
  }
  return [{ type: 'IpBlocked', data: block }];
}

/** Decides only differences. Pure. @throws RookeryError `not_found` */
export function decideChange(state: IpBlock, digest: string, changes: Partial<IpRules>): IpBlockEvent[] {
  if (state === null) throw notFound();
  const changed = Object.entries(changes).filter(([name, value]) => state[name as keyof IpRules] !== value);
  if (changed.length === 0) return [];
  return [{ type: 'IpBlockChanged', data: { ...named(state, digest), ...Object.fromEntries(changed) } }];
}

/** Pure. @throws RookeryError `not_found` */
export function decideUnblock(state: IpBlock, digest: string): IpBlockEvent[] {
  if (state === null) throw notFound();
  return [{ type: 'IpUnblocked', data: named(state, digest) }];
}

const named = ({ id, key_id }: NonNullable<IpBlock>, digest: string) => ({
  id,
  digest,
  ...(key_id === undefined ? {} : { key_id }),
});
