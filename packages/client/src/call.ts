import type { WholeResponse } from './attempt.ts';
import { ServiceError } from './errors.ts';
import { entriesOf } from './evidence.ts';
import type { RawResponse } from './platform.ts';
import type { ResponseInfo } from './response-info.ts';

/**
 * The data of a response and the {@link ResponseInfo}.
 *
 * {@includeCode ../test/documented/calls.ts#call}
 */
export interface DataWithResponse<Data> extends ResponseInfo {
  data: Data;
}

/**
 * A call to the service. The call is a promise for the data.
 *
 * A call is sent once, immediately, no matter how often you await it. A {@link List} is the only exception: the client
 * sends its first request when you first use the list. If a GET fails and nobody awaits the call, the error is ignored.
 * If any other call fails and nobody awaits it, there is an unhandled rejection, as with any promise.
 *
 * {@includeCode ../test/documented/calls.ts#call}
 */
export interface Call<Data> extends Promise<Data> {
  /** Returns the data together with the status, the headers and the rate limit. */
  withResponse(): Promise<DataWithResponse<Data>>;
  /**
   * Returns the response without parsing or validating it. The body is already decompressed, so `content-encoding` and
   * `content-length` are removed. Throws if the status is not 2xx. A 404 for a DELETE does not throw if an earlier
   * attempt may have worked.
   */
  asResponse(): Promise<RawResponse>;
}

/**
 * Creates a call. The call runs `start` once, on first use. `read` returns the data from the response. If the call
 * fails with a {@link ServiceError}, the error gets the name of the operation.
 */
export function createCall<Data>(
  operation: string,
  start: () => Promise<WholeResponse>,
  read: (response: WholeResponse) => Data | Promise<Data>,
): Call<Data> {
  let started: Promise<WholeResponse> | undefined;
  let data: Promise<Data> | undefined;
  const fail = (error: unknown) => {
    throw error instanceof ServiceError ? Object.assign(error, { operation }) : error;
  };
  const respond = () => (started ??= start());
  const value = () => (data ??= respond().then(read).catch(fail));
  return {
    // biome-ignore lint/suspicious/noThenProperty: a call is a promise.
    then: (onData, onError) => value().then(onData, onError),
    catch: (onError) => value().catch(onError),
    finally: (onEnd) => value().finally(onEnd),
    withResponse: async () => ({ data: await value(), ...(await respond()).info }),
    asResponse: async () => {
      const { text, info } = await respond().catch(fail);
      const response = new Response(text || null, { status: info.status, headers: entriesOf(info.headers) });
      response.headers.delete('content-encoding');
      response.headers.delete('content-length');
      return response;
    },
    [Symbol.toStringTag]: 'Call',
  };
}
