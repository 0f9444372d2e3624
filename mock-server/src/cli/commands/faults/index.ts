import type { Command } from 'commander';
import { addGroup } from '../../group.ts';
import { addFaultsAdd } from './add.ts';
import { addFaultsClear } from './clear.ts';
import { addFaultsList } from './list.ts';

/** `svc-mock faults` */
export function addFaults(program: Command): void {
  const group = addGroup(program, 'faults', 'list, add or clear injected faults');
  addFaultsList(group);
  addFaultsAdd(group);
  addFaultsClear(group);
}
