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
  let code: unknown;
  let message = '';
  let inner = error as ErrnoException | undefined;
  // A cause may lead back to itself.
  for (let depth = 0; inner && depth < 8; depth++) {
    ({ code, message } = inner);
    inner = inner.cause as ErrnoException | undefined;
    text += `${code} ${message}\n`;
  }
  const cause = new Error(strike(`${message || code}`, credential));
  return { cause: code ? Object.assign(cause, { code }) : cause, neverArrived: NOT_CONNECTED.test(text) };
}

interface ErrnoException extends Error {
  code?: string;
}

/** `text` without the credential, should someone have echoed it. */
export function strike(text: string, credential: string): string {
  return text.replaceAll(credential, '[credential]');
}
