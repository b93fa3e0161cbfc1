import { z } from 'zod';
import { auditEntrySchema } from './audit-entry.ts';
import { dateTime, id } from './shared.ts';

const checked = {
  /** The hashes lead to the roots of the checkpoints, as this server finds. */
  holds: z.boolean(),
  /** The key of this server signed the checkpoints. */
  signed: z.boolean(),
  /** The key, as `name+id+key`: https://c2sp.org/signed-note */
  key: z.string(),
};
const size = z.int().min(0);

/** Another event of the same act, in the same checkpoint as that of its entry. */
export const auditEventProofSchema = z
  .strictObject({
    position: id,
    type: z.string(),
    leaf: z.string(),
    leaf_index: size,
    leaf_hash: z.base64(),
    hashes: z.array(z.base64()),
    holds: z.boolean(),
    file: z.string(),
  })
  .meta({ id: 'AuditEventProof' });
export type EventOfAct = z.infer<typeof auditEventProofSchema>;

const FACTS = [
  'time',
  'actor',
  'role',
  'app',
  'action',
  'target',
  'text',
  'mail',
  'value_before',
  'name_of_actor',
  'name_of_app',
  'name_of_target',
] as const;

/** A fact that an entry shows, and the event that it is in. */
export const auditEntryFactSchema = z
  .strictObject({
    fact: z.enum(FACTS),
    /** An id, a name, a time or the name of a field; empty for texts. */
    value: z.string(),
    /** The position of the proven event that contains it; null for none. */
    position: id.nullable(),
    /** The event has it as ciphertext: the proof covers the text, and only who has the key can read it. */
    sealed: z.boolean(),
  })
  .meta({ id: 'AuditEntryFact' });
export type ShownFact = z.infer<typeof auditEntryFactSchema>;

/** The proof that the events of an act in the audit log are in the newest checkpoint; for staff. */
export const entryProofSchema = z
  .strictObject({
    entry: auditEntrySchema,
    position: id,
    /** The hashed form of the event: one line of JSON. Personal fields are encrypted. */
    leaf: z.string(),
    leaf_index: size,
    tree_size: z.int().min(1),
    /** Hashes are in base64. */
    leaf_hash: z.base64(),
    hashes: z.array(z.base64()),
    checkpoint: z.string(),
    ...checked,
    /** An export of the event alone, which `rookery log verify --file` checks. */
    file: z.string(),
    /** The type of the event. */
    type: z.string(),
    /** The other events of the act, in the order of the log, with the mail to the user. */
    others: z.array(auditEventProofSchema),
    /** The positions of events of the act that no checkpoint covers yet. */
    uncovered: z.array(id),
    /** The facts that the entry shows, each with the event that proves it. */
    facts: z.array(auditEntryFactSchema),
  })
  .meta({ id: 'AuditEntryProof' });
export type EntryProof = z.infer<typeof entryProofSchema>;

/** A stored checkpoint of the log; for staff. */
export const logCheckpointSchema = z
  .strictObject({
    /** The number of events, by which lists are paged. */
    id,
    origin: z.string(),
    size,
    root: z.base64(),
    created_at: dateTime,
    /** The signed note. */
    note: z.string(),
    /** The number of the accepted divergence by which it holds no longer. */
    divergence: z.int().nullable(),
  })
  .meta({ id: 'LogCheckpoint' });
export type LogCheckpoint = z.infer<typeof logCheckpointSchema>;

/** The proof that the newest checkpoint continues an earlier one; for staff. */
export const checkpointProofSchema = z
  .strictObject({
    from: size,
    to: size,
    hashes: z.array(z.base64()),
    /** The earlier checkpoint, and the newest one. */
    checkpoint: z.string(),
    newest: z.string(),
    ...checked,
  })
  .meta({ id: 'LogCheckpointProof' });
export type CheckpointProof = z.infer<typeof checkpointProofSchema>;

/** The outcome for a checkpoint that an auditor kept; for staff. */
export const keptCheckpointSchema = z
  .strictObject({
    origin: z.string(),
    size,
    root: z.base64(),
    signed: z.boolean(),
    /** The root of as many events of the log as it is now. */
    log_root: z.base64().nullable(),
    /** `ahead`: no checkpoint of the log covers so many events. */
    verdict: z.enum(['contained', 'contradicted', 'ahead']),
    /** The number of the accepted divergence that explains a contradiction. */
    divergence: z.int().nullable(),
  })
  .meta({ id: 'KeptCheckpoint' });
export type KeptCheckpoint = z.infer<typeof keptCheckpointSchema>;

/** The witnesses of the log, and this server as a witness of other logs; for staff. */
export const logWitnessesSchema = z
  .strictObject({
    witnesses: z.array(
      z.strictObject({
        url: z.string(),
        /** The key that verifies its cosignatures. */
        key: z.string().nullable(),
        /** The events of the last checkpoint that it has. */
        size,
        tried_at: dateTime.nullable(),
        /** The last success. */
        posted_at: dateTime.nullable(),
        error: z.string().nullable(),
        /** It knows a log that this one does not continue. */
        contradicts: z.boolean(),
      }),
    ),
    /** The key of this server as a witness. */
    key: z.string(),
    /** The logs that this server witnesses. */
    logs: z.array(
      z.strictObject({
        key: z.string(),
        origin: z.string(),
        size: size.nullable(),
        cosigned_at: dateTime.nullable(),
      }),
    ),
    /** Signed checkpoints that do not continue the known ones, the newest first. */
    forks: z.array(
      z.strictObject({
        id,
        origin: z.string(),
        size,
        known_size: size,
        /** Both checkpoints have the same size. */
        proven: z.boolean(),
        seen_at: dateTime,
        note: z.string(),
        known_note: z.string(),
      }),
    ),
  })
  .meta({ id: 'LogWitnesses' });
export type LogWitnessStates = z.infer<typeof logWitnessesSchema>;
