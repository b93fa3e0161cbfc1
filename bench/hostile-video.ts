import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sendPictures } from './hostile-heavy.ts';
import type { Attack } from './hostile.ts';

const run = promisify(execFile);
/** Seconds of one second that repeats. */
const LONG = { accepted: 150, refused: 2_700 };
const RATE = 60;

let accepted = new Uint8Array();
let refused = new Uint8Array();

/** Makes VP8 of one colour at 3840x2160: a file of few bytes that takes long to encode anew. */
async function makeVideo(seconds: number): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-bench-video-'));
  const [second, whole] = [join(folder, 'second.webm'), join(folder, 'whole.webm')];
  const colour = `color=c=black:s=3840x2160:r=${RATE}:d=1`;
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', colour, '-c:v', 'libvpx', second]);
  const copy = ['-stream_loop', String(seconds - 1), '-i', second, '-c', 'copy', whole];
  await run('ffmpeg', ['-v', 'error', ...copy]);
  const bytes = new Uint8Array(await readFile(whole));
  await rm(folder, { recursive: true });
  return bytes;
}

/** Videos of few bytes and many frames, of one account. */
export const VIDEO_ATTACKS: readonly Attack[] = [
  {
    name: `video: ${LONG.accepted * RATE} frames of 3840x2160`,
    prepare: async () => void (accepted = await makeVideo(LONG.accepted)),
    run: sendPictures('POST', '/api/v2/media', ['file'], () => accepted, 'video/webm'),
  },
  {
    name: `video: ${LONG.refused * RATE} frames of 3840x2160`,
    prepare: async () => void (refused = await makeVideo(LONG.refused)),
    run: sendPictures('POST', '/api/v2/media', ['file'], () => refused, 'video/webm'),
  },
];
