import { SingleBar } from 'cli-progress';
import { countEvents, type LogProgress } from '#kernel/event-count.ts';
import { isQuiet } from './output.ts';

export interface ProgressDisplay {
  update: (progress: LogProgress) => void;
  stop: () => void;
}

/**
 * Shows the progress of work on events or other units on standard error: a bar on a terminal, otherwise a
 * line per second. Shows nothing with `--quiet`.
 */
export const showProgress = (title: string, unit = 'events'): ProgressDisplay =>
  isQuiet() ? SILENT : process.stderr.isTTY ? bar(title, unit) : lines(title, unit);

const SILENT = { update: (): void => undefined, stop: (): void => undefined };

function bar(title: string, unit: string): ProgressDisplay {
  const started = performance.now();
  const display = new SingleBar({
    format: `${title} [{bar}] {percentage}% | {done} | {speed} ${unit}/s | ETA {eta_formatted}`,
    hideCursor: true,
    etaBuffer: 50,
  });
  let isShown = false;
  return {
    update: (progress) => {
      const [value, total] = [Number(progress.position), Number(progress.head)];
      const shown = { done: textOf(progress, unit), speed: perSecond(progress.events, started) };
      if (!isShown) display.start(total, 0, shown);
      isShown = true;
      display.setTotal(total);
      display.update(value, shown);
    },
    stop: () => display.stop(),
  };
}

function lines(title: string, unit: string): ProgressDisplay {
  const started = performance.now();
  let next = 0;
  return {
    update: (progress) => {
      const { position, head, events, from = 0n } = progress;
      const isDone = position >= head;
      if (Date.now() < next && !isDone) return;
      next = Date.now() + 1_000;
      const eta = Math.ceil(
        Number(head - position) / Math.max(perSecond(Number(position - from), started), 1),
      );
      process.stderr.write(
        `${title}: ${textOf(progress, unit)}, ${perSecond(events, started)} ${unit}/s, ETA ${eta}s\n`,
      );
    },
    stop: () => undefined,
  };
}

/** Returns a text such as `1000 of about 2500 events`. */
function textOf(progress: LogProgress, unit: string): string {
  const { done, total, estimated } = countEvents(progress);
  return `${done} of ${estimated ? 'about ' : ''}${total} ${unit}`;
}

/** Returns the average since a time of `performance.now()`. */
const perSecond = (count: number, started: number): number =>
  Math.round(count / Math.max((performance.now() - started) / 1_000, 0.001));

/** Shows a growing number in the same way; nothing while it is 0. */
export function countProgress(
  title: string,
  unit: string,
): { update: (count: number) => void; stop: () => void } {
  if (isQuiet()) return SILENT;
  let next = 0;
  let shown = 0;
  let last = 0;
  const show = (): void => {
    shown = last;
    const line = `${title} ${last} ${unit}`;
    process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`);
  };
  return {
    update(count) {
      last = count;
      if (Date.now() < next) return;
      next = Date.now() + 1_000;
      show();
    },
    stop() {
      if (last > shown) show();
      if (last > 0 && process.stderr.isTTY) process.stderr.write('\n');
    },
  };
}
