import { expect } from 'chai';
import { type Facts, type FailingHost, findings } from '#adapters/alerts/findings.ts';

const MB = 1_048_576;
const WELL: Facts = {
  groups: [{ group: 'main', seconds: 0 }],
  halted: [],
  checkpoint: { seconds: 0 },
  damage: undefined,
  forks: [],
  disk: { free: 600 * MB, total: 10_000 * MB },
  folder: '/data',
  hosts: [],
};
const HOST: FailingHost = {
  host: 'big.example',
  queued: 0,
  delivered: 1_000,
  seconds: 1_801,
  last_failure: null,
};

describe('The causes of alerts', () => {
  const namesFor = (facts: Partial<Facts>): string[] =>
    findings({ ...WELL, ...facts }).map(({ name, subject }) =>
      subject === '' ? name : `${name} ${subject}`,
    );

  it('are none while all is well, or cannot be measured', () => {
    expect(namesFor({})).to.deep.equal([]);
    const unknown = { groups: [{ group: 'main', seconds: undefined }], checkpoint: { seconds: undefined } };
    expect(namesFor({ ...unknown, disk: undefined })).to.deep.equal([]);
  });

  for (const [title, facts, expected] of [
    ['a minute of lag', { groups: [{ group: 'main', seconds: 60 }] }, []],
    ['more of it', { groups: [{ group: 'main', seconds: 61 }] }, ['read_model_lag main']],
    ['a halted read model', { halted: [{ name: 'polls', error: 'broken' }] }, ['read_model_halted polls']],
    ['ten minutes without a checkpoint', { checkpoint: { seconds: 600 } }, []],
    ['more of them', { checkpoint: { seconds: 601 } }, ['checkpoint_late']],
    ['an event whose fields cannot be decrypted', { damage: '7 StatusCreated' }, ['events_damaged']],
    [
      'a fork of a witnessed log',
      { forks: [{ origin: 'log.example', detail: 'two checkpoints' }] },
      ['log_forked log.example'],
    ],
    ['512 MB of room', { disk: { free: 512 * MB, total: 1 } }, []],
    ['less room', { disk: { free: 511 * MB, total: 1 } }, ['disk_nearly_full']],
    ['a big server that is down', { hosts: [HOST] }, ['deliveries_failing big.example']],
    ['one that is down since a short time', { hosts: [{ ...HOST, seconds: 1_800 }] }, []],
    ['a small server that is down', { hosts: [{ ...HOST, delivered: 999, queued: 99 }] }, []],
    [
      'one with a long queue',
      { hosts: [{ ...HOST, delivered: 0, queued: 100 }] },
      ['deliveries_failing big.example'],
    ],
  ] as const satisfies [string, Partial<Facts>, string[]][]) {
    it(`are decided for ${title}`, () => {
      expect(namesFor(facts)).to.deep.equal(expected);
    });
  }
});
