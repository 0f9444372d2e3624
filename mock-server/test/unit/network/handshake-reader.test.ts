import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HANDSHAKE_MAX_BYTES, HANDSHAKE_MAX_RECORDS, HandshakeReader } from '../../../src/network/handshake-reader.ts';
import { TlsRefusedError } from '../../../src/network/tls-error.ts';
import { CHOOSES_TLS_1_3, serverHello, TLS_1_2_HANDSHAKE, tlsMessage, tlsRecord } from '../../support/tls-records.ts';

/** What passes of these pieces, and the code of the refusal. The scenarios of TLS test what OpenSSL accepts. */
function read(...pieces: readonly Buffer[]) {
  const reader = new HandshakeReader();
  const passed: Buffer[] = [];
  let code: string | undefined;
  try {
    for (const piece of pieces) {
      reader.add(piece);
      for (let bytes = reader.take(); bytes; bytes = reader.take()) passed.push(bytes);
    }
  } catch (error) {
    if (!(error instanceof TlsRefusedError)) throw error;
    code = error.code;
  }
  return { passed: Buffer.concat(passed), code, isDone: reader.isDone };
}

const UNEXPECTED = 'ERR_TLS_UNEXPECTED_MESSAGE';
const helloOf13 = tlsRecord(22, serverHello(...CHOOSES_TLS_1_3));
const secret = Buffer.from(`SERVER_HANDSHAKE_TRAFFIC_SECRET ${'00'.repeat(32)} ${'11'.repeat(32)}\n`);
const encrypted = tlsRecord(23, Buffer.alloc(40));

const withVersion = (major: number, record: Buffer) =>
  Buffer.concat([record.subarray(0, 1), Buffer.of(major), record.subarray(2)]);

test('The end of a TLS 1.2 handshake ends the reading', () => {
  expect(read(TLS_1_2_HANDSHAKE)).toEqual({ passed: TLS_1_2_HANDSHAKE, code: undefined, isDone: true });
  const more = Buffer.alloc(100, 'a');
  expect(read(TLS_1_2_HANDSHAKE, more).passed).toEqual(Buffer.concat([TLS_1_2_HANDSHAKE, more]));
});

test('A record passes once it has arrived completely', () => {
  expect(read(helloOf13.subarray(0, -1)).passed).toHaveLength(0);
  expect(read(helloOf13.subarray(0, 3), helloOf13.subarray(3)).passed).toEqual(helloOf13);
});

test('An encrypted record waits for the secret, and is refused if the secret does not fit', () => {
  const reader = new HandshakeReader();
  reader.add(Buffer.concat([helloOf13, encrypted]));
  expect(reader.take()).toEqual(helloOf13);
  expect(reader.take()).toBe(undefined);
  reader.addSecret(Buffer.from(secret.toString().replace('SERVER_HANDSHAKE', 'CLIENT_HANDSHAKE')));
  expect(reader.take()).toBe(undefined);
  reader.addSecret(secret);
  expect(() => reader.take()).toThrow(TlsRefusedError);
});

test('A server that does not speak TLS is refused after the bytes that show the problem to OpenSSL', () => {
  const passed = Buffer.from('HTTP/');
  const code = UNEXPECTED;
  expect(read(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))).toEqual({ passed, code, isDone: false });
  expect(read(passed, Buffer.from('1.1 400'))).toEqual({ passed, code, isDone: false });
});

describe('Refused:', () => {
  test.each<[string, Buffer[]]>([
    ['the end of a TLS 1.2 handshake before its beginning', [tlsRecord(20, '\x01')]],
    ['an empty end of a TLS 1.2 handshake', [tlsRecord(22, serverHello()), tlsRecord(20, '')]],
    ['an unknown end of a TLS 1.2 handshake', [tlsRecord(22, serverHello()), tlsRecord(20, '\x02')]],
    ['an empty record that would end a TLS 1.2 handshake, in TLS 1.3', [helloOf13, tlsRecord(20, '')]],
    ['encrypted bytes before the handshake', [encrypted]],
    ['encrypted bytes in an unencrypted handshake', [tlsRecord(22, serverHello()), encrypted]],
    ['an unencrypted message after a TLS 1.3 ServerHello', [helloOf13, tlsRecord(22, tlsMessage(8))]],
    [
      'an unencrypted message in the record of a TLS 1.3 ServerHello',
      [tlsRecord(22, Buffer.concat([serverHello(...CHOOSES_TLS_1_3), tlsMessage(11)]))],
    ],
    ['an unknown cipher suite of TLS 1.3', [Buffer.from(helloOf13.toString('hex').replace('1301', '1304'), 'hex')]],
    ['compressed certificates', [tlsRecord(22, tlsMessage(25))]],
    ['a ServerHello that is cut off', [tlsRecord(22, tlsMessage(2, [3, 3, 1]))]],
    ['a list of certificates that is cut off', [tlsRecord(22, tlsMessage(11, [0, 0, 9, 0, 0, 6, 1]))]],
    ['an unknown kind of record', [tlsRecord(24, 'x')]],
    ['a later record of another version', [helloOf13, withVersion(0, tlsRecord(20, '\x01'))]],
  ])('%s', (_what, pieces) => {
    const { code, isDone } = read(...pieces);
    expect(code).toBe(UNEXPECTED);
    expect(isDone).toBe(false);
  });

  test('a malformed certificate, also if its message is split over records', () => {
    const message = tlsMessage(11, [0, 0, 9, 0, 0, 6], Buffer.from('no DER'));
    const start = tlsRecord(22, message.subarray(0, 9));
    const code = 'ERR_TLS_MALFORMED_CERTIFICATE';
    expect(read(tlsRecord(22, serverHello()), tlsRecord(22, message))).toMatchObject({ code });
    expect(read(tlsRecord(22, serverHello()), start, tlsRecord(22, message.subarray(9)))).toMatchObject({ code });
    expect(read(tlsRecord(22, serverHello()), start)).toMatchObject({ code: undefined });
  });

  test.each([
    ['bytes', Buffer.concat([tlsRecord(22, serverHello()), tlsRecord(22, Buffer.alloc(HANDSHAKE_MAX_BYTES))])],
    ['records', Buffer.concat(Array.from({ length: HANDSHAKE_MAX_RECORDS + 1 }, () => tlsRecord(21, 'a')))],
  ])('too many %s', (_of, bytes) => {
    expect(read(bytes)).toMatchObject({ code: 'ERR_TLS_HANDSHAKE_TOO_LARGE', isDone: false });
  });
});

test('Random records pass unchanged and in order, or are refused', () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(fc.constantFrom(2, 8, 11, 20, 25), fc.uint8Array({ maxLength: 60 }))
      .map(([type, bytes]) => tlsMessage(type, [...bytes])),
    fc.constantFrom(serverHello(), serverHello(...CHOOSES_TLS_1_3)),
  );
  const record = fc.tuple(fc.integer({ min: 19, max: 24 }), content).map(([type, bytes]) => tlsRecord(type, bytes));
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), fc.array(fc.nat(200), { maxLength: 8 }), (records, cuts) => {
      const all = Buffer.concat(records);
      const places = [0, ...cuts.filter((at) => at < all.length).toSorted((a, b) => a - b), all.length];
      const pieces = places.slice(1).map((end, index) => all.subarray(places[index], end));
      const { passed } = read(...pieces);
      expect(passed).toEqual(all.subarray(0, passed.length));
      expect(read(all).passed).toEqual(passed);
    }),
  );
});
