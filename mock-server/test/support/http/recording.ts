import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { vi } from 'vitest';

/** A statement that was sent to the database. */
export interface Recorded {
  text: string;
  values: readonly unknown[];
}

/** Records the statements that this process sends to any database, each text once. */
export function startRecording(): { statements: Map<string, Recorded>; stop(): void } {
  const statements = new Map<string, Recorded>();
  const record = (text: unknown, values: readonly unknown[] = []) => {
    if (typeof text === 'string') statements.set(text, { text, values });
  };
  const prepare = DatabaseSync.prototype.prepare;
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  const spies = [
    vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, text) {
      record(text);
      return prepare.call(this, text);
    }),
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
      const [statement, values] = given as [string | pg.QueryConfig, unknown[]?];
      if (typeof statement === 'string') record(statement, values);
      else record(statement.text, statement.values);
      return query.apply(this, given);
    } as never),
  ];
  return { statements, stop: () => spies.forEach((spy) => void spy.mockRestore()) };
}
