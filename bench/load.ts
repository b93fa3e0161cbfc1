import autocannon from 'autocannon';
import pg from 'pg';
import { answerJobs } from './processes.ts';
import { percentiles } from './table.ts';
import { postText, randomNumbers } from './text.ts';

/** The load generator: a process of its own, so that it shares no event loop with what it measures. */
export type LoadJob = ReadJob | PostJob | CommitJob;

interface Timed {
  connections: number;
  warmupSeconds: number;
  seconds: number;
}
interface ReadJob extends Timed {
  kind: 'read';
  url: string;
  token?: string;
}
interface PostJob extends Timed {
  kind: 'post';
  url: string;
  /** Tokens of the authors, who take turns. */
  tokens: string[];
}
interface CommitJob extends Timed {
  kind: 'commit';
  databaseUrl: string;
}

/** Latencies in milliseconds. */
export interface Load {
  perSecond: number;
  p50: number;
  p99: number;
  /** For a post job: the acknowledged posts, and the index of the author's token. */
  posted: { id: string; author: number }[];
}

type Options = autocannon.Options;
type Posted = Load['posted'];

const random = randomNumbers(2);
let posts = 0;

answerJobs(async (job: LoadJob) => {
  if (job.kind === 'commit') return commits(job);
  const posted: Posted = [];
  const options: Options =
    job.kind === 'read'
      ? { url: job.url, headers: job.token === undefined ? {} : { authorization: `Bearer ${job.token}` } }
      : { url: job.url, requests: [postRequest(job.tokens, posted)] };
  const { connections } = job;
  await cannon({ ...options, connections, duration: job.warmupSeconds });
  return { ...(await cannon({ ...options, connections, duration: job.seconds })), posted };
});

/** @throws when any answer is not 2xx */
async function cannon(options: Options): Promise<Omit<Load, 'posted'>> {
  const latencies: number[] = [];
  const started = performance.now();
  let last = started;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error: unknown, done) => {
      if (error) reject(error instanceof Error ? error : new Error('autocannon failed'));
      else resolve(done);
    });
    // Its own histogram rounds to whole milliseconds.
    instance.on('response', (_client, _status, _bytes, milliseconds) => {
      latencies.push(milliseconds);
      last = performance.now();
    });
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${options.url}: ${result.non2xx} answers are not 2xx, ${result.errors} connections failed`,
    );
  }
  return { perSecond: (latencies.length / (last - started)) * 1_000, ...percentiles(latencies) };
}

function postRequest(tokens: readonly string[], posted: Posted): autocannon.Request {
  return {
    method: 'POST',
    setupRequest: (request, context) => {
      const author = posts % tokens.length;
      posts += 1;
      Object.assign(context, { author });
      return {
        ...request,
        headers: { authorization: `Bearer ${tokens[author] ?? ''}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: `${posts}: ${postText(random)}` }),
      };
    },
    onResponse: (status, body, context) => {
      const [, id] = /^\{"id":"(\d+)"/.exec(body) ?? [];
      if (status === 200 && id !== undefined)
        posted.push({ id, author: (context as { author: number }).author });
    },
  };
}

const INSERT = { name: 'bench_commit', text: 'insert into bench_commits (author, body) values ($1, $2)' };

/** Durable commits of one row each: what Postgres can do where every post pays for a commit of its own. */
async function commits({ databaseUrl, connections, warmupSeconds, seconds }: CommitJob): Promise<Load> {
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(databaseUrl)));
  try {
    await clients[0]?.query(
      'create table if not exists bench_commits (id bigserial primary key, author bigint, body text)',
    );
    await insertFor(clients, warmupSeconds);
    const { latencies, elapsed } = await insertFor(clients, seconds);
    return { perSecond: latencies.length / elapsed, ...percentiles(latencies), posted: [] };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'bench commits' });
  await client.connect();
  await client.query('set synchronous_commit = on');
  return client;
}

async function insertFor(clients: readonly pg.Client[], seconds: number) {
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1_000;
  await Promise.all(
    clients.map(async (client, author) => {
      for (let before = performance.now(); before < end;) {
        await client.query({ ...INSERT, values: [author, postText(random)] });
        const now = performance.now();
        latencies.push(now - before);
        before = now;
      }
    }),
  );
  return { latencies, elapsed: (performance.now() - started) / 1_000 };
}
