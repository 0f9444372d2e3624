import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A complete request that a receiver got. */
export interface ObservedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export type Responder = (request: ObservedRequest, response: ServerResponse, raw: IncomingMessage) => void;

/** An HTTP receiver on loopback that keeps its requests. */
export interface Receiver extends AsyncDisposable {
  url: string;
  requests: ObservedRequest[];
  /** How it answers from now on. */
  answer: Responder;
}

/** Answers with a status and an empty body. */
export const status =
  (code: number): Responder =>
  (_request, response) => {
    response.writeHead(code).end();
  };

/** Starts a receiver that responds with 200 by default. */
export async function startReceiver(answer: Responder = status(200)): Promise<Receiver> {
  const server = createServer(async (raw, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(chunk as Buffer);
    const request: ObservedRequest = {
      method: raw.method ?? '',
      path: raw.url ?? '',
      headers: raw.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    };
    receiver.requests.push(request);
    receiver.answer(request, response, raw);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?from=test`,
    requests: [],
    answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return receiver;
}
