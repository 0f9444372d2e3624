import { ERROR_STATUSES, type ErrorCode, type ListEnvelope } from '@svc/contract';
import type { MockedOutcome } from './mocked-outcome.ts';

/**
 * Responds with JSON. The default status is the operation's documented success status.
 *
 * {@includeCode ../../test/documented/testing.ts#faults}
 */
export function responded<Body>(
  body: Body,
  init?: { status?: never; headers?: Record<string, string> },
): MockedOutcome<Body>;
export function responded(body: unknown, init: { status: number; headers?: Record<string, string> }): MockedOutcome;
export function responded<Body>(
  body: Body,
  init: { status?: number; headers?: Record<string, string> } = {},
): MockedOutcome<Body> {
  return ({ status }) =>
    new Response(JSON.stringify(body), {
      status: init.status ?? status,
      headers: { 'content-type': 'application/json', 'service-request-id': 'req_mock', ...init.headers },
    });
}

/**
 * Responds with one of the service's errors.
 *
 * {@includeCode ../../test/documented/testing.ts#faults}
 */
export function refused(
  code: ErrorCode,
  { message = `Mocked: ${code}`, headers }: { message?: string; headers?: Record<string, string> } = {},
): MockedOutcome {
  return responded({ error: { code, message } }, { status: ERROR_STATUSES[code], headers: headers ?? {} });
}

/**
 * Responds with a 429 that makes the client wait.
 *
 * {@includeCode ../../test/documented/testing.ts#faults}
 */
export function rateLimited(retryAfterSeconds = 1): MockedOutcome {
  return refused('RATE_LIMITED', { headers: { 'retry-after': String(retryAfterSeconds) } });
}

/**
 * Responds with pages that link to each other. Each argument is an array with the items of one page.
 *
 * {@includeCode ../../test/documented/testing.ts#faults}
 */
export function pages<Item>(...items: Item[][]): MockedOutcome<ListEnvelope<Item>> {
  return (request) => {
    const number = Number(new URL(request.url).searchParams.get('page') ?? 0);
    const at = (page: number) => {
      const url = new URL(request.url);
      url.searchParams.set('page', String(page));
      return page < 0 || page >= items.length ? null : url.href;
    };
    const envelope: ListEnvelope<Item> = {
      data: items[number] ?? [],
      nextPageUrl: at(number + 1),
      previousPageUrl: at(number - 1),
    };
    return responded(envelope);
  };
}

/**
 * Starts a response, and closes the connection in the middle of its body.
 *
 * {@includeCode ../../test/documented/testing.ts#faults}
 */
export function cutOff(): MockedOutcome {
  return () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"data":'));
        controller.error(new TypeError('terminated'));
      },
    });
    return new Response(body);
  };
}

/**
 * Refuses the connection, so it is certain that the request never arrives.
 *
 * {@includeCode ../../test/documented/testing.ts#faults}
 */
export function unreachable(): MockedOutcome {
  return () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    throw new TypeError('fetch failed', { cause });
  };
}

/**
 * Never responds. The attempt ends when the attempt's signal is aborted, for example by a timeout.
 *
 * {@includeCode ../../test/documented/testing.ts#faults}
 */
export function silent(): MockedOutcome {
  return ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}
