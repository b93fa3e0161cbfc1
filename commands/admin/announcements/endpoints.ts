import { z } from 'zod';
import {
  createAnnouncement,
  publishAnnouncement,
  unpublishAnnouncement,
  updateAnnouncement,
} from '#commands/announcements/index.ts';
import { MAX_ANNOUNCEMENT_TEXT } from '#events/announcements.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { formBoolean, idParams } from '#kernel/input.ts';
import { requiredMoment } from '#kernel/moments.ts';
import { adminAnnouncementSchema } from '#mastodon/schemas/index.ts';
import { adminAnnouncementOf } from '#queries/admin/announcements.ts';
import { deleteAdminAnnouncement } from './delete.ts';

const moment = z.string().max(100).nullish();
const input = {
  text: z
    .string()
    .max(2 * MAX_ANNOUNCEMENT_TEXT)
    .nullish()
    .describe(`What it says, in at most ${MAX_ANNOUNCEMENT_TEXT} characters.`),
  starts_at: moment.describe('When the announced event begins; an empty value for none.'),
  ends_at: moment.describe('When it ends: the announcement is taken back then; an empty value for none.'),
  all_day: formBoolean.optional().describe('Whether it begins and ends with whole days (UTC).'),
  scheduled_at: moment.describe('When to publish it by itself; an empty value for no such time.'),
};

/** Mastodon changes announcements on web pages, and has no API for it. */
const staff = { auth: 'user', scopes: ['admin:write'], permission: 'manage_announcements' } as const;

export const createAdminAnnouncement = endpoint({
  ...staff,
  method: 'POST',
  path: '/api/v1/admin/announcements',
  summary: 'Announce something to all users, at once unless it is a draft or has a time',
  body: z.object({
    ...input,
    draft: formBoolean.optional().describe('Whether it is not published yet; false by default.'),
  }),
  requires: ['text'],
  reply: adminAnnouncementSchema,
  handler: async (ctx, { body }) => {
    const none = { starts_at: null, ends_at: null, all_day: false, scheduled_at: null };
    const announcement = { ...none, ...timesOf(body, ctx.now), text: body.text ?? '' };
    const id = await createAnnouncement(ctx, announcement, { draft: body.draft === true });
    return { json: await adminAnnouncementOf(ctx.db, id) };
  },
});

export const updateAdminAnnouncement = endpoint({
  ...staff,
  method: 'PUT',
  path: '/api/v1/admin/announcements/:id',
  summary: 'Change an announcement',
  params: idParams,
  body: z.object(input),
  reply: adminAnnouncementSchema,
  handler: async (ctx, { params: { id }, body }) => {
    const { text } = body;
    await updateAnnouncement(ctx, { id, ...(text == null ? {} : { text }), ...timesOf(body, ctx.now) });
    return { json: await adminAnnouncementOf(ctx.db, id) };
  },
});

type Times = Partial<Record<'starts_at' | 'ends_at' | 'scheduled_at', string | null>>;

/** Returns the given times in the form of events. @throws RookeryError `invalid` for text that is no time */
function timesOf(
  { all_day, ...given }: Omit<z.output<z.ZodObject<typeof input>>, 'text'>,
  now: string,
): Times & { all_day?: boolean } {
  const times: Times = {};
  for (const name of ['starts_at', 'ends_at', 'scheduled_at'] as const) {
    const text = given[name];
    if (text === undefined) continue;
    times[name] = text?.trim() ? requiredMoment(text, { now, refusal: `${LABELS[name]} is no date` }) : null;
  }
  return { ...times, ...(typeof all_day === 'boolean' ? { all_day } : {}) };
}

const LABELS = {
  starts_at: 'The beginning',
  ends_at: 'The end',
  scheduled_at: 'The time to publish it',
} as const;

const ofOne = { ...staff, method: 'POST', params: idParams, reply: adminAnnouncementSchema } as const;
const replyAfter = async (ctx: UserContext, id: string, run: Promise<unknown>): Promise<Reply> => {
  await run;
  return { json: await adminAnnouncementOf(ctx.db, id) };
};

export const publish = endpoint({
  ...ofOne,
  path: '/api/v1/admin/announcements/:id/publish',
  summary: 'Publish an announcement now',
  handler: (ctx, { params: { id } }) => replyAfter(ctx, id, publishAnnouncement(ctx, id)),
});

export const unpublish = endpoint({
  ...ofOne,
  path: '/api/v1/admin/announcements/:id/unpublish',
  summary: 'Take an announcement back, to publish it again or not',
  handler: (ctx, { params: { id } }) => replyAfter(ctx, id, unpublishAnnouncement(ctx, id)),
});

export const adminAnnouncementCommands = [
  createAdminAnnouncement,
  updateAdminAnnouncement,
  publish,
  unpublish,
  deleteAdminAnnouncement,
];
