import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { changeClock } from './move.ts';

/** `svc-mock clock reset` */
export function addClockReset(parent: Command): void {
  addCommand(parent, {
    usage: 'reset',
    summary: 'return to the real time',
    examples: ['svc-mock clock reset', 'svc-mock clock reset --json'],
    run: (context) => changeClock(context, { reset: true }),
  });
}
