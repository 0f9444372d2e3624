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
    String.raw`\u0073vc_sk_abc\u005Fd\u0065`,
    String.raw`svc\u005f\u0053K_abc\u002dd`,
    String.raw`s\\u0076c_pat_a\\u0062c`,
    String.raw`\u0077hsec_ab\u002fc`,
  ])('has no credential and no secret, even escaped as %s in JSON', (text) => {
    expect(redactSecrets(`{"name":"${text}","x":1}`)).toMatch(/^\{"name":"(svc|whsec)_\[redacted\]","x":1\}$/);
  });

  test.each([
    ['http://ada:pass@host.test/x', 'http://[redacted]@host.test/x'],
    ['{"url":"https://ada:p@ss@host.test"}', '{"url":"https://[redacted]@host.test"}'],
    [String.raw`{"url":"https:\/\/ada:pass@host.test\/x"}`, String.raw`{"url":"https:\/\/[redacted]@host.test\/x"}`],
    ['postgres://token@db', 'postgres://[redacted]@db'],
    ['?next=https%3A%2F%2Fada%3Apass%40host.test%2Fx', '?next=https%3A%2F%2F[redacted]@host.test%2Fx'],
  ])('has no user info of a URL: %s', (text, shown) => {
    expect(redactSecrets(text)).toBe(shown);
  });

  test('keeps the example of a URL that our messages show', () => {
    const hint = 'smtp://user:password@host';
    expect(redactSecrets(hint)).toBe(hint);
    expect(redactSecrets('smtp://user:password1@host')).toBe('smtp://[redacted]@host');
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

    test('does not have the token, even escaped in JSON', () => {
      const escaped = (text: string) => text.replaceAll(/./g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
      expect(redact(`{"x":"${escaped(token)}"}`)).toBe('{"x":"[redacted]"}');
      expect(redact(`{"x":"${escaped(token.slice(1))}"}`)).toBe(`{"x":"${escaped(token.slice(1))}"}`);
    });

    test('does not have a token with characters that JSON escapes', () => {
      const awkward = 'a"b\\c/d"e\\f/0123456789abcdef0123456789';
      const shown = (text: string) => createRedaction(awkward)(text);
      expect(shown(JSON.stringify({ x: awkward }))).toBe('{"x":"[redacted]"}');
      expect(shown(JSON.stringify(JSON.stringify({ x: awkward })))).toBe(String.raw`"{\"x\":\"[redacted]\"}"`);
    });

    test('has other tokens, and without an admin token it has every token', () => {
      const other = `/v1/me?x=${token.slice(1)}`;
      expect(redact(other)).toBe(other);
      expect(createRedaction(undefined)(token)).toBe(token);
      expect(createRedaction('a')('a banana')).toBe('a banana');
    });
  });

  test('keeps text that only resembles a credential', () => {
    const urls = ['http://host.test/~ada@x', 'http://host.test?to=a@b.test', '["http://host.test","a@b.test"]'];
    const encoded = 'http%3A%2F%2Fhost.test%2Fada%40b.test';
    for (const text of ['/v1/%73vc_xk_abc', '/v1/svc-sk-abc', '/v1/%74vc_sk_abc', '\\u0074vc_sk_abc', ...urls, encoded])
      expect(redactSecrets(text)).toBe(text);
  });
});
