import { describe, expect, test } from 'vitest';
import { MasterKey } from '../../src/domain/master-key.ts';
import {
  createSecret,
  pinSecret,
  revealSecret,
  signingKeyOf,
  WrongMasterKeyError,
} from '../../src/domain/webhook-secret.ts';

const masterKey = MasterKey.random();

describe('Webhook secret', () => {
  test('is derived again from the stored data, which does not contain it', () => {
    for (let i = 0; i < 50; i++) {
      const { raw, stored } = createSecret(masterKey, `whs_${i}`);
      expect(raw).toMatch(/^whsec_[A-Za-z0-9]{44}$/);
      expect(revealSecret(masterKey, stored)).toBe(raw);
      expect(JSON.stringify(stored)).not.toContain(raw.slice(12, 40));
    }
  });

  test('decodes to the same key as base64url and as base64', () => {
    const { raw } = createSecret(masterKey, 'whs_1');
    expect(signingKeyOf(raw)).toEqual(Buffer.from(raw.slice(6), 'base64'));
    expect(signingKeyOf(raw)).toHaveLength(33);
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
