import { createHash } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '@svc/contract';
import type { MasterKey } from './master-key.ts';
import { type Random, systemRandom } from './random.ts';

export type RawSecret = `${typeof WEBHOOK_SECRET_PREFIX}${string}`;

/** The stored form of a signing secret. Restoring the secret from this form requires the master key. */
export interface StoredSecret {
  id: string;
  /** The salt from which the secret is derived, in hexadecimal. */
  salt: string;
  /** The SHA-256 hash of the raw secret, in hexadecimal. */
  hash: string;
  preview: string;
  /** The encrypted raw secret, if it came from a seed or from `svc-mock listen`. Null for derived secrets. */
  sealed: string | null;
}

export class WrongMasterKeyError extends Error {
  override readonly name = 'WrongMasterKeyError';
}

/** Creates a secret: 32 bytes derived from the master key, the secret's id and a new salt. */
export function createSecret(
  masterKey: MasterKey,
  id: string,
  random: Random = systemRandom,
): { raw: RawSecret; stored: StoredSecret } {
  const salt = random.bytes(`salt:${id}`, 16).toString('hex');
  const raw = derive(masterKey, id, salt);
  return { raw, stored: { id, salt, hash: sha256(raw), preview: previewOf(raw), sealed: null } };
}

/** All runs of `svc-mock listen` on the same data use the same secret for a workspace. */
export const listenSecretOf = (masterKey: MasterKey, workspaceId: string): RawSecret =>
  derive(masterKey, `listen:${workspaceId}`, '');

/** Returns the stored form of a secret that a seed or `svc-mock listen` has set. */
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

/** @throws {@link WrongMasterKeyError} if the secret was created with another master key. */
export function revealSecret(masterKey: MasterKey, stored: StoredSecret): RawSecret {
  const { id, salt, sealed } = stored;
  const raw = sealed === null ? derive(masterKey, id, salt) : unseal(masterKey, id, sealed);
  if (raw !== undefined && sha256(raw) === stored.hash) return raw;
  throw new WrongMasterKeyError(`The master key does not belong to this data: secret ${id} cannot be derived.`);
}

/** Decodes the part after the prefix from base64url (service document, "Signature"). */
export function signingKeyOf(raw: RawSecret): Buffer {
  return Buffer.from(raw.slice(WEBHOOK_SECRET_PREFIX.length), 'base64url');
}

const purposeOf = (id: string) => `webhook-secret:${id}`;

/** Every secret contains `-` or `_`, so a receiver that decodes base64 instead of base64url fails at once. */
function derive(masterKey: MasterKey, id: string, salt: string): RawSecret {
  for (let counter = 0; ; counter++) {
    const text = masterKey.derive(`${purposeOf(id)}:${counter}`, Buffer.from(salt, 'hex'), 32).toString('base64url');
    if (/[-_]/.test(text)) return `${WEBHOOK_SECRET_PREFIX}${text}`;
  }
}

function unseal(masterKey: MasterKey, id: string, sealed: string): RawSecret | undefined {
  try {
    return masterKey.open(sealed, purposeOf(id)) as RawSecret;
  } catch {
    return undefined;
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const previewOf = (raw: RawSecret) => `${raw.slice(0, 10)}…${raw.slice(-4)}`;
