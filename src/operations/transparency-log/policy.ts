import { invalid } from '#kernel/errors.ts';
import { NOTE_KEY, parseKeyText } from '#kernel/named-key.ts';
import { type CosignatureVerifier, parseCosignatureKey } from './cosignature.ts';
import { type Note, type NoteVerifier, parseVerifierKey } from './note.ts';

/*
 * Policies: the signatures that a checkpoint must have. https://c2sp.org/tlog-policy
 */

/** The most logs, witnesses and groups of a policy, each. */
const MAX_EACH = 64;
/** UTF-16 units. */
const MAX_TEXT = 100_000;

/** Tells whether a checkpoint has the signatures that a policy demands. */
export interface PolicyVerdict {
  isSatisfied: boolean;
  /** The names of the witnesses with a valid cosignature, in the order of the policy. */
  cosigned: readonly string[];
  /** Says what is missing. */
  problem: string | undefined;
}

export interface Policy {
  /** The keys of the logs, as `name+id+key`. */
  logs: readonly string[];
  witnesses: readonly { name: string; key: string }[];
  /** The name of the witness or group that must have cosigned; `none` for no witness. */
  quorum: string;
  /** A policy without logs takes the key of the log from elsewhere: `logKey`. */
  satisfiedBy(note: Note, logKey?: string): PolicyVerdict;
}

interface Group {
  members: readonly string[];
  threshold: number;
}

/** Everything that the lines so far define. */
interface Draft {
  logs: NoteVerifier[];
  witnesses: Map<string, CosignatureVerifier>;
  groups: Map<string, Group>;
  /** Names that are members of a group. */
  placed: Set<string>;
  quorum: string | undefined;
}

/** @throws RookeryError `invalid` that names the line */
export function parsePolicy(text: string): Policy {
  if (text.length > MAX_TEXT) throw invalid(`A policy has at most ${MAX_TEXT} characters`);
  const draft: Draft = {
    logs: [],
    witnesses: new Map(),
    groups: new Map(),
    placed: new Set(),
    quorum: undefined,
  };
  text.split('\n').forEach((line, index) => {
    try {
      readLine(draft, line);
    } catch (error) {
      throw invalid(`Line ${index + 1} of the policy: ${error instanceof Error ? error.message : ''}`);
    }
  });
  const { quorum } = draft;
  if (quorum === undefined)
    throw invalid('The policy has no line `quorum NAME`; `quorum none` asks no witness');
  return {
    logs: draft.logs.map(({ key }) => key),
    witnesses: [...draft.witnesses].map(([name, { key }]) => ({ name, key })),
    quorum,
    satisfiedBy: (note, logKey) => judge({ ...draft, quorum }, note, logKey),
  };
}

function readLine(draft: Draft, line: string): void {
  // These octets are no part of a policy.
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(line)) throw invalid('it has a control character');
  const [kind, ...items] = line.split(/[ \t]+/).filter((item) => item !== '');
  if (kind === undefined || kind.startsWith('#')) return;
  const read = KINDS[kind];
  if (!read) throw invalid(`it must begin with ${Object.keys(KINDS).join(', ')} or #`);
  read(draft, items);
}

const KINDS: Record<string, (draft: Draft, items: readonly string[]) => void> = {
  log: readLog,
  witness: readWitness,
  group: readGroup,
  quorum: readQuorum,
};

function readLog({ logs }: Draft, items: readonly string[]): void {
  const [key = ''] = items;
  if (items.length < 1 || items.length > 2) throw invalid('it must be `log KEY [ADDRESS]`');
  if (!parseKeyText(key, NOTE_KEY)) throw invalid('the key of a log must be as `rookery log key` prints it');
  const log = parseVerifierKey(key);
  if (logs.some(({ publicKey }) => publicKey.equals(log.publicKey)))
    throw invalid('an earlier log has this key');
  if (logs.length === MAX_EACH) throw invalid(`a policy has at most ${MAX_EACH} logs`);
  logs.push(log);
}

function readWitness(draft: Draft, items: readonly string[]): void {
  const [name = '', key = ''] = items;
  if (items.length < 2 || items.length > 3) throw invalid('it must be `witness NAME KEY [ADDRESS]`');
  assertNew(draft, name);
  const witness = parseCosignatureKey(key);
  for (const { publicKey } of draft.witnesses.values()) {
    if (publicKey.equals(witness.publicKey)) throw invalid('an earlier witness has this key');
  }
  if (draft.witnesses.size === MAX_EACH) throw invalid(`a policy has at most ${MAX_EACH} witnesses`);
  draft.witnesses.set(name, witness);
}

function readGroup(draft: Draft, [name = '', asked = '', ...members]: readonly string[]): void {
  if (members.length === 0) throw invalid('it must be `group NAME all|any|NUMBER MEMBER...`');
  assertNew(draft, name);
  const threshold = thresholdIn(asked, members.length);
  if (draft.groups.size === MAX_EACH) throw invalid(`a policy has at most ${MAX_EACH} groups`);
  for (const member of members) {
    if (!isDefined(draft, member)) throw invalid(`no earlier line defines ${member}`);
    if (draft.placed.has(member)) throw invalid(`${member} is a member already`);
    draft.placed.add(member);
  }
  draft.groups.set(name, { members, threshold });
}

function thresholdIn(asked: string, members: number): number {
  if (asked === 'any') return 1;
  if (asked === 'all') return members;
  const number = /^[1-9][0-9]{0,3}$/.test(asked) ? Number(asked) : NaN;
  if (number >= 1 && number <= members) return number;
  throw invalid(`the number must be all, any, or from 1 to ${members}`);
}

function readQuorum(draft: Draft, items: readonly string[]): void {
  const [name = ''] = items;
  if (items.length !== 1) throw invalid('it must be `quorum NAME`');
  if (draft.quorum !== undefined) throw invalid('an earlier line has the quorum');
  if (name !== NONE && !isDefined(draft, name)) throw invalid(`no earlier line defines ${name}`);
  draft.quorum = name;
}

const NONE = 'none';

const isDefined = ({ witnesses, groups }: Draft, name: string): boolean =>
  witnesses.has(name) || groups.has(name);

function assertNew(draft: Draft, name: string): void {
  if (name === NONE) throw invalid('the name none has another meaning');
  if (isDefined(draft, name)) throw invalid(`an earlier line defines ${name}`);
}

function judge(
  { logs, witnesses, groups, quorum }: Draft & { quorum: string },
  note: Note,
  logKey: string | undefined,
): PolicyVerdict {
  const accepted = logs.length > 0 ? logs : logKey === undefined ? [] : [parseVerifierKey(logKey)];
  const cosigned = [...witnesses].filter(([, witness]) => witness.find(note)).map(([name]) => name);
  const origin = note.text.split('\n', 1)[0];
  if (!accepted.some((log) => log.key.startsWith(`${origin}+`) && log.verifies(note))) {
    return { isSatisfied: false, cosigned, problem: 'No log of the policy signed the checkpoint' };
  }
  const met = new Set(cosigned);
  // A group has only members of earlier lines.
  for (const [name, { members, threshold }] of groups) {
    if (members.filter((member) => met.has(member)).length >= threshold) met.add(name);
  }
  if (quorum === NONE || met.has(quorum)) return { isSatisfied: true, cosigned, problem: undefined };
  const which = cosigned.length === 0 ? 'none of its witnesses' : `only ${cosigned.join(', ')}`;
  return {
    isSatisfied: false,
    cosigned,
    problem: `The quorum ${quorum} of the policy is not reached: ${which} cosigned the checkpoint`,
  };
}
