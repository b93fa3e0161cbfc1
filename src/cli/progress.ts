import { SingleBar } from 'cli-progress';
import type { Progress } from '../postgres/build.ts';

export interface ProgressDisplay {
  update: (progress: Progress) => void;
  stop: () => void;
}

/** Shows how far work on events is, or on other units, on standard error: a bar on a terminal, else a line each second. */
export const showProgress = (title: string, unit = 'events'): ProgressDisplay =>
  process.stderr.isTTY ? bar(title, unit) : lines(title, unit);

function bar(title: string, unit: string): ProgressDisplay {
  const speed = speedometer();
  const display = new SingleBar({
    format: `${title} [{bar}] {percentage}% | {value}/{total} | {speed} ${unit}/s | ETA {eta_formatted} | {lag} behind`,
    hideCursor: true,
    etaBuffer: 50,
  });
  let started = false;
  return {
    update: ({ position, head, events }) => {
      if (!started) display.start(Number(head), 0, { speed: 0, lag: Number(head) });
      started = true;
      display.setTotal(Number(head));
      display.update(Number(position), { speed: speed(events).perSecond, lag: Number(head - position) });
    },
    stop: () => display.stop(),
  };
}

function lines(title: string, unit: string): ProgressDisplay {
  const speed = speedometer();
  let next = 0;
  return {
    update: ({ position, head, events }) => {
      const isDone = position >= head;
      if (Date.now() < next && !isDone) return;
      next = Date.now() + 1_000;
      const { perSecond, positionsPerSecond } = speed(events, position);
      const eta = Math.ceil(Number(head - position) / Math.max(positionsPerSecond, 1));
      process.stderr.write(
        `${title}: ${position}/${head}, ${perSecond} ${unit}/s, ETA ${eta}s, ${head - position} behind\n`,
      );
    },
    stop: () => undefined,
  };
}

/** Averages since the start. Positions may have gaps, so they are counted apart from events. */
function speedometer(): (
  events: number,
  position?: bigint,
) => { perSecond: number; positionsPerSecond: number } {
  const started = performance.now();
  return (events, position = 0n) => {
    const seconds = Math.max((performance.now() - started) / 1_000, 0.001);
    return {
      perSecond: Math.round(events / seconds),
      positionsPerSecond: Number(position) / seconds,
    };
  };
}

/** Shows a number that grows, in the same way; nothing as long as it is none. */
export function countProgress(
  title: string,
  unit: string,
): { update: (count: number) => void; stop: () => void } {
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
