import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server received. */
interface Recorded {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Answers one request. */
export type Step = (response: ServerResponse, request: Recorded, origin: string) => void;

/** A real HTTP server that answers each request with the next scripted step, and keeps repeating the last one. */
export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: Recorded[];
}

/** Starts a scripted server on a free port of the loopback interface. */
export async function startScriptedServer(...steps: Step[]): Promise<ScriptedServer> {
  const requests: Recorded[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      const step = steps[Math.min(requests.length, steps.length - 1)];
      requests.push(request);
      step?.(response, request, origin);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: origin,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
