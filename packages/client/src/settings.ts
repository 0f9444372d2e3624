import { UsageError } from './errors.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import type { ApiKeyClientOptions, Bounds, Credential, UserClientOptions } from './options.ts';

/** A client's options, checked and with their defaults, and what its calls share. Never handed out: it holds the credential. */
export interface Settings extends Pick<ApiKeyClientOptions, 'fetch' | 'middleware' | 'logger' | 'validate'> {
  credential: Credential;
  /** The origin and path that operations are appended to, without a slash at the end. */
  baseUrl: string;
  origin: string;
  bounds: Required<{ [Name in keyof Bounds]: number }>;
  limiter: Limiter;
  /** One for each call under way. */
  open: Set<AbortController>;
  closed: boolean;
}

/** Checks a client's options; throws {@link UsageError}. */
export function parseOptions(options: ApiKeyClientOptions | UserClientOptions): Settings {
  const { apiKey, accessToken, fetch, middleware, logger, validate, rateLimit = 'react' } = options;
  const credential = apiKey ?? accessToken;
  if (!credential || (apiKey && accessToken)) throw new UsageError('Give either apiKey or accessToken');
  const otherKind = apiKey ? 'svc_pat_' : 'svc_sk_';
  if (typeof credential === 'string' && credential.startsWith(otherKind)) {
    throw new UsageError(`A credential that begins with ${otherKind} goes into ${apiKey ? 'accessToken' : 'apiKey'}`);
  }
  const url = parseBaseUrl(options.baseUrl);
  return {
    fetch,
    middleware,
    logger,
    validate,
    credential,
    origin: url.origin,
    baseUrl: url.origin + url.pathname.replace(/\/+$/, ''),
    bounds: parseBounds(options, { timeoutMs: 30_000, deadlineMs: 120_000, maxRetries: 2 }),
    limiter: createLimiter(rateLimit),
    open: new Set(),
    closed: false,
  };
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // `fetch` refuses user info in a URL with a message that shows it.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new UsageError('baseUrl must be an absolute http or https URL without user info');
  }
  return url;
}

/** The bounds given in `options`, or else `defaults`; throws {@link UsageError}. */
export function parseBounds(options: Bounds, defaults: Settings['bounds']): Settings['bounds'] {
  const bounds = { ...defaults };
  for (const name of ['timeoutMs', 'deadlineMs', 'maxRetries'] as const) {
    const value = options[name] ?? defaults[name];
    if (!(value >= 0)) throw new UsageError(`${name} must be a number from 0 up`);
    bounds[name] = value;
  }
  return bounds;
}
