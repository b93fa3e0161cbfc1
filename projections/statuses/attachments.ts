import { describedMedia, type MediaAttachmentData } from '#events/media-attachment.ts';
import type { AttachmentDescribed } from '#events/statuses.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { type Db, statement } from '#kernel/read.ts';
import { parseReady, printReady } from '#mastodon/ready-json.ts';

type Described = RecordedOf<typeof AttachmentDescribed>['data'];

const SELECT = statement(
  'statuses_attachments',
  'select id, body, media from statuses where id = any($1::bigint[]) and media is not null',
);
const UPDATE = statement(
  'statuses_describe_attachments',
  `update statuses s set body = n.body, media = n.media
   from unnest($1::bigint[], $2::text[], $3::text[]) as n (id, body, media) where s.id = n.id`,
);

/** The attachments come last in the body (`src/events/status-body.ts`). */
const MEMBER = ',"media_attachments":';

/** Adds descriptions to the attachments of posts. Each post occurs once. */
export async function describeAttachments(found: readonly Described[], db: Db): Promise<void> {
  const byPost = new Map(found.map((each) => [each.id, each]));
  const rows = await db.query<{ id: string; body: string; media: string }>(SELECT, [[...byPost.keys()]]);
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
  if (changed.length === 0) return;
  await db.query(UPDATE, [
    changed.map(({ id }) => id),
    changed.map(({ body }) => body),
    changed.map(({ media }) => media),
  ]);
}
