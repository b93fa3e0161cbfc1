import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '#commands/accounts/index.ts';
import { IMPORT_JOB } from '#commands/imports/index.ts';
import { MAX_IMPORT_BYTES } from '#mastodon/portability.ts';
import { Browser } from '../test/oauth/client.ts';
import { load } from '../test/pages/parse.ts';
import type { Attack, HostileSite } from './attack.ts';
import { atPace } from './attacker.ts';
import { newAccount, untilCaughtUp } from './seed.ts';

/** As many as a file may have. */
const ROWS = 20_000;
/** Bytes of a form beside its file. */
const FORM = 2_000;
const IMPORT = '/settings/import';

/** The address of other attackers has no requests left to sign in with. */
const ADDRESS = { 'x-forwarded-for': '203.0.113.68' };

/** A signed-in browser that has the form before it. */
interface Importer {
  cookie: string;
  csrfToken: string;
}

/** Returns a file of long domains, none of which is the same in two files. */
function domainFile(name: string): Blob {
  const length = Math.min(Math.floor((MAX_IMPORT_BYTES - FORM) / ROWS) - 1, 240);
  const parents = Array.from({ length: 3 }, () => 'x'.repeat(60)).join('.');
  const rows = Array.from({ length: ROWS }, (_, n) =>
    `${name}-${n}.${parents}.example`.padStart(length, 'y').slice(-length),
  );
  return new Blob([`#domain\n${rows.join('\n')}\n`], { type: 'text/csv' });
}

async function signIn({ site }: HostileSite, username: string): Promise<Importer> {
  const password = `correct horse ${username}`;
  await createAccount(site.app.systemContext('bench'), newAccount(username, password));
  await untilCaughtUp(site.app);
  const browser = new Browser(
    {
      call: async (method, path, { body, headers = {} } = {}) => {
        const sent = body instanceof URLSearchParams ? { body } : {};
        const response = await fetch(`${site.url}${path}`, { method, redirect: 'manual', headers, ...sent });
        return { status: response.status, headers: response.headers, body: await response.text() };
      },
    },
    ADDRESS,
  );
  await browser.open('/auth/sign_in');
  await browser.submit('/auth/sign_in', { login: username, password });
  const page = load((await browser.open(IMPORT)).body as string);
  const csrfToken = page.one('input', { name: 'csrf_token' })?.attributes['value'];
  if (csrfToken === undefined) throw new Error(`There is no form for imports: is ${username} signed in?`);
  return { csrfToken, cookie: browser.cookieHeader };
}

/** An account for each round: each may import so many rows a day. */
let importers: Importer[] = [];
/** Three are what an account may import in a day; the fourth is refused, each time. */
let contents: Blob[] = [];

async function importAgainAndAgain({ site }: HostileSite, signal: AbortSignal): Promise<void> {
  const importer = importers.pop();
  if (!importer) throw new Error('There is no importer for this round');
  let files = 0;
  await atPace(2, signal, () => {
    const form = new FormData();
    form.set('csrf_token', importer.csrfToken);
    form.set('type', 'domain-blocks');
    form.set('mode', 'merge');
    form.set('file', contents[Math.min(files, contents.length - 1)] ?? '', 'blocked_domains.csv');
    files += 1;
    return fetch(`${site.url}${IMPORT}`, {
      method: 'POST',
      redirect: 'manual',
      body: form,
      signal,
      headers: { ...ADDRESS, cookie: importer.cookie },
    });
  });
}

/** Milliseconds between two looks at what is left. */
const LOOK = 500;

/**
 * Cancels what the imports have left to do, which would slow the next half. An upload that was sent before the end may begin after the
 * first look.
 */
async function cancelImports({ site: { app } }: HostileSite): Promise<void> {
  for (let looks = 0; looks < 2; looks += 1) {
    await sleep(LOOK);
    const cancelled = await app.projectionDb.transaction(async (db) => {
      // A batch under way locks its rows before their import: it ends first.
      await db.query('truncate durable.import_rows');
      return db.query('delete from durable.imports returning id');
    });
    const { jobs } = app.systemContext('bench').services;
    const { kinds } = await jobs.overview({ name: IMPORT_JOB, limit: 1 });
    const isLeft = kinds.some(({ name, running, waiting }) => name === IMPORT_JOB && running + waiting > 0);
    if (cancelled.length > 0 || isLeft) looks = -1;
  }
  await untilCaughtUp(app);
}

/** Files that one account imports in a browser, one after another. */
export const IMPORT_ATTACKS: readonly Attack[] = [
  {
    name: 'CSV: 5 MB of domain blocks, again and again',
    prepare: async (target, rounds) => {
      importers = [];
      contents = Array.from({ length: 4 }, (_, n) => domainFile(`f${n}`));
      for (let round = 0; round < rounds; round += 1) {
        importers.push(await signIn(target, `importer${round}`));
      }
    },
    run: importAgainAndAgain,
    settle: cancelImports,
  },
];
