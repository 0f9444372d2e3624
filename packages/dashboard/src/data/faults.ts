import type { InjectedFault } from '@svc/contract/control/types';
import { control } from './control.ts';
import { type Query, useQuery } from './query.ts';

export const useFaults = (): Query<InjectedFault[]> =>
  useQuery('faults', async () => (await control('GET', '/faults')).faults, ['faults']);

export const isInForce = ({ remaining }: Pick<InjectedFault, 'remaining'>): boolean =>
  remaining === null || remaining > 0;
