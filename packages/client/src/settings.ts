import { type ServiceError, UsageError } from './errors.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import type { ApiKeyClientOptions, Bounds, Credential, UserClientOptions } from './options.ts';
import { userInfoOf } from './origin.ts';

/** A client's options, checked and with their defaults, and what its calls share. Never handed out: it holds the credential. */
export interface Settings extends Pick<ApiKeyClientOptions, 'fetch' | 'logger' | 'validate'> {
  /** Given where the client is bound to one workspace. */
  apiKey?: Credential | undefined;
  credential: Credential;
  middleware: NonNullable<ApiKeyClientOptions['middleware']>;
  /** What operations' paths are appended to, without a slash at the end. */
  baseUrl: string;
  origin: string;
  bounds: Required<{ [Name in keyof Bounds]: number }>;
  limiter: Limiter;
  /** Ends each call under way. */
  open: Set<(error: ServiceError) => void>;
  closed: boolean;
}

/** Checks a client's options; throws {@link UsageError}. */
export function parseOptions(options: ApiKeyClientOptions | UserClientOptions): Settings {
  const { apiKey, accessToken, baseUrl, rateLimit = 'react', middleware = [] } = options ?? {};
  // Both kinds at once are as good as none.
  const credential = (apiKey && accessToken ? '' : (apiKey ?? accessToken)) as Credential;
  // What a function gives is checked when it is asked.
  if (typeof credential !== 'function') checkCredential(credential, apiKey);
  const url = new URL(URL.canParse(baseUrl) ? baseUrl : 'x:');
  if (!/^https?:/.test(url.protocol) || userInfoOf(url) || url.search) {
    throw new UsageError('baseUrl has to be an http(s) URL without user info or query');
  }
  if (!['react', 'pace', 'off'].includes(rateLimit))
    throw new UsageError("rateLimit has to be 'react', 'pace' or 'off'");
  if (!Array.isArray(middleware)) throw new UsageError('middleware has to be an array');
  return {
    ...options,
    credential,
    origin: url.origin,
    baseUrl: url.origin + url.pathname.replace(/\/+$/, ''),
    middleware,
    bounds: parseBounds(options, { timeoutMs: 30_000, deadlineMs: 120_000, maxRetries: 2 }),
    limiter: createLimiter(rateLimit),
    open: new Set(),
    closed: false,
  };
}

/**
 * The text of a credential; `apiKey` is given where it has to be an API key. Throws {@link UsageError} where it is no
 * text, of the other kind, or one that HTTP cannot carry, because the runtime's refusal of that would show it.
 */
export function checkCredential(text: unknown, apiKey: unknown): string {
  if (typeof text === 'string' && /^[!-~]+$/.test(text) && !text.startsWith(apiKey ? 'svc_pat_' : 'svc_sk_'))
    return text;
  throw new UsageError('Give an API key as apiKey, or a personal access token as accessToken');
}

/** The bounds given in `options`, or else `defaults`; throws {@link UsageError}. */
export function parseBounds(options: Bounds, defaults: Settings['bounds']): Settings['bounds'] {
  const bounds = { ...defaults };
  for (const name of Object.keys(bounds) as (keyof Bounds)[]) {
    bounds[name] = options[name] ?? defaults[name];
    if (!(bounds[name] >= 0)) throw new UsageError(`${name} has to be 0 or more`);
  }
  return bounds;
}
