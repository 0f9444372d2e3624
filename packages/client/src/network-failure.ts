import { NetworkError } from './errors.ts';
import { strike } from './redact-credential.ts';

/**
 * Returns the result of `reach`, or throws a {@link NetworkError}. `arrived` says whether the service has responded.
 * The `cause` of the error has the message and the code of the innermost cause, without the credential. The runtime's
 * own errors are dropped, because they may contain the request.
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
    // Limit the depth, because an error may be its own cause.
    for (let depth = 0; inner && depth < 8; depth++) {
      code = strike(inner.code, credential);
      message = strike(inner.message, credential) || strike(inner, credential);
      inner = inner.cause as ErrnoException | undefined;
      text += `${code} ${message}\n`;
    }
    message ||= code || 'no reason given';
    // If a connection fails, an error in Node or Bun has a code, and an error in Deno has a known message. An error in
    // a browser or in workerd contains no reason.
    const notConnected = /n ?refused|connect_timeout|enotfound|eai_again|opensocket|dns error/i;
    const neverArrived = !arrived && notConnected.test(text);
    const cause = Object.assign(new Error(message), code && { code });
    throw new NetworkError(`No complete response: ${message}`, { neverArrived }, cause);
  }
}

interface ErrnoException {
  code: unknown;
  message: unknown;
  cause: unknown;
}
