import type { ControlRequest } from '@svc/contract/control/resources';
import type { Context, MiddlewareHandler } from 'hono';
import type { ChangeStream } from '../runtime/change-stream.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { ConnectionCutError } from './errors.ts';
import { toTimestamp } from './present.ts';

export interface RememberedRequest extends ControlRequest {
  /** The older the request, the larger its key. */
  key: string;
}

const UNSEEN = {
  operation: null,
  credentialId: null,
  workspaceId: null,
  faultId: null,
  requestBody: null,
  responseBody: null,
};

/** What the request log shows about a request, in addition to the request's head and the response's status. */
export type SeenRequest = Pick<ControlRequest, keyof typeof UNSEEN | 'ignored'>;

export const note = (c: Context, seen: Partial<SeenRequest>): void => void Object.assign(c.get('seen') ?? {}, seen);

/** Requests stay in memory, because storing a request would cost a database write. */
const REMEMBERED_MAX = 1_000;
/** The maximum number of characters in one body, and in all bodies together. */
const BODY_MAX = 16 * 1024;
const BODIES_MAX = 8 * 1024 * 1024;
/** The log shows at most this many headers, because searching hundreds of them for credentials takes milliseconds. */
const HEADERS_MAX = 100;
const CREDENTIAL_MAX = 1024;

const CREDENTIAL_HEADER = /auth|cookie|token|secret|passw|credential|session|signature|(?:api|access|admin)[-_]?key/i;

const sizeOf = ({ requestBody, responseBody }: RememberedRequest) =>
  (requestBody?.length ?? 0) + (responseBody?.length ?? 0);

/**
 * Counts the requests to this process's API. Keeps the latest requests that are not from the dashboard, with all
 * credentials and secrets removed.
 */
export function createRequestLog(
  redact: (text: string) => string,
  keepsBodies: boolean,
  metrics: Pick<Metrics, 'requestEnded'>,
  changes: Pick<ChangeStream, 'mark'>,
) {
  const remembered: RememberedRequest[] = [];
  let count = 0;
  let bodies = 0;

  /** Returns a copy, because a slice of a string would keep the whole string in memory. */
  function shownBody(text: string | null): string | null {
    if (!keepsBodies || text === null) return null;
    // If the text is cut in the middle of a credential, `redact` does not recognize the part that is left. So also drop
    // the end of a cut text.
    const part = redact(text.slice(0, BODY_MAX + CREDENTIAL_MAX));
    const isWhole = text.length <= BODY_MAX + CREDENTIAL_MAX;
    return Buffer.from((isWhole ? part : part.slice(0, -CREDENTIAL_MAX)).slice(0, BODY_MAX)).toString();
  }

  function forgetBodies(request: RememberedRequest | undefined): void {
    if (!request) return;
    bodies -= sizeOf(request);
    Object.assign(request, { requestBody: null, responseBody: null });
  }

  return {
    list: (): readonly RememberedRequest[] => remembered.toReversed(),
    find: (id: string) => remembered.findLast((request) => request.id === id),
    clear(): void {
      remembered.length = 0;
      bodies = 0;
    },
    record: (async (c, next) => {
      const receivedAt = Date.now();
      const startedAt = performance.now();
      let cut: ConnectionCutError | undefined;
      const seen: SeenRequest = { ...UNSEEN, ignored: [] };
      c.set('seen', seen);
      try {
        await next();
      } catch (error) {
        if (!(error instanceof ConnectionCutError)) throw error;
        cut = error;
      }
      const durationMs = performance.now() - startedAt;
      // Do not use the path of an unknown operation as a label. Otherwise, a client could create any number of labels.
      const labels = { operation: seen.operation ?? 'unknown', status: cut ? 'cut' : String(c.res.status) };
      metrics.requestEnded({ ...labels, durationMs });
      if (c.get('session')) return;
      const { pathname, search } = new URL(c.req.url);
      const headers = Object.entries(c.req.header())
        .slice(0, HEADERS_MAX)
        .map(([name, value]) => [name, CREDENTIAL_HEADER.test(name) ? '[redacted]' : redact(value)]);
      count++;
      const request: RememberedRequest = {
        key: String(Number.MAX_SAFE_INTEGER - count),
        id: c.get('requestId'),
        receivedAt: toTimestamp(receivedAt),
        method: c.req.method,
        url: redact(pathname + search),
        headers: Object.fromEntries(headers),
        status: cut ? null : c.res.status,
        durationMs: Math.round(durationMs),
        ...seen,
        requestBody: shownBody(seen.requestBody),
        responseBody: shownBody(seen.responseBody),
      };
      remembered.push(request);
      bodies += sizeOf(request);
      if (remembered.length > REMEMBERED_MAX) forgetBodies(remembered.shift());
      while (bodies > BODIES_MAX) forgetBodies(remembered.find((each) => sizeOf(each) > 0));
      changes.mark({ requests: 1 });
      if (cut) throw cut;
    }) satisfies MiddlewareHandler,
  };
}
