import { expect } from 'chai';
import type { DomainEvent, JsonObject } from '#kernel/event.ts';
import { collections } from '#projections/collections/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const created = (id: string, more: object = {}): DomainEvent => ({
  type: 'CollectionCreated',
  data: {
    id,
    account_id: '1',
    uri: `uri ${id}`,
    url: `url ${id}`,
    created_at: '2026-11-21T08:00:00.000Z',
    name: `Collection ${id}`,
    description: '',
    language: 'en',
    sensitive: false,
    discoverable: true,
    tag: { name: 'Birds', normal: 'birds' },
    ...more,
  },
});
const updated = (id: string, changes: object): DomainEvent => ({
  type: 'CollectionUpdated',
  data: { id, account_id: '1', update_id: null, updated_at: '2026-11-21T09:00:00.000Z', ...changes },
});
const item = (
  type: `CollectionItem${'Added' | 'Proposed' | 'Accepted' | 'Named' | 'Rejected' | 'Removed' | 'Revoked'}`,
  id: string,
  collection_id: string,
  account_id: string,
  more: JsonObject = {},
): DomainEvent => ({
  type,
  data: { id, collection_id, owner_id: '1', account_id, created_at: '2026-11-21T08:00:00.000Z', ...more },
});

describe('The read model of collections', () => {
  it('follows their changes, wherever batches are cut', async function () {
    this.timeout(60_000);
    const db = await openScratchDatabase();
    const rows = await project(db, collections, [
      created('10'),
      item('CollectionItemAdded', '20', '10', '2'),
      created('11', { language: null, tag: null }),
      item('CollectionItemAdded', '21', '11', '2'),
      item('CollectionItemAdded', '22', '10', '3'),
      updated('10', { name: 'New', language: null, tag: null }),
      updated('11', { sensitive: true, discoverable: false, description: 'Said' }),
      item('CollectionItemRemoved', '20', '10', '2'),
      item('CollectionItemAdded', '23', '10', '2'),
      item('CollectionItemRevoked', '22', '10', '3'),
      created('12'),
      item('CollectionItemAdded', '24', '12', '2'),
      { type: 'CollectionDeleted', data: { id: '12', account_id: '1' } },
    ]);
    await db.close();
    const found = rows['collections']?.toSorted((a, b) => Number(a['id']) - Number(b['id']));
    expect(found).to.have.length(2);
    expect(found?.[0]).to.deep.include({
      id: 10,
      name: 'New',
      language: null,
      tag: null,
      tag_name: null,
      discoverable: true,
    });
    expect(found?.[1]).to.deep.include({
      id: 11,
      name: 'Collection 11',
      description: 'Said',
      sensitive: true,
      discoverable: false,
    });
    expect(rows['collection_items']?.map(({ id }) => id)).to.have.members([21, 23]);
  });

  it('contains accounts as pending until they approve', async function () {
    this.timeout(60_000);
    const db = await openScratchDatabase();
    const pending = { state: 'pending' };
    const rows = await project(db, collections, [
      created('10', { local: false }),
      item('CollectionItemAdded', '20', '10', '2', { ...pending, uri: 'item 20', authorization: 'first' }),
      item('CollectionItemAdded', '21', '10', '3', pending),
      item('CollectionItemAdded', '22', '10', '4', pending),
      item('CollectionItemAdded', '23', '10', '5'),
      item('CollectionItemProposed', '20', '10', '2', { authorization: 'second' }),
      item('CollectionItemProposed', '20', '10', '2', { authorization: 'third' }),
      item('CollectionItemAccepted', '20', '10', '2'),
      item('CollectionItemRejected', '21', '10', '3'),
      item('CollectionItemAdded', '24', '10', '3', pending),
      item('CollectionItemNamed', '23', '10', '5', { uri: 'item 23' }),
    ]);
    await db.close();
    expect(rows['collections']?.[0]).to.deep.include({ local: false });
    const found = rows['collection_items']?.toSorted((a, b) => Number(a['id']) - Number(b['id']));
    expect(found?.map(({ id, accepted, uri }) => [id, accepted, uri])).to.deep.equal([
      [20, true, 'item 20'],
      [22, false, null],
      [23, true, 'item 23'],
      [24, false, null],
    ]);
    expect(found?.[0]).to.deep.include({ authorization_uri: 'third' });
  });
});
