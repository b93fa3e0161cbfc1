import type { Ended } from './programs.ts';
import { inWorker } from './worker/worker.ts';

/** The programs: names on the PATH, or paths. */
export interface Programs {
  ffmpeg: string;
  ffprobe: string;
}

/**
 * Runs a program in the worker process, which is small: starting one from the server itself stops all
 * requests for 50 ms.
 */
export const runProgram = (
  program: string,
  args: readonly string[],
  { signal, ...options }: { cwd: string; seconds: number; signal?: AbortSignal | undefined },
): Promise<Ended> => inWorker('run', [program, args, options], signal);

/** Tells whether both programs can run. */
export async function areInstalled({ ffmpeg, ffprobe }: Programs): Promise<boolean> {
  const answers = await Promise.all(
    [ffmpeg, ffprobe].map((program) =>
      runProgram(program, ['-hide_banner', '-version'], { cwd: '/', seconds: 10 }).catch(() => undefined),
    ),
  );
  return answers.every((answer) => answer?.code === 0);
}
