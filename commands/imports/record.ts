import {
  type DataExportedEvent,
  dataExportStream,
  type DataImportedEvent,
  dataImportStream,
} from '#events/portability.ts';
import type { Decider } from '#kernel/decider.ts';
import { useCase } from '../use-case.ts';

/** Stream `data-export-<id>`: whether it is recorded. */
const exported: Decider<boolean, DataExportedEvent> = { initialState: false, evolve: () => true };
/** Stream `data-import-<id>`: whether it is recorded. */
const imported: Decider<boolean, DataImportedEvent> = { initialState: false, evolve: () => true };

/** Records that the operator exports a user's data, before the export. */
export const recordDataExport = useCase({
  prepare: (ctx, input: Omit<DataExportedEvent['data'], 'id'>) => ({ id: ctx.newId(), ...input }),
  stream: ({ id }) => dataExportStream(id),
  decider: exported,
  decide: (_state, data): DataExportedEvent[] => [{ type: 'AccountDataExported', data }],
  isNew: true,
});

/**
 * Records that the operator imports a file for a user, before the import. Its effects are recorded by the
 * import.
 */
export const recordDataImport = useCase({
  stream: ({ id }: DataImportedEvent['data']) => dataImportStream(id),
  decider: imported,
  decide: (_state, data): DataImportedEvent[] => [{ type: 'AccountDataImported', data }],
  isNew: true,
});
