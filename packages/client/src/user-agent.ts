/** The version in package.json. The build replaces this name with the version. */
declare const CLIENT_VERSION: string;

/**
 * The `User-Agent`: this package, its version and the runtime. Undefined in browsers, because they do not let scripts
 * set this header.
 */
export function userAgent(): Record<string, string> | undefined {
  const runtime = globalThis.navigator?.userAgent ?? '';
  const version = typeof CLIENT_VERSION === 'undefined' ? 'source' : CLIENT_VERSION;
  return /^Mozilla/.test(runtime) ? undefined : { 'user-agent': `svc-client/${version} ${runtime}`.trim() };
}
