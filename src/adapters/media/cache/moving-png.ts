import { join } from 'node:path';
import { isRookeryError } from '#kernel/errors.ts';
import { framesInside, OF_ATTACHMENTS } from '../animation-budget.ts';
import { areInstalled, type Programs, runProgram } from '../ffmpeg.ts';
import { FFMPEG, INPUT_OPTIONS, ONE_THREAD, WITHOUT_METADATA } from '../ffmpeg-options.ts';
import { inspectStream } from '../streams.ts';

const SECONDS = 30;

/**
 * Encodes a moving PNG anew within this width and height, without metadata. Returns the path of a file in the folder;
 * undefined without ffmpeg, and when the file is broken.
 */
export async function renderMovingPng(
  path: string,
  {
    programs,
    folder,
    maxSide,
    isAttachment = false,
  }: { programs: Programs; folder: string; maxSide: number; isAttachment?: boolean },
): Promise<string | undefined> {
  if (!(await areInstalled(programs))) return undefined;
  const { video } = await inspectStream(programs, path, folder).catch(unlessInvalid);
  if (!video) return undefined;
  const shown = { ...video, pages: video.frames };
  const { side, frames } = framesInside(shown, maxSide, isAttachment ? OF_ATTACHMENTS : undefined);
  const target = join(folder, 'moving.png');
  const scale = `scale=${side}:${side}:force_original_aspect_ratio=decrease`;
  const args = [
    ...[...FFMPEG, ...INPUT_OPTIONS, '-i', path, '-map', '0:v:0', '-frames:v', String(frames)],
    ...[
      '-vf',
      scale,
      '-c:v',
      'apng',
      '-plays',
      '0',
      ...ONE_THREAD,
      ...WITHOUT_METADATA,
      '-f',
      'apng',
      target,
    ],
  ];
  const ended = await runProgram(programs.ffmpeg, args, { cwd: folder, seconds: SECONDS });
  return ended.code === 0 ? target : undefined;
}

function unlessInvalid(error: unknown): { video?: undefined } {
  if (isRookeryError(error) && error.code === 'invalid') return {};
  throw error;
}
