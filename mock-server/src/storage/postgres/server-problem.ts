/** What a database says of itself. */
export interface DatabaseServer {
  version: string;
  /** The version as one number: 150004 is 15.4. */
  versionNumber: number;
  encoding: string;
}

/** The oldest version that the server runs on. */
const OLDEST_VERSION = 15;

/** Why the server cannot work on this database, or `undefined` where it can. */
export function serverProblem({ version, versionNumber, encoding }: DatabaseServer): string | undefined {
  if (versionNumber < OLDEST_VERSION * 10_000)
    return `is PostgreSQL ${version}; it must be ${OLDEST_VERSION} or later.`;
  if (encoding !== 'UTF8') return `is encoded in ${encoding}; it must be UTF8.`;
  return undefined;
}
