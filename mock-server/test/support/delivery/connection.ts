import type { Storage } from '../../../src/storage/port.ts';

/** A node's connection to the database, which a test can disturb. */
export interface Connection {
  storage: Storage;
  /** Runs before each request. If it throws, the request fails and does not take place. */
  before(kind: 'read' | 'write'): Promise<void>;
  /** Runs after each request, before the reply. If it throws, the reply is lost. */
  after(kind: 'read' | 'write'): Promise<void>;
}

/** Connects a node to a database. Nothing disturbs the connection at first. */
export function connect(database: Storage): Connection {
  async function ask<Result>(kind: 'read' | 'write', work: () => Promise<Result>): Promise<Result> {
    await connection.before(kind);
    const result = await work();
    await connection.after(kind);
    return result;
  }
  const connection: Connection = {
    storage: {
      read: (work) => ask('read', () => database.read(work)),
      write: (work, options) => ask('write', () => database.write(work, options)),
      writeAtOnce: (work) => ask('write', () => database.writeAtOnce(work)),
      async [Symbol.asyncDispose]() {},
    },
    before: async () => {},
    after: async () => {},
  };
  return connection;
}
