import { endpoint } from '#kernel/endpoint.ts';
import { logWitnessesSchema } from '#mastodon/schemas/index.ts';

const MAX_FORKS = 40;

/** The witnesses of the log, and what this server witnesses. */
export const showWitnesses = endpoint({
  method: 'GET',
  path: '/api/v1/admin/audit/witnesses',
  summary: 'View the witnesses of the event log, and the logs that this server witnesses',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_audit_log',
  reply: logWitnessesSchema,
  handler: async ({ services: { logWitnesses, logWitness } }) => {
    const [witnesses, kept, forks] = await Promise.all([
      logWitnesses.states(),
      logWitness.witnessed(),
      logWitness.forks(MAX_FORKS),
    ]);
    const latest = new Map(kept.map((each) => [each.origin, each]));
    return {
      json: {
        witnesses: witnesses.map(({ triedAt, postedAt, ...each }) => ({
          ...each,
          tried_at: moment(triedAt),
          posted_at: moment(postedAt),
        })),
        key: logWitness.key,
        logs: logWitness.logs.map((key) => {
          const origin = key.split('+', 1)[0] ?? '';
          const known = latest.get(origin);
          return { key, origin, size: known?.size ?? null, cosigned_at: moment(known?.cosignedAt) };
        }),
        forks: forks.map(({ knownSize, isProven, seenAt, knownNote, ...each }) => ({
          ...each,
          known_size: knownSize,
          proven: isProven,
          seen_at: moment(seenAt),
          known_note: knownNote,
        })),
      },
    };
  },
});

const moment = (time: string | null | undefined): string | null =>
  time === null || time === undefined ? null : new Date(time).toISOString();
