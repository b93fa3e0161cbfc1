import type { ServerResponse } from 'node:http';

/** Bytes of a block; a page of forty statuses usually needs less. */
const BLOCK = 65_536;
/** The maximum number of blocks that wait for reuse. */
const MOST = 32;
const free: Buffer<ArrayBuffer>[] = [];

/**
 * Returns memory for the body of a reply. A page is so large that Node would allocate it anew each time and
 * leave it to the garbage collector. This memory is reused when the reply has been handed to the operating
 * system (`finish`: https://nodejs.org/api/http.html#event-finish). Bodies that never get there are left to
 * the garbage collector.
 */
export function replyMemory(size: number, res: ServerResponse): Buffer<ArrayBuffer> {
  if (size <= Buffer.poolSize / 2 || size > BLOCK) return Buffer.allocUnsafe(size);
  const block = free.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
  res.once('finish', () => {
    if (free.length < MOST) free.push(block);
  });
  return block.subarray(0, size);
}
