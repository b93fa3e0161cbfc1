import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundOfFile } from '#kernel/services/remote-media.ts';
import type { Programs } from '../ffmpeg.ts';
import { metaOf, probe } from '../probe.ts';
import { typeOf } from '../streams.ts';

/**
 * Returns type, size and duration by the beginning of a video; undefined for anything else, for example when its
 * end describes the tracks. @throws RookeryError `invalid`, or when ffprobe cannot run
 */
export async function identifyVideo(
  beginning: Buffer,
  { folder, programs, signal }: { folder: string; programs: Programs; signal: AbortSignal },
): Promise<FoundOfFile | undefined> {
  const path = join(folder, 'beginning');
  await writeFile(path, beginning, { mode: 0o600 });
  const probed = await probe(programs, path, folder, { isWhole: false, signal });
  if (!probed.video) return undefined;
  return { blurhash: null, meta: metaOf({ ...probed, bitrate: undefined }), type: typeOf(probed) };
}
