import { run } from '@svc/testing';

/** The TypeScript sources of all packages and of the server. Includes files that are not committed yet. */
export async function sourceFiles(): Promise<string[]> {
  const folders = ['packages/*/src/**', 'mock-server/src/**'];
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', ...folders]);
  return stdout.split('\n').filter((file) => /\.tsx?$/.test(file));
}
