// The receiver of the benchmarks, in a process of its own: it answers every POST with 200 and does nothing else.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'content-length': 2 }).end('ok'));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
