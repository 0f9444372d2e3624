import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { createCertificate, PATIENCE_MS, sequence, tagged } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../src/lifecycle/open-source.ts';
import { NO_ADDRESSES } from '../../src/network/own-addresses.ts';
import { connectionRulesOf } from '../../src/start/check-config.ts';
import { sourceRulesOf } from '../../src/start/source-rules.ts';
import { addEndpoint, createWorld, deliveryOf, emit, startEngine } from '../support/delivery/world.ts';
import { tlsRecord } from '../support/tls-records.ts';

const LOCAL = connectionRulesOf({ strict: false, allowNetworks: [] });

const DAY = 86_400_000;
const yesterday = new Date(Date.now() - DAY);
const tomorrow = new Date(Date.now() + DAY);
const authority = createCertificate({
  name: 'Test authority',
  notBefore: yesterday,
  notAfter: tomorrow,
  authority: true,
});
const stranger = createCertificate({ name: 'Nobody', notBefore: yesterday, notAfter: tomorrow, authority: true });
const valid = { name: 'localhost', notBefore: yesterday, notAfter: tomorrow, issuer: authority };

const trusted = getCACertificates();
beforeAll(() => setDefaultCACertificates([...trusted, authority.cert]));
afterAll(() => setDefaultCACertificates(trusted));

async function attemptTo(server: Server, timeoutMs = 2_000) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const world = await createWorld();
  await using storage = world.storage;
  await addEndpoint(world, `https://localhost:${(server.address() as AddressInfo).port}/`);
  await using engine = await startEngine(world, { timeoutMs });
  const [id] = await emit(world);
  await engine.runDue();
  server.close();
  return await deliveryOf(storage, id);
}

const https = (options: ServerOptions) =>
  createServer(options, (request, response) => {
    request.resume();
    response.setHeader('connection', 'close').end('ok');
  });

describe('Receivers over https', () => {
  it('a certificate of a trusted authority for the right host is accepted', async () => {
    expect(await attemptTo(https(createCertificate(valid)))).toMatchObject({ status: 'success', response_status: 200 });
  });

  it('100 Continue before the response is skipped', async () => {
    const server = createServer(createCertificate(valid), (request, response) => {
      response.writeContinue();
      request.resume();
      response.writeHead(202, { connection: 'close' }).end();
    });
    expect(await attemptTo(server)).toMatchObject({ status: 'success', response_status: 202 });
  });

  it.each<[string, ServerOptions]>([
    ['TLS: self-signed certificate', createCertificate({ ...valid, issuer: undefined })],
    ['TLS: certificate chain is incomplete', createCertificate({ ...valid, issuer: stranger })],
    ['TLS: certificate is for another host', createCertificate({ ...valid, name: 'other.example' })],
    ['TLS: certificate has expired', createCertificate({ ...valid, notAfter: new Date(Date.now() - 60_000) })],
    ['TLS: certificate is not yet valid', createCertificate({ ...valid, notBefore: new Date(Date.now() + 60_000) })],
    ['TLS: alert protocol version', { ...createCertificate(valid), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }],
  ])('%s', async (error, options) => {
    const delivery = await attemptTo(https(options));
    expect(delivery).toMatchObject({ status: 'pending', attempt: 1, error, response_status: null });
  });

  it.each<[string, ReturnType<typeof createCertificate>]>([
    [
      'TLS: a certificate in the chain has the wrong purpose',
      createCertificate({ ...valid, name: 'Not an authority' }),
    ],
    [
      'TLS: permitted subtree violation',
      createCertificate({
        ...valid,
        name: 'An authority for another domain',
        authority: true,
        extensions: [['2.5.29.30', sequence(tagged(0xa0, sequence(tagged(0x82, Buffer.from('other.example')))))]],
      }),
    ],
  ])('%s', async (error, issuer) => {
    const { key, cert } = createCertificate({ ...valid, issuer });
    const delivery = await attemptTo(https({ key, cert: cert + issuer.cert }));
    expect(delivery).toMatchObject({ status: 'pending', attempt: 1, error, response_status: null });
  });

  it.each([
    ['instead of a response fails the attempt', {}, { error: expect.stringMatching(/^TLS: /), response_status: null }],
    [
      'after a part of a response fails the attempt',
      { 'content-length': 9 },
      { error: expect.stringMatching(/^TLS: /) },
    ],
    ['after a response that the connection ends fails the attempt', { connection: 'close' }, { response_status: 200 }],
    ['after a complete response is ignored', { 'content-length': 2 }, { status: 'success', response_status: 200 }],
  ])('a TLS record that cannot be decrypted %s', async (_what, headers, expected) => {
    let raw: Socket | undefined;
    const server = createServer(createCertificate(valid), (request, response) => {
      request.resume();
      const fail = () => raw?.write(tlsRecord(23, 'x'.repeat(60)));
      if (Object.keys(headers).length === 0) fail();
      else response.writeHead(200, headers).write('ok', fail);
    });
    server.on('connection', (socket) => {
      raw = socket as Socket;
      raw.on('error', () => {});
    });
    expect(await attemptTo(server, PATIENCE_MS)).toMatchObject({ status: 'pending', attempt: 1, ...expected });
  });

  it('a handshake that hangs delays only its own attempt', async () => {
    const world = await createWorld();
    await using _storage = world.storage;
    const requested = Promise.withResolvers<void>();
    const receiver = createServer(createCertificate(valid), (request, response) => {
      request.resume();
      response.setHeader('connection', 'close').end('ok', () => requested.resolve());
    }).listen(0, '127.0.0.1');
    // The first connection hangs. The others reach the receiver.
    let hanging: Socket | undefined;
    const front = createPlainServer((socket) => {
      socket.on('error', () => {});
      if (hanging) socket.pipe(connect((receiver.address() as AddressInfo).port, '127.0.0.1')).pipe(socket);
      else hanging = socket.resume();
    }).listen(0, '127.0.0.1');
    await Promise.all([once(receiver, 'listening'), once(front, 'listening')]);
    await addEndpoint(world, `https://localhost:${(front.address() as AddressInfo).port}/`);
    await using engine = await startEngine(world);
    const ids = [...(await emit(world)), ...(await emit(world))];
    const attempts = engine.runDue();
    await requested.promise;
    hanging?.destroy();
    await attempts;
    const statuses = await Promise.all(ids.map(async (id) => (await deliveryOf(world.storage, id)).status));
    expect(statuses.toSorted()).toEqual(['pending', 'success']);
    receiver.close();
    front.close();
  });

  it('the responses of a receiver that closes each connection count, even if many arrive at the same time', async () => {
    const world = await createWorld();
    await using _storage = world.storage;
    const { cert, key } = createCertificate(valid);
    // In a thread of its own, so that responses arrive while the engine is busy.
    await using receiver = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       const server = require('node:https').createServer(workerData, (request, response) => {
         request.resume().on('end', () => response.setHeader('connection', 'close').end('ok'));
       });
       server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
      { eval: true, workerData: { cert, key } },
    );
    const [port] = await once(receiver, 'message');
    await addEndpoint(world, `https://localhost:${port}/`);
    await using engine = await startEngine(world);
    const ids = await emit(world, 200);
    await engine.runDue();
    const errors = await Promise.all(ids.map(async (id) => (await deliveryOf(world.storage, id)).error));
    expect(errors).toEqual(ids.map(() => null));
  });

  it.each([
    { 'content-length': 10, connection: 'close' },
    { 'content-length': 10 },
    { 'transfer-encoding': 'chunked' },
  ])('a response with %j that a reset cuts off fails, and its status is kept', async (headers) => {
    let raw: Socket | undefined;
    const server = createServer(createCertificate(valid), (request, response) => {
      request.resume();
      response.writeHead(200, headers).write('half', () => raw?.resetAndDestroy());
    });
    server.on('connection', (socket) => {
      raw = socket as Socket;
    });
    expect(await attemptTo(server)).toMatchObject({
      status: 'pending',
      error: 'Connection reset',
      response_status: 200,
    });
  });

  /** A server behind a proxy that sends the whole response together with these bytes and the end of the connection. */
  async function endingWith(bytes: Buffer, response: string): Promise<Server> {
    let responds = false;
    const server = createTlsServer(createCertificate(valid), (socket) => {
      socket
        .on('error', () => {})
        .once('data', () => {
          responds = true;
          socket.write(response, () => setImmediate(() => socket.destroy()));
        });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return createPlainServer((client) => {
      const held: Buffer[] = [];
      const upstream = connect((server.address() as AddressInfo).port, '127.0.0.1');
      client.on('error', () => {}).pipe(upstream);
      upstream
        .on('error', () => {})
        .on('data', (piece) => void (responds ? held.push(piece) : client.write(piece)))
        .on('close', () => client.end(Buffer.concat([...held, bytes])));
    }).on('close', () => server.close());
  }
  const wrongRecord = tlsRecord(23, Buffer.alloc(40));

  it('a response without a length is cut off by a wrong TLS record, and its status is kept', async () => {
    const head = 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n';
    for (let round = 0; round < 5; round++) {
      expect(await attemptTo(await endingWith(wrongRecord, `${head}half`))).toMatchObject({
        status: 'pending',
        error: 'TLS: decryption failed or bad record mac',
        response_status: 200,
      });
    }
    expect(await attemptTo(await endingWith(Buffer.of(), `${head}whole`))).toMatchObject({ status: 'success' });
  });

  it('a complete response is accepted, whatever TLS record follows', async () => {
    const response = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
    for (let round = 0; round < 5; round++) {
      expect(await attemptTo(await endingWith(wrongRecord, response))).toMatchObject({ status: 'success' });
    }
  });

  it('a receiver that does not speak TLS fails the attempt', async () => {
    const server = createPlainServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await attemptTo(server)).toMatchObject({ error: 'TLS: wrong version number' });
  });

  it('a receiver that closes during the handshake fails the attempt', async () => {
    const server = createPlainServer((socket) => socket.on('error', () => {}).on('data', () => socket.destroy()));
    expect(await attemptTo(server)).toMatchObject({ error: 'Connection reset' });
  });

  it('NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment changes nothing', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const delivery = await attemptTo(https(createCertificate({ ...valid, issuer: undefined })));
      expect(delivery).toMatchObject({ error: 'TLS: self-signed certificate' });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });
});

describe('A receiver whose handshake would take long', () => {
  /** A server with a valid certificate, and others that OpenSSL reads although no signature needs them. */
  const withMore = (more: readonly { cert: string }[], options: ServerOptions = {}) => {
    const { cert, key } = createCertificate(valid);
    return https({ ...options, cert: cert + more.map((one) => one.cert).join(''), key });
  };
  const withKey = (publicKey: KeyObject) => createCertificate({ ...valid, publicKey });
  const explicitCurve = withKey(
    generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' }).publicKey,
  );
  const ordinary = [
    withKey(generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey),
    withKey(generateKeyPairSync('rsa', { modulusLength: 4096 }).publicKey),
    withKey(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey),
    withKey(generateKeyPairSync('ed25519').publicKey),
    createCertificate({ ...valid, authority: true }),
  ];
  const suites = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];
  const versions: [string, ServerOptions][] = [
    ['TLS 1.2', { maxVersion: 'TLSv1.2' }],
    ...suites.map((ciphers): [string, ServerOptions] => [`TLS 1.3 with ${ciphers}`, { ciphers }]),
    // The server asks for a second ClientHello.
    ['TLS 1.3 with another group', { ecdhCurve: 'P-521' }],
  ];

  it.each(versions)('with a key on a curve of its own fails the attempt, over %s', async (_version, options) => {
    const delivery = await attemptTo(withMore([explicitCurve], options), PATIENCE_MS);
    expect(delivery).toMatchObject({
      status: 'pending',
      attempt: 1,
      error:
        'TLS: unsupported kind of key in a certificate (supported: RSA, P-256, P-384, P-521, Ed25519, Ed448, ML-DSA)',
    });
  });

  it.each(versions)('with six certificates that have usual keys is accepted, over %s', async (_version, options) => {
    expect(await attemptTo(withMore(ordinary, options), PATIENCE_MS)).toMatchObject({ status: 'success' });
  });

  it.each<[string, readonly { cert: string }[], string]>([
    [
      '13 certificates',
      Array.from({ length: 12 }, () => authority),
      'TLS: too many certificates, or certificates that take too long to verify',
    ],
    ['60 certificates', Array.from({ length: 59 }, () => authority), 'TLS: handshake too large'],
    [
      'a key on a slow curve',
      [withKey(generateKeyPairSync('ec', { namedCurve: 'sect571r1' }).publicKey)],
      'TLS: unsupported kind of key in a certificate (supported: RSA, P-256, P-384, P-521, Ed25519, Ed448, ML-DSA)',
    ],
    [
      'revocation lists whose names are relative to a name',
      [
        createCertificate({
          ...valid,
          extensions: [['2.5.29.31', sequence(sequence(tagged(0xa0, tagged(0xa1, Buffer.of()))))]],
        }),
      ],
      'TLS: a name or an extension in a certificate could take too long to check',
    ],
  ])('with %s fails the attempt', async (_what, more, error) => {
    const delivery = await attemptTo(withMore(more), PATIENCE_MS);
    expect(delivery).toMatchObject({ status: 'pending', attempt: 1, error });
  });

  it('is not offered a key exchange with a group of its own', async () => {
    let hello = Buffer.alloc(0);
    const server = createPlainServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', (piece) => {
          hello = Buffer.concat([hello, piece]);
          socket.destroy();
        });
    });
    await attemptTo(server);
    // RFC 5246, 7.4.1.2: a version and 32 random bytes, then the session id and the cipher suites.
    const afterSession = 44 + (hello[43] ?? 0);
    const suites = hello
      .subarray(afterSession + 2, afterSession + 2 + hello.readUInt16BE(afterSession))
      .toString('hex');
    const offered = suites.match(/.{4}/g);
    expect(offered).toContain('c02f'); // ECDHE-RSA-AES128-GCM-SHA256
    // DHE-RSA-… with AES128-SHA, AES256-SHA, AES128-SHA256, AES256-SHA256, GCM, and ChaCha20
    for (const suite of ['0033', '0039', '0067', '006b', '009e', '009f', 'ccaa']) expect(offered).not.toContain(suite);
  });

  it.each(['ffdhe2048', 'ffdhe8192'])('that requires the group %s fails the attempt', async (ecdhCurve) => {
    const server = https({ ...createCertificate(valid), ecdhCurve });
    expect(await attemptTo(server)).toMatchObject({
      status: 'pending',
      attempt: 1,
      error: 'TLS: alert handshake failure',
    });
  });

  it.each(['X25519', 'P-256', 'P-384', 'P-521'])('that requires the group %s is accepted', async (ecdhCurve) => {
    const server = https({ ...createCertificate(valid), ecdhCurve });
    expect(await attemptTo(server)).toMatchObject({ status: 'success' });
  });

  it.each([
    [
      'requests a renegotiation, fails the attempt',
      true,
      { status: 'pending', attempt: 1, error: 'TLS: the receiver requested a renegotiation' },
    ],
    ['asks for no other, is accepted', false, { status: 'success' }],
  ])('and that %s', async (_what, asks, expected) => {
    const server = https({ ...createCertificate(valid), maxVersion: 'TLSv1.2' });
    server.removeAllListeners('request').on('request', (request, response) => {
      request.resume();
      response.on('error', () => {}).setHeader('connection', 'close');
      if (asks) (request.socket as TLSSocket).renegotiate({}, (error) => void response.end(String(error)));
      else response.end('ok');
    });
    expect(await attemptTo(server)).toMatchObject(expected);
  });
});

/** A server that sends its body in this many TLS records. */
const inRecords = (count: number, bytes: number, { ends = true } = {}) =>
  createServer(createCertificate(valid), async (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-length': count * bytes + (ends ? 0 : 1) }).flushHeaders();
    for (let record = 0; record < count && !response.destroyed; record++) {
      await new Promise((written) => response.write('x'.repeat(bytes), written));
    }
  });

/** A server whose response has a header that fills this many TLS records. */
const headerInRecords = (count: number, bytes: number, { ends = true } = {}) =>
  createTlsServer(createCertificate(valid), async (socket) => {
    socket.on('error', () => {}).resume();
    socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\nx: ');
    for (let record = 0; record < count && !socket.destroyed; record++) {
      await new Promise((written) => socket.write('x'.repeat(bytes), written));
    }
    if (ends) socket.end('\r\n\r\n');
  });

describe('A TLS connection that carries hardly any content', () => {
  /** The TLS records need 22 bytes each in addition to their content. This is more than the limit. */
  const tiny = () => inRecords(10_000, 1, { ends: false });
  const short = () => inRecords(10_000, 6);

  async function read(server: Server): Promise<number> {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const rules = sourceRulesOf(LOCAL, NO_ADDRESSES, { silenceMaxMs: PATIENCE_MS });
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
    try {
      await using opened = await openSource(url, rules, { stop: new AbortController().signal });
      let bytes = 0;
      for await (const chunk of opened.chunks) bytes += chunk.length;
      return bytes;
    } finally {
      server.close();
    }
  }

  it('fails the attempt', async () => {
    const delivery = await attemptTo(headerInRecords(10_000, 1, { ends: false }), PATIENCE_MS);
    expect(delivery).toMatchObject({ status: 'pending', attempt: 1, error: 'TLS: too little content' });
  });

  it('is accepted if the records are a little longer', async () => {
    expect(await attemptTo(headerInRecords(1_700, 6), PATIENCE_MS)).toMatchObject({
      status: 'success',
      response_status: 200,
    });
  });

  it('ends the reading of a data source', async () => {
    await expect(read(tiny())).rejects.toThrow('the server sent too many TLS messages without content.');
  });

  it('is read to its end if it is a data source with a little longer records', async () => {
    expect(await read(short())).toBe(60_000);
  });
});
