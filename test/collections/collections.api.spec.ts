import { expect } from 'chai';
import type { Collection, CollectionItem } from '#mastodon/schemas/index.ts';
import { type Answer, type Client, describeTown, type Person } from '../support/people.ts';

interface Wrapped {
  collection: Collection;
}
interface Listed {
  collections: Collection[];
}
interface Shown extends Wrapped {
  accounts: { id: string }[];
}

describeTown('Collections', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let shy: Person;

  before(async () => {
    alice = await town.person('alice', { discoverable: true });
    bob = await town.person('bob', { discoverable: true });
    carol = await town.person('carol', { discoverable: true });
    shy = await town.person('shy', { discoverable: false });
  });

  const create = async (who: Person, body: object = {}): Promise<Collection> => {
    const { status, json } = await who.post<Wrapped>('/api/v1/collections', { name: 'Some people', ...body });
    expect(status).to.equal(200);
    return json.collection;
  };
  const show = async (id: string, who: Client = town.nobody): Promise<Shown> => {
    await town.waitUntilIdle();
    const { status, json } = await who.get<Shown>(`/api/v1/collections/${id}`);
    expect(status).to.equal(200);
    return json;
  };
  const accountsOf = ({ items }: Collection) => items.map(({ account_id }) => account_id);
  const add = (
    who: Client,
    id: string,
    account_id?: string | number,
  ): Promise<Answer<{ collection_item: CollectionItem }>> =>
    who.post(`/api/v1/collections/${id}/items`, account_id === undefined ? {} : { account_id });
  const itemOf = (collection: Collection, { id }: Person): string =>
    collection.items.find(({ account_id }) => account_id === id)?.id ?? '';

  describe('that are created', () => {
    it('have all documented fields', async () => {
      const collection = await create(alice, {
        name: ' Nice accounts ',
        description: 'These accounts are very nice',
        language: 'en',
        tag_name: '#Accounts',
        sensitive: true,
        discoverable: true,
        account_ids: [bob.id, carol.id, bob.id],
      });
      expect(collection).to.deep.include({
        account_id: alice.id,
        name: 'Nice accounts',
        description: 'These accounts are very nice',
        language: 'en',
        local: true,
        sensitive: true,
        discoverable: true,
        item_count: 2,
      });
      expect(collection.tag?.name).to.equal('Accounts');
      expect(collection.tag?.url).to.match(/\/tags\/accounts$/);
      expect(collection.uri).to.match(new RegExp(`/ap/users/${alice.id}/collections/${collection.id}$`));
      expect(collection.url).to.match(new RegExp(`/collections/${collection.id}$`));
      expect(accountsOf(collection)).to.deep.equal([bob.id, carol.id]);
      expect(collection.items.map(({ state }) => state)).to.deep.equal(['accepted', 'accepted']);
      expect(collection.created_at).to.equal(collection.updated_at);
    });

    it('need nothing but a name', async () => {
      expect(await create(alice, { name: 'x'.repeat(40) })).to.deep.include({
        description: '',
        language: null,
        sensitive: false,
        discoverable: true,
        tag: null,
        items: [],
      });
    });

    it('need a valid name, description, language and tag', async () => {
      const before = await town.events();
      const wrong: [object, string][] = [
        [{ name: '' }, 'name'],
        [{ name: null }, 'name'],
        [{ name: 'x'.repeat(41) }, 'name'],
        [{ name: 'Fine', description: 'x'.repeat(101) }, 'description'],
        [{ name: 'Fine', language: 'klingonish' }, 'language'],
        [{ name: 'Fine', tag_name: 'two words' }, 'tag_name'],
      ];
      for (const [body, field] of wrong) {
        const { status, json } = await alice.post<{ details: object }>('/api/v1/collections', body);
        expect(status, JSON.stringify(body)).to.equal(422);
        expect(Object.keys(json.details), JSON.stringify(body)).to.deep.equal([field]);
      }
      expect(await town.events()).to.equal(before);
    });

    it('begin with accounts that allow it, and no others', async () => {
      const before = await town.events();
      for (const [id, refusal] of [
        [shy.id, 403],
        ['1', 404],
        ['bob', 404],
        ['', 200],
      ] as const) {
        const { status } = await alice.post('/api/v1/collections', {
          name: 'Fine',
          account_ids: [bob.id, id],
        });
        expect(status, id).to.equal(refusal);
      }
      // The empty id was left out, so a collection with one account was made. The other events claim and
      // release a place.
      expect(await town.events()).to.equal(before + 4n);
    });

    it('are at most ten of one owner', async () => {
      const dave = await town.person('dave');
      for (let made = 0; made < 10; made += 1) await create(dave);
      const { status, json } = await dave.post<{ error: string }>('/api/v1/collections', {
        name: 'One more',
      });
      expect(status).to.equal(422);
      expect(json.error).to.match(/maximum is 10/);
    });
  });

  describe('that are shown', () => {
    it('are public, with the owner and the members', async () => {
      const { id } = await create(alice, { account_ids: [carol.id, bob.id] });
      const { accounts, collection } = await show(id);
      expect(accounts.map((account) => account.id)).to.deep.equal([alice.id, carol.id, bob.id]);
      expect(accountsOf(collection)).to.deep.equal([carol.id, bob.id]);
    });

    it('contain the owner once when the owner is a member', async () => {
      const { id } = await create(bob, { account_ids: [bob.id, alice.id] });
      expect((await show(id)).accounts.map((account) => account.id)).to.deep.equal([bob.id, alice.id]);
    });

    it('are not in the public list of their owner when they are unlisted', async () => {
      const erin = await town.person('erin');
      const unlisted = await create(erin, { discoverable: false });
      const listed = await create(erin);
      expect((await show(unlisted.id)).collection.discoverable).to.equal(false);
      for (const path of [`/api/v1/accounts/${erin.id}/collections`, `/api/v1/${erin.id}/collections`]) {
        const others = await town.nobody.get<Listed>(path);
        expect(others.json.collections.map(({ id }) => id)).to.deep.equal([listed.id]);
        const own = await erin.get<Listed>(path);
        expect(own.json.collections.map(({ id }) => id)).to.deep.equal([listed.id, unlisted.id]);
      }
    });

    it('are listed in pages', async () => {
      const frank = await town.person('frank');
      const ids: string[] = [];
      for (let made = 0; made < 5; made += 1) ids.unshift((await create(frank)).id);
      const path = `/api/v1/accounts/${frank.id}/collections`;
      const first = await frank.get<Listed>(`${path}?limit=2`);
      expect(first.json.collections.map(({ id }) => id)).to.deep.equal(ids.slice(0, 2));
      expect(first.links).to.deep.equal({ next: 'limit=2&offset=2' });
      const middle = await frank.get<Listed>(`${path}?limit=2&offset=2`);
      expect(middle.json.collections.map(({ id }) => id)).to.deep.equal(ids.slice(2, 4));
      expect(middle.links).to.deep.equal({ next: 'limit=2&offset=4', prev: 'limit=2&offset=0' });
      const last = await frank.get<Listed>(`${path}?limit=2&offset=4`);
      expect(last.json.collections.map(({ id }) => id)).to.deep.equal(ids.slice(4));
      expect(last.links).to.deep.equal({ prev: 'limit=2&offset=2' });
      expect((await frank.get<Listed>(`${path}?limit=-5&offset=-1`)).json.collections).to.have.length(5);
    });

    it('reply 404 for unknown ids', async () => {
      for (const id of ['1', 'x', '99999999999999999999']) {
        expect((await town.nobody.get(`/api/v1/collections/${id}`)).status).to.equal(404);
        expect((await town.nobody.get(`/api/v1/accounts/${id}/collections`)).status).to.equal(404);
      }
    });

    it('leave out members blocked in either direction, and are hidden from readers whom the owner blocks', async () => {
      const [grace, heidi] = [
        await town.person('grace', { discoverable: true }),
        await town.person('heidi', { discoverable: true }),
      ];
      const { id } = await create(grace, { account_ids: [heidi.id, bob.id] });
      await heidi.post(`/api/v1/accounts/${carol.id}/block`);
      await carol.post(`/api/v1/accounts/${bob.id}/block`);
      expect((await show(id, carol)).collection.items).to.deep.equal([]);
      expect((await show(id, carol)).accounts.map((account) => account.id)).to.deep.equal([grace.id]);
      expect((await show(id, alice)).collection.items).to.have.length(2);
      await grace.post(`/api/v1/accounts/${carol.id}/block`);
      await town.waitUntilIdle();
      const hidden = await carol.get(`/api/v1/collections/${id}`);
      expect(hidden).to.deep.equal(await carol.get('/api/v1/collections/1'));
      expect(
        (await carol.get<Listed>(`/api/v1/accounts/${grace.id}/collections`)).json.collections,
      ).to.deep.equal([]);
      await carol.post(`/api/v1/accounts/${bob.id}/unblock`);
    });

    it('leave out suspended members, and disappear when their owner is suspended', async () => {
      const [ivan, judy] = [await town.person('ivan', { discoverable: true }), await town.person('judy')];
      const { id } = await create(judy, { account_ids: [ivan.id, bob.id] });
      await town.suspend(ivan);
      expect(accountsOf((await show(id)).collection)).to.deep.equal([bob.id]);
      await town.suspend(judy);
      expect((await town.nobody.get(`/api/v1/collections/${id}`)).status).to.equal(404);
    });
  });

  describe('that are changed', () => {
    it('change in the given fields alone', async () => {
      const { id, created_at } = await create(carol, {
        language: 'en',
        tag_name: 'birds',
        description: 'Old',
      });
      const { status, json } = await carol.patch<Wrapped>(`/api/v1/collections/${id}`, {
        name: 'New',
        language: '',
        tag_name: '',
        discoverable: false,
      });
      expect(status).to.equal(200);
      expect(json.collection).to.deep.include({
        name: 'New',
        description: 'Old',
        language: null,
        tag: null,
        discoverable: false,
      });
      expect(Date.parse(json.collection.updated_at)).to.be.at.least(Date.parse(created_at));
      for (const [change, error] of [
        [{ name: '' }, "Name can't be blank"],
        [{ name: null }, "Name can't be blank"],
        [{ sensitive: '' }, 'Sensitive is not included in the list'],
        [{ discoverable: null }, 'Discoverable is not included in the list'],
        [{ language: 'klingonish' }, 'Language is invalid'],
      ] as const) {
        const refused = await carol.patch(`/api/v1/collections/${id}`, change);
        expect(refused, error).to.deep.include({ status: 422 });
        expect(refused.json).to.deep.include({ error: `Validation failed: ${error}` });
      }
      expect((await show(id)).collection).to.deep.equal(json.collection);
    });

    it('are changed and deleted by their owner only', async () => {
      const { id } = await create(carol, { account_ids: [bob.id] });
      expect((await bob.patch(`/api/v1/collections/${id}`, { name: 'Mine' })).status).to.equal(403);
      expect((await bob.delete(`/api/v1/collections/${id}`)).status).to.equal(403);
      expect((await carol.delete(`/api/v1/collections/${id}`)).json).to.deep.equal({});
      expect((await carol.delete(`/api/v1/collections/${id}`)).status).to.equal(404);
      expect((await carol.patch(`/api/v1/collections/${id}`, { name: 'Late' })).status).to.equal(404);
      expect((await carol.get(`/api/v1/collections/${id}`)).status).to.equal(404);
      const { json } = await bob.get<Listed>(`/api/v1/accounts/${bob.id}/in_collections`);
      expect(json.collections.map((collection) => collection.id)).not.to.contain(id);
    });

    it('need the right scopes', async () => {
      const { id } = await create(carol);
      const reader = await carol.withScopes('read');
      const writer = await carol.withScopes('write:collections');
      expect((await reader.patch(`/api/v1/collections/${id}`, { name: 'x' })).status).to.equal(403);
      expect((await writer.patch(`/api/v1/collections/${id}`, { name: 'x' })).status).to.equal(200);
      expect((await writer.get(`/api/v1/accounts/${carol.id}/in_collections`)).status).to.equal(403);
      expect((await town.nobody.post('/api/v1/collections', { name: 'x' })).status).to.equal(401);
      expect((await (await town.appOnly()).post('/api/v1/collections', { name: 'x' })).status).to.equal(422);
    });
  });

  describe('with members', () => {
    let mine: Collection;
    before(async () => {
      const owner = await town.person('kim', { discoverable: true });
      kim = owner;
      mine = await create(owner);
    });
    let kim: Person;

    it('contain accounts that allow it, each once', async () => {
      const { status, json } = await add(kim, mine.id, bob.id);
      expect(status).to.equal(200);
      expect(json.collection_item).to.deep.include({ account_id: bob.id, state: 'accepted' });
      expect((await add(kim, mine.id, bob.id)).status).to.equal(422);
      const { collection } = await show(mine.id);
      expect(collection.items).to.deep.equal([json.collection_item]);
    });

    it('contain no account that disallows it, is unknown or blocks the owner', async () => {
      for (const id of ['1', 'bob', 0, '99999999999999999999']) {
        expect((await add(kim, mine.id, id)).status, String(id)).to.equal(404);
      }
      expect((await add(kim, mine.id, shy.id)).status).to.equal(403);
      const missing = await kim.post<{ error: string }>(`/api/v1/collections/${mine.id}/items`);
      expect(missing.status).to.equal(422);
      expect(missing.json.error).to.equal('`account_id` parameter is missing');
      const leo = await town.person('leo', { discoverable: true });
      await leo.post(`/api/v1/accounts/${kim.id}/block`);
      await town.waitUntilIdle();
      expect((await add(kim, mine.id, leo.id)).json).to.deep.equal((await add(kim, mine.id, shy.id)).json);
    });

    it('get them by the action of their owner alone', async () => {
      expect((await add(alice, mine.id, carol.id)).status).to.equal(403);
      expect((await add(alice, '1', carol.id)).status).to.equal(404);
      const item = itemOf((await show(mine.id)).collection, bob);
      expect((await alice.delete(`/api/v1/collections/${mine.id}/items/${item}`)).status).to.equal(403);
    });

    it('keep them until the owner removes them', async () => {
      const { json } = await add(kim, mine.id, carol.id);
      const path = `/api/v1/collections/${mine.id}/items/${json.collection_item.id}`;
      expect(await kim.delete(path)).to.deep.include({ status: 200, json: {} });
      expect((await kim.delete(path)).status).to.equal(404);
      expect(accountsOf((await show(mine.id)).collection)).to.deep.equal([bob.id]);
      expect((await add(kim, mine.id, carol.id)).status).to.equal(200);
    });

    it('lose those who remove themselves, for good', async () => {
      const inCollections = async () =>
        (await carol.get<Listed>(`/api/v1/accounts/${carol.id}/in_collections`)).json.collections.map(
          ({ id }) => id,
        );
      await kim.patch(`/api/v1/collections/${mine.id}`, { discoverable: false });
      await town.waitUntilIdle();
      expect(await inCollections()).to.contain(mine.id);
      const item = itemOf((await show(mine.id)).collection, carol);
      const path = `/api/v1/collections/${mine.id}/items/${item}/revoke`;
      expect((await kim.post(path)).status).to.equal(403);
      expect(await carol.post(path)).to.deep.include({ status: 200, json: {} });
      expect((await carol.post(path)).status).to.equal(404);
      expect(await inCollections()).not.to.contain(mine.id);
      expect((await add(kim, mine.id, carol.id)).status).to.equal(403);
    });

    it('are listed to each member alone', async () => {
      expect((await alice.get(`/api/v1/accounts/${bob.id}/in_collections`)).status).to.equal(403);
      expect((await alice.get('/api/v1/accounts/1/in_collections')).status).to.equal(404);
      expect((await town.nobody.get(`/api/v1/${bob.id}/in_collections`)).status).to.equal(401);
      const { json } = await bob.get<Listed>(`/api/v1/${bob.id}/in_collections?limit=1`);
      expect(json.collections).to.have.length(1);
    });
  });

  it('are announced in accounts as allowed or denied', async () => {
    await town.waitUntilIdle();
    const approval = async (id: string) =>
      (await town.nobody.get<{ feature_approval: object }>(`/api/v1/accounts/${id}`)).json.feature_approval;
    expect(await approval(bob.id)).to.deep.equal({
      automatic: ['public'],
      manual: [],
      current_user: 'automatic',
    });
    expect(await approval(shy.id)).to.deep.equal({ automatic: [], manual: [], current_user: 'denied' });
  });
});
