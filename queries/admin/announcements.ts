import { z } from 'zod';
import type { AnnouncementContent } from '#events/announcements.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type AdminAnnouncement, adminAnnouncementSchema } from '#mastodon/schemas/index.ts';

const COLUMNS = 'n.id, n.content, n.published_at';
const PAGE = keysetStatement<Row>(
  'admin_announcements',
  (order) => `
    select ${COLUMNS} from announcements n
    where $1::bigint is not null and n.id < $2 and n.id > $3 order by n.id ${order} limit $4`,
);
const ONE = statement<Row>('admin_announcement', `select ${COLUMNS} from announcements n where n.id = $1`);

interface Row {
  id: Id;
  content: AnnouncementContent;
  published_at: string | null;
}

const entity = ({ id, content, published_at }: Row): AdminAnnouncement => ({
  id,
  text: content.text,
  content: content.content,
  starts_at: content.starts_at,
  ends_at: content.ends_at,
  all_day: content.all_day,
  // A published one was due.
  scheduled_at: published_at === null ? content.scheduled_at : null,
  published_at,
});

/** Returns one announcement as staff see it. @throws RookeryError `not_found` */
export async function adminAnnouncementOf(db: Db, id: Id): Promise<AdminAnnouncement> {
  const [row] = await db.query(ONE, [id]);
  if (!row) throw notFound();
  return entity(row);
}

const staff = {
  method: 'GET',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'manage_announcements',
} as const;

export const listAdminAnnouncements = endpoint({
  ...staff,
  path: '/api/v1/admin/announcements',
  summary: 'List all announcements, published or not',
  query: z.object(pageParameters(20, 100)),
  reply: z.array(adminAnnouncementSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, PAGE, query, ({ id }) => id);
    return { json: rows.map(entity), page };
  },
});

export const showAdminAnnouncement = endpoint({
  ...staff,
  path: '/api/v1/admin/announcements/:id',
  summary: 'Get a single announcement, published or not',
  params: idParams,
  reply: adminAnnouncementSchema,
  handler: async (ctx, { params: { id } }) => ({ json: await adminAnnouncementOf(ctx.db, id) }),
});

export const adminAnnouncementQueries = [listAdminAnnouncements, showAdminAnnouncement];
