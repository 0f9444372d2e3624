import { runCommand } from './command.ts';

// The program that reads the output may exit early, as `head` does. The command then continues, because its exit code
// still reports the result.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await runCommand(
  process.argv.slice(2),
  process.env,
  (text) => void process.stdout.write(text),
  (text) => void process.stderr.write(text),
);
