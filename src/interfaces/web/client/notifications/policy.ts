import { selectField } from '#interfaces/web/design/choice-fields.ts';
import { pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { button, form, problemBox } from '#interfaces/web/page/forms.ts';
import { noticeBox, saying } from '#interfaces/web/page/notices.ts';
import { type Fields, type Tried, userPage } from '#interfaces/web/page/page.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import { valuesBy } from '#kernel/values-by.ts';
import type { NotificationPolicy } from '#mastodon/schemas/index.ts';
import { backToNotifications } from './requests.ts';

const POLICY = '/notifications/policy';

type Rule = Exclude<keyof NotificationPolicy, 'summary'>;

const RULES: Readonly<Record<Rule, { label: string; hint: string }>> = {
  for_not_following: { label: 'People you don’t follow', hint: 'Until you accept their notifications' },
  for_not_followers: { label: 'People not following you', hint: 'Also those who began to lately' },
  for_new_accounts: { label: 'New accounts', hint: 'Created within the past 30 days' },
  for_private_mentions: {
    label: 'Unsolicited private mentions',
    hint: 'Unless they answer one of yours, or you follow their author',
  },
  for_limited_accounts: { label: 'Moderated accounts', hint: 'Limited by the moderators of this server' },
  for_bots: { label: 'Automated accounts', hint: 'Accounts that say that they are bots' },
};
const NAMES = Object.keys(RULES) as Rule[];

const VERDICTS = [
  { value: 'accept', label: 'Accept' },
  { value: 'filter', label: 'Filter: keep them apart, under Filtered notifications' },
  { value: 'drop', label: 'Ignore: they are lost' },
] as const;

/** `/notifications/policy`: whose notifications are accepted, filtered or ignored. */
export const policyPage = userPage({
  path: POLICY,
  acts: true,
  show: async (request, tried) => {
    const { entity } = await request.api('GET v2/notifications/policy');
    return {
      title: 'Who can notify you',
      hidden: true,
      body: html`${backToNotifications()} ${pageHead('Who can notify you')}
        ${noticeBox(request)}${problemBox(tried)}
        <section class="box">
          ${form(request, html`${NAMES.map((name) => ruleField(name, entity, tried))} ${button('Save changes')}`)}
        </section>`,
    };
  },
  submit: async ({ api }, fields) => {
    await api('PATCH v2/notifications/policy', { body: rulesIn(fields) });
    return { redirect: saying(POLICY, 'policy_saved') };
  },
});

const rulesIn = (fields: Fields) =>
  valuesBy(NAMES, (name) => (fields[name] === undefined ? undefined : asSent(fields[name])));

const ruleField = (name: Rule, policy: NotificationPolicy, tried: Tried | undefined): Html =>
  selectField({ name, ...RULES[name], choices: VERDICTS, chosen: tried?.fields[name] ?? policy[name] });
