import { once } from 'node:events';
import { createServer } from 'node:http';
import { startServer } from '@svc/mock-server';
import { freePort } from '@svc/testing';
import { type Defect, wrongly } from './broken.ts';

/** The reference server with faults, over HTTP. */
export interface FaultyService extends AsyncDisposable {
  url: string;
  /** What it does wrong. May be changed. */
  faults: readonly Defect[];
}

/** Starts a service that does nothing wrong until it is told to. */
export async function startFaultyService(): Promise<FaultyService> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer({ port: 0, dataDir: null, logLevel: 'silent', publicUrl: url });
  const upstream = `http://127.0.0.1:${server.port}`;
  const send = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(`${upstream}${pathname}${search}`, request));
  };

  // A busy machine may be slow to use a connection again. The proxy must not close it meanwhile.
  const proxy = createServer({ maxHeaderSize: 65_536, keepAliveTimeout: 65_000 }, async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
      const asked = new Request(`${url}${request.url}`, {
        method: String(request.method),
        headers: headers as Record<string, string>,
        body: chunks.length > 0 ? Buffer.concat(chunks) : null,
      });
      const answer = await service.faults.reduce(
        (inner, fault) => (one: Request) => wrongly(inner, fault, one),
        send,
      )(asked);
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
    } catch (error) {
      response.destroy(error as Error);
    }
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  const service: FaultyService = {
    url,
    faults: [],
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      await server.close();
    },
  };
  return service;
}
