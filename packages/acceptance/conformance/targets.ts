import { startServer } from '@svc/mock-server';
import type { Target } from './probe.ts';

/** A target that is running. */
export interface RunningTarget extends AsyncDisposable {
  target: Target;
}

/** The reference server in this process, over real HTTP, on its embedded database. */
export async function startSqlite(): Promise<RunningTarget> {
  const server = await startServer({ port: 0, dataDir: null, logLevel: 'silent' });
  return {
    target: { name: 'SQLite', baseUrl: server.url, controlUrl: `${server.url}/_control`, fetch },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
