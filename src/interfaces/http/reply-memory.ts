import type { ServerResponse } from 'node:http';

/** Bytes of a block: more than a page of forty statuses usually takes. */
const BLOCK = 65_536;
/** Blocks that wait to be used again, at most. */
const MOST = 32;
const free: Buffer<ArrayBuffer>[] = [];

/**
 * Memory for the body of a reply. A page takes so much that Node would allocate it anew each time and leave it to the garbage
 * collector; here it is used again once the reply has been handed to the operating system (`finish`:
 * https://nodejs.org/api/http.html#event-finish). What is never handed over is left to the garbage collector.
 */
export function replyMemory(size: number, res: ServerResponse): Buffer<ArrayBuffer> {
  if (size <= Buffer.poolSize / 2 || size > BLOCK) return Buffer.allocUnsafe(size);
  const block = free.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
  res.once('finish', () => {
    if (free.length < MOST) free.push(block);
  });
  return block.subarray(0, size);
}
