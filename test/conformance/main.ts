import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { undocumented } from './differences.ts';
import { runScenario } from './driver.ts';
import { compareRecordings, type Difference, readRecording, writeRecording } from './recording.ts';
import { scenario } from './scenario/index.ts';
import { PEOPLE } from './step.ts';

const HELP = `npm run conformance -- record URL TOKENS FILE [--domain NAME] [--pause MILLISECONDS]
npm run conformance -- compare FILE FILE

record sends the requests of the scenario to a server and writes its answers, normalised, to FILE. TOKENS is a JSON file with
an access token of each of alice, bob, carol (users), owner (staff), application (client credentials) and profile (alice, with
the scope profile alone). The accounts are new. --domain is the host in the addresses that the server gives, where it is not that
of URL; --pause is the time that the server gets for its jobs after each change (300 unless said).
compare shows where two recordings differ, and fails for what docs/differences-from-mastodon.md does not name.
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { domain: { type: 'string' }, pause: { type: 'string', default: '300' } },
});
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
  const { domain, pause } = values;
  const recorded = await runScenario(scenario(), {
    base: base.replace(/\/$/, ''),
    ...(domain === undefined ? {} : { domain }),
    tokens,
    waitUntilIdle: () => setTimeout(Number(pause)),
  });
  await writeRecording(file, recorded);
  process.stdout.write(`${recorded.length} answers recorded in ${file}\n`);
}

async function compare(one: string, other: string): Promise<void> {
  const differences = compareRecordings(await readRecording(one), await readRecording(other));
  const unnamed = undocumented(differences);
  process.stdout.write(unnamed.map(render).join(''));
  process.stdout.write(`${differences.length} steps differ, ${unnamed.length} of them are not documented\n`);
  if (unnamed.length > 0) process.exitCode = 1;
}

function render({ step, places }: Difference): string {
  return `${step}\n${places.map((place) => `    ${place}\n`).join('')}`;
}
