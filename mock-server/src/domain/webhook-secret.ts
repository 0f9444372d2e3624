import { createHash, timingSafeEqual } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '@svc/contract';
import type { MasterKey } from './master-key.ts';
import { type Random, systemRandom } from './random.ts';

/** The raw text of a signing secret. */
export type RawSecret = `${typeof WEBHOOK_SECRET_PREFIX}${string}`;

/**
 * The stored form of a signing secret. It allows deriving the secret with the master key, and reveals nothing without
 * that key.
 */
export interface StoredSecret {
  id: string;
  /** Hexadecimal. */
  salt: string;
  /** SHA-256 of the raw text, hexadecimal. */
  hash: string;
  preview: string;
  /** The raw text of a secret from a seed, encrypted with the master key. Null for derived secrets. */
  sealed: string | null;
}

/** The current master key is not the one that this secret was made with. */
export class WrongMasterKeyError extends Error {
  override readonly name = 'WrongMasterKeyError';
}

/** Creates a new secret: 33 bytes derived from the master key, the secret's id and a new salt. */
export function createSecret(
  masterKey: MasterKey,
  id: string,
  random: Random = systemRandom,
): { raw: RawSecret; stored: StoredSecret } {
  const salt = random.bytes(`salt:${id}`, 16).toString('hex');
  const raw = derive(masterKey, id, salt);
  return { raw, stored: { id, salt, hash: sha256(raw), preview: previewOf(raw), sealed: null } };
}

/** Stores a secret from a seed file. It cannot be derived, so it is encrypted. */
export function pinSecret(
  masterKey: MasterKey,
  id: string,
  raw: RawSecret,
  random: Random = systemRandom,
): StoredSecret {
  const salt = random.bytes(`salt:${id}`, 16).toString('hex');
  const sealed = masterKey.seal(raw, purposeOf(id), random);
  return { id, salt, hash: sha256(raw), preview: previewOf(raw), sealed };
}

/**
 * Returns the raw secret, to sign with.
 *
 * @throws {@link WrongMasterKeyError} if the master key is not the one used at creation.
 */
export function revealSecret(masterKey: MasterKey, stored: StoredSecret): RawSecret {
  const raw = stored.sealed === null ? derive(masterKey, stored.id, stored.salt) : unseal(masterKey, stored);
  if (raw === undefined || !timingSafeEqual(Buffer.from(sha256(raw), 'hex'), Buffer.from(stored.hash, 'hex'))) {
    throw new WrongMasterKeyError(
      `The master key does not belong to this data: secret ${stored.id} cannot be derived.`,
    );
  }
  return raw;
}

/** The signing key: the text after the prefix, decoded from base64url (service document, "Signature"). */
export function signingKeyOf(raw: RawSecret): Buffer {
  return Buffer.from(raw.slice(WEBHOOK_SECRET_PREFIX.length), 'base64url');
}

const purposeOf = (id: string) => `webhook-secret:${id}`;

/**
 * 33 bytes need no padding. This repeats until the text contains neither `-` nor `_`, so that base64url and base64
 * decode it equally, and every Standard Webhooks library can verify it. About one in four tries succeeds.
 */
function derive(masterKey: MasterKey, id: string, salt: string): RawSecret {
  for (let counter = 0; ; counter++) {
    const text = masterKey.derive(`${purposeOf(id)}:${counter}`, Buffer.from(salt, 'hex'), 33).toString('base64url');
    if (!/[-_]/.test(text)) return `${WEBHOOK_SECRET_PREFIX}${text}`;
  }
}

function unseal(masterKey: MasterKey, stored: StoredSecret): RawSecret | undefined {
  try {
    return masterKey.open(stored.sealed ?? '', purposeOf(stored.id)) as RawSecret;
  } catch {
    return undefined;
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const previewOf = (raw: RawSecret) => `${raw.slice(0, 10)}…${raw.slice(-4)}`;
