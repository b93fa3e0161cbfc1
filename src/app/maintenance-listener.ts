import { answerAlive, LIVENESS, READINESS } from '#interfaces/http/health.ts';
import { type HttpServer, listen } from '#interfaces/http/listen.ts';
import { sendFailure, sendReply } from '#interfaces/http/reply.ts';
import { RookeryError } from '#kernel/errors.ts';
import { countEvents, percentOf } from '#kernel/event-count.ts';
import type { Progress } from '#storage/postgres/rebuild/build.ts';

/** Called with the progress of builds that must end before the server serves. */
export type OnBuild = (names: readonly string[], progress: Progress) => void;

/** Answers instead of a server that builds read models first. */
export interface MaintenanceListener {
  onBuild: OnBuild;
  /** Releases the port. */
  end: () => Promise<void>;
}

/**
 * Answers every request with 503 and the progress, from the first sign of a build on, so callers see that
 * this is no outage. Listens to nothing when there is nothing to build or another process has the port.
 */
export function startMaintenanceListener(address: { bind: string; port: number }): MaintenanceListener {
  let listening: Promise<HttpServer | undefined> | undefined;
  let building = { percent: 0, events: 0, of: 0, estimated: false };
  return {
    onBuild(_names, progress) {
      const { done, total, estimated } = countEvents(progress);
      building = { percent: percentOf(progress), events: done, of: total, estimated };
      listening ??= listen((req, res) => {
        const headers = { 'Retry-After': '5' };
        const path = req.url ?? '';
        if (path === LIVENESS) return answerAlive(req, res);
        if (READINESS.some((each) => each === path)) {
          const json = { status: 'DOWN', failing: ['projections'], building };
          return sendReply(req, res, { json, status: 503 }, headers);
        }
        const message = `This server is building its read models (${building.percent} %). Please try again later`;
        sendFailure(req, res, new RookeryError('unavailable', message), headers);
      }, address).catch(() => undefined);
    },
    async end() {
      await (await listening)?.close();
      listening = Promise.resolve(undefined);
    },
  };
}
