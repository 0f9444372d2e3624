import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';
import type { TestApi } from '../api.ts';
import { demo } from '../demo.ts';

/** An email that the mail server accepted. */
export interface Message {
  from: string;
  to: string[];
  text: string;
}

/** Starts a mail server that keeps the emails it accepts. */
export async function startMailServer(port = 0, answer: () => Error | undefined | Promise<Error> = () => undefined) {
  const messages: Message[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        const problem = await answer();
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        const to = rcptTo.map(({ address }) => address);
        if (!problem) messages.push({ from, to, text: Buffer.concat(parts).toString() });
        done(problem);
      });
    },
  });
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    messages,
    port: (server.server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      // The service keeps its connection to the mail server open.
      for (const { _socket: socket } of server.connections as Set<{ _socket: Socket }>) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Adds an endpoint to Production and lets five deliveries to it fail, which disables it. */
export async function disableAnEndpoint(api: TestApi): Promise<string> {
  const as = { credential: demo.production.key };
  const body = { url: `http://127.0.0.1:9/${'<b>'}?a=1&b=2`, subscribedEvents: ['lifecycle.*'] };
  const { endpoint } = (await api.call('POST', '/v1/webhooks/endpoints', { ...as, body })).body;
  const events = Array.from({ length: 5 }, () => ({ workspaceId: demo.production.id, type: 'lifecycle.evaluated' }));
  await api.call('POST', '/_control/events', { body: { events } });
  await api.call('POST', '/_control/settle', { body: {} });
  expect((await api.call('GET', `/v1/webhooks/endpoints/${endpoint.id}`, as)).body.endpoint.active).toBe(false);
  return endpoint.id;
}
