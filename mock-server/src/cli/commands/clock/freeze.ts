import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { changeClock } from './move.ts';

/** `svc-mock clock freeze` */
export function addClockFreeze(parent: Command): void {
  addCommand(parent, {
    usage: 'freeze',
    summary: 'freeze the clock; due work still runs',
    examples: ['svc-mock clock freeze', 'svc-mock clock freeze --json'],
    run: (context) => changeClock(context, { freeze: true }),
  });
}
