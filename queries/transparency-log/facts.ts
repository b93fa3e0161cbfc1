import type { AuditEntry, ShownFact } from '#mastodon/schemas/index.ts';

/** A proven event, as its hashed form has it. */
export interface ProvenEvent {
  position: string;
  type: string;
  data: Readonly<Record<string, unknown>>;
  metadata: Readonly<Record<string, unknown>>;
}

/** Parses the hashed form of an event, which `leafOf` writes. */
export function provenEvent(leaf: string): ProvenEvent {
  const { position, type, data, metadata } = JSON.parse(leaf) as Record<keyof ProvenEvent, string>;
  return {
    position,
    type,
    data: JSON.parse(data) as ProvenEvent['data'],
    metadata: JSON.parse(metadata) as ProvenEvent['metadata'],
  };
}

/** Events with the words of staff or users, which the log has as ciphertext in one member. */
const WORDED = new Set([
  'AccountWarned',
  'AppealFiled',
  'AppealApproved',
  'AppealRejected',
  'ReportNoteAdded',
]);

/**
 * Returns what an entry shows, and which of the proven events contains it. The first of `events` is that of the entry.
 */
export function factsOf(entry: AuditEntry, events: readonly [ProvenEvent, ...ProvenEvent[]]): ShownFact[] {
  const [own] = events;
  const { actor, application, targets, text, changes } = entry;
  const by = own.metadata['actor'] as { account_id?: string; role?: string } | undefined;
  const inOwn = (fact: ShownFact['fact'], value: string | null | undefined, proven: unknown): ShownFact[] =>
    value == null ? [] : [shown(fact, value, value === proven ? own.position : null)];
  const named = targets.filter(({ name }) => name !== null);
  return [
    shown('action', entry.action, own.position),
    ...inOwn('time', entry.created_at, own.metadata['time']),
    ...inOwn('actor', actor.account?.id, by?.account_id),
    ...inOwn('role', actor.role, by?.role),
    ...inOwn('app', application?.id, own.metadata['application_id']),
    ...targets.flatMap(({ type, id }) =>
      id === null
        ? []
        : [
            shown(
              'target',
              `${type} ${id}`,
              positionOf(events, (data) => contains(data, id)),
            ),
          ],
    ),
    ...(text === null ? [] : [textFact('text', positionOf(events, isWorded))]),
    ...events.filter(({ type }) => type === 'StrikeMailed').map(({ position }) => textFact('mail', position)),
    ...changes.filter(({ before }) => before !== null).map(({ field }) => shown('value_before', field, null)),
    ...(actor.account ? [shown('name_of_actor', actor.account.acct ?? '', null)] : []),
    ...(application?.name == null ? [] : [shown('name_of_app', application.name, null)]),
    ...named.map(({ name }) => shown('name_of_target', name ?? '', null)),
  ];
}

const shown = (fact: ShownFact['fact'], value: string, position: string | null): ShownFact => ({
  fact,
  value,
  position,
  sealed: false,
});

const textFact = (fact: 'text' | 'mail', position: string | null): ShownFact => ({
  ...shown(fact, '', position),
  sealed: position !== null,
});

const positionOf = (
  events: readonly ProvenEvent[],
  proves: (data: unknown, type: string) => boolean,
): string | null => events.find(({ data, type }) => proves(data, type))?.position ?? null;

const isWorded = (_data: unknown, type: string): boolean => WORDED.has(type);

const contains = (value: unknown, id: string): boolean =>
  value === id ||
  (typeof value === 'object' && value !== null && Object.values(value).some((each) => contains(each, id)));
