import { check, checkNumber } from './check.ts';
import { type CredentialOption, findCredential } from './credential.ts';
import { environmentVariable } from './environment.ts';
import { createLifetime, type Lifetime } from './lifetime.ts';
import { checkNames, type Names } from './names.ts';
import type { ApiKeyClientOptions, Bounds, CallOptions, ChangeableOptions, UserClientOptions } from './options.ts';
import { type Address, parseUrl } from './origin.ts';
import { createLimiter, type Limiter } from './rate-limit-queue.ts';

/**
 * The checked options of a client, with defaults, and the state that the client's calls share. This object is never
 * exposed, because it contains the credential.
 */
export interface Settings extends Pick<ApiKeyClientOptions, 'fetch' | 'logger' | 'validate'> {
  /** The name of the option that contains the credential. An API key binds the client to one workspace. */
  kind: CredentialOption;
  /**
   * Returns the credential for one attempt. Rejects with a {@link UsageError} if the credential is missing or
   * unusable.
   */
  credential: () => Promise<string>;
  /** The headers of each call. Later headers replace earlier headers of the same name. */
  headers: readonly CallOptions['headers'][];
  middleware: NonNullable<ApiKeyClientOptions['middleware']>;
  /** Returns the address of the service. Throws {@link UsageError} if the address is missing or invalid. */
  address: () => Address;
  bounds: Required<{ [Name in keyof Bounds]: number }>;
  limiter: Limiter;
  lifetime: Lifetime;
  debug: boolean;
}

const CHANGEABLE_OPTIONS: Names<keyof ChangeableOptions> = {
  timeoutMs: 1,
  deadlineMs: 1,
  maxRetries: 1,
  headers: 1,
  middleware: 1,
  logger: 1,
  debug: 1,
  validate: 1,
};

const CLIENT_OPTIONS: Names<keyof ApiKeyClientOptions> = {
  apiKey: 1,
  accessToken: 1,
  baseUrl: 1,
  fetch: 1,
  rateLimit: 1,
  dangerouslyAllowBrowser: 1,
  ...CHANGEABLE_OPTIONS,
};

/**
 * Checks a client's options. Throws {@link UsageError} if an option is invalid. The credential and the address are
 * checked only when a call uses them. Credentials and addresses often come from environment variables, which may be
 * missing when a program is built.
 */
export function parseOptions(given: ApiKeyClientOptions | UserClientOptions | undefined): Settings {
  const options = { ...given } as ApiKeyClientOptions;
  checkNames(options, CLIENT_OPTIONS, 'option');
  const { rateLimit = 'react', fetch, baseUrl } = options;
  const [kind, credential] = findCredential(options);
  checkNames({ [rateLimit]: 1 }, { react: 1, pace: 1, off: 1 }, 'rateLimit');
  check(!fetch || typeof fetch === 'function', 'fetch must be a function');
  let address: Address | undefined;
  const shared = {
    kind,
    credential,
    address: () => (address ??= parseAddress(baseUrl ?? environmentVariable('SVC_BASE_URL'))),
    fetch,
    headers: [],
    bounds: { timeoutMs: 30_000, deadlineMs: 120_000, maxRetries: 2 },
    limiter: createLimiter(rateLimit, kind === 'apiKey' ? 300 : 120),
    lifetime: createLifetime(),
  };
  return changed(shared, options);
}

/** Returns the settings of a client with changed options. Throws {@link UsageError} if an option is invalid. */
export function changeOptions(settings: Settings, options: ChangeableOptions): Settings {
  checkNames(options, CHANGEABLE_OPTIONS, 'option');
  return changed({ ...settings, lifetime: createLifetime(settings.lifetime) }, options);
}

function changed(settings: Omit<Settings, 'middleware' | 'debug'>, options: ChangeableOptions): Settings {
  const bounds = parseBounds(options, settings.bounds);
  const all = { ...settings, ...options, bounds, headers: [...settings.headers, options.headers] };
  const { middleware = [], debug = environmentVariable('SVC_DEBUG') === '1', validate } = all;
  check(Array.isArray(middleware), 'middleware must be an array');
  middleware.forEach((layer, index) => {
    check(typeof layer === 'function', `middleware[${index}] must be a function`);
  });
  checkNames(validate, { schemas: 1, onInvalid: 1 }, 'option');
  check(!validate || validate.schemas, 'Pass validate.schemas: see @svc/client/schemas');
  return { ...all, middleware, debug };
}

function parseAddress(text: string | undefined): Address {
  check(text, 'Pass baseUrl, or set SVC_BASE_URL');
  const url = parseUrl(text);
  check(
    url && /^https?:/.test(url.href) && url.href === url.origin + url.pathname,
    'baseUrl must be an http or https URL without user info, query or fragment',
  );
  check(!/\/v1\/*$/.test(url.href), 'baseUrl must not end in /v1');
  return { baseUrl: url.href.replace(/\/+$/, ''), origin: url.origin };
}

/**
 * Returns each bound from `options`, or from `defaults` if `options` does not contain it. Throws {@link UsageError} if
 * a bound is invalid.
 */
export function parseBounds(options: Bounds, defaults: Settings['bounds']): Settings['bounds'] {
  const bounds = { ...defaults };
  let name: keyof Bounds;
  for (name in bounds) {
    bounds[name] = options[name] ?? bounds[name];
    checkNumber(name, bounds[name]);
  }
  return bounds;
}
