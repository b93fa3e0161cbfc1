import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { KeptFile } from './page.ts';

/**
 * Sends a file to save; resumes an interrupted download (RFC 9110 section 14) if the content never changes.
 */
export async function sendFile(
  req: Request,
  res: Response,
  { file, type, content, whole }: KeptFile,
): Promise<void> {
  res.type(type).set('Content-Disposition', `attachment; filename="${file}"`);
  const start = whole ? begin(req, res, whole) : 0;
  const source = content instanceof Readable ? content : Readable.from(content);
  if (start !== undefined && req.method !== 'HEAD') {
    return pipeline(source, (all: AsyncIterable<string | Buffer>) => from(all, start), res).catch(unlessGone);
  }
  source.destroy();
  res.end();
}

/** Sets status and length. @returns the first byte to send; undefined when the range is beyond the end */
function begin(
  req: Request,
  res: Response,
  { tag, size }: { tag: string; size: number },
): number | undefined {
  res.set({ 'Accept-Ranges': 'bytes', ETag: `"${tag}"` });
  const start = startOf(req, `"${tag}"`, size);
  if (start === -1) {
    res.status(416).removeHeader('Content-Disposition');
    res.set({ 'Content-Range': `bytes */${size}`, 'Content-Length': '0' });
    return undefined;
  }
  if (start !== undefined) res.status(206).set('Content-Range', `bytes ${start}-${size - 1}/${size}`);
  res.set('Content-Length', String(size - (start ?? 0)));
  return start ?? 0;
}

/**
 * Returns -1 for a range beyond the end, and undefined when the whole file is sent: also for a range that
 * does not reach the end, because only there a check shows whether the bytes are the stored ones.
 */
function startOf(req: Request, tag: string, size: number): number | undefined {
  const condition = req.headers['if-range'];
  if (req.method !== 'GET' || (condition !== undefined && condition !== tag)) return undefined;
  const ranges = req.range(size);
  if (ranges === -1) return -1;
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1)
    return undefined;
  const [range] = ranges;
  return range?.end === size - 1 ? range.start : undefined;
}

/** Skips the bytes before `start`. They are read all the same, for the check at the end. */
async function* from(content: AsyncIterable<string | Buffer>, start: number): AsyncGenerator<Buffer> {
  let skip = start;
  for await (const piece of content) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    if (skip < bytes.length) yield skip > 0 ? bytes.subarray(skip) : bytes;
    skip = Math.max(0, skip - bytes.length);
  }
}

/** A client that leaves before the end of a file is no error. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
