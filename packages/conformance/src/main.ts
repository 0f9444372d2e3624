import { runCommand } from './command.ts';

// If the program that reads the output exits, as `head` does, the command continues, because its exit code still
// reports the result.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await runCommand(
  process.argv.slice(2),
  process.env,
  (text) => void process.stdout.write(text),
  (text) => void process.stderr.write(text),
);
