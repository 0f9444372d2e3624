// Hostile receivers in a separate process. The path of a request names the behaviour. They listen on one port of
// 127.0.0.1, 127.0.0.2 and so on. The first argument sets how many (1), so that each is a separate origin.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { BEHAVIOURS } from './hostile-behaviours.ts';

function receive(socket: Socket): void {
  socket.on('error', () => {});
  socket.on('data', (data) => {
    // A request of this project fits into one segment.
    const [, kind] = /^POST \/([a-z-]+) /.exec(data.toString('latin1')) ?? [];
    if (kind !== undefined) BEHAVIOURS[kind]?.(socket);
  });
}

// Real receivers have their own machines, so what a flood costs its sender must not be measured.
setPriority(constants.priority.PRIORITY_LOW);
let port = 0;
for (let count = 1; count <= Number(process.argv[2] ?? 1); count++) {
  const server = createServer(receive).listen(port, `127.0.0.${count}`);
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
}
process.send?.(port);
process.on('disconnect', () => process.exit());
