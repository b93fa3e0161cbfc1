import { z } from 'zod';
import { auditEntrySchema } from './audit-entry.ts';
import { dateTime, id } from './shared.ts';

/** An event of a case, with its proof. */
export const caseEventSchema = z
  .strictObject({
    position: id,
    type: z.string(),
    time: dateTime,
    /** `decision`: of the same command. */
    part: z.enum(['decision', 'report', 'appeal', 'mail']),
    /** The account and its role at that time; null for the operator and automations. */
    actor: z.strictObject({ id, role: z.string().nullable() }).nullable(),
    /** Personal fields only as far as the decision rests on them; null where this version cannot read the event. */
    data: z.record(z.string(), z.unknown()).nullable(),
    /** The personal fields that were left out. */
    left_out: z.array(z.string()),
    /** `data` lacks personal fields because the account was erased. */
    erased: z.boolean(),
    /** The hashed form, and the proof as C2SP tlog-proof; null before a checkpoint covers the event. */
    leaf: z.string().nullable(),
    proof: z.string().nullable(),
  })
  .meta({ id: 'CaseEvent' });
export type CaseEvent = z.infer<typeof caseEventSchema>;

/** A post as it was when it was reported. */
export const caseEvidenceSchema = z
  .strictObject({
    id,
    created_at: dateTime,
    acct: z.string(),
    spoiler_text: z.string(),
    text: z.string(),
    media: z.array(z.strictObject({ type: z.string(), description: z.string().nullable() })),
  })
  .meta({ id: 'CaseEvidence' });
export type CaseEvidence = z.infer<typeof caseEvidenceSchema>;

/** Everything about one decision, with proofs; for staff. Mastodon has no such entity. */
export const caseFileSchema = z
  .strictObject({
    entry: auditEntrySchema,
    made_at: dateTime,
    events: z.array(caseEventSchema),
    /** The rules that the report cites, as they read at the decision. */
    rules: z.array(z.strictObject({ id: z.string(), text: z.string() })),
    evidence: z.array(caseEvidenceSchema),
    /** Sentences that say what is not in the file. */
    left_out: z.array(z.string()),
    /** The key of the log, as `name+id+key`: https://c2sp.org/signed-note */
    key: z.string(),
    /** The files of the archive, with proofs and programs that verify them. */
    files: z.array(z.strictObject({ name: z.string(), text: z.string() })),
  })
  .meta({ id: 'CaseFile' });
export type CaseFile = z.infer<typeof caseFileSchema>;
