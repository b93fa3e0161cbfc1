import { ORIGIN, urlBelow } from '../../src/kernel/ready-json.ts';

const NO_AVATAR = urlBelow(ORIGIN, '/avatars/original/missing.png');
const NO_HEADER = urlBelow(ORIGIN, '/headers/original/missing.png');
const NO_PICTURES = `,"emojis":[],"avatar":${NO_AVATAR},"avatar_static":${NO_AVATAR},"header":${NO_HEADER},"header_static":${NO_HEADER}`;

/**
 * The ready JSON of an account whose domain's media are rejected. Emojis and pictures stand last in it (`projections/accounts/body.ts`), and
 * nothing that people write can look like the member: quotes within texts are escaped.
 */
export const withoutPictures = (body: string): string =>
  `${body.slice(0, body.lastIndexOf(',"emojis":'))}${NO_PICTURES}`;

/** The same of a status, where media stand last (`src/events/status-body.ts`). */
export const withoutMedia = (body: string): string =>
  `${body.slice(0, body.lastIndexOf(',"media_attachments":'))},"media_attachments":[]`;
