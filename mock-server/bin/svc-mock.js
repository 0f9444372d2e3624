#!/usr/bin/env node
// This file is committed, because npm links only commands that exist during the install, before the build runs.
import { existsSync, readFileSync } from 'node:fs';
// Use a default import, because old versions of Node lack some of the named exports.
import nodeModule from 'node:module';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [major, minor] = versionOf(process.versions.node);
const [oldestMajor, oldestMinor] = versionOf(engines.node.replace('>=', ''));

if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(
    `svc-mock: Node ${oldestMajor}.${oldestMinor} or later is required; this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
} else {
  nodeModule.enableCompileCache();
  // In a clone of the repository, run the sources. Only a clone has the build's configuration, which npm never packs.
  const isClone = existsSync(new URL('../tsup.config.ts', import.meta.url));
  await import(isClone ? '../../scripts/run-from-sources.ts' : '../dist/main.js');
}

/** @param {string} text */
function versionOf(text) {
  return text.split('.').map(Number);
}
