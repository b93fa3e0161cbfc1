import { expect } from 'chai';
import { covers, documentedRows, undocumented } from './differences.ts';
import type { Recorded } from './driver.ts';
import { EXPLAINED, type Explained } from './explained.ts';
import { Normaliser } from './normalise.ts';
import { compareRecordings } from './recording.ts';

const answer = (step: string, more: Partial<Recorded> = {}): Recorded => ({
  step,
  operation: 'GET /api/v1/lists/{id}',
  status: 200,
  headers: {},
  body: { title: 'Friends' },
  ...more,
});

describe('The comparison of two recordings', () => {
  it('finds no difference between equal replies', () => {
    expect(compareRecordings([answer('one')], [answer('one')])).to.deep.equal([]);
  });

  it('names the place of a difference and both values', () => {
    const other = answer('one', { status: 404, body: { error: 'Record not found' } });
    expect(compareRecordings([answer('one')], [other])[0]?.places).to.deep.equal([
      'status: 200 ↔ 404',
      'body.title: "Friends" ↔ nothing',
      'body.error: nothing ↔ "Record not found"',
    ]);
  });

  it('counts steps that only one recording has', () => {
    const differences = compareRecordings([answer('one')], [answer('two')]);
    expect(differences.map(({ step }) => step)).to.deep.equal(['one', 'two']);
  });

  it('equates an unnamed short id with any id, but not two named ids', () => {
    const posted = (id: string) => [answer('one', { body: { id, uri: `https://host/${id}` } })];
    expect(compareRecordings(posted('<id>'), posted('{poll}'))).to.deep.equal([]);
    expect(compareRecordings(posted('{post}'), posted('{poll}'))).to.have.length(1);
  });

  it('leaves out exactly what is explained for the operation, the step and the place', () => {
    const places = (other: Partial<Recorded>, more: Partial<Explained> = {}) => {
      const row = { row: 'x', operations: ['GET /api/v1/lists/:id'], places: /^body\.title: / };
      const differences = compareRecordings([answer('one')], [answer('one', other)]);
      return undocumented(differences, [{ ...row, ...more }]).flatMap((each) => each.places);
    };
    expect(places({ body: { title: 'Foes' } })).to.deep.equal([]);
    expect(places({ body: { title: 'Foes', id: '<id>' } })).to.deep.equal(['body.id: nothing ↔ "<id>"']);
    expect(places({ body: { title: 'Foes' } }, { steps: /two/ })).to.have.length(1);
    expect(places({ body: { title: 'Foes' } }, { operations: ['/api/v1/filters*'] })).to.have.length(1);
    expect(places({ status: 404, body: {} }, { places: /^status: 200 ↔ 404$/ })).to.deep.equal([]);
  });

  it('uses only rows of the documentation page as explanations', async () => {
    const rows = await documentedRows();
    expect(EXPLAINED.filter(({ row }) => !rows.includes(row)).map(({ row }) => row)).to.deep.equal([]);
  });
});

describe('A name on the page of differences', () => {
  it('covers all methods of a path, one method, or all paths below it', () => {
    expect(covers('/api/v1/lists/:id', 'PUT /api/v1/lists/{id}')).to.equal(true);
    expect(covers('GET /api/v1/lists/:id', 'PUT /api/v1/lists/{id}')).to.equal(false);
    expect(covers('/api/v1/lists/:list_id', 'PUT /api/v1/lists/{id}')).to.equal(true);
    expect(covers('/api/v1/lists*', 'PUT /api/v1/lists/{id}')).to.equal(true);
  });
});

describe('A normalized reply', () => {
  const saved = new Map([['post', '112233445566778899']]);
  const normaliser = new Normaliser({ base: 'http://127.0.0.1:3000', domain: 'social.example' }, saved);

  it('has names in place of ids, hosts, times, files and secrets', () => {
    const body = {
      id: '112233445566778899',
      account_id: '7',
      uri: 'https://social.example/users/alice/statuses/112233445566778899',
      created_at: '2026-11-26T00:00:00.000Z',
      avatar: 'http://127.0.0.1:3000/media/ab/cd.png',
      client_secret: 'x',
    };
    expect(normaliser.body(body)).to.deep.equal({
      id: '{post}',
      account_id: '<id>',
      uri: 'https://host/<actor>/statuses/{post}',
      created_at: '<time>',
      avatar: 'https:/<file>.png',
      client_secret: '<secret>',
    });
  });

  it('hides short ids and addresses of actors', () => {
    const body = { id: '2', uri: 'https://social.example/ap/users/112233445566778899/followers' };
    expect(normaliser.body(body)).to.deep.equal({ id: '<id>', uri: 'https://host/<actor>/followers' });
  });

  it('keeps the form of times', () => {
    expect(normaliser.body(['2026-11-26T00:00:00+00:00', '2026-11-26T00:00:00Z'])).to.deep.equal([
      '<time without a fraction +00:00>',
      '<time without a fraction>',
    ]);
  });

  it('hides the time span in the keys of grouped notifications', () => {
    expect(normaliser.body({ group_key: 'follow-498792' })).to.deep.equal({ group_key: 'follow-<span>' });
  });

  it('hides ids in shortened links', () => {
    const shown = 'host/@alice/1176800</span><span class="invisible">29430706</span>';
    expect(normaliser.body(shown)).to.equal('host/@alice/<id></span><span class="invisible"><id></span>');
  });

  it('shows the first three items of a list and the number of the others', () => {
    expect(normaliser.body([1, 2, 3, 4, 5])).to.deep.equal([1, 2, 3, '<2 more>']);
  });
});
