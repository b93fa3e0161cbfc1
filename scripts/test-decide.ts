// Runs the specs that need no Postgres, no Redis, no network and no files. Arguments go to mocha.
//
//   npm run test:decide
//   npm run test:decide -- --grep vote
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { specsInside } from './lib/decide-specs.ts';
import { ROOT } from './lib/imports.ts';

const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
const args = [mocha, '--reporter', 'dot', ...process.argv.slice(2), ...specsInside()];
const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
