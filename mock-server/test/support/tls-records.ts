/** Returns a TLS record (RFC 8446, section 5.1). */
export function tlsRecord(type: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string, 'latin1');
  return Buffer.concat([Buffer.from([type, 3, 3, bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

/** Returns a handshake message (RFC 8446, section 4). */
export function tlsMessage(type: number, ...parts: (Buffer | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([type, body.length >> 16, (body.length >> 8) & 0xff, body.length & 0xff]), body]);
}

/** Returns a ServerHello. Without extensions, its version is TLS 1.2. */
export const serverHello = (...extensions: number[]) =>
  tlsMessage(2, [3, 3], Buffer.alloc(32), [0, 0x13, 0x01, 0], [extensions.length >> 8, extensions.length], extensions);

/** The extension that chooses TLS 1.3. */
export const CHOOSES_TLS_1_3 = [0, 43, 0, 2, 3, 4];

/** The unencrypted messages of a server that continues a session over TLS 1.2. */
export const TLS_1_2_HANDSHAKE = Buffer.concat([tlsRecord(22, serverHello()), tlsRecord(20, '\x01')]);
