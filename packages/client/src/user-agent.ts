/** Set by the build, from package.json. */
declare const CLIENT_VERSION: string;

/** This package, its version and the runtime, for `User-Agent`. Undefined in browsers, which do not let scripts set it. */
export function userAgent(): string | undefined {
  const runtime = globalThis.navigator?.userAgent ?? '';
  const version = typeof CLIENT_VERSION === 'undefined' ? 'source' : CLIENT_VERSION;
  return /^Mozilla/.test(runtime) ? undefined : `svc-client/${version} ${runtime}`.trim();
}
