import type { InjectedFault } from '@svc/contract/control/resources';
import type { Command } from 'commander';
import { addCommand } from '../../command.ts';

/** `svc-mock faults list` */
export function addFaultsList(parent: Command): void {
  addCommand(parent, {
    usage: 'list',
    summary: 'list the active faults with their counts',
    examples: ['svc-mock faults list', 'svc-mock faults list --json'],
    async run({ control, output }) {
      const { faults } = await control.listFaults();
      output.result(faults, () =>
        faults.length === 0
          ? 'No faults.'
          : output.table(
              ['ID', 'TARGET', 'MATCH', 'EFFECT', 'PROBABILITY', 'STRUCK', 'REMAINING'],
              faults.map((fault) => [
                fault.id,
                fault.target,
                pairs(fault.match) || 'everything',
                pairs(fault.effect),
                String(fault.probability),
                String(fault.struck),
                fault.remaining === null ? 'no end' : String(fault.remaining),
              ]),
            ),
      );
    },
  });
}

const pairs = (values: InjectedFault['match'] | InjectedFault['effect']) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
