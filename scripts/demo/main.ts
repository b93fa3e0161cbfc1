// Starts a small server with 30 people and six weeks of posts, in a temporary folder that is removed at the end.
//
//   npm run demo
//   npm run demo -- --port 4000 --seed 7   the variable PORT works, too
//   npm run demo -- --seed-only FOLDER     fills the folder and ends
//   npm run demo -- --data FOLDER          serves a filled folder, or fills one and keeps it
import { parseArgs } from 'node:util';
import { ConfigError, environmentWith } from '#config/config.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { greeting, seedOnlyGreeting } from './greeting.ts';
import { type Demo, type DemoOptions, startDemo } from './start.ts';

const begun = performance.now();
const seconds = (): string => ((performance.now() - begun) / 1_000).toFixed(1);
const options = readOptions(process.argv.slice(2));
if (options) await run(options);

async function run(chosen: DemoOptions): Promise<void> {
  const ending = new AbortController();
  // More than once, because a terminal sends SIGINT, and npm passes it on: the second one would end the process at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
  const onStep = (step: string): void => {
    // A signal before the end of a step ends the demo after it.
    ending.signal.throwIfAborted();
    console.log(`${seconds().padStart(5)} s  ${step}`);
  };
  let demo: Demo | undefined;
  try {
    demo = await startDemo({ ...chosen, onStep });
    console.log(chosen.seedOnly ? seedOnlyGreeting(demo) : greeting(demo, seconds()));
    if (!chosen.seedOnly) await over(ending.signal);
  } catch (error) {
    if (error === ending.signal.reason) return;
    if (!isRookeryError(error) && !(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    await demo?.close();
  }
}

function over(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}

/** Returns undefined for wrong options, and says what is wrong. */
function readOptions(args: string[]): DemoOptions | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: 'string' },
        seed: { type: 'string' },
        data: { type: 'string' },
        'seed-only': { type: 'string' },
      },
    });
    const folder = values['seed-only'] ?? values.data;
    const port = values.port ?? (environmentWith({})['PORT'] || undefined);
    const portName = values.port === undefined ? 'PORT' : '--port';
    return {
      ...(port === undefined ? {} : { port: whole(portName, port, 65_535) }),
      ...(values.seed === undefined ? {} : { seed: whole('--seed', values.seed, 2 ** 31 - 1) }),
      ...(folder === undefined ? {} : { dataDir: folder }),
      seedOnly: values['seed-only'] !== undefined,
    };
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 64;
    return undefined;
  }
}

function whole(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < 1 || value > most)
    throw new Error(`${name} must be a number from 1 to ${most}`);
  return value;
}
