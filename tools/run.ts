import { spawnSync } from 'node:child_process';
import { InstallError, install, withTools } from './installed.ts';

// `node tools/run.ts <command>` installs missing tools, and then runs the command with the tools on its PATH. Without a
// command, this script only installs the tools.
try {
  await install();
} catch (error) {
  if (!(error instanceof InstallError)) throw error;
  console.error(error.message);
  process.exit(1);
}
const [command, ...argv] = process.argv.slice(2);
if (command !== undefined) {
  const { status, error } = spawnSync(command, argv, {
    stdio: 'inherit',
    env: withTools(),
    shell: process.platform === 'win32',
  });
  if (error) console.error(`Cannot run ${command}: ${error.message}`);
  process.exitCode = status ?? 1;
}
