import { type Foreign, isObject } from '../remote/json.ts';
import { proofBytesIn, type ProofClaim } from '../signatures/integrity-proof.ts';
import type { SignatureClaim } from '../signatures/signed-request.ts';
import type { Activity } from './activity.ts';
import type { InboxJob } from './inbox-job.ts';

const HOUR = 3_600_000;
/**
 * Milliseconds: a proof never ends by itself, so its recipients could bring back what is undone since. It is less
 * than the time for which `InboxTombstones` keeps what was withdrawn before it arrived.
 */
const MAX_AGE = 7 * 24 * HOUR;
const MAX_AHEAD = HOUR;

/** The activities that may count by a proof alone: a repetition of one changes nothing. */
export const PROVABLE = ['Create', 'Delete', 'Update'];

/** Returns true if a proof is as old as an activity that other servers still deliver. */
export function isRecentProof({ created }: ProofClaim, now = Date.now()): boolean {
  const age = now - created;
  return age <= MAX_AGE && age >= -MAX_AHEAD;
}

/**
 * Returns whether an activity that another actor forwards has a signature or a proof of its author. Neither is
 * verified here: it only says that the sender forwards, and does not pretend to be the author.
 */
export function embeddedSignature(
  { signature, proof }: Foreign,
  now = Date.now(),
): 'none' | 'valid' | 'over' {
  const found = [signature, proof].flat().filter(isObject);
  if (found.length === 0) return 'none';
  return found.some(({ expires }) => !isOver(expires, now)) ? 'valid' : 'over';
}

/**
 * Returns what an activity is recognised by when it comes again. A sender signs a repeated request again, so an
 * equal signature, however it is spelled, marks the same request. A proof marks the same activity, also when others
 * forward it; its actor is known by now, so no other can use it up.
 */
export function markOf(
  kind: InboxJob['kind'],
  { type, actor, document }: Activity,
  { bytes }: SignatureClaim,
): string {
  const mayBeProven = (kind === 'signed' || kind === 'proven') && PROVABLE.includes(type);
  const proof = mayBeProven ? proofBytesIn(document) : undefined;
  if (proof) return `inbox/${kind} proof ${actor} ${proof.toString('base64')}`;
  return `inbox/${kind} ${bytes.toString('base64')}`;
}

/** A time that cannot be read is over. */
const isOver = (expires: unknown, now: number): boolean =>
  expires !== undefined && !(typeof expires === 'string' && Date.parse(expires) > now);
