import { join } from 'node:path';
import { root, run } from './run.ts';

/** Creates a bare repository that a test can clone. Its only commit contains the current files of this repository. */
export async function copyRepository(folder: string): Promise<string> {
  const repository = join(folder, 'repository.git');
  const git = async (...argv: string[]) => {
    const { status, stderr } = await run('git', ['--git-dir', repository, '--work-tree', root, ...argv]);
    if (status !== 0) throw new Error(`git ${argv.join(' ')}: ${stderr}`);
  };
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', '--all');
  const author = ['-c', 'user.name=Newcomer', '-c', 'user.email=newcomer@example.test'];
  await git(...author, 'commit', '--quiet', '--no-verify', '--message', 'All files');
  await git('config', 'core.bare', 'true');
  return repository;
}
