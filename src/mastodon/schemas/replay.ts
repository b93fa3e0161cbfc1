import { z } from 'zod';
import { AUDIT_ACTORS } from '../audit-log.ts';
import { reportCategory } from './report.ts';
import { dateTime, id, visibilitySchema } from './shared.ts';

export const REPLAY_KINDS = ['account', 'status', 'report', 'domain', 'rule', 'setting'] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];

/**
 * The people who could see an account or a post. `limited`: everyone, but only followers come across it.
 * `staff`: staff alone. `nobody`: it is gone.
 */
const audience = z.enum(['everyone', 'limited', 'followers', 'mentioned', 'author', 'staff', 'nobody']);
export type Audience = z.infer<typeof audience>;

/** Whether texts of people are whole, cut, erased with their author, or withheld from the reader's role. */
const shown = z.enum(['whole', 'cut', 'erased', 'withheld']);
export type Shown = z.infer<typeof shown>;

const severity = z.enum(['noop', 'silence', 'suspend']);

/** An account as it stood at one step of a replay. */
export const replayAccountSchema = z
  .strictObject({
    id,
    username: z.string(),
    domain: z.string().nullable(),
    state: z.enum(['active', 'abandoned', 'rejected', 'erased', 'gone']),
    audience,
    silenced: z.boolean(),
    suspended: z.boolean(),
    sensitized: z.boolean(),
    disabled: z.boolean(),
    /** Its own server suspended it. */
    suspended_by_own_server: z.boolean(),
    /** The rule of staff for its server. */
    domain_severity: severity.nullable(),
    confirmed: z.boolean().nullable(),
    approved: z.boolean().nullable(),
    role: z.string().nullable(),
    moved_to: id.nullable(),
    recommended: z.boolean(),
    display_name: z.string(),
    note: z.string(),
    fields: z.array(z.string()),
    /** The state of the three texts above. */
    shown,
    avatar: z.boolean(),
    header: z.boolean(),
    locked: z.boolean(),
    bot: z.boolean(),
    discoverable: z.boolean().nullable(),
    indexable: z.boolean(),
  })
  .meta({ id: 'ReplayAccount' });
export type ReplayAccount = z.infer<typeof replayAccountSchema>;

/** A post as it stood at one step of a replay. */
export const replayPostSchema = z
  .strictObject({
    id,
    account_id: id,
    state: z.enum(['requested', 'visible', 'deleted']),
    audience,
    visibility: visibilitySchema,
    sensitive: z.boolean(),
    sensitized_by_staff: z.boolean(),
    removed_by_staff: z.boolean(),
    edits: z.int().min(0),
    attachments: z.int().min(0),
    spoiler_text: z.string(),
    text: z.string(),
    shown,
    /** Reported: the texts are those of that moment. */
    evidence: z.boolean(),
  })
  .meta({ id: 'ReplayPost' });
export type ReplayPost = z.infer<typeof replayPostSchema>;

/** A report as it stood at one step of a replay. */
export const replayReportSchema = z
  .strictObject({
    id,
    account_id: id,
    target_account_id: id,
    state: z.enum(['open', 'resolved']),
    category: reportCategory,
    rule_ids: z.array(z.string()),
    status_ids: z.array(id),
    assigned_account_id: id.nullable(),
    resolved_by_account_id: id.nullable(),
    comment: z.string(),
    shown,
    notes: z.array(z.strictObject({ id, account_id: id, content: z.string(), shown })),
  })
  .meta({ id: 'ReplayReport' });
export type ReplayReport = z.infer<typeof replayReportSchema>;

/** A strike as it stood at one step of a replay. */
export const replayStrikeSchema = z
  .strictObject({
    id,
    action: z.string(),
    report_id: id.nullable(),
    status_ids: z.array(id),
    overruled: z.boolean(),
    text: z.string(),
    appeal: z.enum(['pending', 'approved', 'rejected', 'withdrawn']).nullable(),
    appeal_text: z.string(),
    appeal_note: z.string(),
    /** The state of the three texts. */
    shown,
  })
  .meta({ id: 'ReplayStrike' });
export type ReplayStrike = z.infer<typeof replayStrikeSchema>;

/** The rules of staff for a domain at one step of a replay. */
export const replayDomainSchema = z
  .strictObject({
    domain: z.string(),
    severity: severity.nullable(),
    reject_media: z.boolean(),
    reject_reports: z.boolean(),
    obfuscate: z.boolean(),
    private_comment: z.string().nullable(),
    public_comment: z.string().nullable(),
    allowed: z.boolean(),
    email: z.enum(['blocked', 'approval']).nullable(),
  })
  .meta({ id: 'ReplayDomain' });
export type ReplayDomain = z.infer<typeof replayDomainSchema>;

/** A rule of the server at one step of a replay. */
export const replayRuleSchema = z
  .strictObject({
    id: z.string(),
    text: z.string(),
    hint: z.string(),
    /** Counted from 1; null once it is removed. */
    place: z.int().min(1).nullable(),
    /** `de: Sei nett`. */
    translations: z.array(z.string()),
  })
  .meta({ id: 'ReplayRule' });
export type ReplayRule = z.infer<typeof replayRuleSchema>;

/** A setting of the server at one step of a replay. Values that are no scalars are JSON. */
export const replaySettingSchema = z
  .strictObject({
    name: z.string(),
    value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
    shown: z.enum(['whole', 'cut']),
  })
  .meta({ id: 'ReplaySetting' });
export type ReplaySetting = z.infer<typeof replaySettingSchema>;

/** Everything that a replay shows of a moment. Things that did not exist yet are absent. */
export const replayStateSchema = z
  .strictObject({
    account: replayAccountSchema.nullable(),
    reports: z.array(replayReportSchema),
    strikes: z.array(replayStrikeSchema),
    posts: z.array(replayPostSchema),
    domain: replayDomainSchema.nullable(),
    rule: replayRuleSchema.nullable(),
    setting: replaySettingSchema.nullable(),
  })
  .meta({ id: 'ReplayState' });
export type ReplayState = z.infer<typeof replayStateSchema>;

const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

/** The name of a thing that a replay shows by its id: a handle, the text of a rule, the first words of a post. */
export const replayNameSchema = z
  .strictObject({
    kind: z.enum(['account', 'rule', 'status', 'report', 'strike']),
    id: z.string(),
    name: z.string(),
  })
  .meta({ id: 'ReplayName' });
export type ReplayName = z.infer<typeof replayNameSchema>;

/** One event of a history. */
export const replayStepSchema = z
  .strictObject({
    /** Counted from 1. */
    step: z.int().min(1),
    /** The position in the event log, and the UUID and type of the event. */
    position: id,
    event_id: z.string(),
    type: z.string(),
    created_at: dateTime,
    /** The thing whose event it is. */
    about: z.strictObject({ kind: z.string(), id: z.string() }),
    actor: z.strictObject({
      kind: z.enum(AUDIT_ACTORS),
      /** `acct` is null for a deleted account. */
      account: z.strictObject({ id, acct: z.string().nullable() }).nullable(),
      role: z.string().nullable(),
      name: z.string().nullable(),
    }),
    /** The line of the audit log with the same event, which can be proven. */
    entry_id: id.nullable(),
    /** Shared by the events of one request. */
    command_id: z.string(),
    correlation_id: z.string(),
  })
  .meta({ id: 'ReplayStep' });
export type ReplayStep = z.infer<typeof replayStepSchema>;

/** The history of one subject, with the state after one of its steps; for staff. Mastodon has no such entity. */
export const replaySchema = z
  .strictObject({
    kind: z.enum(REPLAY_KINDS),
    id: z.string(),
    name: z.string(),
    /** The number of steps; 0 for a setting that was never changed. */
    count: z.int().min(0),
    /** The step that is shown; 0 before the first. */
    step: z.int().min(0),
    state: replayStateSchema,
    /** Differences from the state right before the step. A field is named by its path: `account.silenced`. */
    changes: z.array(z.strictObject({ field: z.string(), before: value, after: value })),
    /** The steps around the shown one. */
    steps: z.array(replayStepSchema),
    /** The names of things that it shows by ids; without things that have none. */
    names: z.array(replayNameSchema),
    /** Older reports and posts that are left out, because there are too many. */
    left_out: z.int().min(0),
  })
  .meta({ id: 'Replay' });
export type Replay = z.infer<typeof replaySchema>;

/** A subject that can be replayed; for staff. */
export const replaySubjectSchema = z
  .strictObject({ kind: z.enum(REPLAY_KINDS), id: z.string(), name: z.string() })
  .meta({ id: 'ReplaySubject' });
export type ReplaySubject = z.infer<typeof replaySubjectSchema>;
