import { serverUrl } from '../base.ts';
import { adminSession, dropAdminSession } from './admin-session.ts';
import { ControlError } from './server-error.ts';

/** The options of a control API call. */
export interface ControlOptions {
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** The admin token, to get a session. Default: the admin session. */
  token?: string;
}

/** A page of a list of the control API. */
export interface ControlPage<Item> {
  data: Item[];
  nextPageUrl: string | null;
  previousPageUrl: string | null;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls the control API. Throws a {@link ControlError}. If the credential is rejected, shows the sign-in page. */
export async function control<Answer>(method: Method, path: string, options: ControlOptions = {}): Promise<Answer> {
  const response = await send(method, path, options);
  const text = await response.text();
  const body = parse(text);
  if (response.ok && body !== undefined) return body as Answer;
  if (response.status === 401 && options.token === undefined) dropAdminSession();
  const { code, message } = ((body as { error?: { code?: string; message?: string } })?.error ?? {}) as {
    code?: string;
    message?: string;
  };
  throw new ControlError(
    message ?? `The server responded with status ${response.status}.`,
    response.status,
    code ?? '',
  );
}

/**
 * The URL of a page, as a path below `/_control`. The server uses its public URL, which may differ from this page's.
 */
export const pagePath = (url: string): string => url.slice(url.indexOf('/_control/') + '/_control'.length);

/** Sends a request with the admin session, if there is one. */
export async function send(method: Method, path: string, options: ControlOptions = {}): Promise<Response> {
  const { query, body, signal, token = adminSession.value } = options;
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  const hasBody = method === 'POST' || method === 'PUT';
  try {
    return await fetch(`${serverUrl}/_control${path}${search}`, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(hasBody && { 'Content-Type': 'application/json' }),
      },
      ...(hasBody && { body: JSON.stringify(body ?? {}) }),
      ...(signal && { signal }),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ControlError('Cannot reach the server.', 0, 'UNREACHABLE', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
