import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, signUp } from './api-client.ts';
import { inTurn } from './command-line.ts';
import { patience } from './deadlines.ts';
import { differences, discard, freshSettings, type Settings, startRookery } from './process.ts';

export interface KillDrill {
  kills: number;
  /** Returns a number from 0 to 1, as `Math.random`. */
  random: () => number;
  onKill?: (kill: { number: number; what: string; seconds: number }) => void;
}

export interface KillReport {
  /** Seconds from each kill until a post was stored again, the longest last. */
  seconds: number[];
  acknowledged: number;
  /** Acknowledged posts that are gone, and posts that are there twice. */
  lost: string[];
  doubled: string[];
  /** Replies other than 200 and 503 with `Retry-After`, and broken connections. */
  unexpected: string[];
  /** The findings of `projections verify` and `log verify`. */
  differences: string[];
}

/** Milliseconds between two posts of the client. */
const PACE = 20;
/** Milliseconds after which the server counts as lost. */
const PATIENCE = patience(30_000);

/**
 * Kills random processes of the embedded PostgreSQL of a server under writes: the postmaster, one of its own
 * workers, or the process of a connection. A client posts all the time and repeats what was not acknowledged,
 * with the same `Idempotency-Key`.
 */
export async function drillKills({ kills, random, onKill }: KillDrill): Promise<KillReport> {
  const settings = await freshSettings({ LOG_LEVEL: 'fatal' });
  const server = await startRookery(settings);
  const { token } = await signUp(server.url, settings['DATA_DIR'] ?? '', 'alice');
  const client = new Client(server.url, token);
  const seconds: number[] = [];
  try {
    const posting = client.run();
    for (let number = 1; number <= kills; number += 1) {
      await sleep(100 + random() * 400);
      const what = await kill(settings, random);
      const took = await client.nextStored();
      seconds.push(took);
      onKill?.({ number, what, seconds: took });
    }
    client.stop();
    await posting;
    const stored = await client.allTexts();
    await server.end();
    return {
      seconds: seconds.toSorted((a, b) => a - b),
      acknowledged: client.acknowledged.size,
      lost: [...client.acknowledged].filter((text) => !stored.includes(text)),
      doubled: stored.filter((text, index) => stored.indexOf(text) !== index),
      unexpected: client.unexpected,
      differences: await faults(settings),
    };
  } finally {
    client.stop();
    await server.end();
    await discard(settings);
  }
}

async function faults(settings: Settings): Promise<string[]> {
  const found = (await differences(settings)).map(({ table }) => table);
  await inTurn(['log', 'checkpoint'], settings);
  const verified = await inTurn(['log', 'verify'], settings);
  return verified.code === 0 ? found : [...found, verified.stderr];
}

class Client {
  readonly acknowledged = new Set<string>();
  readonly unexpected: string[] = [];
  readonly #url: string;
  readonly #token: string;
  #stopped = false;
  #storedAt = 0;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  stop(): void {
    this.#stopped = true;
  }

  async run(): Promise<void> {
    for (let number = 1; !this.#stopped; number += 1) {
      await this.#post(`post ${number}`);
      await sleep(PACE);
    }
  }

  /** Resolves with the seconds until a post was stored that was sent from now on. @throws Error after `PATIENCE` */
  async nextStored(): Promise<number> {
    const from = performance.now();
    while (this.#storedAt < from) {
      if (performance.now() - from > PATIENCE)
        throw new Error(`The server did not come back in ${PATIENCE} ms`);
      await sleep(5);
    }
    return (this.#storedAt - from) / 1_000;
  }

  /** Repeats until the post is acknowledged. */
  async #post(text: string): Promise<void> {
    const key = randomUUID();
    for (;;) {
      const sent = performance.now();
      const status = await this.#send(text, key);
      if (status === 200) {
        this.acknowledged.add(text);
        this.#storedAt = Math.max(this.#storedAt, sent);
        return;
      }
      if (this.#stopped && performance.now() - sent > PATIENCE) return;
      await sleep(PACE);
    }
  }

  async #send(text: string, key: string): Promise<number> {
    const response = await fetch(`${this.#url}/api/v1/statuses`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${this.#token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify({ status: text }),
    }).catch((error: unknown) => {
      this.unexpected.push(String(error));
      return undefined;
    });
    const status = response?.status ?? 0;
    const isExpected = status === 200 || (status === 503 && response?.headers.has('retry-after'));
    if (response && !isExpected) this.unexpected.push(`${status} ${await response.text()}`);
    else await response?.arrayBuffer();
    return status;
  }

  async allTexts(): Promise<string[]> {
    const texts: string[] = [];
    const me = await send(this.#url, 'GET', '/api/v1/accounts/verify_credentials', { token: this.#token });
    for (let after = ''; ;) {
      const path = `/api/v1/accounts/${me.body.id}/statuses?limit=40${after}`;
      const { body } = await send(this.#url, 'GET', path, { token: this.#token });
      const page = body as unknown as { id: string; content: string }[];
      texts.push(...page.map(({ content }) => content.replaceAll(/<[^>]*>/g, '')));
      const last = page.at(-1);
      if (!last) return texts;
      after = `&max_id=${last.id}`;
    }
  }
}

/** Kills one process of the cluster with SIGKILL. @returns what it was */
async function kill(settings: Settings, random: () => number): Promise<string> {
  const pidFile = join(settings['DATA_DIR'] ?? '', 'postgres', 'cluster', 'postmaster.pid');
  const postmaster = Number((await readFile(pidFile, 'utf8')).split('\n', 1)[0]);
  const children = await childrenOf(postmaster);
  const victims = [{ pid: postmaster, what: 'postmaster' }, ...children];
  // One in four is the postmaster, which is one process of some twenty.
  const chosen = random() < 0.25 ? victims[0] : victims[Math.floor(random() * victims.length)];
  if (!chosen) throw new Error('PostgreSQL is not running');
  process.kill(chosen.pid, 'SIGKILL');
  return chosen.what;
}

/** Reads the process table of Linux. */
async function childrenOf(parent: number): Promise<{ pid: number; what: string }[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    names.map(async (name) => {
      const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      const ppid = Number(/\) \S (\d+)/.exec(status)?.[1]);
      if (ppid !== parent) return [];
      const what = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
      return [{ pid: Number(name), what: what.replace(/^postgres: /, '').trim() }];
    }),
  );
  return all.flat();
}
