import type { HeadersObject } from '../headers.ts';
import { UsageError } from './usage-error.ts';

/** A request that somebody kept. */
export interface CapturedRequest {
  headers: HeadersObject;
  body: string | Uint8Array;
  /** Whether the body was made again from its JSON value, as the raw one was not kept. */
  reserialised: boolean;
}

/** Reads a captured request: HTTP text, JSON with `headers` and `body`, or a delivery as the service's API shows it. */
export function parseCapturedRequest(bytes: Uint8Array): CapturedRequest {
  return parseJsonRequest(bytes) ?? parseHttpText(bytes);
}

function parseJsonRequest(bytes: Uint8Array): CapturedRequest | undefined {
  let value: Record<string, unknown> | null;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  const kept = Object(value?.['delivery'] ?? value) as Record<string, unknown>;
  const headers = kept['headers'] ?? kept['requestHeaders'];
  const body = kept['body'] ?? kept['requestBody'];
  if (typeof headers !== 'object' || headers === null || body === undefined) {
    throw new UsageError('The request is JSON, but has no headers and body.');
  }
  const raw = typeof body === 'string';
  return { headers: headers as HeadersObject, body: raw ? body : JSON.stringify(body), reserialised: !raw };
}

/** Splits at the first empty line. The body keeps its bytes. */
function parseHttpText(bytes: Uint8Array): CapturedRequest {
  const latin1 = Buffer.from(bytes).toString('latin1');
  const end = /\r?\n\r?\n/.exec(latin1);
  const lines = latin1.slice(0, end?.index).split(/\r?\n/);
  return {
    headers: parseHeaderLines(lines.filter((line) => !/^[A-Z]+ \S+ HTTP\/|^$/.test(line))),
    body: end ? bytes.subarray(end.index + end[0].length) : '',
    reserialised: false,
  };
}

/** Reads lines of the form `name: value`. A name that comes twice keeps both values. */
export function parseHeaderLines(lines: readonly string[]): { [name: string]: string[] } {
  const headers: { [name: string]: string[] } = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new UsageError(`Not a header: ${line.slice(0, 40)}`);
    const name = line.slice(0, colon).trim().toLowerCase();
    const values = headers[name] ?? [];
    headers[name] = values;
    values.push(line.slice(colon + 1).trim());
  }
  return headers;
}
