import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../../scripts/lib/imports.ts';
import { targetOf } from '../../scripts/lint/room-paths.js';

/** Imports and re-exports that load a module at start: neither type-only nor dynamic ones. */
const STATIC = /^(?:import|export)\s(?!type\s)(?:[^;'"]*?\sfrom\s)?'([^']+)'/gm;

/** The packages loaded with one of our modules before anything runs. */
function packagesOf(entry: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const [, name = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(STATIC)) {
      if (/^[.#]/.test(name)) visit(targetOf(path, name));
      else if (!name.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)![0]);
    }
  };
  visit(entry);
  return packages;
}

/** Packages that cost time and memory, and that many servers and commands never need. */
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

describe('The start of a program', () => {
  for (const entry of ['src/main.ts', 'src/cli/main.ts']) {
    it(`loads no large package with ${entry}`, () => {
      const loaded = packagesOf(entry);
      expect(loaded).to.include('zod').and.include('pg');
      const early = LATER.filter((name) => loaded.has(name));
      expect(early, 'Import it where it is used first, by `await import()`').to.deep.equal([]);
    });
  }
});
