import { NetworkError } from './errors.ts';

/**
 * What `reach` gets over the network, or a {@link NetworkError}. Its cause has the text and the code of the innermost cause,
 * without the credential. The errors themselves are dropped: what runtimes throw, at once or later, may hold the request.
 */
export async function reached<Value>(
  reach: () => PromiseLike<Value>,
  credential: string,
  arrived = false,
): Promise<Value> {
  try {
    return await reach();
  } catch (error) {
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
    message ||= code || 'no reason given';
    // Node and Bun say in codes that there was no connection, Deno says it in its message. Browsers and workerd do not tell.
    const notConnected = /n ?refused|connect_timeout|enotfound|eai_again|opensocket|dns error/i;
    const neverArrived = !arrived && notConnected.test(text);
    const cause = Object.assign(new Error(message), code && { code });
    throw new NetworkError(`No whole answer: ${message}`, { neverArrived }, cause);
  }
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
