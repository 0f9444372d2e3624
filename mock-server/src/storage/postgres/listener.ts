import pg from 'pg';
import { connectionOptions, endConnection, type Sockets } from './connections.ts';

/** If the database does not respond for this long, a new connection replaces the old connection. */
const SILENCE_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 500;

interface ListenerOptions {
  url: string;
  name: string;
  channel: string;
  sockets: Sockets;
  onHeard(payload: string): void;
  /** Notifications that were sent before this call may have been lost. */
  onConnected(): Promise<void>;
  onLost(): void;
  warn(error: unknown): void;
}

export type Listener = ReturnType<typeof createListener>;

/** Creates a connection that receives the notifications of a channel. A new connection replaces a lost connection. */
export function createListener({ url, name, channel, sockets, onHeard, onConnected, onLost, warn }: ListenerOptions) {
  let client: pg.Client | undefined;
  let left = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...connectionOptions(url, { name }),
      stream: sockets.make,
      query_timeout: SILENCE_TIMEOUT_MS,
    });
    let lost = false;
    const lose = () => {
      if (lost) return;
      lost = true;
      if (client === next) client = undefined;
      void endConnection(next);
      if (left) return;
      retry = setTimeout(() => connect().catch(warn), RECONNECT_MS);
      onLost();
    };
    next.on('error', lose).on('end', lose);
    next.on('notification', ({ payload }) => onHeard(payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
    } catch (error) {
      lose();
      throw error;
    }
    if (left) return lose();
    client = next;
    // The client's types do not declare the method `unref`.
    (next as pg.Client & { unref(): void }).unref();
    await onConnected();
  }

  return {
    connect,
    /** Resolves with undefined if there is no connection. */
    query: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<Row[] | undefined> =>
      (await client?.query<Row>(sql, values))?.rows,
    async close(): Promise<void> {
      left = true;
      clearTimeout(retry);
      if (client) await endConnection(client);
    },
  };
}
