import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { documentedOperations, undocumented } from './differences.ts';
import { runScenario } from './driver.ts';
import { compareRecordings, readRecording, writeRecording, type Difference } from './recording.ts';
import { scenario } from './scenario/index.ts';
import { PEOPLE } from './step.ts';

const HELP = `npm run conformance -- record URL TOKENS FILE
npm run conformance -- compare FILE FILE

record sends the requests of the scenario to a server and writes its answers, normalised, to FILE. TOKENS is a JSON file with
an access token of each of alice, bob, carol (users), owner (staff), application (client credentials) and profile (alice, with
the scope profile alone). The accounts are new.
compare shows where two recordings differ, and fails for what docs/differences-from-mastodon.md does not name.
`;

const { positionals } = parseArgs({ allowPositionals: true });
const [verb, ...rest] = positionals;
if (verb === 'record' && rest.length === 3) await record(rest[0] ?? '', rest[1] ?? '', rest[2] ?? '');
else if (verb === 'compare' && rest.length === 2) await compare(rest[0] ?? '', rest[1] ?? '');
else {
  process.stderr.write(HELP);
  process.exitCode = 1;
}

async function record(base: string, tokenFile: string, file: string): Promise<void> {
  const Tokens = z.partialRecord(z.enum(PEOPLE), z.string());
  const tokens = Tokens.parse(JSON.parse(await readFile(tokenFile, 'utf8')));
  const recorded = await runScenario(scenario(), { base: base.replace(/\/$/, ''), tokens });
  await writeRecording(file, recorded);
  process.stdout.write(`${recorded.length} answers recorded in ${file}\n`);
}

async function compare(one: string, other: string): Promise<void> {
  const differences = compareRecordings(await readRecording(one), await readRecording(other));
  const unnamed = undocumented(differences, await documentedOperations());
  process.stdout.write(unnamed.map(render).join(''));
  process.stdout.write(`${differences.length} steps differ, ${unnamed.length} of them are not documented\n`);
  if (unnamed.length > 0) process.exitCode = 1;
}

const render = ({ step, places }: Difference): string =>
  `${step}\n${places.map((place) => `    ${place}\n`).join('')}`;
