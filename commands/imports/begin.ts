import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import type { ImportType } from '#mastodon/portability.ts';
import { refuseOtherKind } from './kind.ts';
import { parseImport } from './parse.ts';
import { recordDataImport } from './record.ts';
import { enqueueImport } from './work.ts';

export interface ImportInput {
  account_id: Id;
  type: ImportType;
  /** Removes entries that the file does not name. */
  overwrite: boolean;
  /** The bytes. */
  file: Uint8Array;
  /** The name that the user's file has. */
  fileName?: string | undefined;
  /** The user says that the file is of this type, whatever its columns and its name say. */
  isCertain?: boolean;
  /** The operator imports in the user's name, which is recorded. */
  byOperator?: boolean;
}

/**
 * Begins to import a file for a local account, in the background.
 * @returns the id of the import @throws RookeryError `invalid` for a malformed file, for one that seems to be of
 * another type, and while too many are in progress
 */
export async function beginImport(
  ctx: CommandContext,
  { file, fileName, isCertain = false, byOperator = false, ...input }: ImportInput,
): Promise<Id> {
  const { imports } = ctx.services;
  // A file of 5 MB takes a tenth of a second to parse.
  await imports.assertRoom(input.account_id, { byOperator });
  const id = ctx.newId();
  await imports.inTurn(input.account_id, async () => {
    const { columns, rows, failed } = await parseImport(input.type, file, ctx.instance);
    if (!isCertain) refuseOtherKind(input.type, { columns, fileName });
    if (byOperator) {
      const { account_id, type: what, overwrite } = input;
      await recordDataImport(ctx, { id, account_id, what, overwrite, rows: rows.length });
    }
    await imports.begin({ id, ...input, byOperator }, rows, failed);
  });
  await enqueueImport(ctx, id);
  // An import that a crash interrupted between these two lines continues as well.
  const left = (await imports.of(input.account_id)).filter((other) => other.finished_at === null);
  await Promise.all(left.filter((other) => other.id !== id).map((other) => enqueueImport(ctx, other.id)));
  return id;
}
