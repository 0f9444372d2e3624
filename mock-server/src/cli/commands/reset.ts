import { Option } from 'commander';
import { readSeedFile } from '../../config/seed-file.ts';
import type { ControlClient } from '../../control-client/client.ts';
import type { CommandSpec } from '../command.ts';
import { confirmOrStop } from '../confirm.ts';
import { type Confirmable, yesOption } from '../options.ts';

export const reset: CommandSpec<Confirmable & { seed?: string }> = {
  usage: 'reset',
  summary: 'delete everything and apply a seed (default: the one that the server started with)',
  examples: ['svc-mock reset --yes', 'svc-mock reset --seed seed.yaml --yes --json'],
  options: [new Option('--seed <file>', 'JSON or YAML'), yesOption()],
  async run({ control, output, url }, _args, { seed: file, ...options }) {
    const seed = file === undefined ? undefined : await readSeed(file, control);
    await confirmOrStop(output, `Delete everything on ${url}?`, options, 'Nothing was deleted.');
    const { credentials } = await control.reset(seed === undefined ? {} : { seed });
    output.result({ credentials }, () =>
      credentials.length === 0
        ? 'All data is deleted. The new seed contains no credentials.'
        : output.table(
            ['NAME', 'CREDENTIAL'],
            credentials.map(({ name, credential }) => [name, credential]),
          ),
    );
  },
};

/**
 * Reads a seed file and checks it in the CLI, as `start` does, because only the CLI can report the line number of an
 * error. The server checks the URLs of endpoints, because only the server knows the networks that it allows.
 */
async function readSeed(file: string, control: ControlClient): Promise<unknown> {
  const seed = readSeedFile(file);
  const { parseSeed } = await import('../../config/parse-seed.ts');
  const { profile } = await control.readInfo();
  parseSeed(seed, { local: profile === 'local', addresses: { allows: () => true } });
  return seed;
}
