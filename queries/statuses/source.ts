import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import { plainText } from '#mastodon/html.ts';
import { statusSourceSchema } from '#mastodon/schemas/index.ts';
import type { STATUSES } from '#projections/statuses/tables.ts';
import { meantFor } from './page.ts';
import { ofShownStatus } from './shown.ts';

const SOURCE = statement<SourceRow>(
  'status_source',
  `select s.id, s.text, s.content, s.spoiler_text from statuses s where s.id = ${meantFor('$2')}`,
);

/** The text is null for a remote post, whose source is unknown. */
type SourceRow = Pick<RowOf<typeof STATUSES>, 'id' | 'text' | 'content' | 'spoiler_text'>;

/** https://docs.joinmastodon.org/methods/statuses/#source: for every viewer of the post, as in Mastodon. */
export const showSource = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/source',
  summary: 'View the source of a status, to edit it',
  auth: 'app',
  scopes: ['read:statuses'],
  ...ofShownStatus,
  reply: statusSourceSchema,
  handler: async (ctx, { params }) => {
    const [row] = await ctx.db.query(SOURCE, [params.id, ctx.viewer?.account_id ?? null]);
    if (!row) throw notFound();
    const { id, text, content, spoiler_text } = row;
    return { json: { id, text: text ?? plainText(JSON.parse(content) as string), spoiler_text } };
  },
});
