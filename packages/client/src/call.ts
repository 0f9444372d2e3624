import type { Answer } from './attempt.ts';
import { ServiceError } from './errors.ts';
import type { RawResponse, ResponseHeaders } from './platform.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * What is known of an answer beside its data.
 *
 * {@includeCode ../test/documented/calls.ts#call}
 */
export interface AnswerInfo {
  status: number;
  headers: ResponseHeaders;
  /** The answer's `Service-Request-Id`: give it to support. */
  requestId: string | null;
  /** Requests that the call took. */
  attempts: number;
  /** Where the credential's rate limit stands; null where the answer does not tell. */
  rateLimit: RateLimit | null;
}

/**
 * An answer with its data.
 *
 * {@includeCode ../test/documented/calls.ts#call}
 */
export interface AnswerWithInfo<Data> extends AnswerInfo {
  data: Data;
}

/**
 * A call to the service, and the promise of its data.
 *
 * A call is sent immediately, and once, however often you await it. Only a {@link List} waits until you use it. A read
 * that fails and that nobody awaits fails silently; a write is then an unhandled rejection, as with every promise.
 *
 * {@includeCode ../test/documented/calls.ts#call}
 */
export interface Call<Data> extends Promise<Data> {
  /** The data together with the status, the headers and the rate limit. */
  withResponse(): Promise<AnswerWithInfo<Data>>;
  /**
   * The response, unread: nothing is parsed or validated. Its body is already decompressed, so `content-encoding` and
   * `content-length` are removed. A status that is not 2xx still throws, except for the 404 of a DELETE that counts as done.
   */
  asResponse(): Promise<RawResponse>;
}

/** Makes a call. `start` is called once, when the call is first used; `read` takes the data from the answer. Errors name the operation. */
export function createCall<Data>(
  operation: string,
  start: () => Promise<Answer>,
  read: (answer: Answer) => Data | Promise<Data>,
): Call<Data> {
  let started: Promise<Answer> | undefined;
  let data: Promise<Data> | undefined;
  const fail = (error: unknown) => {
    throw error instanceof ServiceError ? Object.assign(error, { operation }) : error;
  };
  const answer = () => (started ??= start());
  const value = () => (data ??= answer().then(read).catch(fail));
  return {
    // biome-ignore lint/suspicious/noThenProperty: a call is a promise.
    then: (onData, onError) => value().then(onData, onError),
    catch: (onError) => value().catch(onError),
    finally: (onEnd) => value().finally(onEnd),
    withResponse: async () => ({ data: await value(), ...(await answer()).info }),
    asResponse: async () => {
      const { text, info } = await answer().catch(fail);
      const { status, headers } = info;
      // Some implementations' headers can only be asked by name: none of these can be copied.
      const response = new Response(text || null, { status, headers: Symbol.iterator in headers ? headers : {} });
      response.headers.delete('content-encoding');
      response.headers.delete('content-length');
      return response;
    },
    [Symbol.toStringTag]: 'Call',
  };
}
