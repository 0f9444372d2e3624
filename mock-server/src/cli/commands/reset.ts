import { type Command, Option } from 'commander';
import { readSeedFile } from '../../config/seed-file.ts';
import { addCommand } from '../command.ts';

/** `svc-mock reset` */
export function addReset(program: Command): void {
  addCommand<{ seed?: string }>(program, {
    usage: 'reset',
    summary: 'wipe everything, and apply a seed (default: the one that the server started with)',
    examples: ['svc-mock reset', 'svc-mock reset --seed seed.yaml --json'],
    options: [new Option('--seed <file>', 'JSON or YAML')],
    async run({ control, output }, _args, { seed: file }) {
      const seed = file === undefined ? undefined : readSeedFile(file);
      const { credentials } = await control.reset(seed === undefined ? {} : { seed });
      output.result({ credentials }, () =>
        credentials.length === 0
          ? 'Everything is wiped. The seed has no credentials.'
          : output.table(
              ['NAME', 'CREDENTIAL'],
              credentials.map(({ name, credential }) => [name, credential]),
            ),
      );
    },
  });
}
