import type { HeadersObject, WebhookHeaders } from '../headers.ts';
import { parseCurl } from './curl.ts';
import { UsageError } from './usage-error.ts';

/** A captured request. */
export interface CapturedRequest {
  headers: WebhookHeaders;
  body: string | Uint8Array;
  /** True if the capture has no raw body. In that case, `body` was serialized from the captured JSON value. */
  reserialized: boolean;
}

/**
 * Reads a captured request: HTTP text, a curl command, JSON with `headers` and `body`, a browser's HAR file, a Lambda
 * event, or a delivery as the service's API returns it.
 */
export function parseCapturedRequest(bytes: Uint8Array): CapturedRequest {
  const text = Buffer.from(bytes).toString().trim().replace(/^\$ /, '');
  if (/^curl(?:\.exe)?\s/.test(text)) return { ...parseCurl(text), reserialized: false };
  try {
    return parseJsonRequest(bytes) ?? parseHttpText(bytes);
  } catch (error) {
    // `JSON.stringify` throws `RangeError` if the JSON has too many levels, because the function calls itself for each
    // level.
    if (error instanceof RangeError) throw new UsageError('The JSON of the request is nested too deeply.');
    throw error;
  }
}

function parseJsonRequest(bytes: Uint8Array): CapturedRequest | undefined {
  let value: Record<string, unknown> | null;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  const kept = requestIn(value);
  const { multiValueHeaders } = kept;
  // In an event for AWS Lambda, only `multiValueHeaders` has all values of a repeated header. Emulators of AWS may
  // leave `headers` or `multiValueHeaders` empty.
  const hasMultiValues = Object.keys(Object(multiValueHeaders)).length > 0;
  const headers = hasMultiValues ? multiValueHeaders : (kept['headers'] ?? kept['requestHeaders']);
  const { text } = Object(kept['postData']) as { text?: unknown };
  const body = kept['body'] ?? kept['requestBody'] ?? text;
  if (typeof headers !== 'object' || headers === null || body === undefined) {
    throw new UsageError('The request is JSON, but its headers or its body are missing.');
  }
  const raw = typeof body === 'string';
  const isBase64 = raw && kept['isBase64Encoded'] === true;
  return {
    headers: Array.isArray(headers) ? headers.map(toEntry) : (headers as HeadersObject),
    body: isBase64 ? Buffer.from(body, 'base64') : raw ? body : JSON.stringify(body),
    reserialized: !raw,
  };
}

/**
 * Finds the request inside a browser's HAR file, a Lambda event or a response from the service's API. For a HAR file,
 * returns the last signed request.
 */
function requestIn(value: unknown): Record<string, unknown> {
  const { log, delivery, request } = Object(value);
  const entries: { request?: unknown }[] = Array.isArray(log?.entries) ? log.entries : [];
  const recorded = entries.findLast((entry) => /"webhook-signature"/i.test(JSON.stringify(entry)));
  return Object(recorded?.request ?? delivery ?? request ?? value);
}

/** Converts a header to a pair. In a HAR file, a header is `{ name, value }`. In other formats, a header is a pair. */
function toEntry(header: unknown): [string, string] {
  const { name, value, 0: first, 1: second } = Object(header);
  return [String(name ?? first), String(value ?? second)];
}

/** Splits a request at its first empty line. The bytes of the body do not change. */
function parseHttpText(bytes: Uint8Array): CapturedRequest {
  const latin1 = Buffer.from(bytes).toString('latin1');
  // `curl -v` prints `> ` before each line that it sends, even before the empty line.
  const end = /\r?\n(?:> ?)?\r?\n/.exec(latin1);
  const lines = latin1.slice(0, end?.index).split(/\r?\n/);
  return {
    headers: parseHeaderLines(lines.filter((line) => !/^(> )?[A-Z]+ \S+ HTTP\/|^[*{}] |^$/.test(line))),
    body: end ? bytes.subarray(end.index + end[0].length) : '',
    reserialized: false,
  };
}

/** Reads lines of the form `name: value`. A repeated name keeps all its values. */
export function parseHeaderLines(lines: readonly string[]): { [name: string]: string[] } {
  const headers: { [name: string]: string[] } = Object.create(null);
  for (const given of lines) {
    const line = given.replace(/^> /, '');
    const colon = line.indexOf(':');
    if (colon < 1) throw new UsageError(`Not a header: ${line.slice(0, 40)}`);
    const name = line.slice(0, colon).trim().toLowerCase();
    const values = headers[name] ?? [];
    headers[name] = values;
    values.push(line.slice(colon + 1).trim());
  }
  return headers;
}
