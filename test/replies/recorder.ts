import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { normalised, type RecordedReply } from './normalised.ts';

const folder = process.env['RECORD_REPLIES'];
const origins = new Set<string>();
const seen = new Set<string>();

/**
 * Writes each distinct reply that this process reads from the server, when RECORD_REPLIES names a folder.
 * Only JSON bodies are kept: pages hold random keys, and streams do not end.
 */
export function recordReplies(origin: string): void {
  if (folder === undefined) return;
  if (origins.size === 0) wrapFetch(join(folder, `${process.pid}.jsonl`));
  origins.add(origin);
}

function wrapFetch(file: string): void {
  mkdirSync(folder ?? '.', { recursive: true });
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    if (!origins.has(url.origin)) return response;
    const type = response.headers.get('content-type') ?? '';
    const reply: RecordedReply = {
      request: `${init?.method ?? 'GET'} ${url.pathname}${url.search}`,
      status: response.status,
      type,
      body: type.includes('json') ? await response.clone().text() : '',
    };
    const key = JSON.stringify(normalised(reply));
    // The file holds the reply as it was, so that the comparison can learn another volatile value later.
    if (!seen.has(key)) appendFileSync(file, `${JSON.stringify(reply)}\n`);
    seen.add(key);
    return response;
  };
}
