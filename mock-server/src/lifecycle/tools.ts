import type { ChangeStream } from '../runtime/change-stream.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Queries, Storage } from '../storage/port.ts';
import type { ReadOnlyClock } from '../time/clock.ts';
import type { SourceRules } from './open-source.ts';

export interface LifecycleTools {
  storage: Storage;
  clock: ReadOnlyClock;
  ids: Ids;
  logger: Logger;
  metrics: Pick<Metrics, 'lifecycle'>;
  changes: Pick<ChangeStream, 'mark'>;
  sourceRules: SourceRules;
  /** Runs writes that create deliveries, in one transaction. */
  accept<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  wakeDelivery(): void;
  /** Makes new ids higher than the ids of other nodes, even if the clock stands still. Call this before using `ids`. */
  followOtherIds(): Promise<void>;
}
