import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Listens, with a backlog for one or two connections, and then blocks. */
const LISTEN_AND_STAND_STILL = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** Connections that are opened first, to fill the backlog. */
const IN_LINE = 4;

/** A receiver that accepts no connections. */
export interface DeafReceiver extends AsyncDisposable {
  url: string;
  /** How many connections this process is opening, not counting those that fill the backlog. */
  asked(): number;
}

/** Starts a receiver whose backlog is full: the system leaves the SYNs of new connections unanswered. */
export async function startDeafReceiver(): Promise<DeafReceiver> {
  const worker = new Worker(LISTEN_AND_STAND_STILL, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const inLine = Array.from({ length: IN_LINE }, () => connect(port, '127.0.0.1').on('error', () => {}));
  // When one is connected, the others have been requested too.
  await Promise.race(inLine.map((socket) => once(socket, 'connect')));
  return {
    url: `http://127.0.0.1:${port}/`,
    asked() {
      const all = process.getActiveResourcesInfo().filter((resource) => /^(?:TCP)?ConnectWrap$/.test(resource));
      return all.length - inLine.filter((socket) => socket.connecting).length;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of inLine) socket.destroy();
      await worker.terminate();
    },
  };
}
