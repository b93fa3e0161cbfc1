import { expect } from 'chai';
import { importsOf } from '../../scripts/lib/imports.ts';

/** The packages loaded with one of our modules before anything runs. */
function packagesOf(entry: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { target, typeOnly, dynamic } of importsOf(path)) {
      if (typeOnly || dynamic || target.startsWith('node:')) continue;
      if (target.endsWith('.ts')) visit(target);
      else packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(target)![0]);
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
