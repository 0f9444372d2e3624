import type { GroupSpec } from '../../command.ts';
import { list } from './list.ts';
import { replay } from './replay.ts';
import { show } from './show.ts';
import { tail } from './tail.ts';
import { wait } from './wait.ts';

export const deliveries: GroupSpec = {
  name: 'deliveries',
  summary: 'list, show, replay, wait for or watch deliveries',
  commands: [list, show, replay, wait, tail],
};
