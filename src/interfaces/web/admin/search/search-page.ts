import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { addressWith } from '#interfaces/web/page/address-with.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { mayDo } from '#mastodon/permissions.ts';
import type { AdminAccount, ReplaySubject } from '#mastodon/schemas/index.ts';
import { accountTable } from '../accounts/list.ts';
import { ACCOUNTS, SEARCH } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { recordTable } from '../record-list.ts';
import { subjectList } from '../replay/find.ts';
import { furtherLinks } from './further.ts';
import { type AccountConditions, type Meaning, meaningOf } from './meaning.ts';

const MAX_TEXT = 500;
/** Accounts of one list; a link leads to all of them. */
const SHOWN = 10;

const EXAMPLES = [
  ['@vera, vera@server.example', 'Accounts by handle; the beginning is enough'],
  ['vera@mail.example', 'The account with this e-mail address'],
  ['192.0.2.1', 'Accounts that signed up or were seen from this IP address'],
  ['server.example', 'A server, its accounts, its blocks and its history'],
  ['115500000000000001', 'An account, a post or a report by ID'],
  ['120', 'An event by its position in the log'],
  ['0c1a2b3d-6f60-4d0e-9a53-2f5c8a5f4d11', 'What one request did, by its X-Request-Id'],
  ['registrations', 'The history of a setting'],
] as const;

/** `/admin/search`: finds what the search box of the console names, as far as the role may see it. */
export const searchPage = consolePage({
  path: SEARCH,
  permission: 'view_dashboard',
  show: async (request) => {
    const text = (request.query.get('q') ?? '').trim().slice(0, MAX_TEXT);
    return {
      title: 'Search',
      body: html`<form
          class="box filter-bar"
          method="get"
          action="${SEARCH}"
          role="search"
          aria-label="Console"
        >
          <div>
            ${textField({ name: 'q', label: 'Handle, address, domain or ID', autocomplete: 'off', value: text }, MAX_TEXT)}
          </div>
          <div class="buttons"><button type="submit">${icon('search')}Search</button></div>
        </form>
        ${text === '' ? exampleList() : await results(request, meaningOf(text, request.ctx.instance.domain), text)}`,
    };
  },
});

const exampleList = (): Html =>
  html`<section class="box" aria-labelledby="examples">
    <h2 id="examples">What you can search for</h2>
    <dl class="facts">
      ${EXAMPLES.map(
        ([example, text]) =>
          html`<dt><code dir="ltr">${example}</code></dt>
            <dd>${text}</dd>`,
      )}
    </dl>
  </section>`;

async function results(request: SignedInRequest, meaning: Meaning, text: string): Promise<Html> {
  const { role } = request.user;
  const mayAudit = mayDo(role, 'view_audit_log');
  const [lists, subjects] = await Promise.all([
    mayDo(role, 'manage_users')
      ? Promise.all(meaning.accounts.map((each) => accountsWith(request, each)))
      : [],
    meaning.subjects && mayAudit ? subjectsOf(request, meaning, text) : [],
  ]);
  const accounts = lists.filter(({ found }) => found.length > 0);
  const further = furtherLinks(role, meaning, subjects);
  return html`${accounts.length === 0 && subjects.length === 0 && emptyState({ icon: 'search', text: `Nothing found for ${text}.` })}
  ${accounts.map((list) => accountPart(request, list))}
  ${
    subjects.length > 0 &&
    html`<h2>Histories</h2>
      ${subjectList(subjects)}`
  }
  ${
    further.length > 0 &&
    html`<h2>Search further</h2>
      <ul class="subject-list">
        ${further.map(([href, label]) => html`<li><a href="${href}">${label}</a></li>`)}
      </ul>`
  }`;
}

interface FoundAccounts {
  conditions: AccountConditions;
  found: readonly AdminAccount[];
  more: boolean;
}

async function accountsWith({ api }: SignedInRequest, conditions: AccountConditions): Promise<FoundAccounts> {
  const query = { ...conditions, limit: String(SHOWN) };
  const { entity, next } = await api('GET v2/admin/accounts', { query });
  return { conditions, found: entity, more: next !== undefined && entity.length === SHOWN };
}

/** Accounts are listed above by their handles. */
async function subjectsOf(
  { api }: SignedInRequest,
  { number }: Meaning,
  q: string,
): Promise<ReplaySubject[]> {
  const { entity } = await api('GET v1/admin/audit/subjects', { query: { q } });
  return entity.filter(({ kind }) => kind !== 'account' || number !== undefined);
}

const TITLES: Readonly<Record<keyof AccountConditions, string>> = {
  username: 'Accounts with this handle',
  email: 'Accounts with this e-mail address',
  by_domain: 'Accounts of this server',
  ip: 'Accounts with this IP address',
};

function accountPart(request: SignedInRequest, { conditions, found, more }: FoundAccounts): Html {
  const [name] = Object.keys(conditions) as (keyof AccountConditions)[];
  return html`<h2>${name && TITLES[name]}</h2>
    ${recordTable(found, accountTable(request))}
    ${more && html`<p>${buttonLink(addressWith(ACCOUNTS, Object.entries(conditions)), 'All of them', { look: 'plain' })}</p>`}`;
}
