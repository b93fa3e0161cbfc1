// Writes the map from an endpoint's name to its contract, by which pages call endpoints.
//
//   npm run contracts              write src/interfaces/http/contracts.ts
//   npm run contracts -- --check   fail when it is out of date
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commandEndpoints } from '#commands/index.ts';
import { queryEndpoints } from '#queries/index.ts';
import { contractEntries, CONTRACTS, contractsText } from './lib/contracts.ts';
import { declarationsIn } from './lib/declarations.ts';
import { ROOT } from './lib/imports.ts';

const FILE = join(ROOT, CONTRACTS);
const { values } = parseArgs({ options: { check: { type: 'boolean' } } });

const declared = await declarationsIn('commands', 'queries');
const text = await contractsText(contractEntries([...queryEndpoints, ...commandEndpoints], declared));
const isCurrent = existsSync(FILE) && readFileSync(FILE, 'utf8') === text;
if (values.check && !isCurrent) {
  console.error(`${CONTRACTS} is out of date: run \`npm run contracts\` and commit the result.`);
  process.exitCode = 1;
}
if (!values.check && !isCurrent) writeFileSync(FILE, text);
