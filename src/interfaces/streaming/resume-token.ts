import type { ResumeToken } from './feed.ts';

/** Returns a place as the `id` of a server-sent event; usually the position in the log. */
export const resumeTokenText = ({ after, within }: ResumeToken): string =>
  within ? `${after}-${within.position}-${within.messages}` : String(after);

/** Parses a client's `Last-Event-ID`; undefined for other text. */
export function readResumeToken(text: string): ResumeToken | undefined {
  const [, after, position, messages] = /^([0-9]{1,19})(?:-([0-9]{1,19})-([0-9]{1,6}))?$/.exec(text) ?? [];
  if (after === undefined) return undefined;
  if (position === undefined) return { after: BigInt(after) };
  return { after: BigInt(after), within: { position: BigInt(position), messages: Number(messages) } };
}
