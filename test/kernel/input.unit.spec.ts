import { expect } from 'chai';
import { z } from 'zod';
import {
  formArray,
  formBoolean,
  formInteger,
  formObject,
  formObjects,
  formStringArray,
  idParam,
} from '#kernel/input.ts';

describe('The values of forms', () => {
  it('reads booleans like Rails, in any case: true unless a known word for false, null for an empty text', () => {
    for (const yes of ['true', '1', 'on', 't', 'True', 'yes', 'maybe', 'no', ' ', 1, 2, true])
      expect(formBoolean.parse(yes), String(yes)).to.equal(true);
    for (const no of ['false', 'False', 'FALSE', '0', 'off', 'OFF', 'f', 'F', 0, false])
      expect(formBoolean.parse(no), String(no)).to.equal(false);
    for (const nothing of ['', null, [], ['true'], {}]) expect(formBoolean.parse(nothing)).to.equal(null);
    expect(z.object({ a: formBoolean.optional() }).parse({})).to.deep.equal({});
  });

  it('ignores anything but a hash where a hash is expected', () => {
    const schema = z.object({ source: formObject(z.object({ language: z.string().optional() })) });
    for (const none of ['', 'undefined', 0, true, null, [], [''], ['a']])
      expect(schema.parse({ source: none }).source, JSON.stringify(none)).to.equal(undefined);
    expect(schema.parse({})).to.deep.equal({});
    expect(schema.parse({ source: {} })).to.deep.equal({ source: undefined });
    expect(schema.safeParse({ source: { language: [] } }).success).to.equal(false);
  });

  it('ignores anything but a list of hashes where one is expected', () => {
    const schema = z.object({ fields: formObjects(z.strictObject({ name: z.string() }), 2) });
    const a = { name: 'a' };
    for (const ignored of ['undefined', 0, true, a])
      expect(schema.parse({ fields: ignored }).fields, JSON.stringify(ignored)).to.equal(undefined);
    expect(schema.parse({})).to.deep.equal({});
    for (const empty of ['', null, [], [''], ['a', null, 3], { 0: '' }])
      expect(schema.parse({ fields: empty }), JSON.stringify(empty)).to.deep.equal({ fields: [] });
    expect(schema.parse({ fields: { 1: { name: 'b' }, 0: a } })).to.deep.equal({
      fields: [a, { name: 'b' }],
    });
    expect(schema.safeParse({ fields: [a, a, a] }).success).to.equal(false);
  });

  it('reads integers from numbers or their decimal text, within bounds', () => {
    const schema = formInteger(-5, 40);
    expect(['20', 20, '-5', '', null].map((value) => schema.parse(value))).to.deep.equal([
      20,
      20,
      -5,
      null,
      null,
    ]);
    expect(['1.5', 1.5, ' 1', '0x1', '1e1', 'x'].map((value) => schema.parse(value))).to.deep.equal([
      1, 1, 1, 0, 1, 0,
    ]);
    for (const wrong of ['41', 41, '9'.repeat(400), [], true]) {
      expect(schema.safeParse(wrong).success, String(wrong)).to.equal(false);
    }
  });

  it('reads lists of texts from lists, one text, or a hash with numbers as keys', () => {
    const schema = formStringArray(3, 5);
    expect(schema.parse(['a', '', 12])).to.deep.equal(['a', '12']);
    expect(schema.parse('a')).to.deep.equal([]);
    expect(formStringArray(3, 5, { alone: true }).parse('a')).to.deep.equal(['a']);
    expect(schema.parse({ 10: 'c', 2: 'b' })).to.deep.equal(['b', 'c']);
    expect(schema.parse('')).to.deep.equal([]);
    for (const wrong of [['a', 'b', 'c', 'd'], ['abcdef'], { a: 'b' }, [['a']], [null, {}]]) {
      expect(schema.safeParse(wrong).success, JSON.stringify(wrong)).to.equal(false);
    }
  });

  it('reads lists of hashes with numbers as keys', () => {
    const schema = formArray(z.strictObject({ name: z.string() }), 2);
    expect(schema.parse({ 1: { name: 'b' }, 0: { name: 'a' } })).to.deep.equal([
      { name: 'a' },
      { name: 'b' },
    ]);
    const large = { 1312: { name: 'a' }, '-99999999999999999999999999999999': { name: 'b' } };
    expect(schema.parse(large)).to.deep.equal([{ name: 'a' }, { name: 'b' }]);
    expect(schema.safeParse([{ name: 'a' }, { name: 'b' }, { name: 'c' }]).success).to.equal(false);
    for (const none of [[''], '', { 0: '' }]) expect(schema.parse(none)).to.deep.equal([]);
    expect(schema.safeParse(['a']).success).to.equal(false);
  });

  it('reads ids as decimal texts that fit the database', () => {
    expect(idParam.parse('9223372036854775807')).to.equal('9223372036854775807');
    expect(idParam.parse(42)).to.equal('42');
    for (const form of ['42x', '042', '1.5'])
      expect(idParam.parse(form)).to.equal(form === '1.5' ? '1' : '42');
    for (const wrong of ['9223372036854775808', '-1', 'abc', '', 2 ** 60, null]) {
      expect(idParam.safeParse(wrong).success, String(wrong)).to.equal(false);
    }
  });
});
