import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface CertificateOptions {
  /** The common name and the DNS name. */
  name: string;
  notBefore: Date;
  notAfter: Date;
  /** The authority that signs the certificate. Default: none, so the certificate is self-signed. */
  issuer?: Authority | undefined;
  authority?: boolean;
  /**
   * The public key to certify. Default: the public key of a new pair on the curve P-256. The returned private key
   * always belongs to the new pair.
   */
  publicKey?: KeyObject;
  /** The id of each extension, and its value in DER. */
  extensions?: readonly (readonly [id: string, value: Buffer])[];
}

export interface Certificate {
  cert: string;
  key: string;
}

export interface Authority extends Certificate {
  name: string;
  privateKey: KeyObject;
}

/** Creates an X.509 certificate (RFC 5280), with only the fields that a TLS server needs. */
export function createCertificate(options: CertificateOptions): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));
  const body = sequence(
    explicit(0, integer(2)),
    integer(Math.floor(Math.random() * 2 ** 31) + 1),
    ecdsaWithSha256,
    nameOf(options.issuer?.name ?? options.name),
    sequence(time(options.notBefore), time(options.notAfter)),
    nameOf(options.name),
    (options.publicKey ?? publicKey).export({ type: 'spki', format: 'der' }),
    explicit(
      3,
      sequence(
        extension('2.5.29.19', true, options.authority ? sequence(boolean(true)) : sequence()),
        extension('2.5.29.17', false, sequence(tagged(0x82, Buffer.from(options.name, 'ascii')))),
        ...(options.extensions ?? []).map(([id, value]) => extension(id, false, value)),
      ),
    ),
  );
  const signature = createSign('sha256')
    .update(body)
    .sign(options.issuer?.privateKey ?? privateKey);
  const der = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    name: options.name,
    privateKey,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}

// The following functions write the few parts of DER (ITU-T X.690) that a certificate needs.

export function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

export const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts));
const explicit = (number: number, content: Buffer) => tagged(0xa0 + number, content);
const boolean = (value: boolean) => tagged(0x01, Buffer.from([value ? 0xff : 0]));

function integer(value: number): Buffer {
  // DER requires as few bytes as possible. A first byte of 0x80 or more means a negative number, so add a zero byte.
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return tagged(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const groups = rest.flatMap((number) => {
    const bytes = [number & 0x7f];
    for (let left = number >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
    return bytes;
  });
  return tagged(0x06, Buffer.from([first * 40 + second, ...groups]));
}

const nameOf = (name: string) =>
  sequence(tagged(0x31, sequence(oid('2.5.4.3'), tagged(0x0c, Buffer.from(name, 'utf8')))));

const time = (date: Date) => tagged(0x17, Buffer.from(date.toISOString().replace(/^..|[-:T]|\.\d+/g, ''), 'ascii'));

const extension = (id: string, critical: boolean, content: Buffer) =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), tagged(0x04, content));
