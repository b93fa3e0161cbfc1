// Calls of endpoints that the compiler refuses. Nothing here runs: `npm run types` reports an expected error that is missing.
import { enableAccount } from '#commands/admin/accounts/lift.ts';
import { approveAppeal } from '#commands/admin/appeals.ts';
import { reopenReport, resolveReport } from '#commands/admin/reports/handle.ts';
import { acceptRequests, dismissRequest } from '#commands/notifications/answer-requests.ts';
import { clearGroupedNotifications } from '#commands/notifications/dismiss.ts';
import type { OwnCalls } from '#interfaces/http/own-calls.ts';
import { callEndpoint, replyOf } from '#interfaces/web/page/call-endpoint.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import type { RequestContext } from '#kernel/context.ts';
import type { Account, AuditEntry, List } from '#mastodon/schemas/index.ts';
import { accountStatuses, showAccount } from '#queries/accounts/index.ts';
import { directory } from '#queries/directory.ts';
import { publicTimeline } from '#queries/timelines/index.ts';
import { adminTrendingTags, trendingTagsOfOld } from '#queries/trends/tags.ts';

/** Calls that are right. */
export async function rightCalls({ api }: OwnCalls, chosen: boolean): Promise<void> {
  const { entity: lists } = await api('GET v1/lists');
  lists satisfies List[];
  await api('POST v1/lists', { body: { title: 'Friends' }, key: '1' });
  await api('GET v1/lists/:id/accounts', { params: { id: '1' }, query: { limit: '10' } });
  await api(chosen ? 'POST v1/lists/:id/accounts' : 'DELETE v1/lists/:id/accounts', {
    params: { id: '1' },
    body: { account_ids: ['2'] },
  });
  const { entity: file } = await api('GET v1/admin/audit_export', { query: { format: 'csv' } });
  file satisfies AsyncIterable<string>;
}

/** Calls that are wrong in one place each. */
export async function wrongCalls({ api, passOn }: OwnCalls, name: string, chosen: boolean): Promise<void> {
  // @ts-expect-error No endpoint has this name.
  await api('GET v1/admin/no/such/endpoint', { query: { nonsense: [1] } });
  // @ts-expect-error Any text is no name.
  await api(name);
  // @ts-expect-error A form is passed on to an endpoint that exists.
  await passOn('POST v1/admin/no/such/endpoint', { body: {} });

  // @ts-expect-error The query has no such field.
  await api('GET v1/admin/audit', { query: { nonsense: '1' } });
  // @ts-expect-error This endpoint has no query.
  await api('GET v1/lists', { query: { limit: '1' } });
  // @ts-expect-error The body has no such field.
  await api('POST v1/lists', { body: { titel: 'Friends' } });
  // @ts-expect-error The title is a text.
  await api('POST v1/lists', { body: { title: 1 } });
  // @ts-expect-error A GET has no body.
  await api('GET v1/lists', { body: { title: 'Friends' } });

  // @ts-expect-error The path has a parameter.
  await api('GET v1/lists/:id');
  // @ts-expect-error The parameter has another name.
  await api('GET v1/lists/:id', { params: { list_id: '1' } });
  // @ts-expect-error A parameter is missing.
  await api('PUT v1/announcements/:id/reactions/:name', { params: { id: '1' } });
  // @ts-expect-error One of the two names has a parameter.
  await api(chosen ? 'GET v1/lists' : 'GET v1/lists/:id');
  // @ts-expect-error One of the two names has another parameter.
  await api(chosen ? 'GET v1/lists/:id' : 'GET v1/timelines/list/:list_id', { params: { id: '1' } });

  // @ts-expect-error The entity is a list of lists.
  (await api('GET v1/lists')).entity satisfies AuditEntry[];
  // @ts-expect-error The entity is a file in pieces.
  (await api('GET v1/admin/audit_export')).entity satisfies string;
}

/** Choices are the words of the endpoint: in a body, a query, a path, a list and an object. */
export async function rightChoices({ api, passOn }: OwnCalls, sent: string): Promise<void> {
  await api('POST v1/reports', { body: { account_id: '1', category: 'spam' } });
  await api('POST v1/reports', { body: { account_id: '1', category: asSent(sent) } });
  await passOn('POST v1/reports', { body: { account_id: '1', category: sent } });
  await api('POST v2/filters', {
    body: { title: 'Rooks', context: ['home', 'public'], filter_action: 'blur' },
  });
  await api('PUT v1/push/subscription', { body: { data: { policy: 'followed' } } });
  await api('GET v1/admin/audit/subjects/:kind/:id', { params: { kind: 'rule', id: '1' } });
}

/** Choices that are misspelt, or any text. */
export async function wrongChoices({ api }: OwnCalls, sent: string): Promise<void> {
  // @ts-expect-error A text that the handler compares with words is one of them.
  await api('POST v1/reports', { body: { account_id: '1', category: 'spamm' } });
  // @ts-expect-error Any text is no category.
  await api('POST v1/reports', { body: { account_id: '1', category: sent } });
  // @ts-expect-error A choice in a body is one of its words.
  await api('POST v1/statuses', { body: { status: 'Caw', visibility: 'pubilc' } });
  // @ts-expect-error A choice in a query is one of its words.
  await api('GET v1/directory', { query: { order: 'newest' } });
  // @ts-expect-error A choice in a path is one of its words.
  await api('GET v1/admin/audit/subjects/:kind/:id', { params: { kind: 'rules', id: '1' } });
  // @ts-expect-error Each choice of a list is one of its words.
  await api('POST v2/filters', { body: { title: 'Rooks', context: ['home', 'pubilc'] } });
  // @ts-expect-error Each choice of a list in a query is one of its words.
  await api('GET v1/notifications', { query: { types: ['mention', 'follows'] } });
  // @ts-expect-error Keys of figures are those of the endpoint.
  await api('POST v1/admin/measures', { body: { keys: ['new_user'] } });
  // @ts-expect-error A choice in an object of a body is one of its words.
  await api('PUT v1/push/subscription', { body: { data: { policy: 'everyone' } } });
  // @ts-expect-error A flag is no list.
  await api('POST v1/lists', { body: { title: 'Friends', exclusive: ['true'] } });
  const { entity: list } = await api('GET v1/lists/:id', { params: { id: '1' } });
  // @ts-expect-error A choice in a reply is one of its words.
  if (list.replies_policy === 'folowed') list.title.trim();
}

/** Calls of an endpoint as a value are held against its contract as well. */
export async function callsOfValues(ctx: RequestContext): Promise<void> {
  const { entity: account } = await callEndpoint(ctx, showAccount, { params: { id: '1' } });
  account satisfies Account;
  await callEndpoint(ctx, publicTimeline);
  await replyOf(ctx, accountStatuses, { params: { id: '1' }, query: { pinned: 'true', limit: '10' } });

  // @ts-expect-error The path has a parameter.
  await callEndpoint(ctx, showAccount);
  // @ts-expect-error The parameter has another name.
  await callEndpoint(ctx, showAccount, { params: { account_id: '1' } });
  // @ts-expect-error This endpoint has no query.
  await callEndpoint(ctx, showAccount, { params: { id: '1' }, query: { limit: '1' } });
  // @ts-expect-error The query has no such field.
  await replyOf(ctx, accountStatuses, { params: { id: '1' }, query: { exclude_replys: 'true' } });
  // @ts-expect-error A choice is one of its words.
  await callEndpoint(ctx, directory, { query: { order: 'newest' } });
  // @ts-expect-error The entity is an account.
  (await callEndpoint(ctx, showAccount, { params: { id: '1' } })).entity satisfies List;
}

/** A page knows the parameters of its own path. */
export const pages = [
  userPage({ path: '/lists/:id', show: ({ params }) => ({ redirect: params.id }) }),
  // @ts-expect-error The path has no such parameter.
  userPage({ path: '/lists/:id', show: ({ params }) => ({ redirect: params.name }) }),
  userPage({
    path: '/lists',
    // @ts-expect-error The page has no id to call the endpoint with.
    show: async ({ api, params }) => ({ redirect: (await api('GET v1/lists/:id', { params })).entity.id }),
  }),
];

/** Functions that make endpoints keep their methods and paths. */
export const made = {
  [`${resolveReport.method} ${resolveReport.path}` as const]: true,
  [`${reopenReport.method} ${reopenReport.path}` as const]: true,
  [`${approveAppeal.method} ${approveAppeal.path}` as const]: true,
  [`${enableAccount.method} ${enableAccount.path}` as const]: true,
  [`${acceptRequests.method} ${acceptRequests.path}` as const]: true,
  [`${dismissRequest.method} ${dismissRequest.path}` as const]: true,
  [`${clearGroupedNotifications.method} ${clearGroupedNotifications.path}` as const]: true,
  [`${adminTrendingTags.method} ${adminTrendingTags.path}` as const]: true,
  [`${trendingTagsOfOld.method} ${trendingTagsOfOld.path}` as const]: true,
} satisfies Record<
  | 'POST /api/v1/admin/reports/:id/resolve'
  | 'POST /api/v1/admin/reports/:id/reopen'
  | 'POST /api/v1/admin/appeals/:id/approve'
  | 'POST /api/v1/admin/accounts/:id/enable'
  | 'POST /api/v1/notifications/requests/accept'
  | 'POST /api/v1/notifications/requests/:id/dismiss'
  | 'POST /api/v2/notifications/clear'
  | 'GET /api/v1/admin/trends/tags'
  | 'GET /api/v1/trends',
  true
>;
