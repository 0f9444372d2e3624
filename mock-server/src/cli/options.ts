import { DELIVERY_STATUSES } from '@svc/contract';
import { Option } from 'commander';
import { wholeNumber } from '../config/option-values.ts';
import type { CommandContext } from './context.ts';
import { idParser } from './ids.ts';

/** Parses a comma-separated list. */
const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

export const eventsOption = () =>
  new Option('--events <list>', 'event types or globs, separated by commas').argParser(list);

/** The glob `*` also subscribes to event types that a seed adds. The service document does not show this glob. */
export const allEventsOption = () =>
  eventsOption().default(['*'], '*, which means every event type; the real service may not accept *');

export const statusOption = (text: string) => new Option('--status <status>', text).choices(DELIVERY_STATUSES);

/** The options of a command that works on one workspace. */
export interface InWorkspace {
  workspace?: string;
}

export const workspaceOption = () =>
  new Option('--workspace <id>', 'the workspace, if the credential is a personal access token').argParser(
    idParser('workspace'),
  );

/** The option `--workspace` for commands that call the control API, which does not use the credential. */
export const lifecycleWorkspaceOption = () =>
  new Option('--workspace <id>', "the workspace (default: the API key's workspace)").argParser(idParser('workspace'));

/** Returns the workspace that {@link lifecycleWorkspaceOption} names, or by default the API key's workspace. */
export const workspaceIdOf = async (context: CommandContext, named: string | undefined): Promise<string> =>
  named ?? (await (await context.api()).me.retrieve()).workspace.id;

export const limitOption = () =>
  new Option('--limit <n>', 'the maximum number of items to list').default(20).argParser(wholeNumber(1));

/** The options of a command that asks for confirmation. */
export interface Confirmable {
  yes?: true;
}

export const yesOption = () => new Option('--yes', 'do not ask for confirmation');

export const timeoutOption = (text: string) =>
  new Option('--timeout <duration>', 'stop waiting after this time').default(text);
