import { factList, stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import type {
  Replay,
  ReplayAccount,
  ReplayDomain,
  ReplayPost,
  ReplayReport,
  ReplayRule,
  ReplayStrike,
} from '#mastodon/schemas/index.ts';
import { replayPath } from '../addresses.ts';
import { CATEGORIES, strikeName } from '../moderation/words.ts';
import { AUDIENCES, calledIn, changesOf, textShown, valueWords } from './words.ts';

type Fact = readonly [name: string, value: Part];

/** Renders the state as it stood at the shown step. Changed things are marked. */
export function stateBox(replay: Replay): Html {
  const { state } = replay;
  const changed = new Set(changesOf(replay).map(({ field }) => field));
  const { account, reports, strikes, posts, domain, rule } = state;
  const filed = listBox('Reports', reports, (each) => reportItem(each, changed, replay));
  const evidence = listBox(replay.kind === 'status' ? 'Post' : 'Posts that were evidence', posts, (each) =>
    postItem(each, changed),
  );
  return html`<section class="state-box" id="replay-state" aria-labelledby="state-title">
    <h2 id="state-title">As it stood</h2>
    ${replay.kind === 'status' && evidence} ${replay.kind === 'report' && filed}
    ${account && accountBox(account, changed, replay)} ${domain && domainBox(domain, changed)}
    ${rule && ruleBox(rule, changed)} ${state.setting && settingBox(state.setting, changed)}
    ${replay.kind !== 'report' && filed} ${listBox('Strikes', strikes, (each) => strikeItem(each, changed))}
    ${replay.kind !== 'status' && evidence}
    ${!account && !domain && !rule && !state.setting && reports.length + posts.length === 0 && html`<p class="quiet">Nothing was here yet.</p>`}
  </section>`;
}

/** Marks a value that the step changed. */
const marked = (changed: ReadonlySet<string>, path: string, value: Part): Part =>
  changed.has(path) ? html`<mark class="changed">${value}</mark>` : value;

function accountBox(account: ReplayAccount, changed: ReadonlySet<string>, replay: Replay): Html {
  const fact = (name: string, fields: keyof ReplayAccount | (keyof ReplayAccount)[], value: Part): Fact => {
    const field = [fields].flat().find((each) => changed.has(`account.${each}`));
    return [
      name,
      value === false || field === undefined ? value : marked(changed, `account.${field}`, value),
    ];
  };
  const say = (field: keyof ReplayAccount): string => valueWords(field, account[field]);
  const { state, shown, display_name, note, fields, domain, confirmed, approved } = account;
  const text = (value: string): Html => textShown(value, shown);
  return html`<div class="box">
    <h3>${domain === null ? `@${account.username}` : `@${account.username}@${domain}`}</h3>
    <p class="badges">${flagsOf(account, changed)}</p>
    ${factList([
      fact('Seen by', 'audience', AUDIENCES[account.audience]),
      fact('Role', 'role', account.role ?? 'None'),
      fact('Limit of its server', 'domain_severity', domain !== null && say('domain_severity')),
      fact('E-mail address', 'confirmed', confirmed !== null && (confirmed ? 'Confirmed' : 'Not confirmed')),
      fact('Sign-up', 'approved', approved !== null && (approved ? 'Approved' : 'Pending')),
      fact('Moved to', 'moved_to', account.moved_to !== null && accountLink(account.moved_to, replay)),
      fact('Recommended by staff', 'recommended', account.recommended && 'Yes'),
      fact('Display name', 'display_name', text(display_name)),
      fact('Bio', 'note', text(note)),
      fact('Extra fields', 'fields', shown === 'erased' ? text('') : fields.length > 0 && lines(fields)),
      fact('Pictures', ['avatar', 'header'], picturesOf(account)),
      fact('Options', ['locked', 'bot', 'discoverable', 'indexable'], optionsOf(account)),
    ])}
    ${state !== 'active' && html`<p class="quiet">The account is ${state}.</p>`}
  </div>`;
}

const accountLink = (id: string, replay: Replay): Html =>
  html`<a href="${replayPath('account', id)}">${calledIn(replay, 'account', id)}</a>`;

const lines = (texts: readonly string[]): Html =>
  html`<ul class="plain-list">
    ${texts.map((text) => html`<li>${text}</li>`)}
  </ul>`;

const FLAGS: readonly (readonly [field: keyof ReplayAccount, text: string])[] = [
  ['suspended', 'Suspended'],
  ['suspended_by_own_server', 'Suspended by its server'],
  ['silenced', 'Limited'],
  ['disabled', 'Frozen'],
  ['sensitized', 'Sensitive'],
];

function flagsOf(account: ReplayAccount, changed: ReadonlySet<string>): Part[] {
  const set = FLAGS.filter(([field]) => account[field] === true);
  const ended = FLAGS.filter(([field]) => account[field] === false && changed.has(`account.${field}`));
  return [
    set.length === 0 && account.state === 'active' && stateBadge('Active', 'good'),
    ...set.map(([field, text]) => marked(changed, `account.${field}`, stateBadge(text, 'bad'))),
    ...ended.map(
      ([, text]) =>
        html`<mark class="changed">${stateBadge(`No longer ${text.toLowerCase()}`, 'good')}</mark>`,
    ),
  ].flatMap((part, index) => (index === 0 ? [part] : [' ', part]));
}

const picturesOf = ({ avatar, header }: ReplayAccount): string =>
  [avatar && 'Profile picture', header && 'Header'].filter(Boolean).join(', ') || 'None';

const optionsOf = ({ locked, bot, discoverable, indexable }: ReplayAccount): string =>
  [
    locked && 'Approves followers',
    bot && 'Automated',
    discoverable === true && 'Can be discovered',
    indexable && 'Posts can be searched',
  ]
    .filter(Boolean)
    .join(', ') || 'None';

const domainBox = (domain: ReplayDomain, changed: ReadonlySet<string>): Html => {
  const fact = (name: string, field: keyof ReplayDomain, value: Part): Fact => [
    name,
    marked(changed, `domain.${field}`, value),
  ];
  const yes = (is: boolean): string => (is ? 'Yes' : 'No');
  return html`<div class="box">
    <h3>${domain.domain}</h3>
    ${factList([
      fact(
        'Severity',
        'severity',
        domain.severity === null ? 'Not blocked' : valueWords('severity', domain.severity),
      ),
      fact('Media refused', 'reject_media', yes(domain.reject_media)),
      fact('Reports refused', 'reject_reports', yes(domain.reject_reports)),
      fact('Name hidden in public', 'obfuscate', yes(domain.obfuscate)),
      fact('Private comment', 'private_comment', domain.private_comment ?? 'None'),
      fact('Public comment', 'public_comment', domain.public_comment ?? 'None'),
      fact('Allowed', 'allowed', yes(domain.allowed)),
      fact('Sign-ups with its addresses', 'email', EMAILS[domain.email ?? 'free']),
    ])}
  </div>`;
};

const EMAILS = { blocked: 'Refused', approval: 'Need approval', free: 'As usual' } as const;

const ruleBox = (rule: ReplayRule, changed: ReadonlySet<string>): Html =>
  html`<div class="box">
    <h3>Rule ${rule.id}</h3>
    ${factList([
      ['Text', marked(changed, 'rule.text', rule.text)],
      ['Hint', marked(changed, 'rule.hint', rule.hint === '' ? 'None' : rule.hint)],
      ['Place', marked(changed, 'rule.place', rule.place ?? 'Removed')],
      [
        'Translations',
        marked(
          changed,
          'rule.translations',
          rule.translations.length === 0 ? 'None' : lines(rule.translations),
        ),
      ],
    ])}
  </div>`;

const settingBox = (
  { name, value, shown }: NonNullable<Replay['state']['setting']>,
  changed: ReadonlySet<string>,
): Html =>
  html`<div class="box">
    <h3>${name}</h3>
    ${factList([['Value', marked(changed, 'setting.value', `${valueWords(name, value)}${shown === 'cut' ? '…' : ''}`)]])}
  </div>`;

const listBox = <Item>(title: string, items: readonly Item[], render: (item: Item) => Html): Html | false =>
  items.length > 0 &&
  html`<div class="box">
    <h3>${title} <span class="quiet">(${items.length})</span></h3>
    <ul class="thing-list">
      ${items.map(render)}
    </ul>
  </div>`;

const isChanged = (changed: ReadonlySet<string>, prefix: string): boolean =>
  [...changed].some((field) => field.startsWith(`${prefix}.`));

const thing = (changed: ReadonlySet<string>, prefix: string, content: Html): Html =>
  html`<li ${isChanged(changed, prefix) && html`class="changed"`}>${content}</li>`;

const reportItem = (report: ReplayReport, changed: ReadonlySet<string>, replay: Replay): Html =>
  thing(
    changed,
    `reports.${report.id}`,
    html`<p>
        <a href="${replayPath('report', report.id)}">Report ${report.id}</a>
        ${stateBadge(report.state === 'open' ? 'Open' : 'Resolved', report.state === 'open' ? 'busy' : 'good')}
      </p>
      <p class="quiet">
        ${CATEGORIES[report.category]}${report.rule_ids.length > 0 && html`, ${report.rule_ids.map((id) => calledIn(replay, 'rule', id)).join(', ')}`}${
          report.assigned_account_id !== null &&
          html`, with ${accountLink(report.assigned_account_id, replay)}`
        },
        ${counted(report.status_ids.length, 'post')}
      </p>
      <p>${textShown(report.comment, report.shown)}</p>
      ${report.notes.map((note) => html`<p class="note">Note: ${textShown(note.content, note.shown)}</p>`)}`,
  );

const strikeItem = (strike: ReplayStrike, changed: ReadonlySet<string>): Html =>
  thing(
    changed,
    `strikes.${strike.id}`,
    html`<p>
        <b>${strikeName(strike.action)}</b>
        ${strike.overruled && stateBadge('Overruled', 'good')}
        ${strike.appeal !== null && stateBadge(`Appeal ${strike.appeal}`, strike.appeal === 'pending' ? 'busy' : undefined)}
      </p>
      <p>${textShown(strike.text, strike.shown)}</p>
      ${strike.appeal !== null && html`<p class="note">Appeal: ${textShown(strike.appeal_text, strike.shown)}</p>`}
      ${strike.appeal_note !== '' && html`<p class="note">Answer: ${textShown(strike.appeal_note, strike.shown)}</p>`}`,
  );

const postItem = (post: ReplayPost, changed: ReadonlySet<string>): Html =>
  thing(
    changed,
    `posts.${post.id}`,
    html`<p>
        <a href="${replayPath('status', post.id)}">Post ${post.id}</a>
        ${post.state === 'deleted' && stateBadge(post.removed_by_staff ? 'Removed by staff' : 'Deleted', 'bad')}
        ${(post.sensitive || post.sensitized_by_staff) && stateBadge(post.sensitized_by_staff ? 'Sensitive, by staff' : 'Sensitive')}
        ${post.edits > 0 && stateBadge(counted(post.edits, 'edit'))}
      </p>
      ${post.spoiler_text !== '' && html`<p class="quiet">${post.spoiler_text}</p>`}
      <p>${textShown(post.text, post.shown)}</p>
      <p class="quiet">
        Seen by:
        ${marked(changed, `posts.${post.id}.audience`, AUDIENCES[post.audience].toLowerCase())}${
          post.attachments > 0 && html`; ${counted(post.attachments, 'attachment')}`
        }${post.evidence && '; the text is that of the report'}
      </p>`,
  );
