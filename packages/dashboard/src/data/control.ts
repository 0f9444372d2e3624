import type {
  ControlBodyOf,
  ControlMethod,
  ControlNameOf,
  ControlPage,
  ControlPath,
  ControlQueryOf,
  ControlResponseOf,
  PathParameters,
} from '@svc/contract/control/types';
import { serverUrl } from '../base.ts';
import { adminSession, dropAdminSession } from './admin-session.ts';
import { controlPath } from './control-path.ts';
import { errorOf, unreachable } from './server-error.ts';

/** A part of the options. Whether the part is absent, optional or required depends on the operation. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [Key in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };

export type ControlOptions<Method extends ControlMethod, Path extends ControlPath<Method>> = Part<
  'params',
  Record<PathParameters<Path>, string>
> &
  (
    | Part<'query', ControlQueryOf<ControlNameOf<Method, Path>>>
    | PageOf<ControlResponseOf<ControlNameOf<Method, Path>>>
  ) &
  Part<'body', ControlBodyOf<ControlNameOf<Method, Path>>> & {
    signal?: AbortSignal | undefined;
    /** The admin token, for the call that creates the admin session. All other calls use the admin session. */
    token?: string | undefined;
  };

type PageOf<Result> = Result extends ControlPage<unknown> ? { pageUrl: string } : never;

type Rest<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

/** {@link ControlOptions} of any operation. */
interface AnyOptions {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** The URL of a list's page. Only the query of this URL is used: the server's public URL may have another origin. */
  pageUrl?: string;
  body?: unknown;
  signal?: AbortSignal;
  token?: string;
}

export async function control<Method extends ControlMethod, Path extends ControlPath<Method>>(
  method: Method,
  path: Path,
  ...rest: Rest<ControlOptions<Method, Path>>
): Promise<ControlResponseOf<ControlNameOf<Method, Path>>> {
  const response = await send(method, path, ...rest);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body as ControlResponseOf<ControlNameOf<Method, Path>>;
  throw errorOf(response.status, body);
}

/**
 * Sends a request to the control API. Shows the sign-in page if the server rejects the admin session, or if a required
 * admin session is missing.
 */
export async function send<Method extends ControlMethod, Path extends ControlPath<Method>>(
  method: Method,
  path: Path,
  ...rest: Rest<ControlOptions<Method, Path>>
): Promise<Response> {
  const session = adminSession.value;
  const { params = {}, query, pageUrl, body, signal, token = session } = (rest[0] ?? {}) as AnyOptions;
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = pageUrl ? new URL(pageUrl).search : given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  const hasBody = method === 'POST' || method === 'PUT';
  try {
    const response = await fetch(serverUrl + controlPath(method, path, ...([params] as never)) + search, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
      },
      ...(hasBody && { body: JSON.stringify(body ?? {}) }),
      ...(signal && { signal }),
    });
    // If the user has signed in again since the request was sent, keep the new session.
    if (response.status === 401 && token === session && session === adminSession.value) dropAdminSession();
    return response;
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw unreachable(cause);
  }
}
