import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Timers } from '../runtime/timers.ts';
import type { Storage } from '../storage/port.ts';
import type { ReadOnlyClock } from '../time/clock.ts';
import type { DeliveryObserver } from './observer.ts';

export interface DispatcherTools {
  storage: Storage;
  clock: Pick<ReadOnlyClock, 'now' | 'realNow' | 'isStill'>;
  timers: Timers;
  ids: Ids;
  logger: Logger;
  observer: DeliveryObserver;
}
