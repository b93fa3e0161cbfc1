import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Config } from '#config/config.ts';
import type { Keys } from '#config/keys.ts';
import type { Contexts } from './contexts.ts';
import type { Stores, StoresOptions } from './stores.ts';

/** The parts on which all others are built. */
export interface Foundation extends Pick<StoresOptions, 'closing'> {
  config: Config;
  keys: Keys;
  logger: Logger;
  /** Absolute. */
  dataDir: string;
  stores: Stores;
  redis: Redis | undefined;
  /** No other process serves, projects or reacts. */
  alone: boolean;
  contexts: Contexts;
}
