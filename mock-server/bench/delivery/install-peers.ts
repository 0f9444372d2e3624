import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installInto } from '../install-into.ts';

/** Popular job queues, in the measured versions. */
const PEERS = ['pg-boss@12.35.0', 'graphile-worker@0.18.0', 'bullmq@6.7.0', 'ioredis@5.11.1'];

const folder = join(import.meta.dirname, '../../../node_modules/.cache/svc-delivery-bench');

/** Installs the peers into a folder that is kept for the next run. @returns a `require` that finds the peers. */
export function installPeers(): NodeJS.Require {
  installInto(folder, PEERS);
  return createRequire(join(folder, 'package.json'));
}
