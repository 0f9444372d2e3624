import { Option } from 'commander';
import type { DataPlace } from '../../start/offline-transfer.ts';

export interface PlaceOptions {
  data?: string;
  database?: string;
}

/** The options that choose the data of a server that is not running. */
export const placeOptions = () => [
  new Option('--data <dir>', 'the data folder of a stopped server'),
  new Option('--database <postgres-url>', 'a PostgreSQL database'),
];

/**
 * Returns where the data is. Includes the data folder even for a PostgreSQL database, because the folder contains the
 * master key.
 */
export const placeOf = ({ data, database }: PlaceOptions, env: NodeJS.ProcessEnv): DataPlace => ({
  dataDir: data ?? env['SVC_DATA'] ?? '.svc-mock',
  databaseUrl: database,
  masterKey: env['SVC_MASTER_KEY'],
});
