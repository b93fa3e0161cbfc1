import type { ResumeToken } from './feed.ts';

/** A place as the `id` of a server-sent event; the position of the log, mostly. */
export const resumeTokenText = ({ after, within }: ResumeToken): string =>
  within ? `${after}-${within.position}-${within.messages}` : String(after);

/** What a client sends back as `Last-Event-ID`; undefined for anything that is no place. */
export function readResumeToken(text: string): ResumeToken | undefined {
  const [, after, position, messages] = /^([0-9]{1,19})(?:-([0-9]{1,19})-([0-9]{1,6}))?$/.exec(text) ?? [];
  if (after === undefined) return undefined;
  if (position === undefined) return { after: BigInt(after) };
  return { after: BigInt(after), within: { position: BigInt(position), messages: Number(messages) } };
}
