import type { SeenNodes } from '../fleet/seen-nodes.ts';
import type { SnapshotStorage, Storage, StorageUnavailableError } from '../storage/port.ts';
import type { Peers } from '../storage/postgres/peers.ts';
import type { ClockFleet } from '../time/shared-clock.ts';

/** The configured database. */
export interface OpenedStorage extends AsyncDisposable {
  storage: SnapshotStorage;
  /** Like `storage`, but with separate connections for the delivery engine. */
  engineStorage: Storage;
  /**
   * Like `storage`, but with separate connections for evaluations and imports. These connections are opened on first
   * use.
   */
  lifecycleStorage: Storage;
  /**
   * @throws {@link StorageUnavailableError} after the disk has failed. In that case, nothing is written until the next
   *   start.
   */
  check?: () => void;
  /** The other nodes on a PostgreSQL database. */
  peers?: Peers;
  /** All nodes on a PostgreSQL database, including this one. */
  seenNodes?: SeenNodes;
  /** The other nodes, for changes to the clock. Only one node at a time may change the clock. */
  clockFleet?: ClockFleet;
  /**
   * Closes all connections to a database that no longer responds. All calls that wait for the database fail
   * immediately.
   */
  cut?: () => void;
}
