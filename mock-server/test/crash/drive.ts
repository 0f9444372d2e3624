import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { FromNode, ToNode } from './node.ts';

/** Tells a node something; one that is gone does not hear it. */
export const tell = (node: ChildProcess, message: ToNode) => node.send(message, () => {});

/** Waits until a node has nothing left to do and no other has. @returns false where that took too long. */
export async function finish(node: ChildProcess): Promise<boolean> {
  return (await ask(node, { finish: true }, 'idle')).idle;
}

/** The attempts that a node makes at this moment, or has still to write back. */
export async function inFlightOf(node: ChildProcess): Promise<number> {
  return (await ask(node, { tellInFlight: true }, 'inFlight')).inFlight;
}

/** Ends a node with SIGKILL. */
export async function end(node: ChildProcess): Promise<void> {
  const gone = once(node, 'exit');
  node.kill('SIGKILL');
  await gone;
}

type Keys<Message> = Message extends unknown ? keyof Message : never;

/** Resolves with the node's next message that has this key. */
function ask<Key extends Keys<FromNode>>(node: ChildProcess, question: ToNode, key: Key) {
  return new Promise<Extract<FromNode, Record<Key, unknown>>>((resolve, reject) => {
    const hear = (message: FromNode) => {
      if (!(key in message)) return;
      node.off('message', hear).off('exit', gone);
      resolve(message as Extract<FromNode, Record<Key, unknown>>);
    };
    const gone = () => reject(new Error(`A node ended before it told "${key}".`));
    node.on('message', hear).once('exit', gone);
    tell(node, question);
  });
}
