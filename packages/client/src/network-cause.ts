/** What runtimes say where no connection came about: Node and Bun in codes, Deno in its message; browsers and workerd do not tell. */
const NOT_CONNECTED = /conn\w* ?refused|connect_timeout|enotfound|eai_again|opensocket|dns error/i;

/** What a runtime threw, reduced to what may be shown. */
export interface NetworkCause {
  /** The innermost cause: its text, cleared of the credential, and its code. */
  cause: Error;
  /** Whether the request surely never reached the service. */
  neverArrived: boolean;
}

/** Takes the causes behind a failed request apart. The errors themselves are dropped: they may hold the request. */
export function networkCause(error: unknown, credential: string): NetworkCause {
  let text = '';
  let code = '';
  let message = '';
  let inner = error as Partial<ErrnoException> | null | undefined;
  // A cause may lead back to itself.
  for (let depth = 0; inner && depth < 8; depth++) {
    code = strike(inner.code, credential);
    message = strike(inner.message, credential) || strike(inner, credential);
    inner = inner.cause as ErrnoException | undefined;
    text += `${code} ${message}\n`;
  }
  const cause = new Error(message || code || 'no reason given');
  return { cause: code ? Object.assign(cause, { code }) : cause, neverArrived: NOT_CONNECTED.test(text) };
}

interface ErrnoException {
  code: unknown;
  message: unknown;
  cause: unknown;
}

/** A text without the credential, should someone have echoed it; empty where `value` is none. */
export function strike(value: unknown, credential: string): string {
  return typeof value === 'string' ? value.replaceAll(credential, '[credential]') : '';
}
