import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { formatInstant } from '../../output/times.ts';

/** `svc-mock snapshot list` */
export function addSnapshotList(parent: Command): void {
  addCommand(parent, {
    usage: 'list',
    summary: 'list the snapshots',
    examples: ['svc-mock snapshot list', 'svc-mock snapshot list --json'],
    async run(context) {
      const { control, output } = context;
      const { snapshots } = await control.listSnapshots();
      const nowMs = await context.now();
      output.result(snapshots, () =>
        snapshots.length === 0
          ? 'No snapshots.'
          : output.table(
              ['NAME', 'SAVED'],
              snapshots.map(({ name, createdAt }) => [name, formatInstant(createdAt, nowMs)]),
            ),
      );
    },
  });
}
