/** A post in version 1 of `StatusCreated`. */
export const firstVersion = {
  id: '115500000000000000',
  account_id: '109500000000000000',
  local: true,
  uri: 'https://rookery.example/users/alice/statuses/115500000000000000',
  url: 'https://rookery.example/@alice/115500000000000000',
  created_at: '2026-11-21T08:00:00.000Z',
  text: 'Hello #World',
  content: '<p>Hello #World</p>',
  spoiler_text: '',
  visibility: 'public',
  sensitive: false,
  language: 'en',
  in_reply_to_id: null,
  in_reply_to_account_id: null,
  mentions: [],
  tags: [{ name: 'World', normal: 'world' }],
  application: null,
};
/** The same post in later versions. */
export const sample = {
  ...firstVersion,
  conversation_id: '115500000000000000',
  media: [],
  poll: {
    id: '115500000000000001',
    options: ['Yes', 'No'],
    multiple: false,
    hide_totals: false,
    expires_at: '2026-11-22T08:00:00.000Z',
  },
  quote: null,
  quote_policy: 'public',
};
/** Personal: everything that the author wrote. */
export const personal = {
  subject: ({ account_id }: { account_id: string }) => account_id,
  erased: {
    text: '',
    content: '',
    spoiler_text: '',
    tags: [],
    media: [],
    poll: null,
    emojis: [],
    linked_page: '',
  },
};
