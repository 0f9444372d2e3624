import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@svc/testing';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { isInstalled } from '../../../tools/installed.ts';
import { type CustomerProject, createCustomerProject } from '../src/customer-project.ts';
import { root, run } from '../src/run.ts';

// These tests also run without Docker. They run what the image runs, in a folder that takes the place of its /app.

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const instructions = DockerfileParser.parse(read('docker/Dockerfile')).getInstructions();
/** The arguments of an instruction of the last stage. */
const argumentsOf = (keyword: string) =>
  instructions.findLast((one: Instruction) => one.getKeyword() === keyword)?.getArgumentsContent() ?? '';

let project: CustomerProject;
let data: string;
beforeAll(async () => {
  project = await createCustomerProject();
  data = join(project.folder, 'data');
  mkdirSync(data);
});
afterAll(() => project[Symbol.dispose]());

/** A command of the image, with its folders. */
const commandOf = (json: string) =>
  (JSON.parse(json) as string[]).map((word) => word.replace('/app', project.folder).replace('/data', data));

describe('docker/Dockerfile', () => {
  test('names files, packages and folders that exist', () => {
    const text = read('docker/Dockerfile');
    for (const [, workspace = ''] of text.matchAll(/-w (\S+)/g)) {
      expect(['@svc/client', '@svc/webhooks', '@svc/mock-server']).toContain(workspace);
    }
    // The build of the repository, as from a fresh clone: nothing is built yet, and the packages need each other.
    expect([...text.matchAll(/npm run .*/g)].map(([line]) => line)).toEqual(['npm run build \\']);
    expect(argumentsOf('USER')).toBe('node');
    const [program] = commandOf(argumentsOf('ENTRYPOINT')).slice(1);
    expect(existsSync(String(program))).toBe(true);
  });

  test('its command starts a server that its health check finds, and that SIGTERM ends with 0', async () => {
    const port = await freePort();
    const settings = Object.fromEntries(
      [...argumentsOf('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    expect(settings).toMatchObject({ SVC_HOST: '0.0.0.0', SVC_PORT: '4010', SVC_DATA: '/data' });
    const env = { ...process.env, ...settings, SVC_DATA: data, SVC_PORT: String(port), SVC_ADMIN_TOKEN: 'token' };
    const [file = '', ...argv] = [...commandOf(argumentsOf('ENTRYPOINT')), ...commandOf(argumentsOf('CMD'))];
    const server = spawn(file, argv, { env, stdio: 'ignore', cwd: project.folder });
    const ended = once(server, 'exit');
    const [check = '', ...checked] = JSON.parse(argumentsOf('HEALTHCHECK').replace(/^[^[]*/s, '')) as string[];
    const isHealthy = async () => {
      const [status] = await once(spawn(check, checked, { env }), 'exit');
      return status === 0;
    };
    await vi.waitUntil(isHealthy);
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(existsSync(join(data, 'svc-mock.sqlite'))).toBe(true);
    expect(await isHealthy()).toBe(false);
  });

  test('its command does not start without an admin token, since it listens beyond loopback', async () => {
    const [file = '', ...argv] = [...commandOf(argumentsOf('ENTRYPOINT')), 'start', '--host', '0.0.0.0', '--memory'];
    const { SVC_ADMIN_TOKEN: _token, ...env } = process.env;
    const server = spawn(file, argv, { env, stdio: 'ignore' });
    expect(await once(server, 'exit')).toEqual([2, null]);
  });
});

test('docker/compose.yaml has two servers behind a proxy, PostgreSQL, and names files that exist', () => {
  const { services } = parse(read('docker/compose.yaml'), { merge: true });
  expect(Object.keys(services)).toEqual(['postgres', 'svc-1', 'svc-2', 'proxy']);
  expect(services['svc-1']).toEqual(services['svc-2']);
  expect(existsSync(join(root, services['svc-1'].build.dockerfile))).toBe(true);
  const [nginx] = services.proxy.volumes;
  expect(existsSync(join(root, 'docker', nginx.split(':')[0]))).toBe(true);
});

if (!isInstalled()) console.info('Skipped, action-validator is not installed (npm run tools): action/action.yml');

test.skipIf(!isInstalled())('action/action.yml is valid for GitHub', async () => {
  expect(await run('node', ['tools/run.ts', 'action-validator', 'action/action.yml'])).toMatchObject({ status: 0 });
});
