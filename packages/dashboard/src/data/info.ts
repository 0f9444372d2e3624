import type { ServerInfo } from '@svc/mock-server/control';
import { control } from './control.ts';
import { type Query, useQuery } from './query.ts';

/** What the server is, and the credentials of its seed that are in force. */
export const useInfo = (): Query<ServerInfo> =>
  useQuery(
    'info',
    async () => await control<ServerInfo>('GET', '/info'),
    ({ tenants }) => tenants === true,
  );
