import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { statement } from '#kernel/read.ts';
import { members } from '#mastodon/ready-json.ts';
import { reportNoteSchema } from '#mastodon/schemas/index.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '#queries/entities/account.ts';
import { fillOrigins, readyArray } from '#queries/entities/ready-json.ts';

const NOTE = `select n.id, n.content, n.created_at, ${ACCOUNT_COLUMNS}
  from report_notes n join accounts a on a.id = n.account_id ${ACCOUNT_STATS}`;
const ONE = statement<NoteRow>('report_note', `${NOTE} where n.id = $1`);
/** All staff members see all notes ($1 is the viewer). */
const PAGE = keysetStatement<NoteRow>(
  'report_notes',
  (order) => `
    ${NOTE} where $1::bigint is not null and n.id < $2 and n.id > $3 and n.report_id = $5
    order by n.id ${order} limit $4`,
);
const REPORT = statement('report_exists', 'select from reports where id = $1');

interface NoteRow extends AccountRow {
  id: string;
  content: string;
  created_at: string;
}

const noteJson = (row: NoteRow): string => {
  const { id, content, created_at } = row;
  return `{${members({ id, content, created_at })},"account":${accountJson(row)}}`;
};

/**
 * Notes about a report, newest first. Mastodon shows them on web pages only, so the path is Rookery's own.
 */
export const listReportNotes = endpoint({
  method: 'GET',
  path: '/api/v1/admin/reports/:id/notes',
  summary: 'View what staff noted about a report',
  auth: 'user',
  scopes: ['admin:read:reports'],
  permission: 'manage_reports',
  params: idParams,
  query: z.object(pageParameters(40, 80)),
  reply: z.array(reportNoteSchema),
  handler: async (ctx, { params: { id: reportId }, query }) => {
    const [report] = await ctx.db.query(REPORT, [reportId]);
    if (!report) throw notFound();
    const { rows, page } = await readPage(ctx, PAGE, query, ({ id }) => id, [reportId]);
    return { text: readyArray(rows.map(noteJson), ctx.instance), page };
  },
});

/** Returns a note as JSON. @throws RookeryError `not_found` */
export async function reportNote({ db, instance }: UserContext, noteId: Id): Promise<string> {
  const [row] = await db.query(ONE, [noteId]);
  if (!row) throw notFound();
  return fillOrigins(noteJson(row), instance);
}
