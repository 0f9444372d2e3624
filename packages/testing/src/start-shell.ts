import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a command line in a shell. At the end of the `await using` scope, the shell and everything that it started are
 * killed.
 */
export async function startShell(commandLine: string, cwd: string): Promise<AsyncDisposable> {
  const shell = spawn('sh', ['-c', commandLine], { cwd, detached: true, stdio: ['ignore', 'ignore', 'inherit'] });
  const closed = new Promise<void>((resolve) => {
    shell.once('close', () => resolve());
  });
  await once(shell, 'spawn');
  const { pid } = shell;
  if (pid === undefined) throw new TypeError('The shell has no process id.');
  return {
    async [Symbol.asyncDispose]() {
      try {
        // The shell was started detached, so it leads a process group.
        process.kill(-pid);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
      await closed;
    },
  };
}
