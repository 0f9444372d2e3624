// The receiver of the benchmarks, in its own process. It responds to every POST with 200, after a delay if the variable
// DELAY_MS is set. It parses HTTP itself, because `node:http` would take up processor time that the programs under test
// need.
import { type AddressInfo, createServer, type Socket } from 'node:net';

const DELAY_MS = Number(process.env['DELAY_MS'] ?? 0);
const RESPONSE = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const END_OF_HEAD = '\r\n\r\n';

/**
 * Returns the length of the first request, or `undefined` until the whole request has arrived. Assumes that a request
 * with a body has a Content-Length.
 */
function endOfRequest(bytes: string): number | undefined {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.slice(0, end))?.[1] ?? '0';
  const total = end + END_OF_HEAD.length + Number(length);
  return bytes.length < total ? undefined : total;
}

function serve(socket: Socket): void {
  let unread = '';
  const respond = () => socket.write(RESPONSE);
  // With `latin1`, string positions are byte positions.
  socket.setEncoding('latin1').setNoDelay(true);
  socket.on('data', (chunk) => {
    unread += chunk;
    for (let end = endOfRequest(unread); end !== undefined; end = endOfRequest(unread)) {
      unread = unread.slice(end);
      if (DELAY_MS > 0) setTimeout(respond, DELAY_MS);
      else respond();
    }
  });
  // A program under test may reset its connections when it ends.
  socket.on('error', () => socket.destroy());
}

const server = createServer(serve);
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
