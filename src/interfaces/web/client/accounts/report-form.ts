import { buttonLink } from '#interfaces/web/design/components.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { profilePath } from '#interfaces/web/entities/addresses.ts';
import { domainOfAccount } from '#interfaces/web/entities/person.ts';
import { ago, counted, languageOf } from '#interfaces/web/entities/texts.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { plainText } from '#mastodon/html.ts';
import type { Account, Rule, Status } from '#mastodon/schemas/index.ts';

/** Characters, as in the API. */
const MAX_COMMENT = 1_000;

/** The fields of a report as they were sent, or filled in beforehand. */
export interface SentReport {
  category?: string | undefined;
  ruleIds?: readonly string[];
  statusIds: readonly string[];
  comment?: string;
  forward?: boolean;
}

interface ReportForm {
  account: Account;
  rules: readonly Rule[];
  posts: readonly Status[];
  key: string;
  sent: SentReport;
}

const CATEGORIES = [
  ['spam', 'It is spam', 'Malicious links, fake engagement, or repetitive replies'],
  ['legal', 'It is illegal', "It violates the law of your or the server's country"],
  ['violation', 'It violates server rules', 'Tick the rules below'],
  ['other', 'It is something else', 'The issue does not fit into other categories'],
] as const;

/** Renders the whole report in one form: the reason, the posts, a comment, the other server. */
export function reportForm(request: SignedInRequest, { account, rules, posts, key, sent }: ReportForm): Html {
  const comment = {
    name: 'comment',
    label: 'Anything else that the moderators should know?',
    hint: `At most ${MAX_COMMENT} characters.`,
    autocomplete: 'off',
    value: sent.comment ?? '',
  };
  return form(
    request,
    html`${reasonField(rules, sent)} ${postsField(posts, sent, request.ctx.now)}
      ${longField(comment, MAX_COMMENT)} ${forwardField(account, sent)}
      <div class="buttons">
        ${button('Report', 'danger')} ${buttonLink(profilePath(account), 'Cancel', { look: 'plain' })}
      </div>`,
    { hidden: { key } },
  );
}

/** Rules are offered where there are some. */
const reasonField = (rules: readonly Rule[], { category, ruleIds = [] }: SentReport): Html =>
  html`<fieldset>
    <legend>What is wrong with this account?</legend>
    ${CATEGORIES.filter(([name]) => name !== 'violation' || rules.length > 0).map(
      ([name, label, text]) =>
        html`<p class="tick">
            <input
              type="radio"
              name="category"
              id="c-${name}"
              value="${name}"
              required
              ${category === name && html`checked`}
            />
            <label for="c-${name}"><strong>${label}</strong><br /><span class="quiet">${text}</span></label>
          </p>
          ${name === 'violation' && rulesField(rules, ruleIds)}`,
    )}
  </fieldset>`;

const rulesField = (rules: readonly Rule[], ticked: readonly string[]): Html =>
  html`<fieldset class="nested">
    <legend>Which rules are violated?</legend>
    ${rules.map(
      ({ id, text }) =>
        html`<p class="tick">
          <input
            type="checkbox"
            name="rule_ids[]"
            id="r-${id}"
            value="${id}"
            ${ticked.includes(id) && html`checked`}
          />
          <label for="r-${id}" dir="auto">${text}</label>
        </p>`,
    )}
  </fieldset>`;

/** The length of the beginning of a post that identifies it, in UTF-16 units. */
const EXCERPT = 200;

const postsField = (posts: readonly Status[], { statusIds }: SentReport, now: string): Html | false =>
  posts.length > 0 &&
  html`<fieldset>
    <legend>Are there any posts that back up this report?</legend>
    <div class="evidence">
      ${posts.map(
        (status) =>
          html`<p class="tick">
            <input
              type="checkbox"
              name="status_ids[]"
              id="p-${status.id}"
              value="${status.id}"
              ${statusIds.includes(status.id) && html`checked`}
            />
            <label for="p-${status.id}"
              ><span dir="auto" ${languageOf(status.language)}>${excerptOf(status)}</span>
              <span class="quiet">${ago(status.created_at, now)}</span></label
            >
          </p>`,
      )}
    </div>
  </fieldset>`;

function excerptOf({ spoiler_text, content, media_attachments }: Status): string {
  const text = [spoiler_text, plainText(content)].filter((each) => each !== '').join(' · ');
  const files = media_attachments.length;
  const cut = text.length > EXCERPT ? `${text.slice(0, EXCERPT).toWellFormed()}…` : text;
  return files === 0 ? cut : `${cut} (${counted(files, 'attachment')})`;
}

function forwardField(account: Account, { forward }: SentReport): Html | false {
  const domain = domainOfAccount(account);
  return (
    domain !== undefined &&
    html`<p class="tick">
      <input type="checkbox" name="forward" id="forward" value="true" ${forward === true && html`checked`} />
      <label for="forward"
        >Forward to <bdi dir="ltr">${domain}</bdi><br /><span class="quiet"
          >The account is from another server. Send a copy of the report there as well, without your
          name.</span
        ></label
      >
    </p>`
  );
}
