import { expect } from 'chai';
import { assertClockRight, clockFinding } from '#app/clock-finding.ts';
import { steadyClock } from '#kernel/steady-clock.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { freshDatabase } from '../support/database.ts';

const HOUR = 3_600_000;

describe('The clock of a machine', () => {
  let db: Database;
  before(async () => {
    db = openDatabase({ url: await freshDatabase(), max: 1, applicationName: 'test' });
  });
  after(() => db.close());

  const finding = (machine: () => number, newest = 0) =>
    clockFinding({ db, machine, idClock: steadyClock(machine, newest) });

  it('is no warning where that of the database agrees', async () => {
    expect(await finding(Date.now)).to.deep.equal({
      name: 'clock',
      state: 'ok',
      text: 'within 30 seconds of that of the database',
    });
  });

  it('is a warning where that of the database is elsewhere', async () => {
    expect(await finding(() => Date.now() - HOUR)).to.deep.include({
      state: 'warning',
      text: 'the clock of this machine is 60 min behind the clock of the database',
    });
    expect(await finding(() => Date.now() + HOUR)).to.deep.include({
      state: 'warning',
      text: 'the clock of this machine is 60 min ahead of the clock of the database',
    });
  });

  it('is a warning where the log has newer entries', async () => {
    expect(await finding(Date.now, Date.now() + HOUR)).to.deep.include({
      state: 'warning',
      text: 'the clock of this machine is 60 min behind the newest entries of the log; new ids go on after these',
    });
    const idClock = steadyClock(Date.now, Date.now() + HOUR);
    const refused: unknown = await assertClockRight({ db, idClock }).catch((error: unknown) => error);
    expect((refused as Error).message).to.match(/^the clock of this machine is 60 min behind/);
  });

  it('is no warning while the database does not answer', async () => {
    const away = openDatabase({ url: 'postgres://127.0.0.1:1/none', max: 1, applicationName: 'test' });
    await assertClockRight({ db: away, idClock: steadyClock() });
    await away.close();
  });
});
