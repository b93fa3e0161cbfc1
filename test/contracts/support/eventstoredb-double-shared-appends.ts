import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Behaviour } from './eventstoredb-double-calls.ts';
import {
  appendTo,
  expectedOf,
  isTooLarge,
  nameOf,
  refusedAt,
  toProposed,
} from './eventstoredb-double-calls.ts';
import type { AppendOutcome, ProposedRecord } from './eventstoredb-double-log.ts';
import { MAX_APPEND_BYTES, TombstonedStream } from './eventstoredb-double-log.ts';

type SharedCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

/** The outcome of an append on a shared call of the double. */
export type Fate =
  /** Its reply never comes, while those to others do. */
  | 'silent'
  /** It is refused with a failure that concerns only this append. */
  | 'busy'
  /** The call breaks before or after it is stored. */
  | 'breaks'
  | 'stored, then breaks'
  /** The server ends the call as if all were well, as 24.10.2 does when something fails in it. */
  | 'ends';

/** The call that takes any number of appends (`Streams.BatchAppend.cs`). */
export const sharedAppends =
  (behaviour: Behaviour) =>
  (call: SharedCall): void => {
    const appends = new Map<
      string,
      { options: streams.BatchAppendReq.Options; proposed: ProposedRecord[] }
    >();
    const unauthenticated = refusedAt({ ...behaviour, leader: () => undefined }, call);
    if (unauthenticated) return void call.emit('error', unauthenticated);
    call.on('end', () => call.end());
    call.on('data', (request: streams.BatchAppendReq) => {
      if (behaviour.stalled) return;
      const id = request.getCorrelationId()?.getString() ?? '';
      const options = request.getOptions();
      if (options) appends.set(id, { options, proposed: [] });
      const append = appends.get(id);
      if (!append) return;
      append.proposed.push(...request.getProposedMessagesList().map(toProposed));
      if (!request.getIsFinal()) return;
      appends.delete(id);
      behaviour.onAppend('shared');
      answer(behaviour, call, request, append.options, append.proposed);
    });
  };

function answer(
  behaviour: Behaviour,
  call: SharedCall,
  request: streams.BatchAppendReq,
  options: streams.BatchAppendReq.Options,
  proposed: readonly ProposedRecord[],
): void {
  const reply = (response: streams.BatchAppendResp): void =>
    void call.write(
      response
        .setCorrelationId(request.getCorrelationId())
        .setStreamIdentifier(options.getStreamIdentifier()),
    );
  // Whether the server leads is asked for each append, and the refusal ends the call.
  const refused = refusedAt(behaviour, call);
  if (refused) return void call.emit('error', refused);
  const fate = behaviour.fateOf(nameOf(options.getStreamIdentifier()));
  if (fate === 'silent') return;
  if (fate === 'busy') return reply(failed('Server Is Busy', 'Empty', new shared.Empty()));
  if (fate === 'ends') return void call.end();
  if (fate === 'breaks') return void call.emit('error', { code: UNKNOWN, details: 'broken' });
  if (isTooLarge(proposed)) {
    const failure = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES);
    return reply(failed('MaximumAppendSizeExceeded', 'MaximumAppendSizeExceeded', failure));
  }
  try {
    const outcome = appendTo(behaviour.log, options, proposed);
    if (fate === 'stored, then breaks') return void call.emit('error', { code: UNKNOWN, details: 'broken' });
    if (behaviour.onStored()) reply(responseTo(options, outcome));
  } catch (error) {
    if (!(error instanceof TombstonedStream)) throw error;
    const failure = new shared.StreamDeleted().setStreamIdentifier(options.getStreamIdentifier());
    reply(failed('StreamDeleted', 'StreamDeleted', failure));
  }
}

/** `StatusCode.Unknown`, with which ASP.NET ends a call that threw. */
const UNKNOWN = 2;

function responseTo(
  options: streams.BatchAppendReq.Options,
  outcome: AppendOutcome,
): streams.BatchAppendResp {
  if ('wrongVersion' in outcome) {
    const wrong = new shared.WrongExpectedVersion();
    const { current } = outcome.wrongVersion;
    const expected = expectedOf(options);
    if (current < 0) wrong.setCurrentNoStream(new empty.Empty());
    else wrong.setCurrentStreamRevision(String(current));
    if (expected < 0) wrong.setExpectedNoStream(new empty.Empty());
    else wrong.setExpectedStreamPosition(String(expected));
    return failed('WrongExpectedVersion', 'WrongExpectedVersion', wrong);
  }
  const { position, revision } = outcome.last;
  const place = new shared.AllStreamPosition();
  place.setCommitPosition(String(position));
  place.setPreparePosition(String(position));
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(String(revision));
  success.setPosition(place);
  return new streams.BatchAppendResp().setSuccess(success);
}

/** Returns a failure of one append, as in `Status.cs`. */
function failed(
  message: string,
  type: string,
  failure: { serializeBinary: () => Uint8Array },
): streams.BatchAppendResp {
  const details = new any.Any();
  details.pack(failure.serializeBinary(), `event_store.client.${type}`);
  return new streams.BatchAppendResp().setError(new status.Status().setMessage(message).setDetails(details));
}
