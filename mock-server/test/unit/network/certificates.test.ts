import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { createCertificate, sequence, tagged } from '@svc/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkCertificates } from '../../../src/network/certificates.ts';
import { TlsRefusedError } from '../../../src/network/tls-error.ts';

const valid = { name: 'localhost', notBefore: new Date(0), notAfter: new Date(1e12), authority: true };
const derOf = (options: Partial<Parameters<typeof createCertificate>[0]> = {}): Buffer =>
  new X509Certificate(createCertificate({ ...valid, ...options }).cert).raw;
const withKey = (publicKey: KeyObject) => derOf({ publicKey });
const curve = (namedCurve: string, options = {}) => generateKeyPairSync('ec', { namedCurve, ...options }).publicKey;
/** An RSA key with a modulus and an exponent of these sizes. */
const rsa = (modulusBytes: number, exponentBytes: number) => {
  const number = (bytes: number) => Buffer.alloc(bytes, 0x7f).toString('base64url');
  return createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: number(modulusBytes), e: number(exponentBytes) } });
};
const codeOf = (certificates: readonly Buffer[]): string => {
  try {
    checkCertificates(certificates);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof TlsRefusedError)) throw error;
    return error.code;
  }
};

describe('A certificate with a key', () => {
  test.each<[string, KeyObject]>([
    ['on P-256', curve('P-256')],
    ['on P-384', curve('P-384')],
    ['on P-521', curve('P-521')],
    ['of RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey],
    ['of RSA-PSS', generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey],
    ['of RSA with 8192 bits and the largest exponent', rsa(1024, 4)],
    ['of Ed25519', generateKeyPairSync('ed25519').publicKey],
    ['of Ed448', generateKeyPairSync('ed448').publicKey],
    ['of ML-DSA-65', generateKeyPairSync('ml-dsa-65').publicKey],
  ])('%s is accepted', (_kind, key) => {
    expect(codeOf([withKey(key)])).toBe('accepted');
  });

  test.each<[string, KeyObject]>([
    ['on a curve of its own', curve('P-256', { paramEncoding: 'explicit' })],
    ['on sect571r1', curve('sect571r1')],
    ['on P-224', curve('secp224r1')],
    ['of RSA with a modulus of 1,026 bytes', rsa(1026, 3)],
    ['of RSA with an exponent of five bytes', rsa(256, 5)],
    ['of DSA', generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).publicKey],
    ['of X25519', generateKeyPairSync('x25519').publicKey],
  ])('%s is refused', (_kind, key) => {
    expect(codeOf([withKey(key)])).toBe('ERR_TLS_CERTIFICATE_KEY');
    expect(codeOf([derOf(), withKey(key)])).toBe('ERR_TLS_CERTIFICATE_KEY');
  });
});

test.each([
  ['twelve', 'P-256', 12],
  ['six', 'P-384', 6],
  ['three', 'P-521', 3],
] as const)('At most %s certificates on %s are accepted', (_word, namedCurve, count) => {
  const certificates = Array.from({ length: count }, () => withKey(curve(namedCurve)));
  expect(codeOf(certificates)).toBe('accepted');
  expect(codeOf([...certificates, derOf()])).toBe('ERR_TLS_TOO_MANY_CERTIFICATES');
});

const UNUSUAL = 'ERR_TLS_CERTIFICATE_PART';
const NAMES = '2.5.29.17';
const POLICIES = '2.5.29.32';
const times = (count: number, element: Buffer) => Array.from({ length: count }, () => element);
const withExtension = (id: string, value: Buffer) => derOf({ extensions: [[id, value]] });

test.each([
  ['a name of the usual size', derOf({ name: 'x'.repeat(1_000) }), 'accepted'],
  ['a name above 1,024 bytes', derOf({ name: 'x'.repeat(1_024) }), UNUSUAL],
  [
    'a list of names above 1,024 bytes',
    withExtension(NAMES, sequence(...times(2_000, tagged(0x82, Buffer.from('x'))))),
    'accepted',
  ],
  ['policies of 1,024 bytes', withExtension(POLICIES, tagged(0x30, Buffer.alloc(1_020))), 'accepted'],
  ['policies of 1,025 bytes', withExtension(POLICIES, tagged(0x30, Buffer.alloc(1_021))), UNUSUAL],
  ['an unknown extension of any size', withExtension('1.3.6.1.4.1.99999', Buffer.alloc(8_000)), 'accepted'],
])('%s: %s', (_what, certificate, expected) => {
  expect(codeOf([certificate])).toBe(expected);
});

test('The size of all names and of all name constraints together is limited', () => {
  const constraints = (count: number) =>
    withExtension(
      '2.5.29.30',
      sequence(tagged(0xa1, Buffer.concat(times(count, sequence(tagged(0x82, Buffer.from('x'))))))),
    );
  const names = (count: number) => withExtension(NAMES, sequence(...times(count, tagged(0x86, Buffer.from('b://c')))));
  expect(codeOf([names(1_500)])).toBe('accepted');
  expect(codeOf([names(100), constraints(100)])).toBe('accepted');
  expect(codeOf([names(400), constraints(100)])).toBe(UNUSUAL);
  expect(codeOf([names(200), constraints(50), names(200), constraints(50)])).toBe(UNUSUAL);
  const subject = derOf({ name: 'x'.repeat(950) });
  expect(codeOf([subject, constraints(100)])).toBe('accepted');
  expect(codeOf([subject, constraints(100), subject])).toBe(UNUSUAL);
});

describe('The address of a revocation list', () => {
  const addressed = (name: Buffer) =>
    withExtension('2.5.29.31', sequence(sequence(tagged(0x81, Buffer.of(0, 1))), sequence(tagged(0xa0, name))));

  test('that is a URL is accepted', () => {
    expect(codeOf([addressed(tagged(0xa0, tagged(0x86, Buffer.from('http://a.test/b.crl'))))])).toBe('accepted');
  });

  test('that is relative to a name is refused', () => {
    expect(codeOf([addressed(tagged(0xa1, Buffer.alloc(0)))])).toBe(UNUSUAL);
  });
});

describe('A malformed certificate', () => {
  const certificate = derOf();

  test('that is cut off is refused', () => {
    for (let length = 0; length < certificate.length; length++) {
      expect(codeOf([certificate.subarray(0, length)]), `${length}`).toBe('ERR_TLS_MALFORMED_CERTIFICATE');
    }
  });

  test('of indefinite length, which OpenSSL accepts, is refused', () => {
    const indefinite = Buffer.concat([Buffer.from([0x30, 0x80]), certificate.subarray(4), Buffer.alloc(2)]);
    expect(new X509Certificate(indefinite).subject).toBe('CN=localhost');
    expect(codeOf([indefinite])).toBe('ERR_TLS_MALFORMED_CERTIFICATE');
  });

  test('never passes with another key than OpenSSL reads, and never fails in another way', () => {
    const changed = fc.array(fc.tuple(fc.nat(certificate.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(changed, (changes) => {
        const bytes = Buffer.from(certificate);
        for (const [at, byte] of changes) bytes[at] = byte;
        if (codeOf([bytes]) !== 'accepted') return;
        const key = keyOf(bytes);
        if (key?.asymmetricKeyType === 'ec')
          expect(key.asymmetricKeyDetails?.namedCurve).toMatch(/^(prime256v1|secp384r1|secp521r1)$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The key that OpenSSL reads in a certificate, if it can read the certificate. */
function keyOf(certificate: Buffer): KeyObject | undefined {
  try {
    return new X509Certificate(certificate).publicKey;
  } catch {
    return undefined;
  }
}
