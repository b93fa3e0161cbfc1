import type { LoggedEvent } from '#kernel/services/event-browser.ts';
import type { EventProof } from '#kernel/services/transparency-log.ts';
import type { CaseEvent } from '#mastodon/schemas/index.ts';

/** Events whose personal texts are the decision and its grounds. */
const GROUNDS = new Set([
  ...['AccountWarned', 'StrikeMailed', 'ReportFiled', 'ReportNoteAdded'],
  ...['AppealFiled', 'AppealApproved', 'AppealRejected'],
]);

/** Returns an event of a case with its proof; undefined before a checkpoint covers the event. */
export function caseEvent(
  { event, part }: { event: LoggedEvent; part: CaseEvent['part'] },
  proof: EventProof | undefined,
): CaseEvent {
  const { position, type, metadata, personal } = event;
  const { actor } = metadata;
  const shown = GROUNDS.has(type) && personal?.erased !== true && personal?.damaged !== true;
  const left_out = shown ? [] : (personal?.fields ?? []);
  const data = event.data && Object.entries(event.data).filter(([name]) => !left_out.includes(name));
  return {
    position,
    type,
    time: metadata.time,
    part,
    actor: actor ? { id: actor.account_id, role: actor.role ?? null } : null,
    data: data && Object.fromEntries(data),
    left_out: [...left_out],
    erased: personal?.erased === true,
    leaf: proof?.leaf ?? null,
    proof: proof ? tlogProof(proof) : null,
  };
}

/** Returns a proof in the form of https://c2sp.org/tlog-proof */
export const tlogProof = ({ proof: { leaf_index, hashes, checkpoint } }: Pick<EventProof, 'proof'>): string =>
  `${['c2sp.org/tlog-proof@v1', `index ${leaf_index}`, ...hashes].join('\n')}\n\n${checkpoint}`;
