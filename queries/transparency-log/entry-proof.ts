import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import type { EventProof } from '#kernel/services/transparency-log.ts';
import { entryProofSchema, type EventOfAct } from '#mastodon/schemas/index.ts';
import { auditEntryAt } from '../admin/audit/index.ts';
import { eventsOfAct } from './act-events.ts';
import { factsOf, provenEvent } from './facts.ts';

/**
 * Proves that the newest checkpoint contains the events of an act in the audit log, and shows their hashed form: the
 * entry says the same of them. Other events are proven by hashes only (`proof.ts`).
 */
export const showEntryProof = endpoint({
  method: 'GET',
  path: '/api/v1/admin/audit/:id/proof',
  summary: 'Prove that the events of an entry of the audit log are in the log',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_audit_log',
  recorded: true,
  params: idParams,
  reply: entryProofSchema,
  handler: async ({ db, services: { transparencyLog, eventBrowser } }, { params: { id } }) => {
    const entry = await auditEntryAt(db, id);
    if (!entry) throw notFound();
    const positions = await eventsOfAct(eventBrowser, entry);
    const proofs = await transparencyLog.eventProofs(positions.map(BigInt));
    const own = proofs.find(({ proof }) => proof.position === id);
    if (!own) throw notFound();
    const beside = proofs.filter((each) => each !== own);
    const { leaf, proof, holds, signed, file } = own;
    const event = provenEvent(leaf);
    const covered = new Set(proofs.map((each) => each.proof.position));
    const key = transparencyLog.verifierKey;
    return {
      json: {
        entry,
        leaf,
        ...proof,
        holds,
        signed,
        key,
        file,
        type: event.type,
        others: beside.map(otherProof),
        uncovered: positions.filter((position) => !covered.has(position)),
        facts: factsOf(entry, [event, ...beside.map((each) => provenEvent(each.leaf))]),
      },
    };
  },
});

function otherProof({ leaf, proof, holds, file }: EventProof): EventOfAct {
  const { position, leaf_index, leaf_hash, hashes } = proof;
  return { position, type: provenEvent(leaf).type, leaf, leaf_index, leaf_hash, hashes, holds, file };
}
