import { hash } from 'node:crypto';
import type { CaseFile } from '#mastodon/schemas/index.ts';
import { VERIFY_MJS } from './verify-node.ts';
import { VERIFY_PY } from './verify-python.ts';

type Files = CaseFile['files'];

/** Returns the files of the archive of a case. */
export function caseFiles(gathered: Omit<CaseFile, 'files'>): Files {
  const { events, key } = gathered;
  const files = [
    { name: 'README.txt', text: readme(gathered) },
    { name: 'case.json', text: `${JSON.stringify({ ...gathered, events: events.map(shown) }, null, 2)}\n` },
    { name: 'key.txt', text: `${key}\n` },
    { name: 'policy.txt', text: `log ${key}\nquorum none\n` },
    ...events.flatMap(({ position, leaf, proof }): Files =>
      leaf === null || proof === null
        ? []
        : [
            { name: `events/${position}.json`, text: leaf },
            { name: `events/${position}.tlog-proof`, text: proof },
          ],
    ),
    { name: 'verify.py', text: VERIFY_PY },
    { name: 'verify.mjs', text: VERIFY_MJS },
  ];
  const sums = files.map(({ name, text }) => `${hash('sha256', text)}  ${name}\n`);
  return [...files, { name: 'SHA256SUMS', text: sums.join('') }];
}

/** The hashed form and the proof are in files of their own. */
const shown = ({ leaf: _leaf, proof, ...event }: CaseFile['events'][number]): object => ({
  ...event,
  proven: proof !== null,
});

const readme = ({ entry, made_at, events, left_out, key }: Omit<CaseFile, 'files'>): string => `\
Case of entry ${entry.id} of the audit log: ${entry.action}
Made at ${made_at} by ${key.split('+', 1)[0] ?? ''}

case.json       the entry, its events, the report, rules, posts, mails and the appeal
events/N.json   the event at position N as it was hashed, byte by byte
events/N.tlog-proof
                the proof that it is in the signed log (https://c2sp.org/tlog-proof)
key.txt         the public key of the log; policy.txt: the same as https://c2sp.org/tlog-policy
verify.py, verify.mjs
                verify all of this without the server and without other programs:
                    python3 verify.py KEY
                    node verify.mjs KEY
                KEY is the key that you kept from elsewhere. Without it they use key.txt, which
                proves only that this folder agrees with itself.

What is proven
${events.map(({ position, type, part, proof }) => `  ${position} ${type} (${part}): ${proof === null ? 'no checkpoint covers it yet' : 'proven'}\n`).join('')}
Each proof covers the event as it was hashed: its type, its time, the staff member and all fields
that are not personal. Personal texts (the message, the report, the appeal) are encrypted in it.
case.json has them in clear text on the word of the server. Posts and rules are in case.json as the
server keeps them, and are not proven here.

Left out
${left_out.length === 0 ? '  Nothing.\n' : left_out.map((each) => `  ${each}\n`).join('')}`;
