import { expect } from 'chai';
import { meaningOf } from '#interfaces/web/admin/search/meaning.ts';

const MEANINGS = {
  vera: { accounts: [{ username: 'vera' }], subjects: true, handle: 'vera' },
  '@vera': { accounts: [{ username: 'vera' }], subjects: false, handle: 'vera' },
  '@Vera@Here.example': { accounts: [{ username: 'Vera' }], subjects: false, handle: 'Vera' },
  '@vera@far.example': {
    accounts: [{ username: 'vera@far.example' }],
    subjects: false,
    handle: 'vera@far.example',
  },
  'vera@mail.example': {
    accounts: [{ email: 'vera@mail.example' }, { username: 'vera@mail.example' }],
    subjects: false,
    handle: 'vera@mail.example',
  },
  'Far.example': { accounts: [{ by_domain: 'far.example' }], subjects: true, domain: 'far.example' },
  '192.0.2.1': { accounts: [{ ip: '192.0.2.1' }], subjects: false },
  '2001:db8::1': { accounts: [{ ip: '2001:db8::1' }], subjects: false },
  '120': { accounts: [], subjects: true, number: '120' },
  '0c1a2b3d-6f60-4d0e-9a53-2f5c8a5f4d11': {
    accounts: [],
    subjects: false,
    correlation: '0c1a2b3d-6f60-4d0e-9a53-2f5c8a5f4d11',
  },
  '@': { accounts: [], subjects: false },
  'two words': { accounts: [{ username: 'two words' }], subjects: true, handle: 'two words' },
  '..': { accounts: [{ username: '..' }], subjects: true, handle: '..' },
};

describe('The meaning of a text in the search box of the console', () => {
  for (const [text, meaning] of Object.entries(MEANINGS)) {
    it(`is recognized for "${text}"`, () => {
      expect(meaningOf(text, 'here.example')).to.deep.equal(meaning);
    });
  }
});
