import { WebhookError } from './error.ts';
import type { Signer } from './hashing/signer.ts';
import { type HeaderValues, readHeaders } from './headers.ts';
import type { BufferedRequest } from './request.ts';
import { type Secrets, toSigners } from './signers.ts';

/**
 * What a `secrets` function can choose by. All of it comes from the sender and is not verified yet. So use it only to
 * look up the secrets of an endpoint.
 */
export interface SecretRequest {
  /** All headers of the request, by name in lower case. */
  headers: HeaderValues;
  /**
   * Absolute from a Fetch request, otherwise the path with its query. Undefined if the caller of `verify` passes no
   * URL.
   */
  url: string | undefined;
}

/** Secrets, or a function that returns them or a promise of them. It runs each time a message is verified. */
export type SecretSource = Secrets | ((request: SecretRequest) => Secrets | PromiseLike<Secrets>);

/** Returns the signers of a request. Throws `secrets_async` if a function returns a promise of its secrets. */
export function loadSigners(source: SecretSource, request: BufferedRequest): Signer[] {
  const secrets = askForSecrets(source, request);
  if (typeof (secrets as PromiseLike<Secrets>)?.then !== 'function') return toSigners(secrets as Secrets);
  Promise.resolve(secrets).catch(() => {});
  throw new WebhookError('secrets_async', 500, 'Use verifyRequest or fetch.');
}

/** The secrets of a request. */
export function askForSecrets(source: SecretSource, { headers, url }: BufferedRequest): Secrets | PromiseLike<Secrets> {
  return typeof source === 'function' ? source({ headers: readHeaders(headers), url }) : source;
}
