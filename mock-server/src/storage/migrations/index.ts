import type { Migration } from 'kysely/migration';
import * as initial from './0001-initial.ts';
import * as rateLimitWindows from './0002-rate-limit-windows.ts';
import * as listFilters from './0003-list-filters.ts';
import * as deliveryStatuses from './0004-delivery-statuses.ts';
import * as eventTrace from './0005-event-trace.ts';
import * as keysOfUse from './0006-keys-of-use.ts';
import * as statusesOfEnded from './0007-statuses-of-ended.ts';
import * as laneHolders from './0008-lane-holders.ts';
import * as profiles from './0009-profiles.ts';
import * as notificationEmails from './0010-notification-emails.ts';
import * as snapshots from './0011-snapshots.ts';
import * as controlLists from './0012-control-lists.ts';
import * as taggedWords from './0013-tagged-words.ts';
import * as disabledAt from './0014-disabled-at.ts';
import * as nodeSessions from './0015-node-sessions.ts';

/** All migrations, in the order of their names. Never change a released one. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-rate-limit-windows': rateLimitWindows,
  '0003-list-filters': listFilters,
  '0004-delivery-statuses': deliveryStatuses,
  '0005-event-trace': eventTrace,
  '0006-keys-of-use': keysOfUse,
  '0007-statuses-of-ended': statusesOfEnded,
  '0008-lane-holders': laneHolders,
  '0009-profiles': profiles,
  '0010-notification-emails': notificationEmails,
  '0011-snapshots': snapshots,
  '0012-control-lists': controlLists,
  '0013-tagged-words': taggedWords,
  '0014-disabled-at': disabledAt,
  '0015-node-sessions': nodeSessions,
};
