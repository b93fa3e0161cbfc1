// Prints the statements that the files of the command line declare when they are loaded, as JSON.
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const READ = pathToFileURL(resolve('src/kernel/read.ts')).href;
const RECORDING = pathToFileURL(resolve(import.meta.dirname, 'recording-read.ts')).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url === READ && context.parentURL !== RECORDING ? { ...found, url: RECORDING } : found;
  },
});

for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href);
const { declared } = await import('./recording-read.ts');
process.stdout.write(JSON.stringify(declared), () => process.exit());
