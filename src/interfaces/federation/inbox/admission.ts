import { LRUCache } from 'lru-cache';
import { atMost } from '../../../kernel/lru.ts';
import { KeyedSemaphore } from '../../../kernel/concurrency.ts';
import { busy } from './busy.ts';

/** Where a delivery comes from. */
export interface SenderAddress {
  /** One client: an IPv4 address, or an IPv6 /64. */
  network: string;
  /** The most that one customer has: an IPv4 address, or an IPv6 /48. */
  site: string;
  /** Refused deliveries count here: false where the server has no rate limits for this address. */
  isLimited: boolean;
}

interface Shares {
  inAll: number;
  perNetwork: number;
  perSite: number;
}

/** Deliveries that are read and checked at once; each holds its body. No network gets more than a quarter. */
const STRANGERS: Shares = { inAll: 32, perNetwork: 8, perSite: 16 };
const KNOWN: Shares = { inAll: 64, perNetwork: 16, perSite: 32 };
/** Deliveries that wait for a key from another server; most have no body yet. */
const ASKING: Shares = { inAll: 64, perNetwork: 12, perSite: 24 };

const MINUTE = 60_000;
/** Refused deliveries of one sender; beyond, none is looked at until the time is over. */
const REFUSED = { most: 300, within: 5 * MINUTE };
/** For so long a sender is known by its last signature that held. */
const KNOWN_FOR = 24 * 60 * MINUTE;

/** Places that are counted by network and by site. */
class SharedPlaces {
  readonly #byNetwork: KeyedSemaphore;
  readonly #bySite: KeyedSemaphore;

  constructor({ inAll, perNetwork, perSite }: Shares) {
    this.#byNetwork = new KeyedSemaphore({ inAll, perKey: perNetwork });
    this.#bySite = new KeyedSemaphore({ inAll, perKey: perSite });
  }

  /** @returns a function that frees the place again, to be called once. @throws RookeryError `too_many_requests` */
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
 * Lets deliveries into the inbox so that no sender keeps the others out. A sender is known once a signature of its host held from its
 * network: known senders have places of their own, and only their own refusals count against them.
 */
export class Admission {
  readonly #strangers = new SharedPlaces(STRANGERS);
  readonly #known = new SharedPlaces(KNOWN);
  readonly #asking = new SharedPlaces(ASKING);
  readonly #senders = new LRUCache<string, true>({ ...atMost(10_000), ttl: KNOWN_FOR });
  readonly #refused = new LRUCache<string, number>({
    ...atMost(10_000),
    ttl: REFUSED.within,
    noUpdateTTL: true,
  });

  /**
   * Begins a visit of a sender, which says of itself that it is of a host.
   * @throws RookeryError `too_many_requests` after too many refusals
   */
  visit(from: SenderAddress, host: string): InboxRequest {
    const sender = `${from.network} ${host}`;
    const isKnown = this.#senders.has(sender);
    const counted = isKnown ? sender : from.network;
    const refused = this.#refused.get(counted) ?? 0;
    if (refused >= REFUSED.most) throw busy();
    return new InboxRequest({
      enter: () => (isKnown ? this.#known : this.#strangers).take(from),
      ask: () => this.#asking.take(from),
      proven: () => void this.#senders.set(sender, true),
      refused: () => {
        if (from.isLimited) this.#refused.set(counted, (this.#refused.get(counted) ?? 0) + 1);
      },
    });
  }
}

interface Desk {
  enter: () => () => void;
  ask: () => () => void;
  proven: () => void;
  refused: () => void;
}

/** One delivery: it has a place between `enter` and `leave`, but not while another server is asked. */
export class InboxRequest {
  readonly #desk: Desk;
  #leave: (() => void) | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** @throws RookeryError `too_many_requests` */
  enter(): void {
    this.#leave ??= this.#desk.enter();
  }

  leave(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  /** Gives the place back while another server is asked, and takes it again. @throws RookeryError `too_many_requests` */
  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    const hadPlace = this.#leave !== undefined;
    this.leave();
    const done = this.#desk.ask();
    try {
      return await ask();
    } finally {
      done();
      if (hadPlace) this.enter();
    }
  }

  /** Notes that a signature of the sender's host held. */
  proven(): void {
    this.#desk.proven();
  }

  /** Counts a delivery that was refused. */
  refused(): void {
    this.#desk.refused();
  }
}
