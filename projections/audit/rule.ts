import type { AuditAction } from '../../src/mastodon/audit-log.ts';
import {
  OPERATOR,
  type EventDefinition,
  type EventMetadata,
  type RecordedEvent,
} from '../../src/kernel/event.ts';
import { on, type BoundHandler } from '../../src/kernel/projection.ts';
import { differences, losses, short, type Fields } from './changes.ts';
import { keepStates, readStates, writeEntries, type AuditDetails } from './entries.ts';

/** How events of one type become lines of the audit. */
export interface AuditRule<Data> {
  action: AuditAction;
  /** Events with the same key stay in order, and share the kept state. */
  key: (data: Data) => string;
  /** Whether `tell` is given what was kept of the thing by earlier events. */
  compares?: boolean;
  /** Selects events: users do some of these things themselves, without an entry. All events unless given. */
  when?: (metadata: EventMetadata, data: Data) => boolean;
  /** `before` is null for a thing of which nothing is kept. */
  describe: (data: Data, before: Fields | null) => AuditDetails;
}

/** Writes the lines of a type of event. Few statements for a run of them, none for events that have no line. */
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

/** Keeps what later events are compared with, without a line. */
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

/** Something came about. */
export const made = (fields: Fields): Pick<AuditDetails, 'changes' | 'state'> => ({
  changes: differences(null, fields),
  state: short(fields),
});

/** Some fields of it changed; `defaults` is what they are as long as nothing was kept. */
export const altered = (
  before: Fields | null,
  fields: Fields,
  defaults: Fields = {},
): Pick<AuditDetails, 'changes' | 'state'> => ({
  changes: differences({ ...defaults, ...before }, fields),
  state: { ...before, ...short(fields) },
});

/** It is gone. */
export const lost = (before: Fields | null): Pick<AuditDetails, 'changes' | 'state'> => ({
  changes: losses(before),
  state: null,
});

/** Not by the person whose account it is. */
export const byOthers = (
  { actor, rule, remote }: EventMetadata,
  { account_id }: { account_id: string },
): boolean => (actor ? actor.account_id !== account_id : rule !== undefined && remote === undefined);

/** Tells whether the operator acted, or another user than the account's owner. */
export const byStaff = ({ actor, rule }: EventMetadata, { account_id }: { account_id: string }): boolean =>
  actor ? actor.account_id !== account_id : rule === OPERATOR;
