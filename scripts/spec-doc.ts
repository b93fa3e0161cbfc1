// Writes the titles of all specs as one document, by feature. Nothing is run: no Postgres, no Redis.
//
//   npm run spec:doc                         specification.md
//   npm run spec:doc -- --output FILE
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { filesIn, ROOT } from './lib/imports.ts';
import { type FiledGroup, specDocument } from './lib/spec-document.ts';

const { values } = parseArgs({ options: { output: { type: 'string', default: 'specification.md' } } });

const mocha = new Mocha();
for (const file of filesIn('test')) if (file.endsWith('.spec.ts')) mocha.addFile(join(ROOT, file));
await mocha.loadFilesAsync();
const groups = mocha.suite.suites.map((group): FiledGroup => {
  const [, folder = ''] = relative(ROOT, group.file ?? '').split('/');
  return { folder, group };
});
writeFileSync(values.output, specDocument(groups));
console.log(`${values.output}: ${mocha.suite.total()} titles`);
// Some specs hold timers or sockets from the moment that they are loaded.
process.exit();
