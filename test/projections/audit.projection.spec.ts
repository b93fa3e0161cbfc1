import { expect } from 'chai';
import { accountEvents } from '#events/accounts.ts';
import { domainBlockEvents } from '#events/admin-domain-blocks.ts';
import { announcementEvents } from '#events/announcements.ts';
import { auditEvents } from '#events/audit.ts';
import { canonicalEmailBlockEvents } from '#events/canonical-email-blocks.ts';
import { customEmojiEvents } from '#events/custom-emojis.ts';
import { domainAllowEvents } from '#events/domain-allows.ts';
import { emailDomainBlockEvents } from '#events/email-domain-blocks.ts';
import { catalogue } from '#events/index.ts';
import { instanceEvents } from '#events/instance.ts';
import { ipBlockEvents } from '#events/ip-blocks.ts';
import { moderationEvents } from '#events/moderation.ts';
import { reportEvents } from '#events/reports.ts';
import { suggestionEvents } from '#events/suggestions.ts';
import { tagReviewEvents } from '#events/tags.ts';
import { trendReviewEvents } from '#events/trends.ts';
import type { DomainEvent, EventDefinition, JsonObject } from '#kernel/event.ts';
import { audit, type Change } from '#projections/audit/index.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project, type Rows } from '../support/projection.ts';

const definitions: readonly EventDefinition<string, JsonObject>[] = catalogue;
const sampleOf = ({ type, version, samples }: EventDefinition<string, JsonObject>): DomainEvent => ({
  type,
  data: samples[version],
});
const taken = new Set(audit.handlers.map(({ type }) => type));

const ACCOUNT = '109500000000000000';
const account = (type: string, more: object = {}): DomainEvent => ({
  type,
  data: { account_id: ACCOUNT, ...more },
});
const domain = (type: string, more: object = {}): DomainEvent => ({
  type,
  data: { id: '7', domain: 'far.example', ...more },
});
const changesOf = (rows: Rows): [action: unknown, changes: string[]][] =>
  (rows['audit_entries'] ?? []).map(({ action, changes }) => [
    action,
    (JSON.parse(String(changes)) as Change[]).map(
      ({ field, before, after, shown }) =>
        `${field}: ${JSON.stringify(before)} > ${JSON.stringify(after)}${shown === 'whole' ? '' : ` (${shown})`}`,
    ),
  ]);

describe('The read model of the audit', function () {
  this.timeout(60_000);
  let db: Database;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  const lines = async (...events: DomainEvent[]) => changesOf(await project(db, audit, events));

  it('handles every event of a decision by staff', () => {
    /** Reviewed: actions of users, and events that accompany an audited event. */
    const others = [
      ...['AnnouncementDismissed', 'AnnouncementReactionAdded', 'AnnouncementReactionRemoved'],
      ...['SuggestionDismissed', 'AccountCreated', 'AccountUpdated', 'SignUpAbandoned', 'UserActive'],
      ...['UsernameReserved', 'EmailReserved', 'EmailReleased', 'UserPreferencesChanged'],
      'UserEmailChangeRequested',
      ...['UserTwoFactorPrepared', 'UserTwoFactorEnabled', 'UserTwoFactorCodeUsed', 'UserRecoveryCodeUsed'],
      'UserRecoveryCodesReplaced',
      // The linked page confirms the link.
      'AccountLinkVerified',
      // Another server reports about its own account.
      ...['RemoteAccountGone', 'RemoteAccountSuspended', 'RemoteAccountUnsuspended'],
      // These follow automatically from decisions of staff.
      'PersonalDataErased',
      'StrikeMailed',
    ];
    const staffs = [
      ...[accountEvents, announcementEvents, auditEvents, canonicalEmailBlockEvents, customEmojiEvents],
      ...[domainAllowEvents, domainBlockEvents, emailDomainBlockEvents, instanceEvents, ipBlockEvents],
      ...[moderationEvents, reportEvents, suggestionEvents, tagReviewEvents, trendReviewEvents],
    ].flatMap((events) => (events as { type: string }[]).map(({ type }) => type));
    expect(staffs.filter((type) => !taken.has(type) && !others.includes(type))).to.deep.equal([]);
    expect(others.filter((type) => taken.has(type))).to.deep.equal([]);
  });

  it("contains nothing of users' posts and relationships but the actions of staff on posts", () => {
    const busy =
      /^(Status|Vote|Media|Account(Followed|Unfollowed|Blocked|Muted)|Marker|Notification|UserActive)/;
    const ofStaff = ['StatusRemoved', 'StatusSensitized', 'StatusUnsensitized'];
    expect([...taken].filter((type) => busy.test(type))).to.have.members(ofStaff);
  });

  it('is the same after the log has lost personal data', async () => {
    const personal = definitions.filter(({ type, personal: fields }) => fields && taken.has(type));
    expect(personal.map(({ type }) => type)).to.include.members([
      'AccountWarned',
      'IpBlocked',
      'IpBlockChanged',
    ]);
    const before = [
      account('AccountSilenced'),
      sampleOf(definitions.find(({ type }) => type === 'IpBlocked')!),
    ];
    for (const definition of personal) {
      const known = sampleOf(definition);
      const erased = { ...known, data: { ...(known.data as object), ...definition.personal?.erased } };
      const others = before.filter(({ type }) => type !== definition.type);
      expect(await project(db, audit, [...others, known]), definition.type).to.deep.equal(
        await project(db, audit, [...others, erased]),
      );
    }
  });

  it('has an entry for each event', async () => {
    for (const definition of definitions.filter(({ type }) => taken.has(type))) {
      const rows = await project(db, audit, [sampleOf(definition)]);
      // Users did these for themselves.
      const own = [
        'UserRegistered',
        'UserConfirmed',
        'UserEmailChanged',
        'UserPasswordReset',
        'UserTwoFactorDisabled',
        'AccountSuspended',
        'AccountErased',
        'ApplicationCreated',
        'ReportFiled',
      ];
      const moves = ['AccountMoved', 'AccountMoveCancelled', 'AccountAliasAdded', 'AccountAliasRemoved'];
      const silent = [...own, ...moves].includes(definition.type);
      expect(rows['audit_entries'], definition.type).to.have.length(silent ? 0 : 1);
    }
  });

  it('knows the values before, wherever batches are cut', async () => {
    const rules = { reject_media: false, reject_reports: false, obfuscate: false, public_comment: null };
    expect(
      await lines(
        domain('DomainBlocked', { ...rules, severity: 'silence', private_comment: 'Spam' }),
        domain('DomainBlocked', {
          ...rules,
          domain: 'other.example',
          severity: 'noop',
          private_comment: null,
        }),
        domain('DomainBlockChanged', { severity: 'suspend', private_comment: null }),
        domain('DomainBlockChanged', { reject_media: true }),
        domain('DomainUnblocked'),
        domain('DomainBlocked', { ...rules, severity: 'noop', private_comment: null }),
      ),
    ).to.have.deep.members([
      [
        'domain_block.created',
        [
          'severity: null > "silence"',
          'reject_media: null > false',
          'reject_reports: null > false',
          'private_comment: null > "Spam"',
          'obfuscate: null > false',
        ],
      ],
      [
        'domain_block.created',
        [
          'severity: null > "noop"',
          'reject_media: null > false',
          'reject_reports: null > false',
          'obfuscate: null > false',
        ],
      ],
      ['domain_block.updated', ['severity: "silence" > "suspend"', 'private_comment: "Spam" > null']],
      ['domain_block.updated', ['reject_media: false > true']],
      [
        'domain_block.deleted',
        [
          'severity: "suspend" > null',
          'reject_media: true > null',
          'reject_reports: false > null',
          'obfuscate: false > null',
        ],
      ],
      [
        'domain_block.created',
        [
          'severity: null > "noop"',
          'reject_media: null > false',
          'reject_reports: null > false',
          'obfuscate: null > false',
        ],
      ],
    ]);
  });

  it('makes one entry of an action and its strike, and one of a warning alone', async () => {
    const strike = (id: string, action: string, more: object = {}): DomainEvent =>
      account('AccountWarned', {
        id,
        action,
        text: 'Stop',
        report_id: null,
        status_ids: [],
        notified: true,
        ...more,
      });
    const rows = await project(db, audit, [
      account('AccountSilenced'),
      strike('11', 'silence', { report_id: '5', status_ids: ['21', '22'] }),
      strike('12', 'none', { status_ids: ['21'] }),
      { type: 'AccountSilenced', data: { account_id: '8' } },
    ]);
    expect(
      rows['audit_entries']?.map(({ action, position, strike_id, report_id }) => [
        ...[action, position, strike_id, report_id],
      ]),
    ).to.have.deep.members([
      ['account.silenced', 1, 11, 5],
      ['account.warned', 3, 12, null],
      ['account.silenced', 4, null, null],
    ]);
    expect(rows['audit_statuses']).to.have.deep.members([
      { status_id: 21, position: 1 },
      { status_id: 22, position: 1 },
      { status_id: 21, position: 3 },
    ]);
    expect(JSON.stringify(rows)).not.to.include('Stop');
  });

  it('makes one entry of a strike and its effects on posts, in either order', async () => {
    const strike = (id: string, action: string): DomainEvent =>
      account('AccountWarned', {
        id,
        action,
        text: 'Stop',
        report_id: '5',
        status_ids: ['21', '22'],
        notified: true,
      });
    const post = (type: string, id: string, strike_id: string): DomainEvent => ({
      type,
      data: {
        id,
        account_id: ACCOUNT,
        strike_id,
        ...(type === 'StatusSensitized' ? { sensitive: false } : {}),
      },
    });
    const rows = await project(db, audit, [
      strike('11', 'delete_statuses'),
      post('StatusRemoved', '21', '11'),
      post('StatusRemoved', '22', '11'),
      strike('12', 'mark_statuses_as_sensitive'),
      post('StatusSensitized', '21', '12'),
      // An event of an old log.
      post('StatusSensitized', '21', '13'),
      strike('13', 'mark_statuses_as_sensitive'),
    ]);
    expect(
      rows['audit_entries']?.map(({ action, position, strike_id, report_id, target_type, target_id }) => [
        ...[action, position, strike_id, report_id, target_type, target_id],
      ]),
    ).to.have.deep.members([
      ['status.deleted', 1, 11, 5, 'status', 21],
      ['status.sensitized', 4, 12, 5, 'status', 21],
      ['status.sensitized', 6, 13, 5, 'status', 21],
    ]);
    expect(rows['audit_statuses']).to.have.deep.members(
      [1, 4, 6].flatMap((position) => [21, 22].map((status_id) => ({ status_id, position }))),
    );
  });

  it('compares roles, settings, rules, reports and announcements', async () => {
    const filed = definitions.find(({ type }) => type === 'ReportFiled')!;
    const report = { id: '5', account_id: '9' };
    const created = definitions.find(({ type }) => type === 'AnnouncementCreated')!;
    expect(
      await lines(
        account('UserRoleChanged', { role: 'Moderator' }),
        account('UserRoleChanged', { role: null }),
        { type: 'InstanceSettingsChanged', data: { title: 'One', languages: ['de'] } },
        {
          type: 'InstanceSettingsChanged',
          data: { title: 'Two', privacy_policy: { content: 'p'.repeat(1_001), updated_at: 'then' } },
        },
        { type: 'InstanceSettingsChanged', data: { privacy_policy: null } },
        { type: 'RuleAdded', data: { rule_id: 1, text: 'Be kind', hint: '' } },
        { type: 'RuleAdded', data: { rule_id: 2, text: 'Be short', hint: 'Or not' } },
        {
          type: 'RuleEdited',
          data: { rule_id: 1, text: 'Be nice', translation: { language: 'de', text: 'Sei nett', hint: '' } },
        },
        { type: 'RulesReordered', data: { rule_ids: [2, 1] } },
        { type: 'RuleTranslationRemoved', data: { rule_id: 1, language: 'de' } },
        { type: 'RuleRemoved', data: { rule_id: 2 } },
        { type: 'ReportFiled', data: { ...filed.samples[1], id: '5', category: 'spam' } },
        { type: 'ReportAssigned', data: report },
        { type: 'ReportAssigned', data: { ...report, account_id: '10' } },
        { type: 'ReportUpdated', data: { ...report, category: 'violation', rule_ids: ['1'] } },
        { type: 'ReportUnassigned', data: report },
        { type: 'AnnouncementCreated', data: { ...created.samples[1], announcement_id: '6' } },
        {
          type: 'AnnouncementUpdated',
          data: { announcement_id: '6', text: 'We stay', content: '<p>We stay</p>', ends_at: null },
        },
        { type: 'AnnouncementPublished', data: { announcement_id: '6', published_at: 'now' } },
      ),
    ).to.have.deep.members([
      ['account.role_changed', ['role: null > "Moderator"']],
      ['account.role_changed', ['role: "Moderator" > null']],
      ['settings.updated', ['title: "" > "One"', 'languages: ["en"] > ["de"]']],
      ['settings.updated', ['title: "One" > "Two"', `privacy_policy: null > "${'p'.repeat(1_000)}" (cut)`]],
      ['settings.updated', [`privacy_policy: "${'p'.repeat(1_000)}" > null (cut)`]],
      ['rule.created', ['text: null > "Be kind"', 'hint: null > ""']],
      ['rule.created', ['text: null > "Be short"', 'hint: null > "Or not"']],
      ['rule.updated', ['text: "Be kind" > "Be nice"', 'de text: null > "Sei nett"', 'de hint: null > ""']],
      ['rule.reordered', ['order: [1,2] > [2,1]']],
      ['rule.translation_removed', ['de text: "Sei nett" > null', 'de hint: "" > null']],
      ['rule.deleted', ['text: "Be short" > null', 'hint: "Or not" > null']],
      ['report.assigned', ['assigned_account_id: null > "9"']],
      ['report.assigned', ['assigned_account_id: "9" > "10"']],
      ['report.updated', ['category: "spam" > "violation"', 'rule_ids: [] > ["1"]']],
      ['report.unassigned', ['assigned_account_id: "10" > null']],
      [
        'announcement.created',
        [
          'text: null > "We move tonight"',
          'starts_at: null > "2026-12-01T20:00:00.000Z"',
          'ends_at: null > "2026-12-01T22:00:00.000Z"',
          'all_day: null > false',
        ],
      ],
      [
        'announcement.updated',
        ['text: "We move tonight" > "We stay"', 'ends_at: "2026-12-01T22:00:00.000Z" > null'],
      ],
      ['announcement.published', ['published: false > true']],
    ]);
  });

  it('distinguishes long texts with the same beginning', async () => {
    const alike = 'x'.repeat(1_500);
    const page = (end: string) => ({
      type: 'InstanceSettingsChanged',
      data: { privacy_policy: { content: `${alike}${end}`, updated_at: 'then' } },
    });
    const shown = `"${'x'.repeat(1_000)}"`;
    expect(await lines(page('a'), page('b'))).to.have.deep.members([
      ['settings.updated', [`privacy_policy: null > ${shown} (cut)`]],
      ['settings.updated', [`privacy_policy: ${shown} > ${shown} (cut)`]],
    ]);
  });
});
