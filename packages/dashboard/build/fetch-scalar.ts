import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Scalar's package. It is not in `package.json`, because it would install 272 packages that its one file already contains.
 * To update it, change the version, and the integrity to what `npm view @scalar/api-reference@<version> dist.integrity`
 * prints.
 */
const SCALAR = {
  version: '1.72.1',
  integrity: 'sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==',
};

/**
 * Scalar's one file, and its version. It is fetched from the registry once, and kept for later builds. @throws if the
 * download fails.
 */
export function fetchScalar(): { version: string; script: string } {
  const { version, integrity } = SCALAR;
  const cache = join(import.meta.dirname, '../../../node_modules/.cache/scalar');
  const tarball = join(cache, `scalar-${version}.tgz`);
  mkdirSync(cache, { recursive: true });
  const isWhole = (path: string) =>
    `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}` === integrity;
  try {
    if (!isWhole(tarball)) throw new Error('It is not the file that was pinned.');
  } catch {
    const scratch = join(cache, String(process.pid));
    mkdirSync(scratch, { recursive: true });
    const argv = ['pack', `@scalar/api-reference@${version}`, '--json', '--pack-destination', scratch];
    const windows = process.platform === 'win32';
    const answer = execFileSync('npm', argv, {
      encoding: 'utf8',
      shell: windows,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [packed] = Object.values(JSON.parse(answer) as Record<string, { filename: string }>);
    const fetched = join(scratch, packed?.filename ?? '');
    if (!isWhole(fetched)) throw new Error(`@scalar/api-reference ${version} is not the file that was pinned.`);
    renameSync(fetched, tarball);
    rmSync(scratch, { recursive: true });
  }
  const file = 'package/dist/browser/standalone.js';
  const script = execFileSync('tar', ['-xzOf', tarball, file], { encoding: 'utf8', maxBuffer: 64 << 20 });
  return { version, script };
}
