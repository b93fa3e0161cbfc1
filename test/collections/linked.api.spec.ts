import { expect } from 'chai';
import type { Collection, Status } from '#mastodon/schemas/index.ts';
import { type Client, describeTownWith, ok, type Person } from '../support/people.ts';

/** https://docs.joinmastodon.org/client/collections/#sharing-collections */
// Only existing top-level domains become links in texts.
describeTownWith({ LOCAL_DOMAIN: 'rookery.social' }, 'Posts that link to collections', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let collection: Collection;
  before(async () => {
    alice = await town.person('alice', { discoverable: true });
    bob = await town.person('bob', { discoverable: true });
    collection = await create('Birders', { account_ids: [bob.id], discoverable: false });
  });

  const create = async (name: string, body: object = {}): Promise<Collection> => {
    const made = alice.post<{ collection: Collection }>('/api/v1/collections', { name, ...body });
    return (await ok(made)).collection;
  };
  const post = (who: Person, status: string, more: object = {}): Promise<Status> =>
    ok(who.post<Status>('/api/v1/statuses', { status, ...more }));
  const tagged = async (who: Client, { id }: Status): Promise<unknown> =>
    (await ok(who.get<Status>(`/api/v1/statuses/${id}`))).tagged_collections;

  it('contain the current state of the collections', async () => {
    const status = await post(bob, `See ${collection.url}`);
    expect(status.tagged_collections).to.deep.equal([collection]);
    const path = `/api/v1/collections/${collection.id}`;
    const { collection: renamed } = await ok(
      alice.patch<{ collection: Collection }>(path, { name: 'Friends of rooks' }),
    );
    for (const who of [alice, bob, town.nobody]) {
      expect(await tagged(who, status)).to.deep.equal([{ ...renamed, name: 'Friends of rooks' }]);
    }
  });

  it('contain the collections in reblogs, quotes and lists of posts as well', async () => {
    const status = await post(bob, `See ${collection.url} and again ${collection.url}`);
    const reblog = await ok(alice.post<Status>(`/api/v1/statuses/${status.id}/reblog`));
    const quote = await post(bob, 'This', { quoted_status_id: status.id });
    const ids = (list?: readonly Collection[]) => list?.map(({ id }) => id);
    expect(ids(reblog.reblog?.tagged_collections)).to.deep.equal([collection.id]);
    expect(quote.tagged_collections).to.deep.equal([]);
    const { quoted_status } = quote.quote as unknown as { quoted_status: Status };
    expect(ids(quoted_status.tagged_collections)).to.deep.equal([collection.id]);
    const home = await ok(alice.get<Status[]>(`/api/v1/accounts/${bob.id}/statuses?limit=2`));
    expect(home.map((each) => ids(each.tagged_collections))).to.deep.equal([[], [collection.id]]);
  });

  it('can link to a collection that search finds by its address', async () => {
    const search = async (who: Client, q: string | null, more = ''): Promise<unknown> =>
      (
        await ok(
          who.get<{ collections: unknown }>(`/api/v2/search?q=${encodeURIComponent(String(q))}${more}`),
        )
      ).collections;
    for (const who of [alice, town.nobody]) {
      const found = (await search(who, collection.url)) as Collection[];
      expect(found.map(({ id }) => id)).to.deep.equal([collection.id]);
    }
    expect(await search(bob, collection.url, '&resolve=true&type=collections')).to.have.length(1);
    expect(await search(bob, collection.url, '&type=accounts')).to.deep.equal([]);
    expect(await search(bob, `${collection.url}0`)).to.deep.equal([]);
    expect(await search(bob, 'Friends of rooks')).to.deep.equal([]);
    await ok(alice.post(`/api/v1/accounts/${bob.id}/block`));
    expect(await search(bob, collection.url)).to.deep.equal([]);
    await ok(alice.post(`/api/v1/accounts/${bob.id}/unblock`));
  });

  it('contain no collection that is deleted, hidden from the reader or not exactly linked', async () => {
    const other = await create('Gone');
    const status = await post(bob, `${other.url} ${other.url}/more ${collection.url}`);
    expect(await tagged(bob, status)).to.have.length(2);
    const near = await post(bob, `${collection.url}0 ${collection.url}?x=1 ${collection.uri} no link at all`);
    expect(await tagged(bob, near)).to.deep.equal([]);
    await ok(alice.delete(`/api/v1/collections/${other.id}`));
    expect(await tagged(town.nobody, status)).to.have.length(1);
    await ok(alice.post(`/api/v1/accounts/${bob.id}/block`));
    expect(await tagged(bob, status)).to.deep.equal([]);
    await ok(alice.post(`/api/v1/accounts/${bob.id}/unblock`));
    expect(await tagged(bob, await post(bob, 'nothing'))).to.deep.equal([]);
  });
});
