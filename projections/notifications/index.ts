import { NOTIFICATIONS, type Projection } from '../../src/kernel/projection.ts';
import { collectionHandlers } from './collections.ts';
import { editHandlers } from './edits.ts';
import { followHandlers } from './follows.ts';
import { interactionHandlers } from './interactions.ts';
import { notificationDomainRules, peopleHandlers } from './people.ts';
import { pollHandlers } from './polls.ts';
import { postHandlers } from './posts.ts';
import { putAwayHandlers } from './put-away.ts';
import { reportHandlers } from './reports.ts';
import { severanceHandlers } from './severances.ts';
import { handlerIndexes, indexes, tables } from './tables.ts';
import { warningHandlers } from './warnings.ts';

/**
 * What people of this server are told. A notification has the id of what happened (of the follow, of the post), which the event
 * holds; so there is one per event and recipient, in order of time, and the same one after a rebuild. The recipient's
 * policy decides on arrival; blocks, mutes and who may see what are asked when reading, so that they are never out of date.
 *
 * The keys of events are ids: of what happens (that of the notification), of the post that it is about, and of the accounts on both sides.
 */
export const notifications: Projection = {
  name: 'notifications',
  version: 14,
  group: NOTIFICATIONS,
  tables,
  handlerIndexes,
  indexes,
  handlers: [
    ...peopleHandlers,
    ...notificationDomainRules.handlers,
    ...followHandlers,
    ...postHandlers,
    ...editHandlers,
    ...pollHandlers,
    ...interactionHandlers,
    ...reportHandlers,
    ...warningHandlers,
    ...collectionHandlers,
    ...severanceHandlers,
    ...putAwayHandlers,
  ],
};
