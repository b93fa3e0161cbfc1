import { enableCompileCache, flushCompileCache } from 'node:module';
import { resolve } from 'node:path';

/** The compile cache of `bin/runtime.sh`; it shortens a start by a second. */
export const COMPILE_CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/rookery');

// Coverage of functions from the cache is less precise.
if (process.env['NODE_V8_COVERAGE'] === undefined) {
  // Processes of specs inherit it.
  process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE;
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}

/** Mocha kills the processes of a parallel run, which would keep nothing otherwise. */
export const mochaHooks = { afterAll: (): void => flushCompileCache() };
