import type { Command } from 'commander';
import { addGroupExamples } from '../../group.ts';
import { addClockAdvance } from './advance.ts';
import { addClockFreeze } from './freeze.ts';
import { addClockReset } from './reset.ts';
import { addClockSet } from './set.ts';
import { addClockShow } from './show.ts';

/** `svc-mock clock` */
export function addClock(program: Command): void {
  const group = program.command('clock').description("show or move the service's clock");
  addGroupExamples(group);
  addClockShow(group);
  addClockAdvance(group);
  addClockSet(group);
  addClockFreeze(group);
  addClockReset(group);
}
