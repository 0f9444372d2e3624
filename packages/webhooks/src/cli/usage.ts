import { COMMANDS } from './commands.ts';
import { OPTIONS } from './options.ts';

const EXIT_CODES = 'Exit codes: 0 on success, 1 if the check or the request fails, 2 if the command line is wrong.\n';

/** Returns the text that `--help` prints, for one command or for all commands. */
export function usageOf(name: string | undefined): string {
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) {
    const options = [...command.options, 'help' as const].map(optionLine).join('');
    return `svc-webhooks ${command.usage}: ${command.summary}\n\n${options}\n${command.details ?? ''}${EXIT_CODES}`;
  }
  const commands = Object.values(COMMANDS).map(
    ({ usage, summary }) => `  ${usage.replace(/ \[.*options\]$| \[--.*/, '').padEnd(14)}${summary}\n`,
  );
  const common = (['help', 'version'] as const).map(optionLine).join('');
  return `svc-webhooks <command> [options]\n\n${commands.join('')}\n${common}\nsvc-webhooks <command> --help shows the options of a command. ${EXIT_CODES}`;
}

function optionLine(name: keyof typeof OPTIONS): string {
  const option = OPTIONS[name];
  return `  ${'short' in option ? `-${option.short},` : '   '} --${name} ${option.help}\n`;
}
