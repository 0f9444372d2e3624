import type { Command } from 'commander';
import type { Evaluation } from '../domain/profiles/evaluation.ts';
import { type ServerCommandOptions, serverCommand } from './server-command.ts';
import { callServer, workspaceOf } from './server-connection.ts';

/** `svc-mock evaluate`: runs one evaluation on a running server. */
export function evaluateCommand(): Command {
  return serverCommand('evaluate')
    .description('evaluate the profiles of a workspace now')
    .addHelpText(
      'after',
      '\nExamples:\n  svc-mock evaluate\n  svc-mock evaluate --workspace wsp_01DEM00000000000000PR0D000 --json\n',
    )
    .action(evaluate);
}

interface Answer {
  evaluation: Evaluation;
  event: { id: string; type: string };
}

async function evaluate(options: ServerCommandOptions): Promise<void> {
  const workspaceId = await workspaceOf(options, options.workspace);
  const path = `/_control/workspaces/${encodeURIComponent(workspaceId)}/evaluate`;
  const answer = await callServer<Answer>(options, { method: 'POST', path });
  process.stdout.write(options.json ? `${JSON.stringify(answer)}\n` : textOf(answer));
}

function textOf({ evaluation, event }: Answer): string {
  const { id, workspaceId, profiles, changed, states, transitions, syncError } = evaluation;
  return [
    `  ${id} of ${workspaceId}: ${profiles} profiles, ${changed} changed`,
    ...Object.entries(states).map(([state, count]) => `    ${state.padEnd(8)} ${String(count).padStart(9)}`),
    ...transitions.map(({ from, to, profiles: count }) => `  ${count} went from ${from ?? 'nothing'} to ${to}`),
    ...(syncError === null ? [] : [`  The data source could not be read: ${syncError}`]),
    `  ${event.type} is ${event.id}`,
    '',
  ].join('\n');
}
