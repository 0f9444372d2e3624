import type { SeenNodes } from '../fleet/seen-nodes.ts';
import type { SnapshotStorage, Storage, StorageUnavailableError } from '../storage/port.ts';
import type { Peers } from '../storage/postgres/peers.ts';
import type { ClockFleet } from '../time/shared-clock.ts';

/** The configured database. */
export interface OpenedStorage extends AsyncDisposable {
  storage: SnapshotStorage;
  /** Like `storage`, but with connections only for the delivery engine. */
  engineStorage: Storage;
  /** Like `storage`, but with connections for evaluations and imports that are opened on first use. */
  lifecycleStorage: Storage;
  /** @throws {@link StorageUnavailableError} after the disk failed. Nothing is written until the next start. */
  check?: () => void;
  /** The other nodes on a PostgreSQL database. */
  peers?: Peers;
  /** All nodes on a PostgreSQL database, including this one. */
  seenNodes?: SeenNodes;
  /** The other nodes, for changing the clock. Only one node at a time may change it. */
  clockFleet?: ClockFleet;
  /** Closes all connections to a database that no longer responds. Everything that waits for it fails at once. */
  cut?: () => void;
}
