import { BlockList, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { IP_BLOCKS_CHANNEL } from '#events/ip-blocks.ts';
import type { Notifications } from '#kernel/listening.ts';
import { atMost } from '#kernel/lru.ts';
import { type Db, despite, statement } from '#kernel/read.ts';
import { FollowedRows } from '#storage/postgres/projector/followed-rows.ts';

/** About 10 MB. A firewall is the better place for more ranges. */
const MAX_RANGES = 50_000;
/** A process that starts while the read model is halted refuses the addresses that were shut out then. */
const SHUT_OUT = despite(
  ['ip-blocks'],
  statement<{ ip: string }>(
    'ip_blocks_shut_out',
    `select text(ip) as ip from ip_blocks where severity = 'no_access' order by created_at desc limit ${MAX_RANGES}`,
  ),
);

/**
 * The addresses without access, in the memory of this process, because every request checks them. They are
 * read again when the projection announces a change, in any process. A timer lifts an expired block, which is
 * such a change.
 */
export class IpAccessBlockCache {
  readonly #rows: FollowedRows;
  #ranges: BlockList | undefined;
  /** A lookup in the list visits all ranges. */
  readonly #known = new LRUCache<string, boolean>(atMost(10_000));
  readonly #listeners: (() => void)[] = [];

  constructor(db: Db) {
    this.#rows = new FollowedRows(async () => this.#fill(await db.query(SHUT_OUT)));
  }

  /** Reads the blocks and follows their changes. The read model must exist. */
  listen(notifications: Notifications): Promise<void> {
    return this.#rows.listen(notifications, IP_BLOCKS_CHANNEL);
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  /** Returns false without blocks: the address is then irrelevant. */
  get any(): boolean {
    return this.#ranges !== undefined;
  }

  /** Tells whether an address, in canonical form, has no access. */
  has(address: string): boolean {
    if (!this.#ranges) return false;
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const found = this.#ranges.check(address, familyOf(address));
    this.#known.set(address, found);
    return found;
  }

  /** Calls back whenever the blocks were read again. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #fill(rows: readonly { ip: string }[]): void {
    const ranges = new BlockList();
    for (const { ip } of rows) {
      const [address = '', bits] = ip.split('/');
      ranges.addSubnet(address, Number(bits), familyOf(address));
    }
    this.#ranges = rows.length === 0 ? undefined : ranges;
    this.#known.clear();
    for (const listener of this.#listeners) listener();
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
