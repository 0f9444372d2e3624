// The receiver of the benchmarks, in its own process. The receiver responds to every POST with 200. If DELAY_MS is set,
// the receiver first waits that many milliseconds.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const DELAY_MS = Number(process.env['DELAY_MS'] ?? 0);

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  const respond = () => response.writeHead(200, { 'content-length': 2 }).end('ok');
  request.on('end', () => (DELAY_MS > 0 ? setTimeout(respond, DELAY_MS) : respond()));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
