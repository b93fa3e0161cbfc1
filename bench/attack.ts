import type { Pair } from './pairs.ts';
import type { Seeded } from './seed.ts';
import type { Site } from './site.ts';

/** The milliseconds of all others, in pairs. */
export interface HostileRow {
  name: string;
  pairs: Pair[];
  /** The p99 of the same pairs, where `pairs` has a p95. */
  p99?: Pair[];
  /** The largest ratio that is allowed, where it is not the usual one. */
  target?: number;
}

export interface HostileSite {
  site: Site;
  seeded: Seeded;
  tokenOf: (accountId: string) => Promise<string>;
  /** An account that no steady user has, and its token. */
  attacker: { id: string; username: string; token: string };
}

export type Victims = 'requests of users' | 'mentions of another server' | 'small pictures of users';

/** One address, host, token or account that wants all of the server. */
export interface Attack {
  name: string;
  /** The traffic that is measured beside it: requests of local users unless another is named. */
  victims?: Victims;
  /** Runs once, before anything is measured. */
  prepare?: (target: HostileSite, rounds: number) => Promise<void>;
  /** Attacks until the signal, and returns soon after it. A refusal by the server is no reason to stop, or to throw. */
  run: (target: HostileSite, signal: AbortSignal) => Promise<void>;
  /** Work that the attack is compared with, instead of none. */
  quiet?: Attack['run'];
  /** Ends what `run` leaves behind, before the next half of a pair. */
  settle?: (target: HostileSite) => Promise<void>;
  /** Closes what `prepare` opened. */
  finish?: (target: HostileSite) => Promise<void>;
}
