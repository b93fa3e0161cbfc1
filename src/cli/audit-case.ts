import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { recordExport } from '#commands/admin/audit/index.ts';
import { zipOf } from '#interfaces/web/page/zip.ts';
import { RookeryError } from '#kernel/errors.ts';
import { caseOf } from '#queries/admin/audit-case/index.ts';
import { parseId } from './arguments.ts';
import { asOperator, type Operator } from './operator.ts';

/** Adds `rookery audit case`: everything about one decision, with proofs, as one file. */
export function addCase(audit: Command): void {
  audit
    .command('case')
    .description(
      'Write everything about one decision to standard output, as a ZIP archive with proofs and programs that verify them',
    )
    .argument('<id>', 'the entry of the audit log', parseId)
    .action((id: string) => asOperator((operator) => writeCase(operator, id)));
}

async function writeCase({ app, ctx, catchUp }: Operator, id: string): Promise<void> {
  await catchUp();
  // Events without a checkpoint have no proof.
  await app.transparencyLog.record();
  const found = await caseOf(ctx, id, { readsReports: true });
  if (!found) throw new RookeryError('not_found', `The audit log has no entry ${id}`);
  await recordExport(ctx, { format: 'zip', filter: { id } });
  await catchUp();
  await pipeline(Readable.from([zipOf(found.files)]), process.stdout, { end: false });
}
