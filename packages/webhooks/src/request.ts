import { checkSize, type WebhookBody } from './body.ts';
import { WebhookError } from './error.ts';
import { readHeaders } from './headers.ts';
import { DEFAULT_MAX_BODY_BYTES, type WebhookMessage } from './message.ts';
import type { NodeRequest } from './node-request.ts';
import { readFetchBody, readNodeBody } from './request-body.ts';

/** A request whose body was read already, as serverless platforms hand it over. */
export interface BufferedRequest extends WebhookMessage {
  method?: string | undefined;
  /** The raw body. */
  body: WebhookBody;
}

/** A request in any of the shapes that runtimes give: Fetch's `Request`, Node's `IncomingMessage`, or with its body read. */
export type WebhookRequest = Request | NodeRequest | BufferedRequest;

/** Which requests are read at all. */
export interface RequestLimits {
  /** Media types that are accepted. `['application/json']` unless given. */
  contentTypes?: readonly string[] | undefined;
  /** Largest body, in bytes. 1 MiB unless given. */
  maxBodyBytes?: number | undefined;
}

/** Checks method, media type and size, and reads the body; no more of it than the bound. */
export async function readRequest(request: WebhookRequest, limits: RequestLimits): Promise<WebhookMessage> {
  const { contentTypes = ['application/json'], maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = limits;
  const { headers } = request;
  const [contentType, contentLength] = readHeaders(headers, ['content-type', 'content-length']);
  if (request.method !== undefined && request.method !== 'POST') {
    throw new WebhookError('method_not_allowed', 405, 'deliveries are POSTed; does a redirect make it a GET?');
  }
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (!contentTypes.some((accepted) => accepted.toLowerCase() === mediaType)) {
    throw new WebhookError('unsupported_content_type', 415, `not ${contentTypes}; give contentTypes to accept others`);
  }
  checkSize(Number(contentLength) || 0, maxBodyBytes);
  return { headers, body: await readBody(request, maxBodyBytes) };
}

function readBody(request: WebhookRequest, maxBytes: number): WebhookBody | Promise<WebhookBody> {
  if ('arrayBuffer' in request) return readFetchBody(request, maxBytes);
  if ('iterator' in request) return readNodeBody(request, maxBytes);
  return request.body;
}
