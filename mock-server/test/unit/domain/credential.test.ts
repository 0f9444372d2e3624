import { describe, expect, test } from 'vitest';
import { createRedaction, redactSecrets } from '../../../src/domain/credential.ts';

describe('Redacted text', () => {
  test('has no credential, and keeps ids', () => {
    expect(redactSecrets('/v1/svc_sk_test_a-b_c/x?y=svc_pat_1')).toBe('/v1/svc_[redacted]/x?y=svc_[redacted]');
    expect(redactSecrets('/v1/workspaces/wsp_1')).toBe('/v1/workspaces/wsp_1');
  });

  test.each(['whsec_ab-c_d', 'whsec_ab+c/d=', '%77hsec%5Fab%2Bc', 'WHSEC_abc'])(
    'has no signing secret, even written as %s',
    (text) => {
      expect(redactSecrets(`/v1/search?q=${text}&type=profile`)).toBe('/v1/search?q=whsec_[redacted]&type=profile');
    },
  );

  test.each(['%73vc_sk_abc', 'svc%5fSK%5Fabc', '%53VC_%70at_abc', '%2573vc_sk_abc', 's%25252576c_pat_abc'])(
    'has no credential, even written as %s',
    (text) => {
      expect(redactSecrets(`/v1/${text}/x`)).toBe('/v1/svc_[redacted]/x');
    },
  );

  test.each([
    ['http://ada:pass@host.test/x', 'http://[redacted]@host.test/x'],
    ['{"url":"https://ada:p@ss@host.test"}', '{"url":"https://[redacted]@host.test"}'],
    ['postgres://token@db', 'postgres://[redacted]@db'],
    ['?next=https%3A%2F%2Fada%3Apass%40host.test%2Fx', '?next=https%3A%2F%2F[redacted]@host.test%2Fx'],
  ])('has no user info of a URL: %s', (text, shown) => {
    expect(redactSecrets(text)).toBe(shown);
  });

  describe('of a server with an admin token', () => {
    const token = 'A1b2(C3d4)[E5f6]{G7h8}.I9j0*K1l2+M3n4?';
    const redact = createRedaction(token);
    const encoded = encodeURIComponent(token);

    test.each([token, encoded, encoded.replaceAll('%', '%25'), `%41${encoded.slice(1)}`, token.toLowerCase()])(
      'does not have the token, even written as %s',
      (text) => {
        expect(redact(`/v1/me?x=${text}&y=svc_sk_1`)).toBe('/v1/me?x=[redacted]&y=svc_[redacted]');
      },
    );

    test('has other tokens, and without an admin token it has every token', () => {
      const other = `/v1/me?x=${token.slice(1)}`;
      expect(redact(other)).toBe(other);
      expect(createRedaction(undefined)(token)).toBe(token);
    });
  });

  test('keeps text that only resembles a credential', () => {
    const urls = ['http://host.test/~ada@x', 'http://host.test?to=a@b.test', '["http://host.test","a@b.test"]'];
    const encoded = 'http%3A%2F%2Fhost.test%2Fada%40b.test';
    for (const text of ['/v1/%73vc_xk_abc', '/v1/svc-sk-abc', '/v1/%74vc_sk_abc', ...urls, encoded])
      expect(redactSecrets(text)).toBe(text);
  });
});
