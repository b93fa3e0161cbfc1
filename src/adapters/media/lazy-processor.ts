import { lazy } from '#kernel/lazy.ts';
import type { MediaProcessor, MediaStore } from '#kernel/services/media.ts';
import type { Programs } from './ffmpeg.ts';

/** Returns a processor that is loaded with the first upload, so an idle server saves its memory. */
export function mediaProcessor(options: { store: MediaStore; programs: Programs }): MediaProcessor {
  return lazy(
    async () => (await import('./processor.ts')).createMediaProcessor(options),
    ['take', 'finish', 'thumbnail'],
  );
}
