import { join } from 'node:path';
import { invalid } from '#kernel/errors.ts';
import { type Programs, runProgram } from '../ffmpeg.ts';
import { FFMPEG, INPUT_OPTIONS, WITHOUT_METADATA } from '../ffmpeg-options.ts';
import { metaOf, notUnderstood, type Probed } from '../probe.ts';
import type { Sniffed } from '../sniff.ts';
import { inspectStream, renderLimit, renderStream, typeOf } from '../streams.ts';
import type { Rendered } from './rendered.ts';

/** Extensions of files that browsers play, by the type of the bytes. */
const PLAYED: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/ogg; codecs=opus': 'ogg',
};
const COPY_SECONDS = 60;

interface PlayableOptions {
  programs: Programs;
  folder: string;
  quickly: boolean;
  hasPrograms: boolean;
}

/**
 * Renders a video or a sound for browsers, without metadata: copies the streams when browsers play them,
 * otherwise transcodes. Without ffmpeg, playable files stay unchanged.
 * @throws RookeryError `invalid` for an unsupported or broken file, or for slow work where that is refused
 */
export async function renderPlayable(
  path: string,
  { mime }: Sniffed,
  { programs, folder, quickly, hasPrograms }: PlayableOptions,
): Promise<Rendered> {
  const done = (content: string, extension: string, contentType: string, probed?: Probed): Rendered => ({
    variant: 'original',
    still: false,
    content,
    file: { extension, contentType },
    ...(probed ? { found: { blurhash: null, meta: metaOf(probed), type: typeOf(probed) } } : {}),
  });
  if (!hasPrograms) {
    const extension = PLAYED[mime];
    if (extension === undefined) throw invalid('This needs ffmpeg to be shown');
    return done(path, extension, mime.split(';')[0] ?? mime);
  }
  const probed = await inspectStream(programs, path, folder);
  const target = copyTarget(probed);
  if (target) {
    const copied = join(folder, `copied.${target.extension}`);
    const args = [
      ...[...FFMPEG, ...INPUT_OPTIONS, '-i', path, ...target.streams, '-c', 'copy', ...WITHOUT_METADATA],
      ...[...target.options, copied],
    ];
    const ended = await runProgram(programs.ffmpeg, args, { cwd: folder, seconds: COPY_SECONDS });
    if (ended.code !== 0) throw notUnderstood();
    return done(copied, target.extension, target.contentType, probed);
  }
  if (quickly) throw invalid('This has to be encoded anew, which takes too long');
  const rendered = await renderLimit(() => renderStream(programs, path, folder));
  return done(rendered.path, rendered.extension, rendered.contentType, probed);
}

interface Target {
  extension: string;
  contentType: string;
  streams: string[];
  options: string[];
}

/** Returns the container for the unchanged streams; undefined when browsers would not play them. */
function copyTarget({ video, audio, container }: Probed): Target | undefined {
  const streams = [...(video ? ['-map', '0:v:0'] : ['-vn']), ...(audio ? ['-map', '0:a:0'] : ['-an'])];
  if (!video) {
    const isMp3 = audio?.codec === 'mp3' && container === 'mp3';
    return isMp3
      ? { extension: 'mp3', contentType: 'audio/mpeg', streams, options: ['-f', 'mp3'] }
      : undefined;
  }
  const sound = audio?.codec;
  if (
    video.codec === 'h264' &&
    ['yuv420p', 'yuvj420p'].includes(video.pixelFormat) &&
    (sound === undefined || sound === 'aac')
  ) {
    const options = ['-movflags', '+faststart', '-f', 'mp4'];
    return { extension: 'mp4', contentType: 'video/mp4', streams, options };
  }
  const isWebm = ['vp8', 'vp9', 'av1'].includes(video.codec) && container.includes('webm');
  const hasWebmSound = sound === undefined || ['opus', 'vorbis'].includes(sound);
  return isWebm && hasWebmSound
    ? { extension: 'webm', contentType: 'video/webm', streams, options: ['-f', 'webm'] }
    : undefined;
}
