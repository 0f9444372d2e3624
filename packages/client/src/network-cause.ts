/** What runtimes say where no connection came about: Node, Bun (names), Deno and workerd (messages). */
const NOT_CONNECTED =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|connection refused|dns error/i;

interface Thrown {
  name?: string;
  message?: string;
  code?: unknown;
  cause?: unknown;
}

/** Whether `error` tells that the request surely never reached the service. */
export function neverArrived(error: unknown): boolean {
  const { code, message, cause } = (error ?? {}) as Thrown;
  return NOT_CONNECTED.test(`${code} ${message}`) || (cause !== undefined && neverArrived(cause));
}

/** A copy of what a runtime threw that holds its text and code alone, with the credential struck out. */
export function clearedCause(error: unknown, credential: string): Error {
  const { name, message, code, cause } = (error ?? {}) as Thrown;
  const cleared = new Error(
    strike(message || String(code ?? error), credential),
    cause === undefined ? undefined : { cause: clearedCause(cause, credential) },
  );
  cleared.name = name ?? 'Error';
  delete cleared.stack;
  return code === undefined ? cleared : Object.assign(cleared, { code });
}

/** `text` without the credential, should someone have echoed it. */
export function strike(text: string, credential: string): string {
  return text.replaceAll(credential, '[credential]');
}
