import { type Step, step } from '../step.ts';

const POST = 'POST /api/v1/statuses';
const PUT = 'PUT /api/v1/statuses/{id}';
const VOTE = 'POST /api/v1/polls/{id}/votes';

/** Valid and invalid posts. The key describes the case. */
const BODIES: Readonly<Record<string, unknown>> = {
  'no text': {},
  'blank text': { status: '  ' },
  'only a warning': { spoiler_text: 'Only a warning, @bob' },
  'a warning and text': { status: 'Text', spoiler_text: 'Warning', sensitive: false },
  'a quote with a warning': { spoiler_text: 'Warning', quoted_status_id: '{post}' },
  'a quote of nothing': { status: 'x', quoted_status_id: '1' },
  'a quote of a private post': { status: 'x', quoted_status_id: '{private}' },
  'a reply to nothing': { status: 'x', in_reply_to_id: '1' },
  unlisted: { status: 'Quietly', visibility: 'unlisted' },
  'no visibility': { status: 'x', visibility: 'nonsense' },
  limited: { status: 'x', visibility: 'limited' },
  'language with a region': { status: 'Servus', language: 'de-AT' },
  'unknown language': { status: 'x', language: 'qqq' },
  'numbers as text': { status: 5, spoiler_text: 5 },
  'odd booleans': { status: 'x', sensitive: 'maybe' },
  'too long': { status: 'x'.repeat(501) },
  'long address': { status: `${'x'.repeat(476)} https://example.com/${'y'.repeat(200)}` },
  'too many media': { status: 'x', media_ids: ['1', '2', '3', '4', '5'] },
  'unknown media': { status: 'x', media_ids: ['1'] },
  'media as text': { status: 'x', media_ids: '{media}' },
  'poll without options': { status: 'x', poll: { options: [], expires_in: 3_600 } },
  'poll of one': { status: 'x', poll: { options: ['One'], expires_in: 3_600 } },
  'poll of five': { status: 'x', poll: { options: ['1', '2', '3', '4', '5'], expires_in: 3_600 } },
  'poll of equals': { status: 'x', poll: { options: ['One', 'One'], expires_in: 3_600 } },
  'short poll': { status: 'x', poll: { options: ['One', 'Two'], expires_in: 10 } },
  'endless poll': { status: 'x', poll: { options: ['One', 'Two'], expires_in: 99_999_999 } },
  'poll that is a text': { status: 'x', poll: 'x' },
  'scheduled for soon': { status: 'x', scheduled_at: '2000-01-01T00:00:00Z' },
  'scheduled for never': { status: 'x', scheduled_at: 'never' },
  'unexpected mentions': { status: '@bob @carol', allowed_mentions: ['{bob}'] },
  mentions: { status: 'To @bob, @nobody and @carol@far.example!' },
  addresses: { status: 'https://example.com/a_(b)?c=d#e and xmpp:alice@example.com, www.example.com' },
  hashtags: { status: '#One (#two) #3 ##four #five-six "#seven"' },
  emojis: { status: ':nothing: and :blobcat:' },
  'line breaks': { status: 'One\nTwo\n\nThree   four\u2028five' },
  markup: { status: '<b>bold</b> & "quoted"' },
  'closed to quotes': { status: 'x', quote_approval_policy: 'nobody' },
  'odd policy': { status: 'x', quote_approval_policy: 'odd' },
};

const EDITS: Readonly<Record<string, unknown>> = {
  nothing: {},
  'the text': { status: 'Hello again #rooks' },
  'no text': { status: '' },
  'null as text': { status: null },
  'only the warning': { spoiler_text: 'Warning' },
  'only sensitive': { sensitive: true },
  'the language': { status: 'Hallo #rooks', language: 'de' },
  'a poll to it': { status: 'Hello #rooks', poll: { options: ['a', 'b'], expires_in: 3_600 } },
};

/** An action on a post, and the action that reverses it. */
const ACTS = [
  ['favourite', 'unfavourite'],
  ['reblog', 'unreblog'],
  ['bookmark', 'unbookmark'],
  ['mute', 'unmute'],
  ['pin', 'unpin'],
] as const;

const acts = ACTS.flatMap(([act, back]) =>
  ['{post}', '{reply}', '{private}', '{direct}'].flatMap((id) =>
    [act, `${act} again`, back, `${back} again`].map((name) => {
      const [verb = ''] = name.split(' ');
      return step('alice', `POST /api/v1/statuses/{id}/${verb}`, { id }, { name: `${name} of ${id}` });
    }),
  ),
);

const READS = ['', '/context', '/favourited_by', '/reblogged_by', '/history', '/source', '/quotes'] as const;

const reads = READS.flatMap((path) =>
  (['alice', 'bob', undefined] as const).flatMap((as) =>
    ['{post}', '{more}', '{private}', '{direct}', '{quote}'].map((id) =>
      step(as, `GET /api/v1/statuses/{id}${path}`, { id }),
    ),
  ),
);

const votes = [
  ['alice', '{poll}', { choices: [0] }, 'one'],
  ['alice', '{poll}', { choices: [1] }, 'again'],
  ['carol', '{poll}', { choices: [0, 1] }, 'two of one'],
  ['carol', '{poll}', { choices: [7] }, 'no option'],
  ['carol', '{poll}', { choices: ['x'] }, 'text'],
  ['carol', '{poll}', { choices: [] }, 'none'],
  ['bob', '{poll}', { choices: [0] }, 'one in their own'],
  ['alice', '{poll2}', { choices: [0, 2] }, 'two of several'],
  ['alice', '{poll2}', { choices: [1] }, 'one more'],
  ['carol', '{poll2}', { choices: [0, 0] }, 'one twice'],
] as const;

/** Posts, edits, votes, and actions on posts. */
export const statuses: readonly Step[] = [
  ...Object.entries(BODIES).map(([name, body]) => step('alice', POST, {}, { name, body })),
  ...Object.entries(EDITS).map(([name, body]) => step('alice', PUT, { id: '{post}' }, { name, body })),
  step('bob', PUT, { id: '{post}' }, { name: "another user's", body: { status: 'x' } }),
  ...votes.map(([as, id, body, name]) => step(as, VOTE, { id }, { name, body })),
  ...(['alice', 'bob', 'carol', undefined] as const).map((as) =>
    step(as, 'GET /api/v1/polls/{id}', { id: '{poll}' }),
  ),
  ...acts,
  ...reads,
  ...['public', 'followers', 'nobody', 'odd'].map((policy) =>
    step(
      'alice',
      'PUT /api/v1/statuses/{id}/interaction_policy',
      { id: '{post}' },
      { name: policy, body: { quote_approval_policy: policy } },
    ),
  ),
  step('alice', 'POST /api/v1/statuses/{id}/translate', { id: '{reply}' }),
  step('alice', 'DELETE /api/v1/statuses/{id}', { id: '{reply}' }),
  step('alice', POST, {}, { name: 'to be deleted', body: { status: 'Short-lived' }, save: { gone: 'id' } }),
  step('alice', 'DELETE /api/v1/statuses/{id}', { id: '{gone}' }),
  step('alice', 'DELETE /api/v1/statuses/{id}', { id: '{gone}' }, { name: 'again' }),
  step('alice', 'GET /api/v1/statuses/{id}', { id: '{gone}' }),
  step('alice', 'GET /api/v1/statuses', {}, { query: 'id[]={post}&id[]={more}&id[]=1' }),
  step('alice', 'GET /api/v1/statuses', {}, { query: 'id={post}' }),
];
