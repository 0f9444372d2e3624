import type { Instant } from '../domain/instant.ts';
import type { Watched } from '../runtime/health-watch.ts';

/** Work that becomes due at certain instants: deliveries, or evaluations and syncs. */
export interface DueWork extends Watched {
  /** Resolves to true once nothing is due or in flight on any node, and to false if the signal is aborted first. */
  whenIdle(signal: AbortSignal): Promise<boolean>;
  /**
   * Whether work is due at `at` or earlier. A delivery that is due exactly at `at` counts only if its id is at most
   * `upToId`.
   */
  isDue(at: Instant, upToId: string): Promise<boolean>;
  /** When work next becomes due after `at`. With `upToId`, only deliveries with ids up to `upToId` count. */
  nextDueAfter(at: Instant, upToId?: string): Promise<Instant | undefined>;
}
