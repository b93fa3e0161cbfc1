import { setTimeout as sleep } from 'node:timers/promises';
import { activity, PUBLIC, send } from '../test/support/inbox.ts';
import { type Peer, startPeer } from '../test/support/peer.ts';
import { answerJobs } from './processes.ts';
import type { Steady } from './steady.ts';
import { percentiles } from './table.ts';

/** Another server, whose user mentions a user of this server: a process of its own, like the steady users. */
export interface NeighbourJob {
  url: string;
  /** The mentioned account, and a token of its user. */
  mentioned: { uri: string; token: string };
  seconds: number;
}

const PER_SECOND = 5;
/** A mention without a notification counts as this long, in milliseconds. */
const PATIENCE = 60_000;
const FORWARDED = { 'x-forwarded-for': '198.51.100.7' };
const AUTHOR = 'neighbour';
let sent = 0;
let opened: Promise<Peer> | undefined;

/** Measures the time from the delivery of a mention until the stream of the mentioned user has its notification. */
answerJobs(async (job: NeighbourJob): Promise<Steady> => {
  const peer = await (opened ??= startPeer());
  peer.actor(AUTHOR);
  const arrivals = new Map<string, () => void>();
  const stream = new AbortController();
  const reading = readNotifications(job, stream.signal, (text) => {
    for (const [id, arrive] of arrivals) if (text.includes(`${id} `)) arrive();
  });
  await sleep(500);
  const latencies: number[] = [];
  let failed = 0;
  const pending: Promise<void>[] = [];
  for (let n = 0; n < PER_SECOND * job.seconds; n += 1) {
    const id = `mention-${(sent += 1)}`;
    const started = performance.now();
    const arrived = new Promise<boolean>((resolve) => {
      arrivals.set(id, () => resolve(true));
      setTimeout(() => resolve(false), PATIENCE).unref();
    });
    pending.push(
      deliver(peer, job, id)
        .then((ok) => ok && arrived)
        .then((ok) => {
          arrivals.delete(id);
          if (!ok) failed += 1;
          latencies.push(ok ? performance.now() - started : PATIENCE);
        }),
    );
    await sleep(1_000 / PER_SECOND);
  }
  await Promise.all(pending);
  stream.abort();
  await reading;
  return { ...percentiles(latencies), failed };
});

async function deliver(peer: Peer, { url, mentioned }: NeighbourJob, id: string): Promise<boolean> {
  const actor = `${peer.origin}/users/${AUTHOR}`;
  const note = {
    id: `${actor}/notes/${id}`,
    type: 'Note',
    attributedTo: actor,
    published: new Date().toISOString(),
    content: `<p>${id} for the user</p>`,
    to: [PUBLIC],
    cc: [mentioned.uri],
    tag: [{ type: 'Mention', href: mentioned.uri }],
  };
  const created = activity(peer, AUTHOR, 'Create', note, { to: note.to, cc: note.cc });
  const answer = await send({ url }, { peer, name: AUTHOR }, created, { headers: FORWARDED });
  if (answer.status !== 202) process.stderr.write(`mention refused: ${answer.status} ${answer.body}\n`);
  return answer.status === 202;
}

/** Reads the user's stream until the signal. */
async function readNotifications(
  { url, mentioned }: NeighbourJob,
  signal: AbortSignal,
  read: (text: string) => void,
): Promise<void> {
  const response = await fetch(`${url}/api/v1/streaming/user/notification`, {
    headers: { authorization: `Bearer ${mentioned.token}`, 'x-forwarded-for': '198.18.200.1' },
    signal,
  });
  if (!response.ok || !response.body) throw new Error(`The stream answers ${response.status}`);
  let rest = '';
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) read(line);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
