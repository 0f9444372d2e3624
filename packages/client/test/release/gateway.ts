import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy in front of the service that also serves files, so that a page in a browser and the service share an origin.
 */
export interface Gateway extends Disposable {
  readonly url: string;
  /** The target of requests that are not for a file. */
  upstream: string;
}

/** Starts a gateway on a free port of the loopback interface. */
export async function startGateway(files: Record<string, { type: string; text: string }>): Promise<Gateway> {
  const server = createServer((incoming, outgoing) => {
    const file = files[incoming.url ?? ''];
    if (file) return void outgoing.writeHead(200, { 'content-type': file.type }).end(file.text);
    const { method, headers, url } = incoming;
    const forwarded = request(`${gateway.upstream}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gateway: Gateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    upstream: '',
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return gateway;
}
