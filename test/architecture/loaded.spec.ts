import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect } from 'chai';

/** Imports and re-exports that a start follows: none of types alone, none by `import()`. */
const STATIC = /^(?:import|export)\s(?!type\s)(?:[^;'"]*?\sfrom\s)?'([^']+)'/gm;

/** The packages that are loaded with a module of ours, before anything runs. */
function packagesOf(entry: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(STATIC)) {
      if (name.startsWith('.')) visit(resolve(dirname(path), name));
      else if (!name.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)![0]);
    }
  };
  visit(resolve(entry));
  return packages;
}

/** What takes time and memory, and many a server or command never needs. */
const LATER = [
  ...[
    '@aws-sdk/client-s3',
    '@eventstore/db-client',
    '@fedify/fedify',
    '@fedify/vocab',
    'file-type',
    'ioredis',
  ],
  ...['knex', 'nodemailer', 'pg-boss', 'sanitize-html', 'sharp', 'web-push', 'ws'],
];

describe('what a start loads', () => {
  for (const entry of ['src/main.ts', 'src/cli/main.ts']) {
    it(`${entry} leaves large packages until somebody needs them`, () => {
      const loaded = packagesOf(entry);
      expect(loaded).to.include('zod').and.include('pg');
      expect(LATER.filter((name) => loaded.has(name))).to.deep.equal([]);
    });
  }
});
