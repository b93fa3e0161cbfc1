import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command } from 'commander';
import {
  beginImport,
  failuresOf,
  IMPORT_JOB,
  isOtherKind,
  recordDataExport,
} from '#commands/imports/index.ts';
import { writeArchive } from '#interfaces/account-archive/archive.ts';
import { RookeryError } from '#kernel/errors.ts';
import { makeFolder } from '#kernel/files.ts';
import type { Id } from '#kernel/ids.ts';
import { pause } from '#kernel/pause.ts';
import type { Import } from '#kernel/services/imports.ts';
import {
  archiveName,
  EXPORT_TYPES,
  EXPORTS,
  type ExportType,
  IMPORT_TYPES,
  type ImportType,
  MAX_IMPORT_BYTES,
} from '#mastodon/portability.ts';
import { exportFile } from '#queries/exports/index.ts';
import { accountNamed } from './account-named.ts';
import { username } from './arguments.ts';
import { ask } from './ask.ts';
import { asOperator, type Operator, project } from './operator.ts';
import { confirm, printResult, printRow } from './output.ts';
import { countProgress, showProgress } from './progress.ts';

const WHAT = [...EXPORT_TYPES, 'archive', 'all'] as const;

/** `rookery accounts export` and `import`: the data that users take along. */
export function addPortability(accounts: Command): void {
  accounts
    .command('export')
    .description('Write what an account has, in the form that Mastodon reads and writes, into a folder')
    .addArgument(username())
    .addArgument(new Argument('[what]', 'all unless given').choices(WHAT).default('all'))
    .requiredOption('--to <folder>', 'where the files go; those of the same name are replaced')
    .action((name: string, what: (typeof WHAT)[number], { to }: { to: string }) =>
      asOperator((operator) => exportData(operator, name, what, to)),
    );
  accounts
    .command('import')
    .description('Import a CSV file for an account, such as another server exports it')
    .addArgument(username())
    .addArgument(new Argument('<type>', 'what is in the file').choices(IMPORT_TYPES))
    .argument('<file>', 'at most 5 MB and 20,000 rows')
    .option('--overwrite', 'take away what the account has and the file does not')
    .option('--yes', 'the type is right, even if the file seems to contain something else')
    .action((name: string, type: ImportType, file: string, options: ImportOptions) =>
      asOperator((operator) => importData(operator, { name, type, file }, options)),
    );
}

async function exportData(
  operator: Operator,
  username: string,
  what: (typeof WHAT)[number],
  folder: string,
): Promise<void> {
  const { ctx, catchUp } = operator;
  await catchUp();
  const accountId = await accountNamed(operator, username);
  const files = what === 'all' ? EXPORT_TYPES : what === 'archive' ? [] : [what];
  const archive = what === 'all' || what === 'archive';
  // The folder comes first: the audit log must not record an export that fails here.
  await makeFolder(folder);
  await recordDataExport(ctx, {
    account_id: accountId,
    what: [...files, ...(archive ? (['archive'] as const) : [])],
  });
  await catchUp();
  for (const type of files) {
    printRow({ file: EXPORTS[type], rows: await writeFileOf(operator, accountId, type, folder) });
  }
  if (archive) await writeArchiveOf(operator, accountId, folder);
}

/** @returns the number of rows */
async function writeFileOf(
  { ctx }: Operator,
  accountId: Id,
  type: ExportType,
  folder: string,
): Promise<number> {
  const path = join(folder, EXPORTS[type]);
  let rows = 0;
  async function* text(): AsyncGenerator<string> {
    for await (const page of exportFile(ctx, accountId, type)) {
      rows += page.rows;
      yield page.text;
    }
  }
  await pipeline(text(), createWriteStream(`${path}.part`, { mode: 0o600 }));
  await rename(`${path}.part`, path);
  return rows;
}

/** Writes the archive, and prints its name and contents. */
async function writeArchiveOf({ ctx }: Operator, accountId: Id, folder: string): Promise<void> {
  const file = archiveName(new Date(), randomBytes(16).toString('hex'));
  const progress = countProgress('Wrote', 'posts and files');
  const counts = await writeArchive({
    ctx,
    accountId,
    path: join(folder, file),
    onProgress: progress.update,
  }).finally(progress.stop);
  const { posts, likes, bookmarks, files, missing } = counts;
  if (missing > 0) process.stderr.write(`${missing} files are not in the media store\n`);
  const contents = `${posts} posts, ${likes} likes, ${bookmarks} bookmarks, ${files} files`;
  printResult(`${file}\t${contents}`, { file, posts, likes, bookmarks, files, missing });
}

interface ImportOptions {
  overwrite?: true;
  yes?: true;
}

async function importData(
  operator: Operator,
  { name, type, file: path }: { name: string; type: ImportType; file: string },
  { overwrite = false, yes = false }: { overwrite?: boolean; yes?: boolean },
): Promise<void> {
  const { app, ctx, catchUp } = operator;
  if ((await stat(path)).size > MAX_IMPORT_BYTES)
    throw new RookeryError('invalid', `${path} is larger than 5 MB`);
  const file = await readFile(path);
  await catchUp();
  const account_id = await accountNamed(operator, name);
  // After an interruption, the server continues.
  await app.startJobsOf(IMPORT_JOB);
  const input = { account_id, type, overwrite, file, fileName: basename(path), byOperator: true };
  const id = await beginImport(ctx, { ...input, isCertain: yes }).catch(async (error: unknown) => {
    await mustBeCertain(error);
    return beginImport(ctx, { ...input, isCertain: true });
  });
  const ended = await untilDone(operator, id);
  for await (const { line, list, value, reason } of failuresOf(ctx.services.imports, id)) {
    process.stderr.write(`line ${line}: ${list === null ? '' : `${list}: `}${value}: ${reason}\n`);
  }
  confirm(`Imported ${ended.done}, failed ${ended.failed}`, { done: ended.done, failed: ended.failed });
  if (ended.failed > 0) process.exitCode = 1;
}

/** @throws the refusal unless it is about the type, and the user at the terminal insists on the type */
async function mustBeCertain(refusal: unknown): Promise<void> {
  if (!isOtherKind(refusal)) throw refusal;
  const answer = await ask(`${refusal.message}. Import it as that? [y/N] `);
  if (answer === undefined)
    throw new RookeryError('invalid', `${refusal.message}: say --yes if you are certain`);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new RookeryError('invalid', 'Nothing was imported');
}

/** Milliseconds between checks of an import's progress. */
const LOOK_EVERY = 250;

/** Runs the projector meanwhile, unless a server does. */
async function untilDone({ app, ctx }: Operator, id: Id): Promise<Import> {
  const progress = showProgress('Import', 'rows');
  let ended: Import | undefined;
  const look = async (): Promise<boolean> => {
    const found = await ctx.services.imports.find(id);
    if (!found)
      throw new RookeryError('gone', 'The import is gone: the account was erased, or many came after it');
    const position = found.done + found.failed;
    if (position > 0 && position < found.total) {
      progress.update({ position: BigInt(position), head: BigInt(found.total), events: position });
    }
    ended = found.finished_at === null ? undefined : found;
    if (!ended) await pause(LOOK_EVERY);
    return ended !== undefined;
  };
  const failure = await project(app, look).finally(progress.stop);
  if (failure || !ended)
    throw new Error(`The read model ${failure?.projection} is halted: ${failure?.error}`);
  return ended;
}
