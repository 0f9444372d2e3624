import type { Readable } from 'node:stream';
import { request } from 'undici';
import { ControlError } from '../control-client/error.ts';

/** A file for the control API, sent as it is read. */
export interface FileToSend {
  url: string;
  adminToken?: string | undefined;
  contentType: string;
  body: Readable;
}

/** Streams a file to a running server. It may take long, so there is no time-out. @throws {@link ControlError} */
export async function sendFile({ url, adminToken, contentType, body }: FileToSend): Promise<unknown> {
  const { status, text } = await exchange(url, body, {
    'content-type': contentType,
    ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
  });
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new ControlError(`The server answered HTTP ${status} without JSON.`, { code: 'UNKNOWN', status });
  }
  if (status === 200) return answer;
  const { code, message } = Object(Object(answer).error) as { code?: unknown; message?: unknown };
  throw new ControlError(String(message ?? `HTTP ${status}`), {
    code: String(code ?? 'UNKNOWN'),
    status,
    body: answer,
  });
}

async function exchange(url: string, body: Readable, headers: Record<string, string>) {
  try {
    const answer = await request(url, { method: 'PUT', headers, body, headersTimeout: 0, bodyTimeout: 0 });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (cause) {
    const message = `Cannot reach the server at ${new URL(url).origin}. Is it running? Start it with: svc-mock start`;
    throw new ControlError(message, { code: 'UNREACHABLE', cause });
  }
}
