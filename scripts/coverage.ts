// Measures which lines specs run, and writes coverage/index.html.
//
//   npm run coverage                                  all specs
//   npm run coverage -- test/filters/*.spec.ts        these files; options of mocha may come first
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './lib/imports.ts';

const bin = (path: string): string => join(ROOT, 'node_modules', path);
const given = process.argv.slice(2);
const files = given.length > 0 ? given : ['--parallel', '--jobs', '2', 'test/**/*.spec.ts'];
const args = [bin('c8/bin/c8.js'), process.execPath, bin('mocha/bin/mocha.js'), ...files];
const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
