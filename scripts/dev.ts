// Starts the server, and starts it again after a source file is saved. Arguments are options of Node.
//
//   npm run dev
//   npm run dev -- --inspect
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { watch } from 'chokidar';
import { onEndSignals } from '#app/end-signals.ts';
import { ROOT } from './lib/imports.ts';
import { FOLDERS } from './lib/rooms.ts';

/** Milliseconds without a change before a restart: a checkout changes many files. */
const QUIET = 50;

// `node --watch` does not follow a file that an editor replaces instead of writing to it, as Vim does.
const watcher = watch([...FOLDERS], { cwd: ROOT, ignoreInitial: true });
let server = start();
let timer: NodeJS.Timeout | undefined;
let restarting = false;
let ending = false;

watcher.on('all', (_event, file) => {
  if (!file.endsWith('.ts')) return;
  clearTimeout(timer);
  timer = setTimeout(() => void restart(file), QUIET);
});
onEndSignals((signal) => void end(signal));

function start(): ChildProcess {
  return spawn(join(ROOT, 'bin/server'), process.argv.slice(2), { stdio: 'inherit' });
}

/** The next server waits for the end of the present one, which must let go of its port and its database. */
async function restart(file: string): Promise<void> {
  if (restarting) return;
  restarting = true;
  console.log(`\nRestarting: ${file} changed`);
  await stop('SIGTERM');
  restarting = false;
  if (!ending) server = start();
}

/** Waits until the server has ended, without a signal when it has one already. */
async function stop(signal: NodeJS.Signals | undefined): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  if (signal) server.kill(signal);
  await exit;
}

async function end(signal: NodeJS.Signals): Promise<void> {
  ending = true;
  clearTimeout(timer);
  await watcher.close();
  // A terminal sends SIGINT to the server, too.
  await stop(signal === 'SIGINT' ? undefined : signal);
  process.exitCode = server.exitCode ?? 0;
}
