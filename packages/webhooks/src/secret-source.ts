import { WebhookError } from './error.ts';
import type { Signer } from './hashing/signer.ts';
import { type Secrets, toSigners } from './signers.ts';

/** Secrets, or a function that returns them or a promise of them. It runs each time a message is verified. */
export type SecretSource = Secrets | (() => Secrets | PromiseLike<Secrets>);

/** The two ways in which a receiver asks for its signers. */
export interface SignerSource {
  /** Throws `secrets_async` if the source is asynchronous. */
  now(): Signer[];
  later(): Promise<Signer[]>;
}

/** Checks secrets immediately, so a bad one throws when the receiver is created. Checks those of a function whenever it returns them. */
export function createSignerSource(source: SecretSource): SignerSource {
  if (typeof source !== 'function') {
    const signers = toSigners(source);
    return { now: () => signers, later: async () => signers };
  }
  return {
    now() {
      const secrets = source();
      if (!isPromiseLike(secrets)) return toSigners(secrets);
      secrets.then(undefined, () => {});
      throw new WebhookError('secrets_async', 500, 'Use verifyRequest, fetch or handle, or load the secrets before.');
    },
    later: async () => toSigners(await source()),
  };
}

function isPromiseLike(value: object | string): value is PromiseLike<Secrets> {
  return typeof (value as PromiseLike<Secrets>)?.then === 'function';
}
