import { expect } from 'chai';
import { z } from 'zod';
import * as schemas from '#mastodon/schemas/index.ts';
import { compareWithPublic, publicEntityNames } from '../support/public-openapi.ts';

const IN_SOURCE = 'Sent by Mastodon 4.6, whose documentation does not name it.';
const INVALID_HANDLE = {
  'invalid_handle: not in the public document': 'Sent by Mastodon 4.7. docs/decisions/0612-mastodon-4-7.md',
};
const EXAMPLES_ONLY = "Shown in the documentation's examples of audio and video, and read by older apps.";
const SENT = 'Sent by Mastodon, not in the document.';
const CARD = {
  'image_description: not in the public document': SENT,
  'language: not in the public document': SENT,
};
const SCOPES = 'The values are those of src/interfaces/oauth, which has its own test.';
const QUOTES = 'Notifications of this type exist since 4.5; the document was made without their switch.';
const COLLECTIONS = 'Documented for a Notification since 4.6, and groups consist of notifications.';
const EVERY_TYPE = 'Our specification has a switch for every notification type.';
const BIG_NUMBER = 'An integer in both documents, but zod has no integers above 2^53.';
const EXACT_IDS = 'A number in Mastodon. Our ids exceed 2^53, where numbers lose digits.';

/** Reviewed differences, each with its reason. A difference that disappears must be removed here. */
const REVIEWED: Record<string, Record<string, string>> = {
  Account: INVALID_HANDLE,
  CredentialAccount: INVALID_HANDLE,
  MutedAccount: INVALID_HANDLE,
  AdminMeasureData: {
    'date: format date, date-time in public':
      'Mastodon writes a date, or a time for figures that it counts in memory.',
  },
  AnnualReport: Object.fromEntries(
    [
      'type_distribution',
      'most_used_apps',
      'commonly_interacted_with_accounts',
      'most_reblogged_accounts',
      'percentiles',
    ].map((name) => [`data.${name}: missing`, 'Only in version 1 of the schema. Ours is version 2.']),
  ),
  AdminReport: {
    'collection_ids: not in the public document': 'Documented for a Report since 4.6, and staff need it too.',
  },
  AdminTag: Object.fromEntries(
    ['id', 'name', 'url', 'history', 'following', 'featuring'].map((name) => [
      `${name}: not in the public document`,
      'The page lists only the fields that a Tag does not have.',
    ]),
  ),
  Application: { 'scopes[]: any string, but public lists the values': SCOPES },
  CredentialApplication: { 'scopes[]: any string, but public lists the values': SCOPES },
  Instance: {
    'configuration.vapid: not in the public document': 'Documented; the document was made without it.',
  },
  CustomEmoji: { 'featured: not in the public document': IN_SOURCE },
  AdminEmailDomainBlock: { 'allow_with_approval: not in the public document': IN_SOURCE },
  MediaAttachment: {
    'preview_remote_url: not in the public document': IN_SOURCE,
    'text_url: not in the public document': 'Documented as deprecated.',
    ...Object.fromEntries(
      ['length', 'duration', 'fps', 'size', 'width', 'height', 'aspect']
        .concat(['audio_encode', 'audio_bitrate', 'audio_channels', 'colors'])
        .map((name) => [`meta.${name}: not in the public document`, EXAMPLES_ONLY]),
    ),
  },
  NotificationPolicy: { 'for_bots: not in the public document': IN_SOURCE },
  V1NotificationPolicy: { 'filter_bots: not in the public document': IN_SOURCE },
  MetaDetails: { 'size: not in the public document': EXAMPLES_ONLY },
  NotificationGroup: {
    'most_recent_notification_id: number, but not in public': BIG_NUMBER,
    'type: added_to_collection, collection_update not among the public values': COLLECTIONS,
    'collection: not in the public document': COLLECTIONS,
  },
  Preferences: {
    'posting:default:quote_policy: not in the public document':
      'Shown in the example of the method, since 4.5.',
    'reading:autoplay:gifs: not in the public document': IN_SOURCE,
    'reading:aggregate:reblogs: not in the public document':
      'Ours: Mastodon shows this setting on its website alone. docs/decisions/0001-aggregated-reblogs.md',
  },
  PreviewCard: CARD,
  ExtendedDescription: {
    'updated_at: null, but never null in public': 'Mastodon sends null until the text is written.',
  },
  Profile: {
    'featured_tags: not in the public document': "Shown in the documentation's examples.",
    'formatted_note: not in the public document': IN_SOURCE,
    'formatted_fields: not in the public document': IN_SOURCE,
  },
  TrendsLink: CARD,
  Relationship: {
    'blocked_by: optional, but required in public':
      'The specification leaves it out, except for the apps of decision 0402.',
  },
  ScheduledStatus: {
    'params.allowed_mentions: not in the public document': IN_SOURCE,
    'params.application_id: number, but not in public': 'An integer with more digits than JavaScript keeps.',
    'params.application_id: null, but never null in public':
      'A post that was scheduled on the pages of this server has no app.',
    'params.in_reply_to_id: string, but not in public': EXACT_IDS,
  },
  Status: { 'text: missing': 'Only the reply to deleting a status has it: DeletedStatus.' },
  Suggestion: { 'source: not in the public document': 'Documented, for older apps.' },
  ValidationError: { 'error_description: not in the public document': 'Every error may have one.' },
  WebPushSubscription: {
    'id: integer, but not in public': 'A number in the example of the page, and apps accept nothing else.',
    'policy: not in the public document': 'Documented as a parameter; apps read it back.',
    'alerts.quote: not in the public document': QUOTES,
    'alerts.quoted_update: not in the public document': QUOTES,
    'alerts.severed_relationships: not in the public document': EVERY_TYPE,
    'alerts.moderation_warning: not in the public document': EVERY_TYPE,
    'alerts.added_to_collection: not in the public document': EVERY_TYPE,
    'alerts.collection_update: not in the public document': EVERY_TYPE,
  },
};

/** Schemas of Rookery's own, or parts that the public document repeats in each place. */
const OURS_ALONE = [
  ...[
    'AdminAccountRecord',
    'AdminNamedAccount',
    'AdminNote',
    'AdminPastStrike',
    'AdminQueuedReport',
    'AdminRelatedReport',
    'AdminReportCase',
    'AdminWaiting',
    'AuditEntryProof',
    'AuditEventProof',
    'AuditEntryFact',
    'CaseFile',
    'CaseEvent',
    'CaseEvidence',
    'KeptCheckpoint',
    'LogWitnesses',
    'LogCheckpoint',
    'LogCheckpointProof',
    'Replay',
    'ReplayAccount',
    'ReplayName',
    'ReplayDomain',
    'ReplayPost',
    'ReplayReport',
    'ReplayRule',
    'ReplaySetting',
    'ReplayState',
    'ReplayStep',
    'ReplayStrike',
    'ReplaySubject',
  ],
  'AdminAppeal',
  'AdminAlert',
  'AdminEvent',
  'AdminHealth',
  'AdminPastBuild',
  'AdminEventPage',
  'AdminDeadLetter',
  'AdminHost',
  'AdminJobs',
  'AdminProjection',
  'AdminProjectionRun',
  'AdminReactor',
  'AdminTimer',
  'AdminTrace',
  'AdminTrouble',
  'AdminRelay',
  ...[
    'AdminAnnouncement',
    'AdminCustomEmoji',
    'AdminDomainChange',
    'AdminDomainImport',
    'AdminEmojiCategory',
  ],
  ...['AdminRole', 'AdminSettings', 'AdminTerms'],
  'AdminTrendsLink',
  'AdminTrendsStatus',
  'AuditChange',
  'AuditApplication',
  'AuditEntry',
  'AuditMonth',
  'AuditTarget',
  'DeletedStatus',
  'PreviewCardProvider',
  'ReportNote',
  'StatusVisibility',
  'Strike',
  'StrikeAppeal',
  'StrikeGrounds',
  'StrikeNotice',
  'TransparencyPeriod',
  'TransparencyReport',
  'UsageDay',
];

const entities = Object.values(schemas)
  .filter((schema) => schema instanceof z.ZodType)
  .flatMap((schema) => {
    const id = schema.meta()?.id;
    return id ? [{ schema, id }] : [];
  });

describe('The reply schemas of entities', () => {
  const publicNames = publicEntityNames();

  it('have unique ids', () => {
    const ids = entities.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('are all exported, so that all are compared', () => {
    const all = z.toJSONSchema(z.object(Object.fromEntries(entities.map(({ id, schema }) => [id, schema]))));
    expect(Object.keys(all.$defs ?? {})).to.have.members(entities.map(({ id }) => id));
  });

  it('allow no additional properties', () => {
    const all = z.toJSONSchema(z.object(Object.fromEntries(entities.map(({ id, schema }) => [id, schema]))));
    expect(openObjects(all.$defs ?? {}, '')).to.deep.equal([]);
  });

  if (!publicNames) {
    it('agree with the public OpenAPI document (set MASTODON_OPENAPI to its path to compare)', function () {
      this.skip();
    });
    return;
  }

  it('have the names of the public document', () => {
    const unknown = entities.map(({ id }) => id).filter((id) => !publicNames.includes(id));
    expect(unknown).to.have.members(OURS_ALONE);
  });

  for (const { schema, id } of entities.filter((entity) => publicNames.includes(entity.id))) {
    it(`agree with the public OpenAPI document on ${id}`, () => {
      expect(compareWithPublic(schema, id)).to.have.members(Object.keys(REVIEWED[id] ?? {}));
    });
  }
});

/** The paths of objects with named properties that allow additional ones. */
function openObjects(value: unknown, place: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const open = 'properties' in value && !('additionalProperties' in value) && 'type' in value;
  const inside = Object.entries(value).flatMap(([key, inner]) => openObjects(inner, `${place}/${key}`));
  return open ? [place, ...inside] : inside;
}
