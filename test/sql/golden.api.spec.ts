import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { goldenForm, HOT_STATEMENTS, readGolden } from './golden.ts';
import { recordSql } from './recorder.ts';
import { sendHotStatements } from './scenario.ts';

describe('The SQL of hot statements', function () {
  this.timeout(120_000);
  let sent: Map<string, string>;
  before(async () => {
    sent = await recordSql(sendHotStatements);
  });

  for (const [name, title] of Object.entries(HOT_STATEMENTS)) {
    it(`is that of the golden file for ${name}: ${title}`, async () => {
      const text = sent.get(name);
      expect(text, `test/sql/scenario.ts makes the server send ${name}`).not.equal(undefined);
      const golden = await readGolden(name).catch(() => '');
      expect(goldenForm(text!), 'The SQL changed. If it should: npm run sql -- --update').to.equal(golden);
    });
  }

  it('has no golden file of another statement', async () => {
    const files = await readdir(join(import.meta.dirname, 'golden'));
    expect(files.sort()).to.deep.equal(
      Object.keys(HOT_STATEMENTS)
        .map((name) => `${name}.sql`)
        .sort(),
    );
  });
});
