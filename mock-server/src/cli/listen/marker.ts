import { once } from 'node:events';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import type { WebhookEndpoint } from '@svc/client';
import { LISTENER_DESCRIPTIONS } from '@svc/contract';

/** If a run of `listen` is killed, a later run recognizes the earlier run's endpoint by this description. */
export const temporaryDescription = (kind: keyof typeof LISTENER_DESCRIPTIONS): string =>
  `${LISTENER_DESCRIPTIONS[kind]} ${hostname()}`;

/** Whether an earlier `listen` on this machine left this endpoint behind. */
export async function isLeftover({ description, url }: WebhookEndpoint): Promise<boolean> {
  const isTemporary =
    description === temporaryDescription('forwards') || description === temporaryDescription('responds');
  return isTemporary && !(await isOpen(Number(new URL(url).port)));
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const connected = once(socket, 'connect').then(() => true);
  return await connected.catch(() => false).finally(() => socket.destroy());
}
