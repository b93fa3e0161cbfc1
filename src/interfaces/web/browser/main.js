// @ts-check
import { watchActions } from './actions.js';
import { enhanceComposers } from './composer.js';
import { watchKeys } from './keys.js';
import { watchTimeline } from './live.js';
import { watchMenus } from './menus.js';
import { localTimes } from './times.js';
import { markRead, showUnread } from './unread.js';

localTimes(document);
setInterval(() => document.hidden || localTimes(document), 60_000);
watchActions();
watchMenus();
watchKeys();
enhanceComposers();
watchTimeline();
void markRead().then(showUnread);
