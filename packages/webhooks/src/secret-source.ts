import { WebhookError } from './error.ts';
import type { Signer } from './hashing/signer.ts';
import { type HeaderValues, readHeaders } from './headers.ts';
import type { BufferedRequest } from './request.ts';
import { type Secrets, toSigners } from './signers.ts';

/**
 * The data with which a `secrets` function chooses secrets. All of the data comes from the sender and is not verified
 * yet. So use the data only to look up the secrets of an endpoint.
 */
export interface SecretRequest {
  /** All headers of the request, keyed by name in lower case. */
  headers: HeaderValues;
  /**
   * The URL of the request: an absolute URL for a Fetch request, and otherwise the path with its query. Undefined if
   * the caller of `verify` passes no URL.
   */
  url: string | undefined;
}

/**
 * Secrets, or a function that returns secrets or a promise of secrets. The function runs each time a message is
 * verified.
 */
export type SecretSource = Secrets | ((request: SecretRequest) => Secrets | PromiseLike<Secrets>);

/**
 * Returns the signers for a request. Throws an error with the code `secrets_async` if the `secrets` function returns a
 * promise.
 */
export function loadSigners(source: SecretSource, request: BufferedRequest): Signer[] {
  const secrets = askForSecrets(source, request);
  if (typeof (secrets as PromiseLike<Secrets>)?.then !== 'function') return toSigners(secrets as Secrets);
  Promise.resolve(secrets).catch(() => {});
  throw new WebhookError('secrets_async', 500, 'Use verifyRequest or fetch.');
}

export function askForSecrets(source: SecretSource, { headers, url }: BufferedRequest): Secrets | PromiseLike<Secrets> {
  return typeof source === 'function' ? source({ headers: readHeaders(headers), url }) : source;
}
