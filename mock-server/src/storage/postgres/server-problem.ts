/** Facts about a database server. */
export interface DatabaseServer {
  version: string;
  /** The version as one number, such as 150004 for 15.4. */
  versionNumber: number;
  encoding: string;
}

/** The oldest supported version. */
const OLDEST_VERSION = 15;

/** Why the server cannot use this database, or `undefined` if it can. */
export function serverProblem({ version, versionNumber, encoding }: DatabaseServer): string | undefined {
  if (versionNumber < OLDEST_VERSION * 10_000)
    return `is PostgreSQL ${version}; it must be ${OLDEST_VERSION} or later.`;
  if (encoding !== 'UTF8') return `is encoded in ${encoding}; it must be UTF8.`;
  return undefined;
}
