import { createProgram } from '../../../mock-server/src/cli/program.ts';
import { code, fence, page, plain, sentence, table } from './markdown.ts';

const program = createProgram('', {}, () => {});

type Command = typeof program;
type Option = Command['options'][number];

/** The page of the command: what `--help` prints, for every command. */
export function createCommandPage(): string {
  return page(
    '# The command `svc-mock`',
    'This is what `--help` prints. [Develop locally](../guides/develop-locally.md) shows the commands at work.',
    fence('text', helpOf(program)),
    ...leavesOf(program)
      .filter(({ name }) => name !== 'start' && !name.startsWith('completion'))
      .map(({ name, command }) =>
        page(`## ${code(name)}`, plain(sentence(command.description())), fence('text', helpOf(command))),
      ),
  );
}

/** The page of the configuration: every option of `start`. */
export function createConfigurationPage(): string {
  const start = program.commands.find((command) => command.name() === 'start');
  if (!start) throw new Error('The program has no command start.');
  const [, notes = ''] = helpOf(start).split(/\n\n(?=SVC_)/);
  return page(
    '# Configuration of the server',
    'Pass an option on the command line, or set the variable of the environment that is named beside it. An option wins.',
    table(
      ['option', 'variable', 'default', 'meaning'],
      start.options
        .filter(({ long }) => long !== '--help')
        .map((option) => [
          code(option.flags),
          option.envVar ? code(option.envVar) : '',
          defaultOf(option),
          plain(sentence(option.description)),
        ]),
    ),
    'These have a variable only:',
    notes
      .trim()
      .split('\n')
      .map((line) => `- ${plain(line.replaceAll(/SVC_\w+/g, '`$&`'))}`)
      .join('\n'),
    '[The reference server](server.md) explains them one by one.',
  );
}

function defaultOf(option: Option): string {
  const value = option.defaultValueDescription ?? option.defaultValue;
  return value === undefined || typeof value === 'boolean' ? '' : code(String(value));
}

/** Every command that does something, by its whole name. */
function leavesOf(command: Command, prefix = ''): { name: string; command: Command }[] {
  return command.commands.flatMap((child) => {
    const name = `${prefix}${child.name()}`;
    return child.commands.length > 0 ? leavesOf(child, `${name} `) : [{ name, command: child }];
  });
}

/** What `--help` prints, 100 characters wide. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  return text;
}
