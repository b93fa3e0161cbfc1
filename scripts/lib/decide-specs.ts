import { closureOf, filesIn, importsOf } from './imports.ts';

/** The imports, of a spec or of its helpers in `test/`, that reach outside its process: databases, network, files, processes. */
const OUTSIDE = [
  /^node:(child_process|dns|fs|http|http2|https|net|worker_threads)(\/|$)/,
  /^(@grpc|express|ioredis|pg|playwright-core|s3rver|sharp|undici|web-push|ws)(\/|$)/,
  /^test\/support\/(database|projection|server)\.ts$/,
  /^scripts\//,
];

/** Tells whether a spec stays within its own process, by what it imports at run time. */
export function staysInside(spec: string): boolean {
  const files = [...closureOf(spec, ['test'])];
  const imported = files.flatMap((file) => [file, ...importedAtRunTime(file)]);
  return !imported.some((each) => OUTSIDE.some((pattern) => pattern.test(each)));
}

const importedAtRunTime = (file: string): string[] =>
  importsOf(file)
    .filter(({ typeOnly }) => !typeOnly)
    .map(({ target }) => target);

/** Returns the specs that need no Postgres, no Redis, no network and no files. */
export const specsInside = (): string[] =>
  filesIn('test').filter((file) => file.endsWith('.spec.ts') && staysInside(file));
