import {
  dataExportStream,
  dataImportStream,
  type DataExportedEvent,
  type DataImportedEvent,
} from '../../src/events/portability.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Decider } from '../../src/kernel/decider.ts';

/** Stream `data-export-<id>`: whether it is recorded. */
const exported: Decider<boolean, DataExportedEvent> = { initialState: false, evolve: () => true };
/** Stream `data-import-<id>`: whether it is recorded. */
const imported: Decider<boolean, DataImportedEvent> = { initialState: false, evolve: () => true };

/** Records that the operator exports a user's data, before the export. */
export async function recordDataExport(
  ctx: CommandContext,
  input: Omit<DataExportedEvent['data'], 'id'>,
): Promise<void> {
  const event: DataExportedEvent = { type: 'AccountDataExported', data: { id: ctx.newId(), ...input } };
  await ctx.execute(dataExportStream(event.data.id), exported, () => [event], { isNew: true });
}

/**
 * Records that the operator imports a file for a user, before the import. Its effects are recorded by the
 * import.
 */
export async function recordDataImport(ctx: CommandContext, data: DataImportedEvent['data']): Promise<void> {
  const event: DataImportedEvent = { type: 'AccountDataImported', data };
  await ctx.execute(dataImportStream(data.id), imported, () => [event], { isNew: true });
}
