import type { JsonObject } from '../../../kernel/event.ts';

/** The name under which activities of other servers are carried out. Versions before the inbox queue kept them as jobs of this name. */
export const INBOX_JOB = 'federation-inbox';

/**
 * An activity that was taken, as it is kept until it is carried out.
 * `signed`: by its actor. `forwarded`: by another one, so that nothing in it is believed. `relayed`: by a relay. `unproven`: an actor that ends itself, whose
 * key cannot be had any more.
 */
export interface InboxJob {
  kind: 'signed' | 'forwarded' | 'relayed' | 'unproven';
  /** The body: a text, since Postgres cannot hold all JSON. */
  text: string;
  actor: string;
  /** The host of the relay that sent it, which it waits for; absent where its actor's own is meant. */
  via?: string;
  /** The same for the same request. */
  command: string;
  /** The URIs of the actor's collections; null for none. */
  followers: string | null;
  featured: string | null;
}

/** A letter from the data of a job; undefined for anything else. */
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
