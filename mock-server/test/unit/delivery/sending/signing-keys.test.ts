import { expect, test } from 'vitest';
import { createSigningKeys } from '../../../../src/delivery/sending/signing-keys.ts';
import { createSecret, type StoredSecret } from '../../../../src/domain/derive-secret.ts';
import { MasterKey } from '../../../../src/domain/master-key.ts';

const masterKey = MasterKey.random();
const secretOf = (index: number): StoredSecret => createSecret(masterKey, `whs_${index}`).stored;

test('the keys of more than ten thousand endpoints are derived only once', () => {
  const signingKeys = createSigningKeys(masterKey);
  const first = secretOf(0);
  const [key] = signingKeys([first]);
  for (let index = 1; index <= 10_000; index++) signingKeys([secretOf(index)]);
  expect(signingKeys([first])[0]).toBe(key);
});

test('each secret has its own key', () => {
  const [first, second] = createSigningKeys(masterKey)([secretOf(1), secretOf(2)]);
  expect(first?.equals(second as never)).toBe(false);
});
