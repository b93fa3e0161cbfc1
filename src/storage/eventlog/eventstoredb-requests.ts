import { bytesField, EMPTY, integerField, textField } from './eventstoredb-protobuf.ts';

/** Records that the server looks through at a time, for reads and subscriptions with a filter. */
const WINDOW = 1_000;
/** The server ends a read at the end of the log, if not before. */
const ALL = Number.MAX_SAFE_INTEGER;

/** The fields of `ReadReq.Options` in `streams.proto`. */
const OPTION = {
  stream: 1,
  all: 2,
  direction: 3,
  count: 5,
  subscription: 6,
  filter: 7,
  noFilter: 8,
  uuids: 9,
};
const BACKWARDS = integerField(OPTION.direction, 1);
const NO_FILTER = bytesField(OPTION.noFilter, EMPTY);
/** Ids come as texts. */
const UUIDS = bytesField(OPTION.uuids, bytesField(2, EMPTY));

const request = (...options: Buffer[]): Buffer => bytesField(1, Buffer.concat([...options, UUIDS]));
const count = (most: number): Buffer => integerField(OPTION.count, most);

/** Asks for at most so many events of one stream, from a revision on. */
export const readOfStream = (name: string, revision: number, most: number = ALL): Buffer =>
  request(
    bytesField(OPTION.stream, Buffer.concat([bytesField(1, textField(3, name)), integerField(2, revision)])),
    count(most),
    NO_FILTER,
  );

/** Asks for at most so many records from a position on, including the one there. */
export const readFrom = (position: bigint, most: number): Buffer =>
  request(bytesField(OPTION.all, at(position)), count(most), NO_FILTER);

/** Asks for at most so many records before a position, the newest first; undefined for the end of the log. */
export const readBefore = (position: bigint | undefined, most: number = ALL): Buffer =>
  request(
    bytesField(OPTION.all, position === undefined ? bytesField(3, EMPTY) : at(position)),
    BACKWARDS,
    count(most),
    NO_FILTER,
  );

/** Asks for all events after a position in streams with these names. The event at the position itself comes too. */
export const readAfter = (position: bigint, names: RegExp): Buffer =>
  request(bytesField(OPTION.all, from(position)), count(ALL), filter(names));

/** Asks for all events after a position in streams with these names, and for those that will come. */
export const subscribeAfter = (position: bigint, names: RegExp): Buffer =>
  request(bytesField(OPTION.all, from(position)), bytesField(OPTION.subscription, EMPTY), filter(names));

const from = (position: bigint): Buffer => (position === 0n ? bytesField(2, EMPTY) : at(position));

const at = (position: bigint): Buffer =>
  bytesField(1, Buffer.concat([integerField(1, position), integerField(2, position)]));

/** A checkpoint comes after each window. */
const filter = (names: RegExp): Buffer =>
  bytesField(
    OPTION.filter,
    Buffer.concat([bytesField(1, textField(1, names.source)), integerField(3, WINDOW), integerField(5, 1)]),
  );
