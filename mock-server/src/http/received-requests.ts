import type { MiddlewareHandler } from 'hono';
import { redactCredentials } from '../domain/credential.ts';
import { ConnectionCutError } from './inject-faults.ts';
import { toTimestamp } from './present/timestamp.ts';

/** A request to the API, as the control API shows it. */
export interface ReceivedRequest {
  /** Rises as requests get older: the order of the list. */
  key: string;
  id: string;
  /** On the real clock. */
  receivedAt: string;
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  /** Null where a fault cut the connection. */
  status: number | null;
  durationMs: number;
}

/** What this process remembers of the requests to its API. */
export interface ReceivedRequests {
  /** The newest first. */
  list(): readonly ReceivedRequest[];
  record: MiddlewareHandler;
}

/** Requests remembered. They are kept in memory only: to store them would cost every request a write. */
const REMEMBERED_MAX = 1_000;

/** Names of headers that carry credentials, of whatever scheme and whosever they are. */
const CREDENTIAL_HEADER = /auth|cookie|token|secret|passw|credential|session|signature|(?:api|access|admin)[-_]?key/i;

const shownHeader = (name: string, value: string): string =>
  CREDENTIAL_HEADER.test(name) ? '[redacted]' : redactCredentials(value);

/**
 * Remembers the latest requests, with every credential cut out.
 *
 * @param received - Called after each request.
 */
export function createReceivedRequests(received: () => void = () => {}): ReceivedRequests {
  const remembered: ReceivedRequest[] = [];
  let count = 0;
  return {
    list: () => remembered.toReversed(),
    record: async (c, next) => {
      const receivedAt = Date.now();
      const startedAt = performance.now();
      let cut: ConnectionCutError | undefined;
      try {
        await next();
      } catch (error) {
        if (!(error instanceof ConnectionCutError)) throw error;
        cut = error;
      }
      const { pathname, search } = new URL(c.req.url);
      const headers = Object.entries(c.req.header()).map(([name, value]) => [name, shownHeader(name, value)]);
      count++;
      remembered.push({
        key: String(Number.MAX_SAFE_INTEGER - count),
        id: c.get('requestId'),
        receivedAt: toTimestamp(receivedAt),
        method: c.req.method,
        url: redactCredentials(pathname + search),
        headers: Object.fromEntries(headers),
        status: cut ? null : c.res.status,
        durationMs: Math.round(performance.now() - startedAt),
      });
      if (remembered.length > REMEMBERED_MAX) remembered.shift();
      received();
      if (cut) throw cut;
    },
  };
}
