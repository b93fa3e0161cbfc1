import { describedMedia, type MediaAttachmentData } from '#events/media-attachment.ts';
import type { AttachmentDescribed } from '#events/statuses.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { type Db, statement } from '#kernel/read.ts';
import { parseReady, printReady } from '#mastodon/ready-json.ts';
import { STATUSES } from './tables.ts';

type Described = RecordedOf<typeof AttachmentDescribed>['data'];

const SELECT = statement<{ id: string; body: string; media: string }>(
  'statuses_attachments',
  'select id, body, media from statuses where id = any($1::bigint[]) and media is not null',
);
const UPDATE = STATUSES.set('body', 'media');

/** The attachments come last in the body (`src/events/status-body.ts`). */
const MEMBER = ',"media_attachments":';

/** Adds descriptions to the attachments of posts. Each post occurs once. */
export async function describeAttachments(found: readonly Described[], db: Db): Promise<void> {
  const byPost = new Map(found.map((each) => [each.id, each]));
  const rows = await db.query(SELECT, [[...byPost.keys()]]);
  const changed = rows.flatMap(({ id, body, media }) => {
    const described = byPost.get(id);
    if (!described) return [];
    const attachments = parseReady(media) as Pick<MediaAttachmentData, 'id' | 'type' | 'blurhash' | 'meta'>[];
    const after = printReady(
      attachments.map((each) =>
        each.id === described.attachment_id ? describedMedia(each, described) : each,
      ),
    );
    return [{ id, body: `${body.slice(0, body.lastIndexOf(MEMBER))}${MEMBER}${after}`, media: after }];
  });
  await UPDATE(changed, db);
}
