import type { RequestContext } from '#kernel/context.ts';
import { type JsonPieces, parseJson } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import type { EDITS } from '#projections/statuses/tables.ts';
import { fillOrigins } from '#queries/entities/ready-json.ts';
import { findReported } from '#queries/statuses/index.ts';

/** Selects old versions of statuses that were edited after they were reported. */
const OLD_VERSIONS = statement<VersionRow>(
  'report_old_versions',
  `select e.status_id, e.edit_id, e.created_at, e.content, e.spoiler_text, e.sensitive, e.media, e.emojis, e.poll
   from unnest((select $1::bigint[]), (select $2::bigint[])) as n (status_id, version_id)
   join status_edits e on e.status_id = n.status_id and e.edit_id = n.version_id
   where exists (select from status_edits later where later.status_id = e.status_id and later.edit_id > e.edit_id)`,
);

type VersionRow = RowOf<typeof EDITS>;

/** A reported status, and the version that was reported. */
export interface ReportedVersion {
  status_id: string;
  version_id: string;
}

const keyOf = (statusId: string, versionId: string): string => `${statusId} ${versionId}`;

/**
 * Returns reported statuses as JSON, by `keyOf`, as they were when they were reported, even deleted ones:
 * later changes by their author do not change what staff see. Poll votes since then count. Uses a constant
 * number of statements.
 */
export async function reportedTexts(
  ctx: RequestContext,
  reported: readonly ReportedVersion[],
): Promise<(each: ReportedVersion) => JsonPieces | undefined> {
  const ids = [...new Set(reported.map(({ status_id }) => status_id))];
  if (ids.length === 0) return () => undefined;
  const pairs = [reported.map(({ status_id }) => status_id), reported.map(({ version_id }) => version_id)];
  const [current, rows] = await Promise.all([findReported(ctx, ids), ctx.db.query(OLD_VERSIONS, pairs)]);
  const texts = new Map(ids.map((id, index) => [id, current[index]]));
  const versions = new Map(rows.map((row) => [keyOf(row.status_id, row.edit_id), row]));
  return ({ status_id, version_id }) => {
    const text = texts.get(status_id);
    const version = versions.get(keyOf(status_id, version_id));
    return text && version ? [asItWas(text, version, ctx)] : text;
  };
}

/** Replaces the parts that an edit can change with those of the version. */
function asItWas(text: JsonPieces, version: VersionRow, { instance }: RequestContext): string {
  const status = parseJson(text) as Status;
  const ready = (json: string | null): unknown => JSON.parse(fillOrigins(json ?? '[]', instance));
  return JSON.stringify({
    ...status,
    content: JSON.parse(version.content) as string,
    spoiler_text: version.spoiler_text,
    sensitive: version.sensitive,
    media_attachments: ready(version.media),
    emojis: ready(version.emojis),
    poll: version.poll === null ? null : status.poll,
    edited_at: version.edit_id === version.status_id ? null : version.created_at,
  });
}
