import { type CipherGCMTypes, createDecipheriv, createHmac } from 'node:crypto';
import { GrowingBuffer } from '../runtime/growing-buffer.ts';
import { checkCertificates } from './certificates.ts';
import { TlsRefusedError } from './tls-error.ts';

/** The maximum size of a server's handshake. Certificates usually take 3 to 8 KiB. */
export const HANDSHAKE_MAX_BYTES = 16 * 1024;
/** The maximum number of records before the handshake ends. Most servers send fewer than ten. */
export const HANDSHAKE_MAX_RECORDS = 64;

/** The first byte of the version in each record (RFC 8446, section 5.1). */
const MAJOR_VERSION = 3;
/** Types of records (RFC 8446, section 5.1). */
const CHANGE_CIPHER_SPEC = 20;
const ALERT = 21;
const HANDSHAKE = 22;
const ENCRYPTED = 23;

/** Types of handshake messages (RFC 8446, section 4). */
const SERVER_HELLO = 2;
const CERTIFICATE = 11;
const FINISHED = 20;
const COMPRESSED_CERTIFICATE = 25;

const RECORD_HEADER_BYTES = 5;
const MESSAGE_HEADER_BYTES = 4;

/** A cipher suite of TLS 1.3. */
interface Suite {
  cipher: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305';
  keyBytes: number;
  hash: string;
}

const SUITES: ReadonlyMap<number, Suite> = new Map([
  [0x1301, { cipher: 'aes-128-gcm', keyBytes: 16, hash: 'sha256' }],
  [0x1302, { cipher: 'aes-256-gcm', keyBytes: 32, hash: 'sha384' }],
  [0x1303, { cipher: 'chacha20-poly1305', keyBytes: 32, hash: 'sha256' }],
]);
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The `random` of a ServerHello that asks the client to try again (RFC 8446, section 4.1.3). */
const HELLO_RETRY_REQUEST = 'cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c';
const SUPPORTED_VERSIONS = 43;
const TLS_1_3 = 0x0304;

/**
 * Reads what a server sends during a TLS handshake, before OpenSSL reads it, and checks the certificates. In TLS 1.3,
 * the server's certificates are encrypted, so the reader decrypts them with the secret from Node's `keylog` event. The
 * reader refuses everything that it does not understand, because OpenSSL must never get an unchecked certificate.
 */
export class HandshakeReader {
  readonly #arrived = new GrowingBuffer(HANDSHAKE_MAX_BYTES);
  /** How many of the arrived bytes `take` has returned. */
  #taken = 0;
  #records = 0;
  /** The bytes of handshake messages that are not complete yet. */
  #messages: Buffer = Buffer.alloc(0);
  #version: '1.2' | '1.3' | undefined;
  #suite: Suite | undefined;
  #secret: Buffer | undefined;
  #decrypt: ((record: Buffer) => Buffer) | undefined;
  /** True once the server cannot send any further certificates on this connection. */
  isDone = false;
  /** True if the connection did not begin with a TLS record. */
  #isOther = false;

  add(bytes: Buffer): void {
    if (this.#arrived.length + bytes.length > HANDSHAKE_MAX_BYTES) throw tooLarge();
    this.#arrived.append(bytes);
  }

  /** @param line - In the key log format of NSS. */
  addSecret(line: Buffer): void {
    const [label, , secret = ''] = line.toString('latin1').trim().split(' ');
    if (label === 'SERVER_HANDSHAKE_TRAFFIC_SECRET') this.#secret = Buffer.from(secret, 'hex');
  }

  /**
   * Returns the next record, or `undefined` if the record or its secret has not arrived. If {@link isDone} is true,
   * returns all bytes. Throws if the record must not reach OpenSSL. Pass on the earlier records first: they may contain
   * an alert that says why the handshake failed.
   */
  take(): Buffer | undefined {
    const bytes = this.#arrived.bytes().subarray(this.#taken);
    const size = this.isDone ? bytes.length : this.#check(bytes);
    this.#taken += size;
    return size === 0 ? undefined : bytes.subarray(0, size);
  }

  /** Returns how many bytes OpenSSL may read after this check. */
  #check(bytes: Buffer): number {
    if (this.#isOther) throw unexpected();
    if (bytes.length < RECORD_HEADER_BYTES) return 0;
    if (bytes[1] !== MAJOR_VERSION) {
      // If this is the first record, pass its first 5 bytes to OpenSSL, which fails with an error that names the
      // problem. For a later record, throw, because OpenSSL does not check the version of every record.
      if (this.#records > 0) throw unexpected();
      this.#isOther = true;
      return RECORD_HEADER_BYTES;
    }
    const size = RECORD_HEADER_BYTES + bytes.readUInt16BE(3);
    if (bytes.length < size) return 0;
    if (bytes[0] === ENCRYPTED && this.#version === '1.3' && !this.#findKey()) return 0;
    this.#checkRecord(bytes.subarray(0, size));
    return size;
  }

  #checkRecord(record: Buffer): void {
    this.#records++;
    if (this.#records > HANDSHAKE_MAX_RECORDS) throw tooLarge();
    const [type] = record;
    const content = record.subarray(RECORD_HEADER_BYTES);
    if (type === ALERT && this.#decrypt === undefined) return;
    if (type === CHANGE_CIPHER_SPEC && this.#version !== undefined) {
      // OpenSSL would skip an empty record of this type, so such a record must not end the checks.
      if (content.length !== 1 || content[0] !== 1) throw unexpected();
      // In TLS 1.2, this record ends the server's unencrypted messages. In TLS 1.3, this record has no meaning.
      this.isDone = this.#version === '1.2';
    } else if (type === HANDSHAKE && this.#decrypt === undefined && !this.#suite) {
      this.#readMessages(content);
    } else if (type === ENCRYPTED && this.#decrypt !== undefined) {
      this.#readEncrypted(this.#decrypt(record));
    } else {
      throw unexpected();
    }
  }

  /** The plain text is the content, the type, and zeros (RFC 8446, section 5.2). */
  #readEncrypted(plain: Buffer): void {
    let end = plain.length - 1;
    while (plain[end] === 0) end--;
    const type = plain[end];
    if (type === HANDSHAKE) this.#readMessages(plain.subarray(0, end));
    else if (type !== ALERT) throw unexpected();
  }

  #readMessages(content: Buffer): void {
    let rest = this.#messages.length === 0 ? content : Buffer.concat([this.#messages, content]);
    while (rest.length >= MESSAGE_HEADER_BYTES) {
      const end = MESSAGE_HEADER_BYTES + rest.readUIntBE(1, 3);
      if (rest.length < end) break;
      this.#readMessage(rest.readUInt8(0), rest.subarray(MESSAGE_HEADER_BYTES, end));
      rest = rest.subarray(end);
      // In TLS 1.3, all messages after `ServerHello` are encrypted.
      if (this.#suite && !this.#decrypt && rest.length > 0) throw unexpected();
    }
    this.#messages = rest;
  }

  #readMessage(type: number, body: Buffer): void {
    if (type === SERVER_HELLO) this.#readServerHello(body);
    else if (type === CERTIFICATE) checkCertificates(certificatesIn(body, this.#version === '1.3'));
    else if (type === COMPRESSED_CERTIFICATE) throw unexpected();
    else if (type === FINISHED) this.isDone = true;
  }

  #readServerHello(body: Buffer): void {
    const reader = new FieldReader(body);
    reader.bytes(2);
    const random = reader.bytes(32).toString('hex');
    reader.bytes(reader.number(1));
    const suite = reader.number(2);
    reader.bytes(1);
    this.#version = '1.2';
    if (reader.isAtEnd) return;
    const extensions = new FieldReader(reader.bytes(reader.number(2)));
    while (!extensions.isAtEnd) {
      const type = extensions.number(2);
      const value = extensions.bytes(extensions.number(2));
      if (type === SUPPORTED_VERSIONS && value.length === 2 && value.readUInt16BE(0) === TLS_1_3) this.#version = '1.3';
    }
    if (this.#version === '1.2' || random === HELLO_RETRY_REQUEST) return;
    this.#suite = SUITES.get(suite);
    if (!this.#suite) throw unexpected();
  }

  /** Derives the key from the secret (RFC 8446, section 7.3). Returns false if the secret has not arrived. */
  #findKey(): boolean {
    const suite = this.#suite;
    const secret = this.#secret;
    if (this.#decrypt) return true;
    if (!suite) throw unexpected();
    if (!secret) return false;
    const key = expand(suite.hash, secret, 'key', suite.keyBytes);
    const iv = expand(suite.hash, secret, 'iv', IV_BYTES);
    let sequence = 0;
    this.#decrypt = (record) => decryptRecord(suite, key, ivOf(iv, sequence++), record);
    return true;
  }
}

/** RFC 8446, section 4.4.2, and RFC 5246, section 7.4.2, define the formats. */
function certificatesIn(body: Buffer, isTls13: boolean): Buffer[] {
  const reader = new FieldReader(body);
  if (isTls13) reader.bytes(reader.number(1));
  const list = new FieldReader(reader.bytes(reader.number(3)));
  const certificates: Buffer[] = [];
  while (!list.isAtEnd) {
    certificates.push(list.bytes(list.number(3)));
    if (isTls13) list.bytes(list.number(2));
  }
  return certificates;
}

/** Computes `HKDF-Expand-Label` without a context, for at most one block (RFC 8446, section 7.1). */
function expand(hash: string, secret: Buffer, label: string, length: number): Buffer {
  const full = `tls13 ${label}`;
  const info = Buffer.from([0, length, full.length, ...Buffer.from(full), 0, 1]);
  return createHmac(hash, secret).update(info).digest().subarray(0, length);
}

/** Returns a record's IV (RFC 8446, section 5.3). A handshake has so few records that `sequence` fits into one byte. */
function ivOf(iv: Buffer, sequence: number): Buffer {
  const own = Buffer.from(iv);
  own.writeUInt8((own.at(-1) ?? 0) ^ sequence, IV_BYTES - 1);
  return own;
}

function decryptRecord({ cipher }: Suite, key: Buffer, iv: Buffer, record: Buffer): Buffer {
  const tagAt = record.length - TAG_BYTES;
  if (tagAt <= RECORD_HEADER_BYTES) throw unexpected();
  // Node's types have no overload that accepts both kinds of ciphers.
  const decipher = createDecipheriv(cipher as CipherGCMTypes, key, iv, { authTagLength: TAG_BYTES })
    .setAAD(record.subarray(0, RECORD_HEADER_BYTES))
    .setAuthTag(record.subarray(tagAt));
  try {
    return Buffer.concat([decipher.update(record.subarray(RECORD_HEADER_BYTES, tagAt)), decipher.final()]);
  } catch {
    throw unexpected();
  }
}

class FieldReader {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  get isAtEnd(): boolean {
    return this.#rest.length === 0;
  }

  bytes(length: number): Buffer {
    if (this.#rest.length < length) throw unexpected();
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  number(length: number): number {
    return this.bytes(length).readUIntBE(0, length);
  }
}

const tooLarge = () => new TlsRefusedError('ERR_TLS_HANDSHAKE_TOO_LARGE', "the server's handshake is too large");

const unexpected = () => new TlsRefusedError('ERR_TLS_UNEXPECTED_MESSAGE', 'the server sent an unexpected TLS message');
