import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { CheckpointFile } from '#operations/transparency-log/checkpoint-file.ts';

describe('The file of the newest checkpoint', () => {
  it('has the last of several notes that are written at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-checkpoint-'));
    try {
      const file = new CheckpointFile(join(folder, 'log-checkpoint'));
      const notes = Array.from({ length: 20 }, (_, index) => `note ${index}`);
      await Promise.all(notes.map((note) => file.write(note)));
      expect(await file.text()).to.equal('note 19');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
