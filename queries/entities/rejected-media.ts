import { ORIGIN, parseReady, printReady, urlBelow } from '../../src/mastodon/ready-json.ts';

const NO_AVATAR = urlBelow(ORIGIN, '/avatars/original/missing.png');
const NO_HEADER = urlBelow(ORIGIN, '/headers/original/missing.png');
const NO_PICTURES = `,"emojis":[],"avatar":${NO_AVATAR},"avatar_static":${NO_AVATAR},"header":${NO_HEADER},"header_static":${NO_HEADER}`;

/**
 * The ready JSON of an account whose domain's media are rejected. Emojis and pictures stand last in it (`projections/accounts/body.ts`), and
 * nothing that people write can look like the member: quotes within texts are escaped.
 */
export const withoutPictures = (body: string): string =>
  `${body.slice(0, body.lastIndexOf(',"emojis":'))}${NO_PICTURES}`;

/** The attachments stand last in the body of a status (`src/events/status-body.ts`). */
const MEMBER = ',"media_attachments":';

/** The same of a status. */
export function withoutMedia(body: string): string {
  const start = body.lastIndexOf(MEMBER) + MEMBER.length;
  return body.slice(0, start) + refusedMedia(body.slice(start));
}

/**
 * Attachments whose files are not fetched: a reader may open each at its own server. Nothing is known of them but their description.
 */
export function refusedMedia(media: string): string {
  const attachments = parseReady(media) as { meta: { focus?: unknown } | null }[];
  return printReady(
    attachments.map((each) => ({
      ...each,
      type: 'unknown',
      meta: each.meta?.focus === undefined ? null : { focus: each.meta.focus },
    })),
  );
}
