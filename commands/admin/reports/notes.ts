import { z } from 'zod';
import { type Report, report, requireFiled } from '#commands/reports/index.ts';
import { type ReportEvent, reportStream } from '#events/reports.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { BLANK, FieldProblems, tooLong } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { isLonger } from '#mastodon/characters.ts';
import { reportNoteSchema } from '#mastodon/schemas/index.ts';
import { reportNote } from '#queries/admin/reports/index.ts';

/** Characters, as in Mastodon. */
export const MAX_NOTE = 2_000;

/** Adds a note for other staff. Mastodon has notes only on its web pages, so the path is Rookery's own. */
export const addReportNote = endpoint({
  method: 'POST',
  path: '/api/v1/admin/reports/:id/notes',
  summary: 'Leave a note about a report to other staff',
  auth: 'user',
  scopes: ['admin:write:reports'],
  permission: 'manage_reports',
  params: idParams,
  body: z.object({
    content: z
      .string()
      .max(20_000)
      .nullish()
      .describe(`The text of the note, of at most ${MAX_NOTE} characters.`),
  }),
  requires: ['content'],
  reply: reportNoteSchema,
  handler: async (ctx, { params: { id }, body }) => {
    const note = { note_id: ctx.newId(), account_id: ctx.viewer.account_id, content: body.content ?? '' };
    await ctx.execute(reportStream(id), report, (state) => decideNote(state, note));
    return { text: await reportNote(ctx, note.note_id) };
  },
});

/** Pure. @throws RookeryError `not_found`, `invalid` */
export function decideNote(
  state: Report,
  { note_id, account_id, content }: { note_id: Id; account_id: Id; content: string },
): ReportEvent[] {
  const { id } = requireFiled(state);
  const problems = new FieldProblems();
  if (content.trim() === '') problems.add('content', BLANK);
  if (isLonger(content, MAX_NOTE)) problems.add('content', tooLong(MAX_NOTE));
  problems.throwIfAny();
  return [{ type: 'ReportNoteAdded', data: { id, account_id, note_id, content } }];
}
