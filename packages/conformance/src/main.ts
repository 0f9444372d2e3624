import { runCommand } from './command.ts';

// When the reader stops, as `head` does, the command continues, because its exit code still says what happened.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await runCommand(
  process.argv.slice(2),
  process.env,
  (text) => void process.stdout.write(text),
  (text) => void process.stderr.write(text),
);
