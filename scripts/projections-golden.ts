// Writes the digests of the code of all projections to projections/digests.txt.
//
//   npm run projections:golden                          after a version was raised
//   npm run projections:golden -- --same-rows lists     the code of lists changed, and makes the same rows
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DIGESTS, recordedDigests } from '#projections/digests.ts';
import { digestsText, nextDigests, presentDigests } from './lib/projection-digests.ts';

const { values, positionals } = parseArgs({
  options: { 'same-rows': { type: 'boolean', default: false } },
  allowPositionals: true,
});

try {
  if (positionals.length > 0 && !values['same-rows'])
    throw new Error('Names of projections belong behind --same-rows');
  const next = nextDigests(recordedDigests(), await presentDigests(), positionals);
  writeFileSync(DIGESTS, digestsText(next));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
