// Prints the SQL of a statement as the code sends it to Postgres.
//
//   npm run sql                     the hot statements
//   npm run sql -- home_arrive      the text of a statement: any that the scenario sends
//   npm run sql -- --update         writes the texts of the hot statements to test/sql/golden/
import { goldenForm, HOT_STATEMENTS, writeGolden } from './golden.ts';
import { recordSql } from './recorder.ts';
import { sendHotStatements } from './scenario.ts';

const [argument] = process.argv.slice(2);
if (argument === undefined) {
  const rows = Object.entries(HOT_STATEMENTS).map(([name, title]) => `${name.padEnd(35)}${title}\n`);
  process.stdout.write(rows.join(''));
} else {
  const sent = await recordSql(sendHotStatements);
  const names = argument === '--update' ? Object.keys(HOT_STATEMENTS) : [argument];
  for (const name of names) {
    const text = sent.get(name);
    if (text === undefined) throw new Error(`The scenario sends no statement ${name}: test/sql/scenario.ts`);
    if (argument === '--update') await writeGolden(name, goldenForm(text));
    else process.stdout.write(goldenForm(text));
  }
}
// The test server of Postgres ends with this process.
process.exit();
