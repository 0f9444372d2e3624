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
  /** The operation that answered; null if no route was found. */
  operation: string | null;
  /** Null if the credential was refused. */
  credentialId: string | null;
  workspaceId: string | null;
  /** The fault that struck. */
  faultId: string | null;
  /** Cut to 16 KiB, with secrets redacted. Null in the strict profile, and once there are too many. */
  requestBody: string | null;
  responseBody: string | null;
}

/** What is found out about a request while it is answered. */
export interface SeenRequest {
  credentialId?: string | undefined;
  workspaceId?: string | undefined;
  faultId?: string | undefined;
  requestBody?: string | undefined;
  responseBody?: string | undefined;
}

declare module 'hono' {
  interface ContextVariableMap {
    seen: SeenRequest | undefined;
  }
}

/** What this process remembers of the requests to its API. */
export interface ReceivedRequests {
  /** The newest first. */
  list(): readonly ReceivedRequest[];
  record: MiddlewareHandler;
}

/** Requests remembered. They are kept in memory only: to store them would cost every request a write. */
const REMEMBERED_MAX = 1_000;
/** What is kept of a body, and of all bodies together, in characters. */
const BODY_MAX = 16 * 1024;
const BODIES_MAX = 8 * 1024 * 1024;

/** Names of headers that carry credentials, of whatever scheme and whosever they are. */
const CREDENTIAL_HEADER = /auth|cookie|token|secret|passw|credential|session|signature|(?:api|access|admin)[-_]?key/i;

const shownHeader = (name: string, value: string): string =>
  CREDENTIAL_HEADER.test(name) ? '[redacted]' : redactCredentials(value);

/** How requests are remembered. */
export interface ReceivedRequestsOptions {
  /** Whether their bodies are, too. */
  keepsBodies?: boolean;
  /** Called after each request. */
  received?: () => void;
}

/** A signing secret, in JSON or anywhere else. */
const SIGNING_SECRET = /whsec_[\w+/=-]+/g;

/** A copy of what is kept of a body: a slice of a text would hold all of it. */
function shownBody(text: string | undefined): string | null {
  if (text === undefined) return null;
  const redacted = redactCredentials(text.slice(0, BODY_MAX)).replaceAll(SIGNING_SECRET, 'whsec_[redacted]');
  return Buffer.from(redacted).toString();
}

const sizeOf = ({ requestBody, responseBody }: ReceivedRequest) =>
  (requestBody?.length ?? 0) + (responseBody?.length ?? 0);

/** Remembers the latest requests, with every credential and secret cut out. */
export function createReceivedRequests({
  keepsBodies = false,
  received = () => {},
}: ReceivedRequestsOptions = {}): ReceivedRequests {
  const remembered: ReceivedRequest[] = [];
  let count = 0;
  let bodies = 0;
  /** Requests before this one have lost their bodies. */
  let bodiless = 0;

  function forgetBodies(): void {
    for (; bodies > BODIES_MAX && bodiless < remembered.length; bodiless++) {
      const request = remembered[bodiless];
      if (!request) continue;
      bodies -= sizeOf(request);
      Object.assign(request, { requestBody: null, responseBody: null });
    }
  }

  function forgetOldest(): void {
    const oldest = remembered.shift();
    if (!oldest) return;
    bodies -= sizeOf(oldest);
    bodiless = Math.max(0, bodiless - 1);
  }
  return {
    list: () => remembered.toReversed(),
    record: async (c, next) => {
      const receivedAt = Date.now();
      const startedAt = performance.now();
      let cut: ConnectionCutError | undefined;
      c.set('seen', {});
      try {
        await next();
      } catch (error) {
        if (!(error instanceof ConnectionCutError)) throw error;
        cut = error;
      }
      const { pathname, search } = new URL(c.req.url);
      const headers = Object.entries(c.req.header()).map(([name, value]) => [name, shownHeader(name, value)]);
      count++;
      const seen = c.get('seen');
      const request: ReceivedRequest = {
        key: String(Number.MAX_SAFE_INTEGER - count),
        id: c.get('requestId'),
        receivedAt: toTimestamp(receivedAt),
        method: c.req.method,
        url: redactCredentials(pathname + search),
        headers: Object.fromEntries(headers),
        status: cut ? null : c.res.status,
        durationMs: Math.round(performance.now() - startedAt),
        operation: c.get('operation') ?? null,
        credentialId: seen?.credentialId ?? null,
        workspaceId: seen?.workspaceId ?? null,
        faultId: seen?.faultId ?? null,
        requestBody: keepsBodies ? shownBody(seen?.requestBody) : null,
        responseBody: keepsBodies ? shownBody(seen?.responseBody) : null,
      };
      remembered.push(request);
      bodies += sizeOf(request);
      if (remembered.length > REMEMBERED_MAX) forgetOldest();
      forgetBodies();
      received();
      if (cut) throw cut;
    },
  };
}
