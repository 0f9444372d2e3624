import { createHmac } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@svc/contract';
import { createSigningKeys } from '../src/delivery/sending/signing-keys.ts';
import { masterKey, SECRETS } from './database.ts';
import type { Sent } from './receivers.ts';

export interface KnownSecret {
  id: string;
  expires_at: number | null;
}

const KEYS = createSigningKeys(masterKey)(SECRETS).map((key, index) => ({ id: SECRETS[index]?.id ?? '', key }));

/**
 * Checks that a request is signed with every valid secret and with no other secret. A secret that expired less than
 * `withinMs` ago may also sign, because the node may have read the secrets earlier. If `hasChanged` is true (the
 * secrets or the node's clock have just changed), one valid signature is enough. Returns a description of the problem,
 * or `undefined` if there is no problem.
 */
export function problemOfSignatures(
  { request, delivery, clockAt }: Sent,
  secrets: readonly KnownSecret[],
  withinMs: number,
  hasChanged: boolean,
): string | undefined {
  const { headers, body } = request;
  if (headers[WEBHOOK_HEADERS.id] !== delivery.id) return 'has the id of another delivery';
  const text = `${delivery.id}.${headers[WEBHOOK_HEADERS.timestamp]}.${body}`;
  const entries = headers[WEBHOOK_HEADERS.signature]?.split(' ') ?? [];
  const [own = [], others = []] = [true, false].map((isOwn) =>
    KEYS.filter(({ id }) => secrets.some((secret) => secret.id === id) === isOwn),
  );
  const signers: string[] = [];
  for (const { id, key } of [...own, ...others]) {
    if (signers.length === entries.length) break;
    if (entries.includes(`v1,${createHmac('sha256', key).update(text).digest('base64')}`)) signers.push(id);
  }
  if (signers.length !== entries.length || signers.length === 0) return 'has an unknown signature';
  if (hasChanged)
    return signers.some((id) => secrets.some((secret) => secret.id === id)) ? undefined : 'has no valid signature';
  const expiresAt = new Map(secrets.map(({ id, expires_at }) => [id, expires_at ?? Number.POSITIVE_INFINITY]));
  const wrong = signers.find((id) => (expiresAt.get(id) ?? 0) <= clockAt - withinMs);
  if (wrong !== undefined) return `is signed with ${wrong}, which is no longer valid`;
  const missing = secrets.find(({ id }) => (expiresAt.get(id) ?? 0) > clockAt && !signers.includes(id));
  return missing && `is not signed with ${missing.id}`;
}
