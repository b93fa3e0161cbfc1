import { type EventDefinition, type EventMetadata, OPERATOR, type RecordedEvent } from '#kernel/event.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import type { AuditAction } from '#mastodon/audit-log.ts';
import { differences, type Fields, losses, short } from './changes.ts';
import { type AuditDetails, keepStates, readStates, writeEntries } from './entries.ts';

/** Turns events of one type into entries of the audit. */
export interface AuditRule<Data> {
  action: AuditAction;
  /** Events with the same key stay in order, and share the stored state. */
  key: (data: Data) => string;
  /** `describe` needs the state that earlier events stored. */
  compares?: boolean;
  /**
   * Selects events: users do some of these things themselves, without an entry. The default is all events.
   */
  when?: (metadata: EventMetadata, data: Data) => boolean;
  /** `before` is null without a stored state. */
  describe: (data: Data, before: Fields | null) => AuditDetails;
}

/**
 * Writes the entries of a type of event, in few statements for a run of them, and in none for events without
 * an entry.
 */
export const audited = <Type extends string, Data>(
  definition: EventDefinition<Type, Data>,
  { action, key, compares = false, when = () => true, describe }: AuditRule<Data>,
): BoundHandler =>
  on<Type, Data>(definition, {
    keys: ({ data }) => [key(data)],
    apply: async (events, db) => {
      const keys = events.map(({ data }) => key(data));
      const states = compares ? await readStates(keys, db) : NOTHING;
      const details = events.map(({ data }, index) => describe(data, states.get(keys[index] ?? '') ?? null));
      await keepStates(
        details.map(({ state }, index) => [keys[index] ?? '', state]),
        db,
      );
      const entries = events.flatMap((event: RecordedEvent<Type, Data>, index) => {
        const each = details[index];
        return each && when(event.metadata, event.data) ? [{ event, action, details: each }] : [];
      });
      await writeEntries(entries, db);
    },
  });

const NOTHING: ReadonlyMap<string, Fields> = new Map();

/** Stores the state that later events are compared with, without an entry. */
export const remembered = <Type extends string, Data>(
  definition: EventDefinition<Type, Data>,
  key: (data: Data) => string,
  state: (data: Data) => Fields,
): BoundHandler =>
  on<Type, Data>(definition, {
    keys: ({ data }) => [key(data)],
    apply: (events, db) =>
      keepStates(
        events.map(({ data }) => [key(data), state(data)]),
        db,
      ),
  });

/** Describes a creation. */
export const made = (fields: Fields): Pick<AuditDetails, 'changes' | 'state'> => ({
  changes: differences(null, fields),
  state: short(fields),
});

/** Describes a change of some fields; `defaults` are their values before anything was stored. */
export const altered = (
  before: Fields | null,
  fields: Fields,
  defaults: Fields = {},
): Pick<AuditDetails, 'changes' | 'state'> => ({
  changes: differences({ ...defaults, ...before }, fields),
  state: { ...before, ...short(fields) },
});

/** Describes a deletion. */
export const lost = (before: Fields | null): Pick<AuditDetails, 'changes' | 'state'> => ({
  changes: losses(before),
  state: null,
});

/** Selects events by anyone but the owner of the account. */
export const byOthers = (
  { actor, rule, remote }: EventMetadata,
  { account_id }: { account_id: string },
): boolean => (actor ? actor.account_id !== account_id : rule !== undefined && remote === undefined);

/** Returns true if the operator acted, or another user than the account's owner. */
export const byStaff = ({ actor, rule }: EventMetadata, { account_id }: { account_id: string }): boolean =>
  actor ? actor.account_id !== account_id : rule === OPERATOR;
