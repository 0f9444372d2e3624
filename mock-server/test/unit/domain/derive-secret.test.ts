import { describe, expect, test } from 'vitest';
import {
  createSecret,
  pinSecret,
  revealSecret,
  signingKeyOf,
  WrongMasterKeyError,
} from '../../../src/domain/derive-secret.ts';
import { MasterKey } from '../../../src/domain/master-key.ts';

const masterKey = MasterKey.random();

describe('Webhook secret', () => {
  test('is derived again from the stored data, which does not contain it', () => {
    for (let i = 0; i < 50; i++) {
      const { raw, stored } = createSecret(masterKey, `whs_${i}`);
      expect(raw).toMatch(/^whsec_(?=.*[-_])[\w-]{43}$/);
      expect(revealSecret(masterKey, stored)).toBe(raw);
      expect(JSON.stringify(stored)).not.toContain(raw.slice(12, 40));
    }
  });

  test('decodes to 32 bytes, as base64url only', () => {
    const { raw } = createSecret(masterKey, 'whs_1');
    expect(signingKeyOf(raw)).toHaveLength(32);
    expect(() => atob(raw.slice('whsec_'.length))).toThrow();
  });

  test('does not belong to a stored hash that an import has shortened', () => {
    const { stored } = createSecret(masterKey, 'whs_1');
    for (const hash of ['', '00', 'zz', stored.hash.slice(2)]) {
      expect(() => revealSecret(masterKey, { ...stored, hash })).toThrow(WrongMasterKeyError);
    }
  });

  test('is stored sealed if it is pinned', () => {
    const raw = 'whsec_bXlfcGlubmVkX3NpZ25pbmdfc2VjcmV0XzEyMw';
    const stored = pinSecret(masterKey, 'whs_1', raw);
    expect(revealSecret(masterKey, stored)).toBe(raw);
    expect(stored.sealed).not.toContain(raw.slice(6, 20));
    expect(() => revealSecret(masterKey, { ...stored, id: 'whs_2' })).toThrow(WrongMasterKeyError);
  });

  test('rejects another master key, for derived and for pinned secrets', () => {
    const other = MasterKey.random();
    expect(() => revealSecret(other, createSecret(masterKey, 'whs_1').stored)).toThrow(WrongMasterKeyError);
    expect(() => revealSecret(other, pinSecret(masterKey, 'whs_1', 'whsec_AAAA'))).toThrow(WrongMasterKeyError);
  });
});
