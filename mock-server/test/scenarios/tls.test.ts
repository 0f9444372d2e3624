import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createCertificate } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addEndpoint, createWorld, deliveryOf, emit, startEngine } from '../support/delivery/world.ts';

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

async function attemptTo(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const world = await createWorld();
  await using storage = world.storage;
  await addEndpoint(world, `https://localhost:${(server.address() as AddressInfo).port}/`);
  await using engine = await startEngine(world, { timeoutMs: 2_000 });
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
    ['TLS: tlsv1 alert protocol version', { ...createCertificate(valid), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }],
  ])('%s', async (error, options) => {
    const delivery = await attemptTo(https(options));
    expect(delivery).toMatchObject({ status: 'pending', attempt: 1, error, response_status: null });
  });

  it('a receiver that does not speak TLS fails the attempt', async () => {
    const server = createPlainServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await attemptTo(server)).toMatchObject({ error: expect.stringMatching(/^TLS: /) });
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
