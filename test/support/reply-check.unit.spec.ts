import { expect } from 'chai';
import { z } from 'zod';
import { listSchema } from '#mastodon/schemas/index.ts';
import { assertReply } from './reply-check.ts';

describe('The check of replies against their schemas', () => {
  const list = { id: '1', title: 'Friends', replies_policy: 'list', exclusive: false };

  it('returns a reply that fits', () => {
    expect(assertReply(z.array(listSchema), [list])).to.deep.equal([list]);
  });

  it('names each place that does not fit, with the value found there', () => {
    const wrong = [list, { ...list, id: 7, title: undefined, extra: { a: 1 } }];
    expect(() => assertReply(z.array(listSchema), wrong)).to.throw(
      /\[1\]\.id: .*string.*, got 7\n.*\[1\]\.title: .*, got nothing\n.*\[1\]\.extra: is not in the schema, got \{"a":1\}/,
    );
  });

  it('checks the members of alternatives', () => {
    const schema = z.strictObject({ list: z.union([listSchema, z.null()]) });
    expect(() => assertReply(schema, { list: { ...list, extra: 1 } })).to.throw(
      'list.extra: is not in the schema',
    );
  });

  it('reports members that an open object would drop', () => {
    expect(() => assertReply(z.object({ a: z.string() }), { a: 'x', b: 1 })).to.throw('its schema drops');
  });
});
