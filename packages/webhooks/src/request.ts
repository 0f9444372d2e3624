import { checkSize, toRawBody, type WebhookBody } from './body.ts';
import { WebhookError } from './error.ts';
import { readHeaders } from './headers.ts';
import type { Limits } from './limits.ts';
import type { NodeRequest } from './node-request.ts';
import { checkOption, isString } from './option-checks.ts';
import type { FetchRequest } from './platform.ts';
import { readFetchBody, readNodeBody } from './request-body.ts';
import { checkHead, type WebhookMessage } from './verify-message.ts';

/** A request whose body was already read. Serverless platforms pass requests in this form. */
export interface BufferedRequest extends WebhookMessage {
  method?: string | undefined;
  /** The URL or the path of the request, for a `secrets` function. */
  url?: string | undefined;
  /** The raw body. */
  body: WebhookBody;
}

/** A request: Fetch's `Request`, Node's `IncomingMessage`, or a request whose body was already read. */
export type WebhookRequest = FetchRequest | NodeRequest | BufferedRequest;

/** Options that decide which requests the receiver reads. */
export interface RequestLimits {
  /** The accepted media types. The default is `['application/json']`. */
  contentTypes?: readonly string[] | undefined;
}

/** Throws `TypeError` unless `contentTypes` is an array of at least one string. */
export function checkContentTypes(contentTypes: readonly string[]): void {
  const areTexts = Array.isArray(contentTypes) && contentTypes.length && contentTypes.every(isString);
  checkOption(areTexts, 'contentTypes must be an array of strings');
}

/**
 * Checks the method, the media type, the size and the headers of a request, and then reads the body up to the limit.
 */
export async function readRequest(
  request: WebhookRequest,
  limits: Limits,
  contentTypes: readonly string[],
): Promise<BufferedRequest> {
  const { headers: given, method, url, originalUrl = url } = Object(request) as BufferedRequest & NodeRequest;
  const headers = readHeaders(given);
  const { 'content-type': contentType, 'content-length': contentLength } = headers;
  if (method !== undefined && method !== 'POST') {
    throw new WebhookError('method_not_allowed', 405, 'Register the final URL.');
  }
  const mediaType = contentType?.match(/[^\s;]+/)?.[0].toLowerCase();
  if (!contentTypes.some((accepted) => accepted.toLowerCase() === mediaType)) {
    throw new WebhookError('unsupported_content_type', 415, `Set contentTypes. Accepted: ${contentTypes}.`);
  }
  checkSize(Number(contentLength) || 0, limits.maxBodyBytes);
  // The body may arrive slowly, so verification checks the timestamp again after the body has arrived.
  checkHead(headers, limits);
  const body = await readBody(request, limits.maxBodyBytes);
  return { headers, url: originalUrl, body: toRawBody(body, limits.maxBodyBytes) };
}

async function readBody(request: WebhookRequest, maxBytes: number): Promise<WebhookBody> {
  try {
    if ('arrayBuffer' in request) return await readFetchBody(request, maxBytes);
    if ('iterator' in request) return await readNodeBody(request, maxBytes);
    return request.body;
  } catch (cause) {
    if (WebhookError.is(cause)) throw cause;
    // Reading fails if the sender closes the connection. A closed connection is not the receiver's mistake, so the
    // status is not 500.
    throw new WebhookError('body_not_raw', 400, 'Check your proxy timeout: the body was cut off.', { cause });
  }
}
