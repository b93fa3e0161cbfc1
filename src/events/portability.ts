import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { EXPORT_TYPES, IMPORT_TYPES } from '#mastodon/portability.ts';
import { id } from './common.ts';

/** One export of an account by the operator. */
export const dataExportStream = (exportId: string): string => `data-export-${exportId}`;

/** The operator exported the data of an account. */
export const AccountDataExported = defineEvent({
  type: 'AccountDataExported',
  version: 1,
  schema: z.object({
    id,
    account_id: id,
    what: z.array(z.enum([...EXPORT_TYPES, 'archive'])).max(EXPORT_TYPES.length + 1),
  }),
  samples: {
    1: {
      id: '115500000000000041',
      account_id: '115500000000000001',
      what: ['following', 'blocks', 'archive'],
    },
  },
});

/** One file that the operator imports into an account. */
export const dataImportStream = (importId: string): string => `data-import-${importId}`;

/** The operator began to import a file into an account; `rows` counts its rows. */
export const AccountDataImported = defineEvent({
  type: 'AccountDataImported',
  version: 1,
  schema: z.object({
    id,
    account_id: id,
    what: z.enum(IMPORT_TYPES),
    overwrite: z.boolean(),
    rows: z.int().min(0),
  }),
  samples: {
    1: {
      id: '115500000000000042',
      account_id: '115500000000000001',
      what: 'following',
      overwrite: false,
      rows: 240,
    },
  },
});

export const portabilityEvents = [AccountDataExported, AccountDataImported];
export type DataExportedEvent = EventOf<typeof AccountDataExported>;
export type DataImportedEvent = EventOf<typeof AccountDataImported>;
