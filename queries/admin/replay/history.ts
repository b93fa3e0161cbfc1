import { accountStream } from '#events/accounts.ts';
import { domainBlockStream } from '#events/admin-domain-blocks.ts';
import { domainAllowStream } from '#events/domain-allows.ts';
import { emailDomainBlockStream } from '#events/email-domain-blocks.ts';
import { INSTANCE_STREAM } from '#events/instance.ts';
import { reportStream } from '#events/reports.ts';
import { statusStream } from '#events/statuses.ts';
import { recommendationStream } from '#events/suggestions.ts';
import type { RequestContext } from '#kernel/context.ts';
import { isId } from '#kernel/ids.ts';
import { statement } from '#kernel/read.ts';
import { canonicalDomain, withParents } from '#mastodon/domain-name.ts';
import type { Subject } from './view.ts';
import type { Past } from './world.ts';

/** The most reports and posts beside a subject; the newest ones. */
const MAX_RELATED = 200;
/** A subject leads to its reports, these to their posts, and an account to the rules for its server. */
const ROUNDS = 3;

/** The reports about an account, or those of them that name one of its posts. */
const REPORTS = statement<{ id: string }>(
  'replay_reports',
  `select r.id::text as id from reports r where r.target_account_id = $1
     and ($2::bigint is null or exists (
       select from report_statuses s where s.report_id = r.id and s.status_id = $2 offset 0))
   order by r.id desc limit $3`,
);

/** The events of a subject and of everything related to it, in the order of the log. */
export interface History {
  events: readonly Past[];
  /** Older reports and posts that were left out. */
  leftOut: number;
}

/** Returns the streams of a subject itself; undefined for an id that is none. */
export function streamsOf({ kind, id }: Subject): string[] | undefined {
  if (kind === 'rule' || kind === 'setting') return [INSTANCE_STREAM];
  if (kind === 'domain') {
    if (canonicalDomain(id) !== id) return undefined;
    return [domainBlockStream(id), domainAllowStream(id), emailDomainBlockStream(id)];
  }
  if (!isId(id)) return undefined;
  if (kind === 'account') return [accountStream(id), recommendationStream(id)];
  return [kind === 'status' ? statusStream(id) : reportStream(id)];
}

/** Reads the history of a subject: its own streams, and those that they lead to. */
export async function historyOf(
  { db, services }: Pick<RequestContext, 'db' | 'services'>,
  subject: Subject,
): Promise<History> {
  const read = new Set<string>();
  const events: Past[] = [];
  const related = new Set<string>();
  let wanted = streamsOf(subject) ?? [];
  for (let round = 0; round <= ROUNDS && wanted.length > 0; round += 1) {
    // The streams have no other types of events.
    const found = (await services.pastEvents.ofStreams(wanted)) as unknown as Past[];
    events.push(...found);
    for (const stream of wanted) read.add(stream);
    const reports = round === 0 ? await reportsAbout(db, subject, found) : [];
    for (const stream of [...reports, ...found.flatMap((event) => leadsTo(event, subject))])
      related.add(stream);
    wanted = newestOf([...related]).filter((stream) => !read.has(stream));
  }
  events.sort((one, other) => (one.position < other.position ? -1 : 1));
  return { events, leftOut: Math.max(0, related.size - newestOf([...related]).length) };
}

/** Returns the streams of the reports about an account or a post, the newest ones. */
async function reportsAbout(
  db: RequestContext['db'],
  { kind, id }: Subject,
  found: readonly Past[],
): Promise<string[]> {
  if (kind !== 'account' && kind !== 'status') return [];
  const account = kind === 'account' ? id : authorIn(found);
  if (account === undefined) return [];
  const values = [account, kind === 'status' ? id : null, MAX_RELATED];
  const rows = await db.query(REPORTS, values);
  return rows.map((row) => reportStream(row.id));
}

const authorIn = (events: readonly Past[]): string | undefined =>
  events.map((event) => ('account_id' in event.data ? event.data.account_id : undefined)).find(Boolean) ??
  undefined;

/** Returns the streams that an event leads to, for this subject. */
function leadsTo(event: Past, { kind, id }: Subject): string[] {
  switch (event.type) {
    case 'AccountCreated': {
      const { domain } = event.data;
      return domain === null ? [] : withParents(domain).map(domainBlockStream);
    }
    case 'ReportFiled': {
      const { target_account_id, statuses } = event.data;
      const posts = statuses.map((each) => statusStream(each.id));
      return kind === 'status' ? [] : [accountStream(target_account_id), ...posts];
    }
    case 'AccountWarned':
      return kind === 'account' ? event.data.status_ids.map(statusStream) : [];
    case 'StatusCreated':
    case 'ReplyRequested':
      return event.data.id === id || kind === 'report' ? [accountStream(event.data.account_id)] : [];
    default:
      return [];
  }
}

/** Keeps all accounts and domains, and the newest reports and posts. */
function newestOf(streams: readonly string[]): string[] {
  const isMany = (stream: string): boolean => /^(?:report|status)-/.test(stream);
  const many = streams.filter(isMany).sort((one, other) => (numberOf(one) > numberOf(other) ? -1 : 1));
  return [...streams.filter((stream) => !isMany(stream)), ...many.slice(0, MAX_RELATED)];
}

const numberOf = (stream: string): bigint => BigInt(stream.slice(stream.indexOf('-') + 1));
