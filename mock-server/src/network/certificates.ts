import { TlsRefusedError } from './tls-error.ts';

/**
 * The maximum total cost of a server's certificates. The unit is the time to verify an RSA or P-256 signature. Most
 * servers send two or three certificates.
 */
const COST_MAX = 12;
/** The maximum size of an RSA modulus: 8192 bits, plus the leading zero byte. */
const MODULUS_MAX_BYTES = 1025;
/** The maximum size of an RSA exponent. Most are 65537. OpenSSL allows much larger exponents, which are slow. */
const EXPONENT_MAX_BYTES = 4;
/** The maximum size of a name, and of an extension without a list of names. Each usually takes under 300 bytes. */
const PART_MAX_BYTES = 1024;
/** The maximum product of the sizes of constraints and names: OpenSSL compares each name constraint with each name. */
const COMPARED_MAX = 1024 * 1024;

/** RSA and RSA-PSS. */
const RSA_KINDS = new Set(['2a864886f70d010101', '2a864886f70d01010a']);
const EC = '2a8648ce3d0201';
/** The cost of each curve: P-256, P-384 and P-521. */
const CURVES = new Map([
  ['2a8648ce3d030107', 1],
  ['2b81040022', 2],
  ['2b81040023', 4],
]);
/** The kinds of keys with a fixed size: Ed25519, Ed448, ML-DSA-44, ML-DSA-65 and ML-DSA-87. */
const FIXED_KINDS = new Set(['2b6570', '2b6571', '608648016503040311', '608648016503040312', '608648016503040313']);
const NAMES = '551d11';
const NAME_CONSTRAINTS = '551d1e';
const DISTRIBUTION_POINTS = '551d1f';
/** Matches the extensions that OpenSSL reads: those below `id-ce` and `id-pe`. */
const READ_BY_OPENSSL = /^(551d|2b060105050701)/;

/**
 * Checks that OpenSSL can read and verify the certificates of a handshake within about 10 ms, because nothing can
 * interrupt OpenSSL during this work. A key with explicit curve parameters would take up to 150 ms. Names of revocation
 * lists that are relative to a long issuer name would take almost a second.
 *
 * @param certificates - In DER (X.690). RFC 5280, section 4.1, defines the format.
 */
export function checkCertificates(certificates: readonly Buffer[]): void {
  let cost = 0;
  let nameBytes = 0;
  let constraintBytes = 0;
  for (const certificate of certificates) {
    const { key, issuer, subject, extensions } = partsOf(certificate);
    const costOfKey = costOf(key);
    if (!costOfKey) throw new TlsRefusedError('ERR_TLS_CERTIFICATE_KEY', 'a certificate has an unusual key');
    cost += costOfKey;
    if (Math.max(issuer.length, subject.length) > PART_MAX_BYTES) throw unusual();
    nameBytes += subject.length;
    for (const { id, value } of extensions) {
      if (id === NAMES) nameBytes += value.length;
      else if (READ_BY_OPENSSL.test(id) && value.length > PART_MAX_BYTES) throw unusual();
      if (id === NAME_CONSTRAINTS) constraintBytes += value.length;
      if (id === DISTRIBUTION_POINTS && hasRelativeName(value)) throw unusual();
    }
  }
  if (nameBytes * constraintBytes > COMPARED_MAX) throw unusual();
  if (cost > COST_MAX) {
    throw new TlsRefusedError('ERR_TLS_TOO_MANY_CERTIFICATES', 'the certificates take too long to verify');
  }
}

function partsOf(certificate: Buffer) {
  const [signed] = childrenOf(only(certificate, SEQUENCE));
  const fields = childrenOf(contentOf(signed, SEQUENCE));
  // The version is optional.
  if (fields[0]?.tag === 0xa0) fields.shift();
  const [, , issuer, , subject, key, ...rest] = fields;
  const extensions = rest
    .filter(({ tag }) => tag === 0xa3)
    .flatMap(({ content }) => childrenOf(only(content, SEQUENCE)))
    .map((extension) => {
      const [id, ...others] = childrenOf(contentOf(extension, SEQUENCE));
      return { id: contentOf(id, OBJECT_ID).toString('hex'), value: contentOf(others.at(-1), OCTET_STRING) };
    });
  return {
    key: contentOf(key, SEQUENCE),
    issuer: contentOf(issuer, SEQUENCE),
    subject: contentOf(subject, SEQUENCE),
    extensions,
  };
}

/** OpenSSL appends a relative name to the name of the issuer. */
const hasRelativeName = (distributionPoints: Buffer): boolean =>
  childrenOf(only(distributionPoints, SEQUENCE))
    .flatMap((point) => childrenOf(contentOf(point, SEQUENCE)))
    .filter(({ tag }) => tag === 0xa0)
    .flatMap(({ content }) => childrenOf(content))
    .some(({ tag }) => tag === 0xa1);

/** Returns undefined if the type or the size of the key is unusual. */
function costOf(key: Buffer): number | undefined {
  const [algorithm, bits] = childrenOf(key);
  const [id, parameters] = childrenOf(contentOf(algorithm, SEQUENCE));
  const kind = contentOf(id, OBJECT_ID).toString('hex');
  if (kind === EC) return parameters?.tag === OBJECT_ID ? CURVES.get(parameters.content.toString('hex')) : undefined;
  if (FIXED_KINDS.has(kind)) return 1;
  if (!RSA_KINDS.has(kind)) return undefined;
  // The first byte of a bit string says how many bits of the last byte are unused.
  const [modulus, exponent] = childrenOf(only(contentOf(bits, BIT_STRING).subarray(1), SEQUENCE));
  const isUsual =
    contentOf(modulus, INTEGER).length <= MODULUS_MAX_BYTES &&
    contentOf(exponent, INTEGER).length <= EXPONENT_MAX_BYTES;
  return isUsual ? 1 : undefined;
}

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const SEQUENCE = 0x30;

interface Element {
  tag: number;
  content: Buffer;
}

/** Rejects encodings that are valid only in BER, such as elements of indefinite length. */
function childrenOf(der: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < der.length; ) {
    const [tag = 0, short = 0x80] = der.subarray(at, at + 2);
    const lengthBytes = short < 0x80 ? 0 : short - 0x80;
    const start = at + 2 + lengthBytes;
    if ((tag & 0x1f) === 0x1f || short === 0x80 || lengthBytes > 3 || start > der.length) throw malformed();
    const length = lengthBytes === 0 ? short : der.readUIntBE(at + 2, lengthBytes);
    at = start + length;
    if (at > der.length) throw malformed();
    elements.push({ tag, content: der.subarray(start, at) });
  }
  return elements;
}

function contentOf(element: Element | undefined, tag: number): Buffer {
  if (element?.tag !== tag) throw malformed();
  return element.content;
}

function only(der: Buffer, tag: number): Buffer {
  const [element, ...others] = childrenOf(der);
  if (others.length > 0) throw malformed();
  return contentOf(element, tag);
}

const unusual = () =>
  new TlsRefusedError(
    'ERR_TLS_CERTIFICATE_PART',
    'a name or an extension of a certificate could take too long to check',
  );

const malformed = () => new TlsRefusedError('ERR_TLS_MALFORMED_CERTIFICATE', 'a certificate is malformed');
