import { STREAM_NAMES } from '#events/streams.ts';
import { startEventStoreDbDouble } from '../test/contracts/support/eventstoredb-double.ts';
import type { Traffic } from './engines.ts';
import { answerJobs } from './processes.ts';

/** The double of EventStoreDB in a process of its own, so that it shares no event loop with the server. */
const double = await startEventStoreDbDouble();
let counted = 0;
let stored = 0;

// Started by hand, for specs.
if (process.send === undefined) process.stdout.write(`${double.url}\n`);

answerJobs((job: 'url' | 'traffic') =>
  Promise.resolve(job === 'url' ? { url: double.url } : { ...traffic() }),
);

function traffic(): Traffic {
  const { records } = double.log;
  stored += records.slice(counted).filter(({ stream }) => STREAM_NAMES.test(stream)).length;
  counted = records.length;
  return { stored, sentToSubscriptions: double.sentToSubscriptions(), sentToReads: double.read() };
}
