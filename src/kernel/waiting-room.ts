export interface RoomLimits {
  /** Requests under way. */
  inAll: number;
  /** Requests to hosts that were slow before, which may begin. */
  slow: number;
  /** Slow requests that stay when others need room. */
  kept: number;
  perHost: number;
  /** Milliseconds after which a request counts as slow. */
  slowAfter: number;
  /** Bytes of replies that are held in memory. */
  bytes: number;
}

/** With the connections that are kept open for later, 512 sockets in all. */
const LIMITS: RoomLimits = {
  inAll: 448,
  slow: 256,
  kept: 128,
  perHost: 8,
  slowAfter: 1_000,
  bytes: 64 * 1_048_576,
};

/** The number of slow hosts that are remembered. */
const MAX_SLOW_HOSTS = 10_000;

/** A request had to leave, because others need its room. */
export class CrowdedOut extends Error {
  constructor() {
    super('Others need the room of this request');
    this.name = 'CrowdedOut';
  }
}

/**
 * The requests to other servers that are under way, a bounded number in all and for each host. A request without a reply
 * after a second is slow, and so is its host, until it answers sooner. A host that is not known as slow always finds room
 * within that second, because the slow request that has waited longest leaves for it.
 */
export class WaitingRoom {
  readonly #limits: RoomLimits;
  readonly #ofHost = new Map<string, number>();
  /** The one that became slow longest ago comes first. */
  readonly #slowHosts = new Set<string>();
  /** In the order in which they became slow. */
  readonly #slow = new Set<Stay>();
  /** Requests that wait for room, by host. */
  readonly #turns = new Map<string, Set<() => void>>();
  #size = 0;
  #bytes = 0;

  constructor(limits: Partial<RoomLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** The number of requests that find room at once, to hosts that are not known as slow. */
  get free(): number {
    return this.#limits.inAll - this.#size + Math.max(0, this.#slow.size - this.#limits.kept);
  }

  /** The number of requests that find room at once, to hosts that were slow before. */
  get freeForSlow(): number {
    const { inAll, slow } = this.#limits;
    return Math.max(0, Math.min(inAll - this.#size, slow - this.#slow.size));
  }

  /** The number of requests under way. */
  get size(): number {
    return this.#size;
  }

  /** The number of slow ones among them. */
  get slow(): number {
    return this.#slow.size;
  }

  sizeOf(host: string): number {
    return this.#ofHost.get(host) ?? 0;
  }

  /** Resolves when there is room. Rejects with the reason of the signal when it aborts first. */
  async enter(host: string, signal: AbortSignal): Promise<Stay> {
    signal.throwIfAborted();
    return this.#admits(host) ? this.#begin(host) : this.#turn(host, signal);
  }

  /** Called by a stay that becomes slow. */
  turnSlow(stay: Stay): void {
    this.#slow.add(stay);
    this.#rememberSlow(stay.host);
    this.#admitNext();
  }

  /** Called by a stay whose reply grows. */
  hold(stay: Stay, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#limits.bytes) return;
    const [largest = stay] = [...this.#slow].sort((one, other) => other.bytes - one.bytes);
    (largest.bytes > 0 ? largest : stay).crowdOut();
  }

  /** Called by a stay once, at its end. */
  end(stay: Stay, isQuick: boolean): void {
    this.#slow.delete(stay);
    this.#size -= 1;
    this.#bytes -= stay.bytes;
    const left = this.sizeOf(stay.host) - 1;
    if (left > 0) this.#ofHost.set(stay.host, left);
    else this.#ofHost.delete(stay.host);
    if (isQuick) this.#slowHosts.delete(stay.host);
    this.#admitNext();
  }

  #rememberSlow(host: string): void {
    this.#slowHosts.delete(host);
    this.#slowHosts.add(host);
    if (this.#slowHosts.size <= MAX_SLOW_HOSTS) return;
    const [oldest = host] = this.#slowHosts;
    this.#slowHosts.delete(oldest);
  }

  #admits(host: string): boolean {
    if (this.sizeOf(host) >= this.#limits.perHost) return false;
    return (this.#slowHosts.has(host) ? this.freeForSlow : this.free) > 0;
  }

  #begin(host: string): Stay {
    const isSlow = this.#slowHosts.has(host);
    this.#size += 1;
    this.#ofHost.set(host, this.sizeOf(host) + 1);
    const stay = new Stay(this, host, { slowAfter: this.#limits.slowAfter, isSlow });
    if (isSlow) this.#slow.add(stay);
    else if (this.#size > this.#limits.inAll) this.#longestWaiting()?.crowdOut();
    return stay;
  }

  /** Prefers a request without any reply to one whose reply arrives slowly. */
  #longestWaiting(): Stay | undefined {
    for (const stay of this.#slow) if (!stay.isHeard) return stay;
    for (const stay of this.#slow) return stay;
    return undefined;
  }

  #turn(host: string, signal: AbortSignal): Promise<Stay> {
    return new Promise((resolve, reject) => {
      const turns = this.#turns.get(host) ?? new Set();
      this.#turns.set(host, turns);
      const drop = (): void => {
        this.#forget(host, turns, begin);
        reject(signal.reason as Error);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', drop);
        this.#forget(host, turns, begin);
        resolve(this.#begin(host));
      };
      turns.add(begin);
      signal.addEventListener('abort', drop, { once: true });
    });
  }

  /** Hosts take turns. */
  #admitNext(): void {
    if (this.#turns.size === 0) return;
    for (const [host, turns] of [...this.#turns]) {
      if (this.free <= 0 && this.freeForSlow <= 0) return;
      const [begin] = turns;
      if (!begin || !this.#admits(host)) continue;
      begin();
      if (!this.#turns.delete(host)) continue;
      this.#turns.set(host, turns);
    }
  }

  #forget(host: string, turns: Set<() => void>, begin: () => void): void {
    turns.delete(begin);
    if (turns.size === 0) this.#turns.delete(host);
  }
}

/** One request that is under way. */
export class Stay {
  readonly host: string;
  /** Aborts when the request has to leave. */
  readonly signal: AbortSignal;
  /** The bytes of its reply in memory. */
  bytes = 0;
  /** A part of the reply has come. */
  isHeard = false;
  readonly #room: WaitingRoom;
  readonly #leaving = new AbortController();
  readonly #since = performance.now();
  readonly #slowAfter: number;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    room: WaitingRoom,
    host: string,
    { slowAfter, isSlow }: { slowAfter: number; isSlow: boolean },
  ) {
    this.#room = room;
    this.host = host;
    this.#slowAfter = slowAfter;
    this.signal = this.#leaving.signal;
    // A reply that came while this process was busy is read before the second counts as over.
    if (!isSlow) this.#timer = setTimeout(() => setImmediate(() => this.#turnSlow()), slowAfter);
  }

  /** Counts bytes of the reply that are kept in memory. */
  took(bytes: number): void {
    this.isHeard = true;
    if (this.#isOver) return;
    this.bytes += bytes;
    this.#room.hold(this, bytes);
  }

  /** Ends the request. May be called again. */
  leave(): void {
    this.#end(this.isHeard && performance.now() - this.#since < this.#slowAfter);
  }

  /** Ends the request because others need its room. */
  crowdOut(): void {
    this.#end(false);
    this.#leaving.abort(new CrowdedOut());
  }

  #turnSlow(): void {
    if (!this.#isOver) this.#room.turnSlow(this);
  }

  #end(isQuick: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#room.end(this, isQuick);
  }
}
