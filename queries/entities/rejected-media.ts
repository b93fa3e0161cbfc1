import { ORIGIN, parseReady, printReady, urlBelow } from '#mastodon/ready-json.ts';

const NO_AVATAR = urlBelow(ORIGIN, '/avatars/original/missing.png');
const NO_HEADER = urlBelow(ORIGIN, '/headers/original/missing.png');
const NO_PICTURES = `,"emojis":[],"avatar":${NO_AVATAR},"avatar_static":${NO_AVATAR},"header":${NO_HEADER},"header_static":${NO_HEADER}`;

/**
 * Removes pictures from the ready JSON of an account whose domain's media are rejected. Emojis and pictures
 * come last in it (`projections/accounts/body.ts`). No text of a user can look like the member, because
 * quotes within texts are escaped.
 */
export const withoutPictures = (body: string): string =>
  `${body.slice(0, body.lastIndexOf(',"emojis":'))}${NO_PICTURES}`;

/** The attachments come last in the body of a status (`src/events/status-body.ts`). */
const MEMBER = ',"media_attachments":';

/** Removes media from the ready JSON of a status. */
export function withoutMedia(body: string): string {
  const start = body.lastIndexOf(MEMBER) + MEMBER.length;
  return body.slice(0, start) + refusedMedia(body.slice(start));
}

/**
 * Returns attachments whose files are not fetched. The viewer may open each at its own server. Only their
 * descriptions are known.
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
