// Draws the rooms and their imports between the markers `map` of ARCHITECTURE.md.
//
//   npm run map              write the drawing
//   npm run map -- --check   fail when the drawing is out of date
//   npm run map -- --all     print every arrow with its number of imports
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { replaceBlock } from './lib/block.ts';
import { ROOT } from './lib/imports.ts';
import { drawing, listing } from './lib/map-drawing.ts';
import { readArrows } from './lib/rooms.ts';

const FILE = join(ROOT, 'ARCHITECTURE.md');
const { values } = parseArgs({ options: { check: { type: 'boolean' }, all: { type: 'boolean' } } });

const arrows = readArrows();
if (values.all) {
  console.log(listing(arrows));
} else {
  const before = readFileSync(FILE, 'utf8');
  const after = replaceBlock(before, 'map', drawing(arrows));
  if (values.check && before !== after) {
    console.error('The map in ARCHITECTURE.md is out of date: run `npm run map` and commit the result.');
    process.exitCode = 1;
  }
  if (!values.check) writeFileSync(FILE, after);
}
