import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Listens, with room for a connection or two that wait to be accepted, and stands still. */
const LISTEN_AND_STAND_STILL = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** Connections that are opened first; whoever comes later finds no room. */
const IN_LINE = 4;

/** A receiver that does not hear. */
export interface DeafReceiver extends AsyncDisposable {
  url: string;
  /** Connections of this process, besides those that stand in line, that were asked for and are not open. */
  asked(): number;
}

/** Starts a receiver for whose connections the system has no room: it leaves their SYNs unanswered. */
export async function startDeafReceiver(): Promise<DeafReceiver> {
  const worker = new Worker(LISTEN_AND_STAND_STILL, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const inLine = Array.from({ length: IN_LINE }, () => connect(port, '127.0.0.1').on('error', () => {}));
  // By then the others have asked too.
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
