import { LRUCache } from 'lru-cache';
import type { Db } from '#kernel/read.ts';
import { EMPTY_DIGEST, followersDigests } from '#queries/federation/index.ts';
import { placesOf, synchronizationOf } from '../documents/actor.ts';

/** The header of FEP-8fcf with the sender's followers on the server of the inbox. */
export const SYNCHRONIZATION_HEADER = 'collection-synchronization';

/** Milliseconds for which the deliveries of one activity share what was read. */
const SHARED_FOR = 30_000;

/**
 * Tells other servers the followers of an account on them, so that they can correct differences:
 * https://codeberg.org/fediverse/fep/src/branch/main/fep/8fcf/fep-8fcf.md
 */
export class FollowersSynchronization {
  readonly #db: Db;
  readonly #digests = new LRUCache<string, ReturnType<typeof followersDigests>>({
    max: 100,
    ttl: SHARED_FOR,
  });

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns the headers of a delivery of an activity; none for an account with too many followers. */
  async headers(
    sender: { id: string; uri: string },
    { inbox, activity_id: activityId }: { inbox: string; activity_id: string },
  ): Promise<Record<string, string>> {
    const digests = await this.#digestsOf(sender.id, activityId);
    if (!digests) return {};
    const digest = digests.get(new URL(inbox).origin) ?? EMPTY_DIGEST;
    const { followers } = placesOf(sender.uri);
    const url = synchronizationOf(sender.uri);
    return { [SYNCHRONIZATION_HEADER]: `collectionId="${followers}", digest="${digest}", url="${url}"` };
  }

  #digestsOf(accountId: string, activityId: string): ReturnType<typeof followersDigests> {
    const known = this.#digests.get(activityId);
    if (known) return known;
    const read = followersDigests(this.#db, accountId);
    this.#digests.set(activityId, read);
    read.catch(() => this.#digests.delete(activityId));
    return read;
  }
}
