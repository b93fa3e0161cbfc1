import { NOTIFICATIONS, type Projection } from '#kernel/projection.ts';
import { collectionHandlers } from './collections.ts';
import { editHandlers } from './edits.ts';
import { followHandlers } from './follows.ts';
import { interactionHandlers } from './interactions.ts';
import { notificationDomainRules, peopleHandlers } from './people.ts';
import { pollHandlers } from './polls.ts';
import { postHandlers } from './posts.ts';
import { putAwayHandlers } from './put-away.ts';
import { quoteHandlers } from './quotes.ts';
import { reportHandlers } from './reports.ts';
import { severanceHandlers } from './severances.ts';
import { handlerIndexes, indexes, tables } from './tables.ts';
import { warningHandlers } from './warnings.ts';

/**
 * The notifications of local users. A notification has the id of its object (the follow, the post) from the
 * event; so there is one for each event and recipient, ordered by time, and the same one after a rebuild. The
 * recipient's policy decides on arrival; blocks, mutes and visibility are checked when reading, so that they
 * are never out of date.
 *
 * The keys of events are ids: of the object (and so the notification), of its post, and of the accounts on
 * both sides.
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
    ...quoteHandlers,
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
