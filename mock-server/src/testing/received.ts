import { checkOptionNames } from '../config/config.ts';
import { WAIT_TIMEOUT_MS, WaitError } from './waits.ts';

/** A request that arrived at a receiver. */
export interface ReceivedRequest {
  method: string;
  url: string;
  /** The headers, with names in lower case. */
  headers: Record<string, string>;
  /** The raw body, decoded as UTF-8. */
  body: string;
  /** Parses the body. @throws SyntaxError if the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of it; their assertions say what it is.
  json<Value = any>(): Value;
}

/** The requests in the order of arrival, and the callers that wait for the next request. */
export interface ReceivedQueue {
  readonly requests: readonly ReceivedRequest[];
  add(request: ReceivedRequest): ReceivedRequest;
  next(options?: { timeoutMs?: number | undefined }): Promise<ReceivedRequest>;
  clear(): void;
}

export function createReceivedQueue(): ReceivedQueue {
  const requests: ReceivedRequest[] = [];
  const waiting: ((request: ReceivedRequest) => void)[] = [];
  let returned = 0;
  return {
    requests,
    add(request) {
      requests.push(request);
      const first = waiting.shift();
      if (first) {
        returned++;
        first(request);
      }
      return request;
    },
    async next(options = {}) {
      checkOptionNames(options, ['timeoutMs']);
      const { timeoutMs = WAIT_TIMEOUT_MS } = options;
      const known = requests[returned];
      if (known) {
        returned++;
        return known;
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(give), 1);
          reject(new WaitError(`The receiver got no new request within ${timeoutMs} ms. ${countOf(requests)}`));
        }, timeoutMs);
        const give = (request: ReceivedRequest) => {
          clearTimeout(timer);
          resolve(request);
        };
        waiting.push(give);
      });
    },
    clear() {
      requests.length = 0;
      returned = 0;
    },
  };
}

function countOf(requests: readonly ReceivedRequest[]): string {
  const count = requests.length === 1 ? '1 request' : `${requests.length} requests`;
  return `It has received ${count} in all.`;
}
