import type { ServerInfo } from '@svc/contract/control/types';
import { control } from './control.ts';
import { type Query, useQuery } from './query.ts';

/** The server's version and settings, and the valid credentials of its seed. */
export const useInfo = (): Query<ServerInfo> =>
  useQuery(
    'info',
    async () => await control('GET', '/info'),
    ({ tenants }) => tenants === true,
  );
