export {
  type Cluster,
  FORGETFUL,
  type OwnCluster,
  type Standby,
  startCluster,
  unprivilegedAccount,
} from './cluster.ts';
export { createDatabase, dropDatabases, nameOf, type TestPostgres } from './databases.ts';
