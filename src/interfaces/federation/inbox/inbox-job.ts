import type { JsonObject } from '#kernel/event.ts';

/** The name of the background jobs in which versions before the inbox queue kept activities. */
export const INBOX_JOB = 'federation-inbox';

/**
 * An accepted activity that waits to be processed.
 * `signed`: signed or proven by its actor. `forwarded`: signed by another actor, so its content is not trusted.
 * `relayed`: signed by a relay. `proven`: signed by a relay, and proven by its actor, so its content is trusted.
 * `unproven`: the deletion of an actor whose key is no longer available.
 */
export interface InboxJob {
  kind: 'signed' | 'forwarded' | 'relayed' | 'proven' | 'unproven';
  /** The body as text, because Postgres cannot store every JSON value. */
  text: string;
  actor: string;
  /** The host of the relay or forwarder that sent it, which replaces the host of the actor in the queue. */
  via?: string;
  /** The command id: equal for repeats of one request. */
  command: string;
  /** The URIs of the actor's collections; null for none. */
  followers: string | null;
  featured: string | null;
  /** The name of an unknown actor in its document. */
  username?: string | null;
}

/** Reads an inbox job from the data of a background job. Returns undefined if the data is malformed. */
export function inboxJobIn({
  kind,
  text,
  actor,
  command,
  followers,
  featured,
}: JsonObject): InboxJob | undefined {
  if (kind !== 'signed' && kind !== 'forwarded' && kind !== 'unproven') return undefined;
  if (typeof text !== 'string' || typeof actor !== 'string' || typeof command !== 'string') return undefined;
  const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const collections = { followers: textOrNull(followers), featured: textOrNull(featured) };
  return { kind, text, actor, command, ...collections };
}
