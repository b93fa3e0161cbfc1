import type { RemoteTallies } from '#events/federation.ts';

/** `elsewhere`: the number beyond those that this server knows. */
export interface Counted {
  /** ISO 8601. */
  at: string;
  elsewhere: Record<keyof RemoteTallies, number>;
}

/** Returns the counts after a `RemoteAccountCounted`. A number that its server omits stays. */
export function countedBy(
  before: Counted | undefined,
  data: RemoteTallies & { counted_at: string },
): Counted {
  const beyond = (name: keyof RemoteTallies): number => {
    const tally = data[name];
    return tally ? tally.total - tally.known : (before?.elsewhere[name] ?? 0);
  };
  return {
    at: data.counted_at,
    elsewhere: {
      followers: beyond('followers'),
      following: beyond('following'),
      statuses: beyond('statuses'),
    },
  };
}
