import { runCommand } from './command.ts';
import { continueWithoutReader, print, printError } from './print.ts';

continueWithoutReader();
process.exitCode = await runCommand(process.argv.slice(2), process.env, print, printError);
