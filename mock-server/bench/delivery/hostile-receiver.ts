// Hostile receivers in a separate process. The path of a request says how the receiver must behave. The receivers
// listen on the same port of 127.0.0.1, 127.0.0.2 and so on, so that each receiver is a separate origin. The first
// argument is the number of receivers (default: 1).
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { BEHAVIOURS } from './hostile-behaviours.ts';

function receive(socket: Socket): void {
  socket.on('error', () => {});
  socket.on('data', (data) => {
    // A request of this project fits into one TCP segment, so the first `data` event contains the whole request.
    const [, kind] = /^POST \/([a-z-]+) /.exec(data.toString('latin1')) ?? [];
    if (kind !== undefined) BEHAVIOURS[kind]?.(socket);
  });
}

// Real receivers run on other machines. Run this process with a low priority, so that its floods take no processor time
// from the server.
setPriority(constants.priority.PRIORITY_LOW);
let port = 0;
for (let count = 1; count <= Number(process.argv[2] ?? 1); count++) {
  const server = createServer(receive).listen(port, `127.0.0.${count}`);
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
}
process.send?.(port);
process.on('disconnect', () => process.exit());
