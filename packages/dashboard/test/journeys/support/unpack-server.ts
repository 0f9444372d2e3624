import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const server = join(import.meta.dirname, '../../../../../mock-server');

/**
 * Packs the built server as it is published, and unpacks the tarball where it finds its dependencies. What the tarball
 * lacks, it lacks in every journey.
 */
export function unpackServer(): { folder: string } & Disposable {
  const modules = join(server, 'node_modules');
  mkdirSync(modules, { recursive: true });
  const place = mkdtempSync(join(modules, '.svc-packed-'));
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', place], {
    cwd: server,
    stdio: 'ignore',
  });
  const [tarball = ''] = readdirSync(place);
  execFileSync('tar', ['xzf', tarball], { cwd: place });
  return { folder: join(place, 'package'), [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }) };
}
