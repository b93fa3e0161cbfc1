import { closePoll } from '#commands/statuses/index.ts';
import { StatusCreated, StatusEdited } from '#events/statuses.ts';
import { MAIN } from '#kernel/projection.ts';
import { timer } from '#kernel/reactor.ts';
import { duePolls } from '#queries/polls/index.ts';

/** Closes polls when they end: local ones, and remote ones with local voters. */
export const pollTimer = timer({
  name: 'polls',
  wakes: [StatusCreated, StatusEdited],
  wakesWhen: ({ data }) => data.poll !== null,
  reads: [MAIN],
  due: async (db, now, except) => {
    const { polls, next } = await duePolls(db, now, except);
    return { rows: polls.map(({ id, status_id }) => ({ key: id, statusId: status_id })), next };
  },
  fire: (ctx, { key, statusId }) => closePoll(ctx, { statusId, pollId: key }),
});
