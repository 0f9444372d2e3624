import { readFileSync } from 'node:fs';
import { type CapturedRequest, parseCapturedRequest } from '@svc/webhooks/diagnose';
import { UsageError } from '../exit.ts';

/** A captured request, with one value for each header. */
export interface Captured {
  headers: ReadonlyMap<string, string>;
  body: Buffer;
  /** Whether the body was serialized from its JSON value, because the captured request lacks the raw bytes. */
  reserialized: boolean;
}

/** Reads a captured request from a file, or from standard input for `-`: raw HTTP, a curl command, or JSON. */
export async function readCaptured(file: string): Promise<Captured> {
  const bytes = readOrThrow(file);
  if (bytes.toString().trim() === '') {
    throw new UsageError(`${file} is empty. It must contain a request: raw HTTP, a curl command, or JSON.`);
  }
  const { headers, body, reserialized } = parse(bytes);
  return { headers: toMap(headers), body: Buffer.from(body as string), reserialized };
}

function parse(bytes: Buffer): CapturedRequest {
  try {
    return parseCapturedRequest(bytes);
  } catch (cause) {
    // `@svc/webhooks` throws its own error class for a file that is not a request. Convert the error to a `UsageError`.
    const { name, message } = cause as Error;
    throw name === 'UsageError' ? new UsageError(message, { cause }) : cause;
  }
}

function readOrThrow(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (cause) {
    throw new UsageError(`Cannot read ${file}: ${(cause as Error).message}`, { cause });
  }
}

function toMap(headers: CapturedRequest['headers']): Map<string, string> {
  const pairs: Iterable<readonly unknown[]> =
    Symbol.iterator in Object(headers) ? (headers as Iterable<readonly unknown[]>) : Object.entries(headers);
  return new Map([...pairs].map(([name, value]) => [String(name).toLowerCase(), [value].flat().join(' ')]));
}
