import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { App } from '#app/app.ts';
import { beginImport } from '#commands/imports/index.ts';
import { pause } from '#kernel/pause.ts';
import type { Import } from '#kernel/services/imports.ts';
import type { ExportType, ImportType } from '#mastodon/portability.ts';
import { exportFile } from '#queries/exports/index.ts';

/** Returns an exported file as one text. */
export const exported = (app: App, accountId: string, type: ExportType): Promise<string> => {
  const pages = exportFile(app, accountId, type);
  return text(Readable.from(textsOf(pages)));
};

async function* textsOf(pages: AsyncIterable<{ text: string }>): AsyncGenerator<string> {
  for await (const page of pages) yield page.text;
}

/** Waits until an import is done. */
export async function finished(app: App, id: string): Promise<Import> {
  for (;;) {
    const found = await app.contextDependencies.services.imports.find(id);
    expect(found, 'the import').not.to.equal(undefined);
    if (found && found.finished_at !== null) return found;
    await pause(50);
  }
}

export interface Failure {
  line: number;
  value: string;
  reason: string;
}

/** Imports a file for an account. Returns how many rows succeeded, and the failures. */
export async function importFor(
  app: App,
  account_id: string,
  type: ImportType,
  content: string,
  overwrite = false,
): Promise<{ done: number; failed: Failure[] }> {
  const file = Buffer.from(content);
  const id = await beginImport(app.systemContext('spec'), { account_id, type, overwrite, file });
  const { done, failed, total } = await finished(app, id);
  expect(done + failed).to.equal(total);
  const rows = await app.contextDependencies.services.imports.failures(id, 0, 1_000);
  expect(rows).to.have.length(failed);
  return { done, failed: rows.map(({ line, value, reason }) => ({ line, value, reason })) };
}
