import { checkSize, toRawBody, type WebhookBody } from './body.ts';
import { WebhookError } from './error.ts';
import { readHeaders } from './headers.ts';
import type { Limits } from './limits.ts';
import { checkHead, type WebhookMessage } from './message.ts';
import type { NodeRequest } from './node-request.ts';
import type { FetchRequest } from './platform.ts';
import { readFetchBody, readNodeBody } from './request-body.ts';

/** A request whose body was read already, as serverless platforms hand it over. */
export interface BufferedRequest extends WebhookMessage {
  method?: string | undefined;
  /** The raw body. */
  body: WebhookBody;
}

/** A request in any of the shapes that runtimes give: Fetch's `Request`, Node's `IncomingMessage`, or with its body read. */
export type WebhookRequest = FetchRequest | NodeRequest | BufferedRequest;

/** Which requests are read at all. */
export interface RequestLimits {
  /** Media types that are accepted. `['application/json']` unless given. */
  contentTypes?: readonly string[] | undefined;
}

/** Checks method, media type, size and headers, and then reads the body; no more of it than the bound. */
export async function readRequest(
  request: WebhookRequest,
  limits: Limits,
  contentTypes: readonly string[] = ['application/json'],
): Promise<WebhookMessage> {
  const { headers, method } = Object(request) as WebhookRequest;
  const [contentType, contentLength] = readHeaders(headers, ['content-type', 'content-length']);
  if (method !== undefined && method !== 'POST') {
    throw new WebhookError('method_not_allowed', 405, 'deliveries are POSTed; does a redirect make it a GET?');
  }
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (!contentTypes.some((accepted) => accepted.toLowerCase() === mediaType)) {
    throw new WebhookError('unsupported_content_type', 415, `not ${contentTypes}; give contentTypes to accept others`);
  }
  checkSize(Number(contentLength) || 0, limits.maxBodyBytes);
  // Once more behind the body, which may take its time: the message has to be new when it is verified.
  checkHead(headers, limits);
  const body = await readBody(request, limits.maxBodyBytes);
  return { headers, body: toRawBody(body, limits.maxBodyBytes) };
}

async function readBody(request: WebhookRequest, maxBytes: number): Promise<WebhookBody> {
  try {
    if ('arrayBuffer' in request) return await readFetchBody(request, maxBytes);
    if ('iterator' in request) return await readNodeBody(request, maxBytes);
    return request.body;
  } catch (cause) {
    if (WebhookError.is(cause)) throw cause;
    // Anybody can hang up in the middle: that is no mistake of the receiver's.
    throw new WebhookError('body_not_raw', 400, 'it broke off; did the sender go away?', { cause });
  }
}
