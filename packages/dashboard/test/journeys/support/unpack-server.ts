import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { executablePath } from '@svc/testing/chromium';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the server under test: its unpacked tarball. */
    packedServer: string;
  }
}

const server = join(import.meta.dirname, '../../../../../mock-server');

/**
 * Packs the built server as it is published, and unpacks the tarball where it finds its dependencies. What the tarball
 * lacks, it lacks in every journey. Without Chromium, there are no journeys.
 */
export default function unpackServer(project: TestProject): (() => void) | undefined {
  if (!executablePath) return undefined;
  const modules = join(server, 'node_modules');
  mkdirSync(modules, { recursive: true });
  const place = mkdtempSync(join(modules, '.svc-packed-'));
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', place], {
    cwd: server,
    stdio: 'ignore',
  });
  const [tarball = ''] = readdirSync(place);
  execFileSync('tar', ['xzf', tarball], { cwd: place });
  project.provide('packedServer', join(place, 'package'));
  return () => rmSync(place, { recursive: true, force: true });
}
