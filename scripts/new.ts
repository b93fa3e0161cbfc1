// Makes an endpoint that passes its own spec: its file, its entry in the feature's list, its spec, its contract.
//
//   npm run new -- query blocks                        GET /api/v1/blocks/show
//   npm run new -- query blocks count                  GET /api/v1/blocks/count
//   npm run new -- query accounts :id/first_statuses   GET /api/v1/accounts/:id/first_statuses
//   npm run new -- command markers reset               POST /api/v1/markers/reset
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './lib/imports.ts';
import { filesFor } from './lib/skeleton-files.ts';
import { planOf } from './lib/skeleton-names.ts';

const SORT_IMPORTS = 'eslint --no-config-lookup -c scripts/lint/imports.config.js --fix';
const FORMAT = 'prettier --write --log-level warn';

const read = (file: string): string | undefined =>
  existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : undefined;

try {
  const [kind, feature, name] = process.argv.slice(2);
  const plan = planOf(kind, feature, name);
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
  console.log(`${plan.path} is in:\n${paths.map((path) => `  ${path}`).join('\n')}`);
  console.log(`Run its spec: npm run test:file -- ${paths.at(-1) ?? ''}`);
} catch (error) {
  console.error(
    `${error instanceof Error ? error.message : String(error)}\nUsage: npm run new -- query|command FEATURE [[:id/]NAME]`,
  );
  process.exitCode = 1;
}
