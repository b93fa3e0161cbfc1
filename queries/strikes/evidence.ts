import type { RequestContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { parseJson } from '#kernel/json-pieces.ts';
import { statement } from '#kernel/read.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { reportedTexts, type ReportedVersion } from '../admin/reports/index.ts';

/** SQL: the columns of a strike `w` that `versionsOf` needs. */
export const REPORTED_VERSIONS = `w.status_ids,
  array(select rs.status_id || ' ' || rs.version_id from report_statuses rs where rs.report_id = w.report_id) as versions`;

export interface NamedStatuses {
  /** A JSON list of ids. */
  status_ids: string;
  /** `<status> <version>` of all posts that the report names. */
  versions: string[];
}

/** Returns the posts that a strike names, in the versions that were reported. */
export function versionsOf({ status_ids, versions }: NamedStatuses): ReportedVersion[] {
  const versionOf = new Map(versions.map((each) => each.split(' ') as [status: string, version: string]));
  return (JSON.parse(status_ids) as string[]).map((status_id) => ({
    status_id,
    version_id: versionOf.get(status_id) ?? status_id,
  }));
}

const OWN = statement<NamedStatuses>(
  'strike_statuses',
  `select ${REPORTED_VERSIONS} from account_warnings w where w.id = $2 and w.account_id = $1`,
);

/** Returns the known posts of the viewer that a strike names, deleted or not. */
export async function strikeStatuses(ctx: RequestContext, strikeId: Id): Promise<Status[]> {
  const [row] = await ctx.db.query(OWN, [ctx.viewer?.account_id ?? null, strikeId]);
  const versions = row ? versionsOf(row) : [];
  const textOf = await reportedTexts(ctx, versions);
  return versions.map(textOf).flatMap((text) => (text === undefined ? [] : [parseJson(text) as Status]));
}
