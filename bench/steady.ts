import { setTimeout as sleep } from 'node:timers/promises';
import { answerJobs } from './processes.ts';
import { percentiles } from './table.ts';

/** The users that an attack must not disturb: a process of its own, so that neither the server nor the attacker delays its clock. */
export interface SteadyJob {
  url: string;
  /** Tokens of the users, who take turns, each from an address of their own. */
  tokens: string[];
  statusId: string;
  seconds: number;
  /** A JPEG in base64. The users upload it, instead of their usual requests. */
  picture?: string;
}

/** Milliseconds. */
export interface Steady {
  p50: number;
  p95: number;
  p99: number;
  failed: number;
}

const PER_SECOND = 50;
const PICTURES_PER_SECOND = 4;
/** A request without an answer counts as this long, in milliseconds. */
const PATIENCE = 30_000;
let sent = 0;

/** Sends at fixed moments, whether earlier requests are answered or not: an attack cannot slow the clock that measures it. */
answerJobs(async ({ seconds, ...job }: SteadyJob): Promise<Steady> => {
  const latencies: number[] = [];
  let failed = 0;
  const perSecond = job.picture === undefined ? PER_SECOND : PICTURES_PER_SECOND;
  const started = performance.now();
  const pending: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const due = started + (n * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    const asked = (job.picture === undefined ? ask(job) : upload(job, job.picture)).catch(() => false);
    pending.push(
      asked.then((ok) => {
        if (!ok) failed += 1;
        latencies.push(ok ? performance.now() - due : PATIENCE);
      }),
    );
  }
  await Promise.all(pending);
  return { ...percentiles(latencies), failed };
});

/** Six of ten requests read the home timeline, two a post, one the notifications, and one posts. */
async function ask({ url, tokens, statusId }: Omit<SteadyJob, 'seconds'>): Promise<boolean> {
  sent += 1;
  const user = sent % tokens.length;
  const kind = Math.floor(sent / tokens.length + sent) % 10;
  const path =
    kind < 6
      ? '/timelines/home'
      : kind < 8
        ? `/statuses/${statusId}`
        : kind < 9
          ? '/notifications'
          : '/statuses';
  const response = await fetch(`${url}/api/v1${path}`, {
    method: kind === 9 ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${tokens[user] ?? ''}`,
      'content-type': 'application/json',
      'x-forwarded-for': `198.18.${user >> 8}.${user & 255}`,
    },
    ...(kind === 9 ? { body: JSON.stringify({ status: `Post ${sent} of a steady user` }) } : {}),
    signal: AbortSignal.timeout(PATIENCE),
  });
  await response.arrayBuffer();
  return response.ok;
}

async function upload({ url, tokens }: Omit<SteadyJob, 'seconds'>, picture: string): Promise<boolean> {
  sent += 1;
  const user = sent % tokens.length;
  const form = new FormData();
  form.set('file', new Blob([Buffer.from(picture, 'base64')], { type: 'image/jpeg' }), 'picture.jpeg');
  const response = await fetch(`${url}/api/v2/media`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokens[user] ?? ''}`,
      'x-forwarded-for': `198.18.${user >> 8}.${user & 255}`,
    },
    body: form,
    signal: AbortSignal.timeout(PATIENCE),
  });
  await response.arrayBuffer();
  return response.ok;
}
