import { BlockList, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { IP_BLOCKS_CHANNEL } from '../../src/events/ip-blocks.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import type { Notifications } from '../../src/postgres/notifications.ts';

/** After a failure, in milliseconds. */
const RETRY_AFTER = 1_000;
/** About 10 MB; whoever blocks more ranges one by one should tell the firewall. */
const MAX_RANGES = 50_000;
const SHUT_OUT = statement(
  'ip_blocks_shut_out',
  `select text(ip) as ip from ip_blocks where severity = 'no_access' order by created_at desc limit ${MAX_RANGES}`,
);

/**
 * Who is shut out, in the memory of this process: asked with every request, so without a query. Read anew when the projection
 * announces a change, in whichever process it runs. A block that expires is lifted by a timer, which is such a change.
 */
export class ShutOut {
  readonly #db: Db;
  #ranges: BlockList | undefined;
  /** A look into the list goes through all ranges. */
  readonly #known = new LRUCache<string, boolean>({ max: 10_000 });
  #loading: Promise<void> | undefined;
  #stale = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Reads the blocks and follows their changes. The read model must be there. */
  async listen(notifications: Notifications): Promise<void> {
    await notifications.subscribe({
      channel: IP_BLOCKS_CHANNEL,
      onNotification: () => this.#refreshSoon(),
      onConnected: () => this.#refreshSoon(),
    });
    await this.#loading;
  }

  /** False where nobody is shut out: then there is no need to know who asks. */
  get any(): boolean {
    return this.#ranges !== undefined;
  }

  /** Whether an address, in canonical form, may not have access at all. */
  has(address: string): boolean {
    if (!this.#ranges) return false;
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const found = this.#ranges.check(address, familyOf(address));
    this.#known.set(address, found);
    return found;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#loading;
  }

  /** What changes while the blocks are being read makes them be read once more. */
  #refreshSoon(): void {
    this.#stale = true;
    this.#loading ??= this.#refresh().finally(() => (this.#loading = undefined));
  }

  async #refresh(): Promise<void> {
    while (this.#stale && !this.#closed) {
      this.#stale = false;
      try {
        this.#fill(await this.#db.query<{ ip: string }>(SHUT_OUT));
      } catch {
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.#refreshSoon(), RETRY_AFTER).unref();
        return;
      }
    }
  }

  #fill(rows: readonly { ip: string }[]): void {
    const ranges = new BlockList();
    for (const { ip } of rows) {
      const [address = '', bits] = ip.split('/');
      ranges.addSubnet(address, Number(bits), familyOf(address));
    }
    this.#ranges = rows.length === 0 ? undefined : ranges;
    this.#known.clear();
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
