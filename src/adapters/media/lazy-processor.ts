import { memoizeAsync } from '../../kernel/memoize-async.ts';
import type { MediaProcessor, MediaStore } from '../../kernel/services/media.ts';
import type { Programs } from './ffmpeg.ts';

/** Returns a processor that is loaded with the first upload, so an idle server saves its memory. */
export function mediaProcessor(options: { store: MediaStore; programs: Programs }): MediaProcessor {
  const load = memoizeAsync(async () => (await import('./processor.ts')).createMediaProcessor(options));
  return {
    take: async (...upload) => (await load()).take(...upload),
    finish: async (...source) => (await load()).finish(...source),
    thumbnail: async (...picture) => (await load()).thumbnail(...picture),
  };
}
