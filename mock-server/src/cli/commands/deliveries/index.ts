import type { Command } from 'commander';
import { addGroup } from '../../group.ts';
import { addDeliveriesList } from './list.ts';
import { addDeliveriesReplay } from './replay.ts';
import { addDeliveriesShow } from './show.ts';
import { addDeliveriesTail } from './tail.ts';
import { addDeliveriesWait } from './wait.ts';

/** `svc-mock deliveries` */
export function addDeliveries(program: Command): void {
  const group = addGroup(program, 'deliveries', 'list, show, replay, wait for or watch deliveries');
  addDeliveriesList(group);
  addDeliveriesShow(group);
  addDeliveriesReplay(group);
  addDeliveriesWait(group);
  addDeliveriesTail(group);
}
