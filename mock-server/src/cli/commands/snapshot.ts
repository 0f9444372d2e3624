import { Option } from 'commander';
import { readSeedFile } from '../../config/seed-file.ts';
import type { ControlClient } from '../../control-client/client.ts';
import type { CommandSpec, GroupSpec } from '../command.ts';
import { confirmOrStop } from '../confirm.ts';
import { type Confirmable, yesOption } from '../options.ts';
import { formatInstant } from '../output/output.ts';

const save: CommandSpec<Confirmable> = {
  usage: 'save <name>',
  summary: 'save a snapshot of all data; asks before it replaces a snapshot with the same name',
  examples: ['svc-mock snapshot save before-the-bug', 'svc-mock snapshot save before-the-bug --yes --json'],
  options: [yesOption()],
  async run({ control, output, url }, [name = ''], options) {
    const { snapshots } = await control.listSnapshots();
    if (snapshots.some((saved) => saved.name === name))
      await confirmOrStop(output, `Replace the snapshot ${name} on ${url}?`, options, 'Nothing was saved.');
    await control.saveSnapshot({ name });
    output.result({ saved: name }, () => `Saved ${name}.`);
  },
};

const restore: CommandSpec<Confirmable> = {
  usage: 'restore <name>',
  summary: 'restore all data, the clock and the faults from a snapshot',
  examples: ['svc-mock snapshot restore before-the-bug', 'svc-mock snapshot restore before-the-bug --yes --json'],
  options: [yesOption()],
  async run({ control, output, url }, [name = ''], options) {
    const question = `Replace everything on ${url} with the snapshot ${name}?`;
    await confirmOrStop(output, question, options, 'Nothing was restored.');
    await control.restoreSnapshot({ name });
    output.result({ restored: name }, () => `Restored ${name}.`);
  },
};

const list: CommandSpec = {
  usage: 'list',
  summary: 'list the snapshots',
  examples: ['svc-mock snapshot list', 'svc-mock snapshot list --json'],
  async run(context) {
    const { snapshots } = await context.control.listSnapshots();
    const nowMs = await context.now();
    context.output.list(snapshots, 'No snapshots.', ({ name, createdAt }) => ({
      NAME: name,
      SAVED: formatInstant(createdAt, nowMs),
    }));
  },
};

const remove: CommandSpec<Confirmable> = {
  usage: 'delete <name>',
  summary: 'delete a snapshot',
  examples: ['svc-mock snapshot delete before-the-bug', 'svc-mock snapshot delete before-the-bug --yes --json'],
  options: [yesOption()],
  async run({ control, output, url }, [name = ''], options) {
    await confirmOrStop(output, `Delete the snapshot ${name} on ${url}?`, options, 'Nothing was deleted.');
    await control.deleteSnapshot({ name });
    output.result({ deleted: name }, () => `Deleted ${name}.`);
  },
};

export const snapshot: GroupSpec = {
  name: 'snapshot',
  summary: 'save, restore, list or delete snapshots of all data',
  commands: [save, restore, list, remove],
};

export const reset: CommandSpec<Confirmable & { seed?: string }> = {
  usage: 'reset',
  summary: 'delete everything and apply a seed (default: the seed that the server started with)',
  examples: ['svc-mock reset --yes', 'svc-mock reset --seed seed.yaml --yes --json'],
  options: [new Option('--seed <file>', 'JSON or YAML'), yesOption()],
  async run({ control, output, url }, _args, { seed: file, ...options }) {
    const seed = file === undefined ? undefined : await readSeed(file, control);
    await confirmOrStop(output, `Delete everything on ${url}?`, options, 'Nothing was deleted.');
    const { credentials } = await control.reset(seed === undefined ? {} : { seed });
    output.result({ credentials }, () =>
      credentials.length === 0
        ? 'All data is deleted. The new seed contains no credentials.'
        : output.tableOf(credentials, ({ name, credential }) => ({ NAME: name, CREDENTIAL: credential })),
    );
  },
};

/**
 * Checks the seed here, because only the CLI knows the line number of an error. The server checks the URLs of
 * endpoints, because only the server knows which networks are allowed.
 */
async function readSeed(file: string, control: ControlClient): Promise<unknown> {
  const seed = readSeedFile(file);
  const { parseSeed } = await import('../../config/parse-seed.ts');
  const { profile } = await control.readInfo();
  parseSeed(seed, { local: profile === 'local', addresses: { allows: () => true } });
  return seed;
}
