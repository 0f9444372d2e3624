import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Scalar's package. `package.json` does not list the package, because npm would then install 272 other packages that
 * Scalar's file already contains. To update Scalar, change `version`, and set `integrity` to the output of
 * `npm view @scalar/api-reference@<version> dist.integrity`.
 */
const SCALAR = {
  version: '1.72.1',
  integrity: 'sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==',
};

/**
 * Returns Scalar's only file, and its version. The first build downloads the file from the registry, and later builds
 * use the stored copy. Throws if the download fails.
 */
export function fetchScalar(): { version: string; script: string } {
  const { version, integrity } = SCALAR;
  const cache = join(import.meta.dirname, '../../../node_modules/.cache/scalar');
  const tarball = join(cache, `scalar-${version}.tgz`);
  mkdirSync(cache, { recursive: true });
  const isWhole = (path: string) =>
    `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}` === integrity;
  try {
    if (!isWhole(tarball)) throw new Error('The stored file has the wrong hash.');
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
    if (!isWhole(fetched)) throw new Error(`The downloaded @scalar/api-reference ${version} has the wrong hash.`);
    renameSync(fetched, tarball);
    rmSync(scratch, { recursive: true });
  }
  const file = 'package/dist/browser/standalone.js';
  const script = execFileSync('tar', ['-xzOf', tarball, file], { encoding: 'utf8', maxBuffer: 64 << 20 });
  return { version, script };
}
