import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Attack } from './attack.ts';
import { sendPictures } from './hostile-heavy.ts';

const run = promisify(execFile);
const RATE = 60;

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

/** Uploads of a video of few bytes and many frames, by one account. */
function videos(seconds: number): Attack {
  let video = new Uint8Array();
  return {
    name: `video: ${seconds * RATE} frames of 3840x2160`,
    prepare: async () => void (video = await makeVideo(seconds)),
    run: sendPictures('POST', '/api/v2/media', ['file'], () => video, 'video/webm'),
  };
}

/** An accepted video, and a refused one. */
export const VIDEO_ATTACKS: readonly Attack[] = [videos(150), videos(2_700)];
