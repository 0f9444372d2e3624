import { ControlError } from '../control-client/response.ts';
import { tracedFetch } from './traced-fetch.ts';

export const RESPONSE_MAX_BYTES = 64 * 1024 * 1024;

/** Limits the size of a response, because the URL may belong to another program, whose response may never end. */
export async function boundedFetch(input: Request | URL | string, init?: RequestInit): Promise<Response> {
  const response = await tracedFetch(input, init);
  if (!response.body) return response;
  const { origin } = new URL(input instanceof Request ? input.url : input);
  let bytes = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > RESPONSE_MAX_BYTES) throw tooLarge(origin, response.status);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(bounded), response);
}

const tooLarge = (origin: string, status: number) =>
  new ControlError(
    `${origin} sent a response of more than ${RESPONSE_MAX_BYTES / 2 ** 20} MiB. Is this the URL of svc-mock?`,
    { code: 'RESPONSE_TOO_LARGE', status },
  );
