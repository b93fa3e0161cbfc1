import { expect } from 'chai';
import type { MediaAttachment, Status } from '#mastodon/schemas/index.ts';
import { actsOf } from '../notifications/support.ts';
import { listen } from '../streaming/support.ts';
import { describeTown, type Person } from '../support/people.ts';
import { still } from '../support/pictures.ts';
import { pushReceiver } from '../support/push-service.ts';
import { uploadForm } from '../support/uploads.ts';

/**
 * Requests in the form in which apps send them, where that differs from the documentation or between apps:
 * lists in queries, parameters in the query of a POST, forms with files, nulls, `PUT` for `PATCH`. Each title
 * names the app.
 */
describeTown('Requests as apps send them', function (town) {
  this.timeout(120_000);
  let acts: ReturnType<typeof actsOf>;
  let alice: Person;
  let bob: Person;
  const { keys } = pushReceiver();

  before(async () => {
    acts = actsOf(town);
    alice = await town.person('alice');
    bob = await town.person('bob', { discoverable: true });
  });

  const form = (...pairs: [name: string, value: string][]): URLSearchParams => new URLSearchParams(pairs);
  const multipart = (...pairs: [name: string, value: string][]): FormData => {
    const data = new FormData();
    for (const [name, value] of pairs) data.append(name, value);
    return data;
  };
  /** Sends a request without body and content type, as some apps do. */
  const bare = async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<unknown> => {
    const response = await fetch(`${town.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${alice.token}`, ...headers },
    });
    const text = await response.text();
    expect(response.status, `${method} ${path}: ${text}`).to.equal(200);
    await town.waitUntilIdle();
    return JSON.parse(text) as unknown;
  };
  const upload = async (): Promise<string> =>
    (await acts.ok(alice.post<MediaAttachment>('/api/v2/media', uploadForm(await still('teal'))))).id;

  it('are accepted from Ice Cubes: a policy by PUT, POST parameters in the query, and a trailing slash', async () => {
    const policy = await acts.ok(alice.get<object>('/api/v2/notifications/policy'));
    const changed = await acts.ok(
      alice.put('/api/v2/notifications/policy', { ...policy, for_new_accounts: 'filter' }),
    );
    expect(changed).to.deep.equal({ ...policy, for_new_accounts: 'filter' });
    await acts.ok(alice.put('/api/v2/notifications/policy', policy));
    const follow = await bare('POST', `/api/v1/accounts/${bob.id}/follow?notify=true&reblogs=false`);
    expect(follow).to.include({ following: true, notifying: true, showing_reblogs: false });
    expect(await bare('GET', '/api/v1/tags/rooks/')).to.include({ name: 'rooks' });
    const list = (await bare('POST', '/api/v1/lists?title=Birds&replies_policy=list&exclusive=true')) as {
      id: string;
    };
    expect(list).to.include({ title: 'Birds', replies_policy: 'list', exclusive: true });
    await bare('POST', `/api/v1/lists/${list.id}/accounts?account_ids%5B%5D=${bob.id}`);
    expect(await bare('GET', `/api/v1/lists/${list.id}/accounts?limit=0`)).to.have.length(1);
    await bare('DELETE', `/api/v1/lists/${list.id}/accounts?account_ids%5B%5D=${bob.id}`);
    expect(await bare('GET', `/api/v1/lists/${list.id}/accounts?limit=0`)).to.deep.equal([]);
    await bare('POST', `/api/v1/accounts/${bob.id}/unfollow`);
  });

  it('may have one media id for a list of one, and a text in place of a poll', async () => {
    const id = await upload();
    const body = { status: 'one', media_ids: id, poll: 'undefined' };
    const post = await acts.ok(alice.post<Status>('/api/v1/statuses', body));
    expect(post.media_attachments.map((media) => media.id)).to.deep.equal([id]);
    const edit = { status: 'two', media_ids: id, media_attributes: 'undefined', poll: [] };
    const edited = await acts.ok(alice.put<Status>(`/api/v1/statuses/${post.id}`, edit));
    expect(edited.media_attachments.map((media) => media.id)).to.deep.equal([id]);
    expect(await acts.ok(alice.post('/api/v1/markers', { home: 'x', notifications: [] }))).to.deep.equal({});
  });

  it('are accepted from Ice Cubes: push with the policy beside the alerts, and streams with the token as protocol', async () => {
    const query = form(
      ['subscription[endpoint]', 'https://icecubesrelay.example/push/abc?sandbox=true'],
      ['subscription[keys][p256dh]', keys.p256dh],
      ['subscription[keys][auth]', keys.auth],
      ['data[alerts][mention]', 'true'],
      ['data[alerts][status]', 'false'],
      ['policy', 'all'],
    );
    const made = await bare('POST', `/api/v1/push/subscription?${query.toString()}`);
    expect(made).to.have.nested.property('alerts.mention', true);
    expect(made).to.have.nested.property('alerts.status', false);
    const stream = await listen(town.url, alice.token, 'user');
    stream.socket.close();
  });

  it('are accepted from Ice Cubes: statuses, filters and profiles in JSON with nulls, and hashes for lists', async () => {
    const status = await acts.post(alice, {
      status: 'hello',
      visibility: 'public',
      in_reply_to_id: null,
      spoiler_text: null,
      media_ids: [],
      poll: null,
      language: 'en',
      media_attributes: [],
      quoted_status_id: null,
    });
    expect(status).to.include({ language: 'en', spoiler_text: '' });
    const filter = await acts.ok(
      alice.post<{ id: string }>('/api/v2/filters', {
        title: 'rooks',
        context: ['home'],
        filter_action: 'warn',
        expires_in: '',
      }),
    );
    const keyword = await bare('POST', `/api/v2/filters/${filter.id}/keywords?keyword=rook&whole_word=true`);
    expect(keyword).to.include({ keyword: 'rook', whole_word: true });
    const me = await acts.ok(
      alice.patch('/api/v1/accounts/update_credentials', {
        display_name: 'Alice',
        note: 'Birds',
        bot: false,
        locked: false,
        discoverable: true,
        source: { privacy: 'unlisted', sensitive: false },
        fields_attributes: { 0: { name: 'a', value: '1' }, 1: { name: 'b', value: '2' } },
      }),
    );
    expect(me).to.have.nested.property('source.privacy', 'unlisted');
    expect(me).to.have.property('fields').with.length(2);
  });

  it('are accepted from Mastodon for iOS: statuses and profiles as forms with files, and an empty field for no fields', async () => {
    const [one, two] = [await upload(), await upload()];
    const status = await acts.ok(
      alice.post<Status>(
        '/api/v1/statuses',
        multipart(
          ['status', 'two pictures'],
          ['media_ids[]', one],
          ['media_ids[]', two],
          ['sensitive', 'false'],
          ['spoiler_text', ''],
          ['visibility', 'public'],
          ['language', 'en'],
        ),
      ),
    );
    expect(status.media_attachments.map(({ id }) => id)).to.deep.equal([one, two]);
    const poll = await acts.ok(
      alice.post<Status>(
        '/api/v1/statuses',
        multipart(
          ['status', 'well?'],
          ['poll[options][]', 'yes'],
          ['poll[options][]', 'no'],
          ['poll[expires_in]', '86400'],
        ),
      ),
    );
    expect(poll.poll?.options.map(({ title }) => title)).to.deep.equal(['yes', 'no']);
    const path = '/api/v1/accounts/update_credentials';
    const picture = multipart(['display_name', 'Alice'], ['fields_attributes[0][name]', 'Web']);
    picture.append('fields_attributes[0][value]', 'https://alice.example');
    picture.append('avatar', new Blob([new Uint8Array(await still('red'))], { type: 'image/jpg' }), 'a.jpg');
    const me = await acts.ok(alice.patch(path, picture));
    expect(me).to.have.property('fields').with.length(1);
    expect(await acts.ok(alice.patch(path, multipart(['fields_attributes[]', ''])))).to.have.deep.property(
      'fields',
      [],
    );
  });

  it('are accepted from Mastodon for Android: policies of version 1 and profiles by PUT, and the preview of a domain block', async () => {
    const policy = await acts.ok(alice.get<object>('/api/v1/notifications/policy'));
    expect(await acts.ok(alice.put('/api/v1/notifications/policy', policy))).to.deep.equal(policy);
    const tabs = { show_media: true, show_media_replies: false, show_featured: false };
    expect(await acts.ok(alice.put('/api/v1/profile', tabs))).to.include(tabs);
    expect(await acts.ok(alice.get('/api/v1/domain_blocks/preview?domain=far.example'))).to.deep.equal({
      following_count: 0,
      followers_count: 0,
    });
    await acts.ok(alice.post('/api/v1/domain_blocks', { domain: 'far.example' }));
    await acts.ok(alice.delete('/api/v1/domain_blocks', { domain: 'far.example' }));
    expect(await acts.ok(alice.get(`/api/v1/accounts?id[]=${bob.id}`))).to.have.length(1);
  });

  it('are accepted from Mastodon for Android: push in JSON, markers, votes, lists as forms, and types of notifications', async () => {
    const alerts = { follow: true, favourite: true, reblog: true, mention: true, poll: true, status: true };
    const subscription = {
      endpoint: 'https://app.joinmastodon.org/relay-to/fcm/abc/1',
      keys,
      standard: true,
    };
    const made = await acts.ok(
      alice.post('/api/v1/push/subscription', { subscription, data: { alerts }, policy: 'followed' }),
    );
    expect(made).to.include({ standard: true, policy: 'followed' });
    const quiet = { data: { alerts: { ...alerts, poll: false } }, policy: 'all' };
    expect(await acts.ok(alice.put('/api/v1/push/subscription', quiet))).to.include({ policy: 'all' });
    const { id, poll } = await acts.post(bob, {
      status: 'vote',
      poll: { options: ['a', 'b'], expires_in: 300 },
    });
    await acts.act(alice, 'markers', { home: { last_read_id: id } });
    expect(await acts.act(alice, `polls/${poll?.id ?? ''}/votes`, { choices: [0] })).to.deep.include({
      own_votes: [0],
    });
    const list = await acts.act<{ id: string }>(alice, 'lists', {
      title: 'All',
      replies_policy: 'followed',
      exclusive: false,
    });
    await acts.act(alice, `accounts/${bob.id}/follow`, { reblogs: true, notify: false });
    await acts.ok(alice.post(`/api/v1/lists/${list.id}/accounts`, form(['account_ids[]', bob.id])));
    await acts.ok(alice.delete(`/api/v1/lists/${list.id}/accounts`, form(['account_ids[]', bob.id])));
    const known = ['follow', 'mention'].map((type) => `supported_types[]=${type}`).join('&');
    for (const path of ['notifications', 'notifications/unread_count'])
      await acts.ok(
        alice.get(`/api/v2/${path}?limit=20&grouped_types[]=follow&exclude_types[]=poll&${known}`),
      );
  });

  it('are accepted from Mastodon for Android: filters whose keywords are added, changed and removed', async () => {
    const asked = { title: 'birds', context: ['home', 'public'], filter_action: 'warn', expires_in: null };
    const keywords_attributes = [
      { keyword: 'rook', whole_word: true },
      { keyword: 'crow', whole_word: false },
    ];
    const made = await acts.ok(
      alice.post<{ id: string; keywords: { id: string }[] }>('/api/v2/filters', {
        ...asked,
        keywords_attributes,
      }),
    );
    const [rook, crow] = made.keywords;
    const changed = await acts.ok(
      alice.put<{ keywords: { id: string; keyword: string }[] }>(`/api/v2/filters/${made.id}`, {
        ...asked,
        keywords_attributes: [
          { id: rook?.id, keyword: 'raven', whole_word: true },
          { id: crow?.id, _destroy: true },
        ],
      }),
    );
    expect(changed.keywords.map(({ id, keyword }) => [id, keyword])).to.deep.equal([[rook?.id, 'raven']]);
  });

  it('are accepted from Tusky: forms, media descriptions in a status, and filters that never expire', async () => {
    const media = await upload();
    const status = await acts.post(alice, {
      status: 'a picture',
      spoiler_text: '',
      visibility: 'public',
      sensitive: false,
      media_ids: [media],
      media_attributes: [{ id: media, description: 'Teal', focus: '0.5,0.5' }],
    });
    expect(status.media_attachments).to.have.length(1);
    const filter = await acts.ok(
      alice.post<{ id: string }>(
        '/api/v2/filters',
        form(
          ['title', 'x'],
          ['context[]', 'home'],
          ['context[]', 'thread'],
          ['filter_action', 'hide'],
          ['expires_in', ''],
        ),
      ),
    );
    expect(filter).to.deep.include({ expires_at: null, context: ['home', 'thread'] });
    await acts.ok(alice.put(`/api/v2/filters/${filter.id}`, form(['title', 'y'], ['filter_action', 'warn'])));
    const subscribed = await acts.ok(
      alice.post(
        '/api/v1/push/subscription',
        form(
          ['subscription[endpoint]', 'https://ntfy.example/up?up=1'],
          ['subscription[keys][p256dh]', keys.p256dh],
          ['subscription[keys][auth]', keys.auth],
          ['data[alerts][mention]', 'true'],
          ['data[alerts][severed_relationships]', 'true'],
          ['data[alerts][unknown]', 'true'],
        ),
      ),
    );
    expect(subscribed).to.have.nested.property('alerts.severed_relationships', true);
    await acts.ok(alice.post('/api/v1/markers', form(['notifications[last_read_id]', status.id])));
    const reported = form(['account_id', bob.id], ['comment', ''], ['forward', 'false']);
    await acts.ok(alice.post('/api/v1/reports', reported));
  });

  it('are accepted from Phanpy and Elk: JSON in snake case, pages by Link header, and a policy beside the subscription', async () => {
    const made = await acts.ok(
      alice.post('/api/v1/push/subscription', {
        policy: 'follower',
        subscription: { endpoint: 'https://push.example/elk', keys },
        data: { alerts: { follow: true } },
      }),
    );
    expect(made).to.include({ policy: 'follower' });
    const absent = await bob.get<{ error: string }>('/api/v1/push/subscription');
    expect(absent.json.error, 'the text that Phanpy expects').to.match(/not found|unknown/i);
    for (const status of ['one', 'two', 'three']) await acts.post(alice, { status });
    const { links } = await alice.get(`/api/v1/accounts/${alice.id}/statuses?limit=2&exclude_replies=true`);
    expect(Object.keys(links)).to.have.members(['next', 'prev']);
    const { json } = await alice.get<Status[]>(
      `/api/v1/accounts/${alice.id}/statuses?${links['next'] ?? ''}`,
    );
    expect(json).not.to.deep.equal([]);
  });

  it('are accepted from Mastodon.py: repeated names with brackets for lists, and capitalized booleans', async () => {
    const status = await acts.ok(
      alice.post<Status>(
        '/api/v1/statuses',
        form(
          ['status', 'from a bot'],
          ['visibility', 'unlisted'],
          ['sensitive', 'True'],
          ['poll[options][]', 'a'],
          ['poll[options][]', 'b'],
          ['poll[expires_in]', '600'],
          ['poll[multiple]', 'False'],
        ),
      ),
    );
    expect(status).to.include({ visibility: 'unlisted', sensitive: true });
    expect(status.poll).to.include({ multiple: false });
    const response = await fetch(`${town.url}/`, { method: 'HEAD' });
    expect(response.headers.get('date'), 'the client sets its clock by this header').to.match(/GMT$/);
  });

  it('may have empty fields in forms', async () => {
    const carol = await town.person('carol');
    const empty = (path: string, ...names: string[]): [string, URLSearchParams] => [
      path,
      form(['status', 'said'], ...names.map((name): [string, string] => [name, ''])),
    ];
    const said = await acts.ok(
      carol.post<Status>(
        ...empty(
          '/api/v1/statuses',
          ...['in_reply_to_id', 'visibility', 'quoted_status_id', 'quote_approval_policy', 'language'],
          ...['spoiler_text', 'sensitive', 'scheduled_at', 'media_ids[]'],
        ),
      ),
    );
    expect([said.visibility, said.in_reply_to_id, said.quote]).to.deep.equal(['public', null, null]);
    const path = `/api/v1/statuses/${said.id}`;
    await acts.ok(carol.put(...empty(path, 'quote_approval_policy', 'media_ids[]')));
    const after = await acts.ok(
      carol.put<Status>(...empty(`${path}/interaction_policy`, 'quote_approval_policy')),
    );
    expect(after.quote_approval).to.deep.equal(said.quote_approval);
    const reblog = await acts.ok(carol.post<Status>(...empty(`${path}/reblog`, 'visibility')));
    expect(reblog.visibility).to.equal('public');

    const policy = await acts.ok(carol.get<object>('/api/v2/notifications/policy'));
    const kept = await acts.ok(
      carol.patch('/api/v2/notifications/policy', { for_not_following: '', for_new_accounts: null }),
    );
    expect(kept).to.deep.equal(policy);

    const subscription = { endpoint: 'https://push.example/empty', keys };
    const data = { alerts: { mention: true }, policy: '' };
    const made = await acts.ok(
      carol.post<{ policy: string }>('/api/v1/push/subscription', { subscription, data }),
    );
    expect(made.policy).to.equal('all');
    await acts.ok(carol.put('/api/v1/push/subscription', { policy: 'none', data: { alerts: {} } }));
    const unchanged = await acts.ok(
      carol.put<{ policy: string }>('/api/v1/push/subscription', { policy: '', data: { alerts: {} } }),
    );
    expect(unchanged.policy).to.equal('none');
    await acts.ok(carol.delete('/api/v1/push/subscription'));
  });
});
