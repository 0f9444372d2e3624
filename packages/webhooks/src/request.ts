import { checkSize, toRawBody, type WebhookBody } from './body.ts';
import { WebhookError } from './error.ts';
import { readHeaders } from './headers.ts';
import type { Limits } from './limits.ts';
import { checkHead, type WebhookMessage } from './message.ts';
import type { NodeRequest } from './node-request.ts';
import { checkOption } from './option-checks.ts';
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

/** Throws `TypeError` unless these are media types; undefined stands for the default. */
export function checkContentTypes(contentTypes: RequestLimits['contentTypes'] = ['a']): void {
  const areTexts = Array.isArray(contentTypes) && contentTypes.every((type) => typeof type === 'string');
  checkOption(areTexts && contentTypes.length, "contentTypes must be an array such as ['application/json']");
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
    throw new WebhookError('method_not_allowed', 405, 'Register the final URL: a redirect makes a POST a GET.');
  }
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (!contentTypes.some((accepted) => accepted.toLowerCase() === mediaType)) {
    throw new WebhookError(
      'unsupported_content_type',
      415,
      `Set contentTypes to accept other types than ${contentTypes}.`,
    );
  }
  checkSize(Number(contentLength) || 0, limits.maxBodyBytes);
  // Verification checks it again after the body, which may take its time: the message must still be new then.
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
    throw new WebhookError('body_not_raw', 400, 'Check whether a proxy closes connections: the body broke off.', {
      cause,
    });
  }
}
