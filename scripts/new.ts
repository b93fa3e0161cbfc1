// Makes an endpoint that passes its own spec: its file, its entry in the feature's list, its spec, its contract.
//
//   npm run new -- query lists count                   GET /api/v1/lists/count
//   npm run new -- query accounts :id/first_statuses   GET /api/v1/accounts/:id/first_statuses
//   npm run new -- query admin/reports count           GET /api/v1/admin/reports/count, for staff
//   npm run new -- command markers reset               POST /api/v1/markers/reset
//   npm run new -- command markers reset --method delete
//   npm run new -- query admin/gardens --permission manage_rules
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/imports.ts';
import { filesFor } from './lib/skeleton-files.ts';
import { knownHere } from './lib/skeleton-known.ts';
import { planOf } from './lib/skeleton-names.ts';
import { laterPlaces } from './lib/skeleton-places.ts';

const SORT_IMPORTS = 'eslint --no-config-lookup -c scripts/lint/imports.config.js --fix';
const FORMAT = 'prettier --write --log-level warn';
const USAGE = `Usage: npm run new -- query|command FEATURE [[:id/]NAME] [--method PUT|PATCH|DELETE] [--permission NAME]
FEATURE is a word, such as lists, or admin/ and a word for staff.`;

const read = (file: string): string | undefined =>
  existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : undefined;

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { method: { type: 'string' }, permission: { type: 'string' } },
  });
  const [kind, feature, name] = positionals;
  const plan = planOf({ kind, feature, name, ...values }, await knownHere());
  const files = filesFor(plan, read);
  for (const [file, text] of files) {
    mkdirSync(dirname(join(ROOT, file)), { recursive: true });
    writeFileSync(join(ROOT, file), text);
  }
  const paths = [...files.keys()];
  for (const command of [SORT_IMPORTS, FORMAT]) {
    execFileSync('npx', [...command.split(' '), ...paths], { cwd: ROOT, stdio: 'inherit' });
  }
  execFileSync(process.execPath, ['scripts/contracts.ts'], { cwd: ROOT, stdio: 'inherit' });
  console.log(`${plan.method} ${plan.path} is in:\n${paths.map((path) => `  ${path}`).join('\n')}`);
  console.log(`Run its spec: npm run test:file -- ${paths.at(-1) ?? ''}`);
  console.log(`Later:\n${laterPlaces(plan).join('\n')}`);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 1;
}
