import { accountStream } from '#events/accounts.ts';
import { reportStream } from '#events/reports.ts';
import type { RequestContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { parseJson } from '#kernel/json-pieces.ts';
import type { LoggedEvent } from '#kernel/services/event-browser.ts';
import type { EventProof } from '#kernel/services/transparency-log.ts';
import { plainText } from '#mastodon/html.ts';
import type { AuditEntry, CaseEvent, CaseEvidence, CaseFile, Status } from '#mastodon/schemas/index.ts';
import { auditEntryAt } from '../audit/index.ts';
import { reportedTexts, type ReportedVersion } from '../reports/index.ts';
import { caseEvent } from './event.ts';
import { caseFiles } from './files.ts';
import { citedRules } from './rules.ts';

/** The most events of a case: each needs the hashes of a path through the tree. */
const MOST = 50;

type Sources = RequestContext;

/** An event of a case before it is proven. */
interface Found {
  event: LoggedEvent;
  part: CaseEvent['part'];
}

/**
 * Collects everything about the decision of an entry: the events of its command, the report and the appeal with
 * their events, the rules and the posts as they were, each event with its proof. Undefined without such an entry.
 * @param readsReports the reader may see reports; the case leaves them out otherwise, and says so
 */
export async function caseOf(
  ctx: Sources,
  entryId: string,
  { readsReports }: { readsReports: boolean },
): Promise<CaseFile | undefined> {
  const entry = await auditEntryAt(ctx.db, entryId);
  if (!entry) return undefined;
  const decision = await eventsOfDecision(ctx, entry);
  const strike = await strikeEvents(ctx, entry, decision);
  const reportId = reportOf(entry, [...decision, ...strike]);
  const report =
    reportId === undefined || !readsReports ? [] : await eventsOf(ctx, reportStream(reportId), 'report');
  const all = inOrder([...decision, ...strike, ...report]);
  const found = all.slice(0, MOST);
  const versions = readsReports ? versionsIn(all) : [];
  const evidence = await evidenceOf(ctx, versions);
  const proofs = await proofsOf(ctx, found);
  const events = found.map((each) => caseEvent(each, proofs.get(each.event.position)));
  const left_out = [
    ...(all.length > MOST ? [`${all.length - MOST} later events, because a case has at most ${MOST}.`] : []),
    ...(reportId !== undefined && !readsReports
      ? ['The report and the reported posts, because the reader may not see reports.']
      : []),
    ...missing(versions, evidence),
    ...events.flatMap(wordsOfLeftOut),
  ];
  const gathered = {
    entry,
    made_at: ctx.now,
    events,
    evidence,
    left_out,
    key: ctx.services.transparencyLog.verifierKey,
    rules: await citedRules(
      ctx,
      all.map(({ event }) => event),
      BigInt(entry.position),
    ),
  };
  return { ...gathered, files: caseFiles(gathered) };
}

/** Returns the proofs of events by their positions; none before the first checkpoint. */
async function proofsOf(
  { services: { transparencyLog } }: Sources,
  found: readonly Found[],
): Promise<Map<string, EventProof>> {
  try {
    const proofs = await transparencyLog.eventProofs(found.map(({ event }) => BigInt(event.position)));
    return new Map(proofs.map((each) => [each.proof.position, each]));
  } catch (error) {
    if (isRookeryError(error) && error.code === 'not_found') return new Map();
    throw error;
  }
}

async function eventsOfDecision({ services }: Sources, entry: AuditEntry): Promise<Found[]> {
  const { position, command_id, correlation_id } = entry;
  const events = await services.eventBrowser.around(correlation_id, position);
  const own = events.filter(({ metadata }) => metadata.command_id === command_id);
  return own.map((event) => ({ event, part: 'decision' }));
}

/** Returns the events of the strike that the decision made or decided about: itself, its mail and its appeal. */
async function strikeEvents(ctx: Sources, entry: AuditEntry, decision: readonly Found[]): Promise<Found[]> {
  const account = entry.targets.find(({ type }) => type === 'account')?.id;
  const strike = decision.map(({ event }) => strikeIn(event)).find((id) => id !== undefined);
  if (strike === undefined || account == null) return [];
  const found = await eventsOf(ctx, accountStream(account), 'appeal', (event) => strikeIn(event) === strike);
  return found.map(({ event }) => ({ event, part: PARTS[event.type] ?? 'appeal' }));
}

const PARTS: Readonly<Record<string, CaseEvent['part']>> = {
  AccountWarned: 'decision',
  StrikeMailed: 'mail',
};

const strikeIn = ({ type, data }: Pick<LoggedEvent, 'type' | 'data'>): string | undefined =>
  textIn(data, type === 'AccountWarned' ? 'id' : 'strike_id');

function reportOf(entry: AuditEntry, found: readonly Found[]): string | undefined {
  const cited = found.map(({ event }) => textIn(event.data, 'report_id')).find((id) => id !== undefined);
  return cited ?? entry.targets.find(({ type }) => type === 'report')?.id ?? undefined;
}

const textIn = (data: object | null, field: string): string | undefined => {
  const value: unknown = data && Object.entries(data).find(([name]) => name === field)?.[1];
  return typeof value === 'string' ? value : undefined;
};

/** Returns the events of a stream, of which at most `MOST` are read whole. */
async function eventsOf(
  { services }: Sources,
  stream: string,
  part: CaseEvent['part'],
  wanted: (event: Pick<LoggedEvent, 'type' | 'data'>) => boolean = () => true,
): Promise<Found[]> {
  const past = await services.pastEvents.ofStreams([stream]);
  const positions = past
    .filter(({ type, data }) => wanted({ type, data: data as LoggedEvent['data'] }))
    .map(({ position }) => String(position))
    .slice(0, MOST);
  const events = await Promise.all(positions.map((position) => services.eventBrowser.find(position)));
  return events.flatMap((event) => (event ? [{ event, part }] : []));
}

/** Sorts events by position, each once. */
function inOrder(found: readonly Found[]): Found[] {
  const byPosition = new Map(found.toReversed().map((each) => [each.event.position, each]));
  return [...byPosition.values()].sort((one, other) =>
    BigInt(one.event.position) < BigInt(other.event.position) ? -1 : 1,
  );
}

/** Returns the posts that the strike or the report names, in the versions that were reported. */
function versionsIn(found: readonly Found[]): ReportedVersion[] {
  const versions = new Map<string, string>();
  for (const { event } of found) {
    const { statuses = [], status_ids = [] } = (event.data ?? {}) as {
      statuses?: readonly { id: string; version_id: string }[];
      status_ids?: readonly string[];
    };
    if (event.type === 'AccountWarned') {
      for (const id of status_ids) versions.set(id, versions.get(id) ?? id);
    } else if (event.type === 'ReportFiled') {
      for (const { id, version_id } of statuses) versions.set(id, version_id);
    }
  }
  return [...versions].slice(0, MOST).map(([status_id, version_id]) => ({ status_id, version_id }));
}

async function evidenceOf(ctx: Sources, versions: readonly ReportedVersion[]): Promise<CaseEvidence[]> {
  const textOf = await reportedTexts(ctx, versions);
  return versions.map(textOf).flatMap((json) => {
    if (json === undefined) return [];
    const { id, created_at, account, spoiler_text, content, media_attachments } = parseJson(json) as Status;
    const media = media_attachments.map(({ type, description }) => ({
      type,
      description: description ?? null,
    }));
    return [{ id, created_at, acct: account.acct, spoiler_text, text: plainText(content), media }];
  });
}

const missing = (versions: readonly ReportedVersion[], evidence: readonly CaseEvidence[]): string[] => {
  const known = new Set(evidence.map(({ id }) => id));
  return versions
    .filter(({ status_id }) => !known.has(status_id))
    .map(({ status_id }) => `The post ${status_id}: the text was erased with its author or is not kept.`);
};

const wordsOfLeftOut = ({ position, left_out, erased }: CaseEvent): string[] =>
  left_out.length === 0
    ? []
    : [
        `${left_out.join(', ')} of event ${position}: ${
          erased ? 'the account was erased, and the text with it.' : 'personal, and not part of the decision.'
        }`,
      ];
