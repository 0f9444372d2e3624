import type { Command } from 'commander';
import { addGroup } from '../../group.ts';
import { addEventsList } from './list.ts';
import { addEventsShow } from './show.ts';

/** `svc-mock events` */
export function addEvents(program: Command): void {
  const group = addGroup(program, 'events', 'list or show events');
  addEventsList(group);
  addEventsShow(group);
}
