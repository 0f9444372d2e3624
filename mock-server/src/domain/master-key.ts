import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type Random, systemRandom } from './random.ts';

/** Printing this object does not reveal the key. */
export class MasterKey {
  readonly #bytes: Uint8Array;

  /** @param bytes - 32 bytes. */
  constructor(bytes: Uint8Array) {
    if (bytes.length !== 32) throw new TypeError(`A master key has 32 bytes, not ${bytes.length}.`);
    this.#bytes = bytes;
  }

  static random(): MasterKey {
    return new MasterKey(randomBytes(32));
  }

  /** HKDF-SHA256 (RFC 5869). */
  derive(purpose: string, salt: Uint8Array | string, length: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#bytes, salt, purpose, length));
  }

  /** Encrypts a string (AES-256-GCM). Decryption needs the same `purpose`. */
  seal(text: string, purpose: string, random: Random = systemRandom): string {
    const nonce = random.bytes(`nonce:${purpose}`, 12);
    const cipher = createCipheriv('aes-256-gcm', this.derive('seal', purpose, 32), nonce);
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
  }

  /** Throws if the key or the purpose differs, or if the sealed string was changed. */
  open(sealed: string, purpose: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.derive('seal', purpose, 32), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
  }
}
