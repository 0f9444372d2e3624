import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { durationMsOf } from '../../durations.ts';
import { changeClock } from './move.ts';

/** `svc-mock clock advance` */
export function addClockAdvance(parent: Command): void {
  addCommand(parent, {
    usage: 'advance <duration>',
    summary: 'move the clock forward; due work runs, each item at its own virtual time',
    examples: ['svc-mock clock advance 30m', 'svc-mock clock advance 3d --json'],
    async run(context, [duration = '']) {
      const ms = durationMsOf('The time to advance', duration);
      await changeClock(context, { advance: duration }, (await context.now()) + ms);
    },
  });
}
