import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences } from './differences.ts';
import type { RecordedReply } from './normalised.ts';

const [verb, ...folders] = process.argv.slice(2);
if (verb !== 'compare' || folders.length !== 2) {
  process.stdout.write(`npm run replies -- compare BEFORE AFTER

Compares the replies of two test runs that had RECORD_REPLIES=FOLDER in their environment.
`);
  process.exit(2);
}
const [before = [], after = []] = folders.map((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as RecordedReply),
);
const found = differences(before, after);
process.stdout.write(found.map((line) => `${line}\n`).join(''));
process.stdout.write(`${found.length} requests have other replies\n`);
