import { drillKills } from '../test/support/kill-drill.ts';

/*
 * Kills processes of PostgreSQL under writes: `node bench/kill-drill.ts [kills]`, 200 unless given. Prints how
 * long the server took to store a post again, and what was lost or doubled.
 */

const kills = Number(process.argv[2] ?? 200);
const report = await drillKills({
  kills,
  random: Math.random,
  onKill: ({ number, what, seconds }) => console.log(`${number}\t${seconds.toFixed(2)} s\t${what}`),
});
const { seconds, acknowledged, lost, doubled, unexpected, differences } = report;
const at = (share: number): string => (seconds[Math.floor((seconds.length - 1) * share)] ?? 0).toFixed(2);
console.log(`back after: median ${at(0.5)} s, p95 ${at(0.95)} s, longest ${at(1)} s`);
console.log(`acknowledged ${acknowledged}, lost ${lost.length}, doubled ${doubled.length}`);
console.log(`unexpected replies ${unexpected.length}, differences ${differences.length}`);
for (const each of [...unexpected.slice(0, 10), ...differences]) console.log(each);
// The process that runs commands would keep this one alive.
process.exit(lost.length + doubled.length + differences.length === 0 ? 0 : 1);
