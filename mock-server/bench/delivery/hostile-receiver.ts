// A receiver in a process of its own that never lets an attempt end: it floods, drips or says nothing, as the path tells.
import { type AddressInfo, createServer } from 'node:net';

const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const CHUNK = `4000\r\n${'x'.repeat(0x4000)}\r\n`;

const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (request) => {
    const [, path] = request.toString('latin1').split(' ');
    if (path === '/endless-head') {
      socket.write('HTTP/1.1 200 OK\r\nx-long: ');
      const timer = setInterval(() => socket.write('y'.repeat(64)), 20);
      socket.on('close', () => clearInterval(timer));
    } else if (path === '/endless-body') {
      const more = () => {
        while (!socket.destroyed && socket.write(CHUNK));
      };
      socket.write(HEAD);
      socket.on('drain', more);
      more();
    } else if (path === '/drip') {
      socket.write(HEAD);
      const timer = setInterval(() => socket.write('1\r\nx\r\n'.repeat(200)), 50);
      socket.on('close', () => clearInterval(timer));
    }
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
