import { LRUCache } from 'lru-cache';
import { KeyedSemaphore } from '#kernel/concurrency.ts';
import { atMost } from '#kernel/lru.ts';
import { busy } from './busy.ts';

/** The origin of a delivery. */
export interface SenderAddress {
  /** One client: an IPv4 address, or an IPv6 /64. */
  network: string;
  /** The largest range of one customer: an IPv4 address, or an IPv6 /48. */
  site: string;
  /** Whether rejected deliveries count: false if the server has no rate limits for this address. */
  isLimited: boolean;
}

interface Shares {
  inAll: number;
  perNetwork: number;
  perSite: number;
}

/**
 * Deliveries that are read and verified concurrently. Each holds its body. A network gets at most a quarter.
 */
const STRANGERS: Shares = { inAll: 32, perNetwork: 8, perSite: 16 };
const KNOWN: Shares = { inAll: 64, perNetwork: 16, perSite: 32 };
/** Deliveries that wait for a key of another server, with at most 8 kB of body. Servers of keys may hang. */
const ASKING: Shares = { inAll: 512, perNetwork: 12, perSite: 24 };
/** The same for deliveries with larger bodies, which are in memory meanwhile. */
const HOLDING: Shares = { ...ASKING, inAll: 64 };

const MINUTE = 60_000;
/** Rejected deliveries of one sender. Beyond this number all are rejected until the window ends. */
const REFUSED = { most: 300, within: 5 * MINUTE };
/** How long a sender counts as known after its last valid signature. */
const KNOWN_FOR = 24 * 60 * MINUTE;

/** Slots, counted by network and by site. */
class SharedPlaces {
  readonly #byNetwork: KeyedSemaphore;
  readonly #bySite: KeyedSemaphore;

  constructor({ inAll, perNetwork, perSite }: Shares) {
    this.#byNetwork = new KeyedSemaphore({ inAll, perKey: perNetwork });
    this.#bySite = new KeyedSemaphore({ inAll, perKey: perSite });
  }

  /**
   * Takes a slot and returns a function that frees it, to be called once. @throws RookeryError
   * `too_many_requests`
   */
  take({ network, site }: SenderAddress): () => void {
    const leaveNetwork = this.#byNetwork.tryAcquire(network);
    const leaveSite = leaveNetwork && this.#bySite.tryAcquire(site);
    if (leaveNetwork && leaveSite) {
      return () => {
        leaveSite();
        leaveNetwork();
      };
    }
    leaveNetwork?.();
    throw busy();
  }
}

/**
 * Admits deliveries to the inbox so that no sender locks the others out. A sender is known when a signature
 * of its host was valid from its network. Known senders have slots of their own, and only their own
 * rejections count against them.
 */
export class Admission {
  readonly #strangers = new SharedPlaces(STRANGERS);
  readonly #known = new SharedPlaces(KNOWN);
  readonly #asking = new SharedPlaces(ASKING);
  readonly #holding = new SharedPlaces(HOLDING);
  readonly #senders = new LRUCache<string, true>({ ...atMost(10_000), ttl: KNOWN_FOR });
  readonly #refused = new LRUCache<string, number>({
    ...atMost(10_000),
    ttl: REFUSED.within,
    noUpdateTTL: true,
  });

  /**
   * Starts a delivery by the host that the sender claims to be. @throws RookeryError `too_many_requests`
   * after too many rejections
   */
  visit(from: SenderAddress, host: string): InboxRequest {
    const sender = `${from.network} ${host}`;
    const isKnown = this.#senders.has(sender);
    const counted = isKnown ? sender : from.network;
    const refused = this.#refused.get(counted) ?? 0;
    if (refused >= REFUSED.most) throw busy();
    return new InboxRequest({
      enter: () => (isKnown ? this.#known : this.#strangers).take(from),
      ask: (isLarge) => (isLarge ? this.#holding : this.#asking).take(from),
      proven: () => void this.#senders.set(sender, true),
      refused: () => {
        if (from.isLimited) this.#refused.set(counted, (this.#refused.get(counted) ?? 0) + 1);
      },
    });
  }
}

interface Desk {
  enter: () => () => void;
  ask: (isLarge: boolean) => () => void;
  proven: () => void;
  refused: () => void;
}

/** One delivery. It has a slot between `enter` and `leave`, except while another server is asked. */
export class InboxRequest {
  readonly #desk: Desk;
  #leave: (() => void) | undefined;
  #isLarge = false;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Throws RookeryError `too_many_requests`. */
  enter(): void {
    this.#leave ??= this.#desk.enter();
  }

  /** Records that a body of more than 8 kB is in memory. */
  holdsLargeBody(): void {
    this.#isLarge = true;
  }

  leave(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  /**
   * Releases the slot while another server is asked, and takes one again. @throws RookeryError
   * `too_many_requests`
   */
  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    const hadPlace = this.#leave !== undefined;
    this.leave();
    const done = this.#desk.ask(this.#isLarge);
    try {
      return await ask();
    } finally {
      done();
      if (hadPlace) this.enter();
    }
  }

  /** Records that a signature of the sender's host was valid. */
  proven(): void {
    this.#desk.proven();
  }

  /** Counts a rejected delivery. */
  refused(): void {
    this.#desk.refused();
  }
}
