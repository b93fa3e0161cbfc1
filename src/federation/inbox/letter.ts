import type { JsonObject } from '../../kernel/event.ts';

/** The name of the jobs that carry out what came. */
export const INBOX_JOB = 'federation-inbox';
/** How many at a time in one process. */
export const INBOX_RUNNING = 8;

/**
 * An activity that was taken, as it is kept until it is carried out.
 * `signed`: by its actor. `forwarded`: by somebody else, so that nothing in it is believed. `unproven`: an actor that ends itself, whose
 * key cannot be had any more.
 */
export interface Letter {
  kind: 'signed' | 'forwarded' | 'unproven';
  /** The body: a text, since Postgres cannot hold all JSON. */
  text: string;
  actor: string;
  /** The same for the same request. */
  command: string;
  /** What the actor calls its collections; null for none. */
  followers: string | null;
  featured: string | null;
  /** How often it was put off. */
  deferred: number;
}

export const letterData = (letter: Letter): JsonObject => ({ ...letter });

/** A letter from the data of its job; undefined for anything else. */
export function letterIn({
  kind,
  text,
  actor,
  command,
  followers,
  featured,
  deferred,
}: JsonObject): Letter | undefined {
  if (kind !== 'signed' && kind !== 'forwarded' && kind !== 'unproven') return undefined;
  if (typeof text !== 'string' || typeof actor !== 'string' || typeof command !== 'string') return undefined;
  const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    kind,
    text,
    actor,
    command,
    followers: textOrNull(followers),
    featured: textOrNull(featured),
    deferred: typeof deferred === 'number' ? deferred : 0,
  };
}
