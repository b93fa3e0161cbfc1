import { z } from 'zod';
import { invalid } from '#kernel/errors.ts';
import type { StoredEvent } from '#storage/eventlog/port.ts';
import { headingIn } from './export-heading.ts';
import { linesOf } from './verify-export.ts';

/** A line of an export, as `leafOf` writes it. */
const line = z.object({
  position: z
    .string()
    .regex(/^\d{1,19}$/)
    .transform(BigInt),
  stream: z.string(),
  revision: z.int().min(0),
  id: z.string(),
  type: z.string(),
  data: z.string(),
  metadata: z.string(),
});

/**
 * Yields the events of an export of a whole log, in their order. It verifies nothing: `verifyFile` does.
 * @throws RookeryError `invalid` for text that is no export, or that does not begin with the first event
 */
export async function* exportedEvents(path: string): AsyncGenerator<StoredEvent, void, undefined> {
  let number = 0;
  for await (const each of linesOf(path)) {
    number += 1;
    const heading = number === 1 ? headingIn(each) : undefined;
    if (heading && heading.first > 0) throw invalid(`${path} does not begin with the first event of the log`);
    if (!heading) yield eventIn(each, number);
  }
  if (number === 0) throw invalid(`${path} is empty`);
}

function eventIn(text: Buffer, number: number): StoredEvent {
  try {
    return line.parse(JSON.parse(text.toString()));
  } catch {
    throw invalid(`Line ${number} is no event of a log`);
  }
}
