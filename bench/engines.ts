import type { Seeded } from './seed.ts';
import type { Site } from './site.ts';

/** The events that the double of EventStoreDB has stored and sent so far. */
export interface Traffic {
  /** Events of this program in the log. */
  stored: number;
  sentToSubscriptions: number;
  sentToReads: number;
}

/** A seeded server with its log in one of the engines. */
export interface Engine {
  name: string;
  site: Site;
  seeded: Seeded;
  /** Tokens of posting authors. */
  tokens: string[];
  /** Asks the double of EventStoreDB; undefined with another log. */
  traffic?: (() => Promise<Traffic>) | undefined;
}

/** Two servers that differ in the engine of the log. */
export interface Engines {
  postgres: Engine;
  eventStoreDb: Engine;
}

export interface EnginesPlan {
  /** Pairs of measurements. */
  rounds: number;
  timing: { connections: number; warmupSeconds: number; seconds: number };
  profileDir: string | undefined;
  say: (line: string) => void;
}
